"""The outdoor props: houses, trees, the lamp, the windmill, the waterfall and others.

A prop's origin is on the ground at its middle, x east, y up, z south; most front sides look south, toward the camera.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping

from tools.demo_world.mesh import Corner, Face, Vector
from tools.demo_world.model import ModelBuilder, Paint
from tools.demo_world.picture import Picture, rgb5
from tools.demo_world.shapes import around, box, card, gable_roof, lathe, quad

Pictures = Mapping[str, Picture]

ID = 8
"""Polygon id of opaque props: the hardware draws a thin outline where it meets the terrain's 0."""


def solid(name: str, picture: str | None = None, **more: object) -> Paint:
    """An opaque, lit material of a prop."""
    return Paint(name, picture or name, polygon_id=ID, **more)  # type: ignore[arg-type]


WALL = solid("house_wall", mirror=(True, False))
FOUNDATION = solid("foundation")
WINDOW = solid("window", lights=4)
BARK = solid("bark")
LEAVES = solid("leaves")
NEEDLES = solid("needles")
BOULDER = solid("boulder", mirror=(True, True))
PLANKS = solid("planks")
BOARD = solid("board")
DARKNESS = Paint("darkness", None, lights=0, polygon_id=ID)
ROUND_SHADOW = Paint("shade_round", "shadow", lights=0, mirror=(True, True))
BOX_SHADOW = Paint("shade_box", "shadow_box", lights=0, mirror=(True, True))

_BLACK = rgb5("#080810")
_SHADE_HEIGHT = 0.375


def shade(
    builder: ModelBuilder, paint: Paint, half_width: float, half_depth: float, x: float = 0, z: float = 0
) -> None:
    """A shadow decal on the ground; its picture is a quarter that the material mirrors."""
    y = _SHADE_HEIGHT
    west, east, north, south = x - half_width, x + half_width, z - half_depth, z + half_depth
    builder.add(paint, quad(((west, y, north), (west, y, south), (east, y, south), (east, y, north)), (0, 0, 32, 32)))


def dummy(pictures: Pictures) -> ModelBuilder:
    """Model 0, the dummy box for a prop that an area does not list."""
    builder = ModelBuilder("dummy_box", pictures)
    builder.add(solid("dummy", "mosaic"), *box((-8, 0, -8), (8, 16, 8), scale=2))
    return builder


def house(name: str, roof: str, width: int, depth: int, height: int, pictures: Pictures) -> ModelBuilder:
    """A timbered house of `width` x `depth` units with its doorway in the middle of the south side."""
    builder = ModelBuilder(name, pictures)
    x, z = width / 2 - 2, depth / 2
    north = -z + 2
    base = 6
    shade(builder, BOX_SHADOW, width / 2 + 7, depth / 2 + 7, 3, 2)
    builder.add(FOUNDATION, *box((-x - 1, 0, north), (x + 1, base, z), top=False))
    start = 32 - x
    for side in "nesw":
        builder.add(WALL, *box((-x, base, north + 1), (x, base + height, z), top=False, sides=side, offset=(start, 0)))
    for corner_x in (-x - 1, x - 3):
        for corner_z in (north, z - 3):
            builder.add(BARK, *box((corner_x, base, corner_z), (corner_x + 4, base + height, corner_z + 4), top=False))
    eaves = base + height
    slopes, gables = gable_roof((-x, eaves, north + 1), (x, eaves + depth * 7 // 16, z), overhang=4)
    roof_paint = solid(roof)
    builder.add(roof_paint, *slopes)
    # The underside of the eaves, seen from below only.
    builder.add(BARK, *[face[::-1] for face in slopes])
    builder.add(WALL, *gables)
    ridge = eaves + depth * 7 // 16
    middle = (north + 1 + z) / 2
    builder.add(roof_paint, *box((-x - 5, ridge - 2, middle - 3), (x + 5, ridge + 2, middle + 3), offset=(0, 8)))
    # Doorway: darkness behind the door prop, and a frame around it.
    builder.add(
        DARKNESS, [c._replace(color=_BLACK) for c in card((-8, 0, z + 0.25), (8, 0, z + 0.25), 29, (0, 0, 1, 1))]
    )
    builder.add(BARK, *box((-11, 0, z - 1), (-8, 31, z + 1.5)), *box((8, 0, z - 1), (11, 31, z + 1.5)))
    builder.add(BARK, *box((-11, 29, z - 1), (11, 33, z + 2)))
    builder.add(FOUNDATION, *box((-12, 0, z), (12, 1, z + 6)))
    places = (-x + 10, x - 26)
    for left in places:
        builder.add(WINDOW, card((left, 18, z + 0.75), (left + 16, 18, z + 0.75), 18, (0, 0, 16, 16)))
        builder.add(BARK, *box((left - 1, 16, z), (left + 17, 18, z + 3)))
    for sign in (-1, 1):
        a, b = middle + 8 * sign, middle - 8 * sign
        builder.add(WINDOW, card((sign * (x + 0.75), 14, a), (sign * (x + 0.75), 14, b), 16, (0, 0, 16, 16)))
    top = ridge + 10
    builder.add(FOUNDATION, *box((x - 22, eaves, middle - 16), (x - 12, top, middle - 7)))
    builder.add(
        DARKNESS,
        [
            c._replace(color=_BLACK)
            for c in box((x - 21, top, middle - 15), (x - 13, top + 0.25, middle - 8), sides="")[0]
        ],
    )
    return builder


def cottage(pictures: Pictures) -> ModelBuilder:
    return house("cottage", "roof_red", 80, 48, 36, pictures)


def inn(pictures: Pictures) -> ModelBuilder:
    builder = house("inn", "roof_blue", 112, 64, 40, pictures)
    builder.add(solid("mosaic"), card((-7, 34, 33.5), (7, 34, 33.5), 11, (8, 8, 24, 24)))
    return builder


def door(pictures: Pictures) -> ModelBuilder:
    """A door that turns about its left edge; its origin is the middle of the door tile."""
    builder = ModelBuilder("door", pictures)
    builder.node("leaf", (-8, 0, 8.5))
    leaf = solid("door", both_sides=True)
    builder.add(leaf, card((0, 0, 0), (16, 0, 0), 29, (0, 0, 16, 32)), node=1)
    # The frame's sill, so that the model has something that does not move.
    builder.add(BARK, *box((-8, 0, 7.5), (8, 0.5, 9)))
    return builder


def tree(pictures: Pictures) -> ModelBuilder:
    builder = ModelBuilder("tree", pictures)
    shade(builder, ROUND_SHADOW, 16, 14, 2, 1)
    builder.add(BARK, *lathe(((3, 18), (3.5, 6), (5, 0)), 5, texels=(32, 16)))
    crown = ((0, 50), (9, 46), (15, 34), (13, 22), (5, 15))
    builder.add(LEAVES, *lathe(crown, 7, texels=(96, 48), turn=3000))
    return builder


def fir(pictures: Pictures) -> ModelBuilder:
    builder = ModelBuilder("fir", pictures)
    shade(builder, ROUND_SHADOW, 14, 12, 2, 1)
    builder.add(BARK, *lathe(((3, 12), (4, 0)), 4, texels=(16, 16)))
    for radius, low, high, turn in ((15, 9, 30, 0), (12, 21, 42, 4000), (8, 34, 56, 8000)):
        builder.add(NEEDLES, *lathe(((0, high), (radius, low)), 7, texels=(64, 16), turn=turn))
    return builder


def boulder(pictures: Pictures) -> ModelBuilder:
    builder = ModelBuilder("boulder", pictures)
    shade(builder, ROUND_SHADOW, 12, 10, 1, 1)
    builder.add(BOULDER, *lathe(((0, 12), (5, 11), (9, 6), (9, 0)), 6, texels=(96, 32), turn=5000))
    builder.add(BOULDER, *lathe(((0, 6), (4, 4), (4, 0)), 5, center=(7, 0, 5), texels=(64, 32)))
    return builder


def fence(pictures: Pictures) -> ModelBuilder:
    """Three tiles of fence, along x."""
    builder = ModelBuilder("fence", pictures)
    for post in (-22, 0, 22):
        builder.add(BARK, *box((post - 2, 0, -2), (post + 2, 15, 2)))
    for top in (7, 13):
        builder.add(PLANKS, *box((-24, top - 3, -1), (24, top, 1)))
    shade(builder, BOX_SHADOW, 26, 5, 2, 1)
    return builder


def signpost(pictures: Pictures) -> ModelBuilder:
    builder = ModelBuilder("signpost", pictures)
    shade(builder, ROUND_SHADOW, 10, 5)
    builder.add(BARK, *box((-2, 0, -1), (2, 10, 1)))
    builder.add(BOARD, *box((-11, 8, 0), (11, 20, 2), top=False, sides="new"))
    builder.add(BOARD, card((-11, 8, 2), (11, 8, 2), 12, (0, 0, 32, 16)))
    builder.add(BARK, *box((-12, 19, -1), (12, 21, 3)))
    return builder


def lamp(pictures: Pictures) -> ModelBuilder:
    """A street lamp: lit by light 3 at every hour, with a halo that always faces the camera."""
    builder = ModelBuilder("lamp", pictures)
    shade(builder, ROUND_SHADOW, 8, 7)
    iron = solid("iron", "window", diffuse=rgb5("#404050"))
    builder.add(BARK, *lathe(((2, 34), (2, 4), (4, 0)), 5, texels=(16, 16)))
    builder.add(iron, *box((-4, 34, -4), (4, 35, 4)), *lathe(((0, 48), (6, 43)), 4, texels=(16, 4), turn=8192))
    glass = solid("lamp_glass", "lantern", lights=8)
    builder.add(glass, *[_pane(face) for face in box((-3, 35, -3), (3, 43, 3), top=False)])
    halo = builder.node("halo", (0, 39, 0), billboard="full")
    glow = Paint("halo", "glow", lights=8, alpha=14, polygon_id=21, mirror=(True, True), fog=False)
    face = quad(((-18, 18, 0), (-18, -18, 0), (18, -18, 0), (18, 18, 0)), (0, 0, 32, 32))
    builder.add(glow, [corner._replace(normal=(0, 0, 1)) for corner in face], node=halo)
    return builder


def _pane(face: Face) -> Face:
    """The face with the whole lantern picture on it."""
    places = ((0, 0), (0, 8), (8, 8), (8, 0))
    return tuple(corner._replace(texel=place) for corner, place in zip(face, places, strict=True))


def windmill(pictures: Pictures) -> ModelBuilder:
    """The mill: a tower, a cap, and sails on a node of their own that turns about z."""
    builder = ModelBuilder("windmill", pictures)
    shade(builder, ROUND_SHADOW, 34, 30, 4, 3)
    stone = solid("mill_base", "foundation")
    builder.add(stone, *lathe(((21, 16), (24, 0)), 8, texels=(192, 16), turn=4096))
    plaster = solid("mill_wall", "house_wall")
    builder.add(plaster, *lathe(((15, 68), (21, 16)), 8, texels=(256, 64), turn=4096))
    builder.add(DARKNESS, [c._replace(color=_BLACK) for c in card((-7, 0, 23), (7, 0, 23), 22, (0, 0, 1, 1))])
    builder.add(BARK, *box((-9, 0, 20), (-7, 24, 24)), *box((7, 0, 20), (9, 24, 24)), *box((-10, 22, 20), (10, 25, 25)))
    builder.add(WINDOW, card((-7, 38, 19.5), (7, 38, 19.5), 14, (0, 0, 16, 16)))
    cap = builder.node("cap", (0, 68, 0))
    builder.add(solid("roof_red"), *lathe(((0, 22), (9, 14), (18, -2)), 8, texels=(128, 32), turn=4096), node=cap)
    sails = builder.node("sails", (0, 4, 20), parent=cap)
    builder.add(BARK, *box((-2, -2, -8), (2, 2, 3)), node=sails)
    cloth = solid("sail", both_sides=True, repeat=(False, False))
    for turn in range(4):
        faces = []
        # A sail reaches up from the hub; the other three are turned by quarters.
        for corner in quad(((-3, 52, 1), (-3, 3, 1), (10, 3, 2.5), (10, 52, 2.5)), (0, 0, 16, 64)):
            px, py, pz = corner.position
            for _ in range(turn):
                px, py = -py, px
            faces.append(corner._replace(position=(px, py, pz), normal=(0, 0.25, 0.97)))
        builder.add(cloth, faces, node=sails)
    return builder


def boat(pictures: Pictures) -> ModelBuilder:
    """A rowing boat, 18 wide and 40 long, bow to the north; its origin is on the water."""
    builder = ModelBuilder("boat", pictures)
    rim: list[Vector] = [(0, 7, -22), (-7, 6, -12), (-9, 5, 0), (-8, 6, 16), (8, 6, 16), (9, 5, 0), (7, 6, -12)]
    keel: list[Vector] = [(0, -3, -16), (-4, -3, -10), (-5, -3, 0), (-4, -3, 14), (4, -3, 14), (5, -3, 0), (4, -3, -10)]
    hull = solid("hull", "planks_down")
    inside = solid("boat_inside", "planks")
    for place in range(7):
        following = (place + 1) % 7
        top, low = (rim[place], rim[following]), (keel[place], keel[following])
        length = 16
        face = quad((top[0], low[0], low[1], top[1]), (0, 0, length, 10))
        builder.add(hull, face)
        inner = [(x * 0.875, y - 0.5, z * 0.875) for x, y, z in (*top, *low)]
        builder.add(inside, quad((inner[1], inner[3], inner[2], inner[0]), (0, 0, length, 8)))
        builder.add(BARK, quad((top[0], top[1], inner[1], inner[0]), (0, 0, length, 2)))
    floor = [(x * 0.875, 0.5, z * 0.875) for x, _, z in keel]
    builder.add(inside, *[_fan(floor, place) for place in range(1, 6)])
    for z in (-5, 6):
        builder.add(BARK, *box((-7.5, 3, z - 2), (7.5, 4, z + 2)))
    builder.add(PLANKS, *box((-16, 5, 1), (-8, 6, 3)), *box((8, 5, 1), (16, 6, 3)))
    return builder


def _fan(points: list[Vector], place: int) -> Face:
    corners = (points[0], points[place], points[place + 1])
    return tuple(Corner(point, (point[0], point[2])) for point in corners)


def waterfall(pictures: Pictures) -> ModelBuilder:
    """Water falling from y = 28 to -4 over two tiles, four tiles wide; its origin is the upper edge's middle."""
    builder = ModelBuilder("waterfall", pictures)
    falls = Paint("falls", "falls", alpha=31, polygon_id=12, both_sides=True)
    width = 32
    normal = (0, 0.6, 0.8)
    for west in (-width, 0):
        east = west + width
        for (y0, z0), (y1, z1) in (((28.25, -1), (24, 6)), ((24, 6), (-4, 22)), ((-4, 22), (-4.25, 32))):
            t0, t1 = z0 + 28 - y0, z1 + 28 - y1
            face = quad(((west, y0, z0), (west, y1, z1), (east, y1, z1), (east, y0, z0)), (west, t0, east, t1))
            builder.add(falls, [corner._replace(normal=normal) for corner in face])
    foam = Paint("spray", "foam", lights=0, alpha=26, polygon_id=13, both_sides=True, repeat=(True, False))
    for height, z in ((12, 23), (8, 27)):
        builder.add(foam, card((-width, -4, z), (width, -4, z), height, (z, 32, z + 64, 0)))
    flat = quad(((-34, -3.5, 20), (-34, -3.5, 46), (34, -3.5, 46), (34, -3.5, 20)), (0, 0, 68, 32))
    builder.add(foam, flat)
    return builder


def flag(pictures: Pictures) -> ModelBuilder:
    """A banner on a pole; the cloth hangs on three joints, and the columns between them follow two joints at once."""
    builder = ModelBuilder("flag", pictures)
    shade(builder, ROUND_SHADOW, 7, 6)
    builder.add(FOUNDATION, *box((-5, 0, -5), (5, 4, 5)))
    builder.add(BARK, *lathe(((1.5, 66), (2, 4)), 5, texels=(16, 64)))
    builder.add(solid("knob", "lantern"), *lathe(((0, 71), (3, 68), (0, 65)), 5, texels=(8, 8)))
    first = builder.node("cloth_1", (2, 62, 0))
    second = builder.node("cloth_2", (12, 0, 0), parent=first)
    third = builder.node("cloth_3", (12, 0, 0), parent=second)
    columns = (
        (builder.slot(first), 0.0, 0.0),
        (builder.mix((first, 96), (second, 160)), 14.0, 62.0),
        (builder.mix((second, 96), (third, 160)), 26.0, 62.0),
        (builder.slot(third), 12.0, 0.0),
    )
    cloth = solid("cloth", "flag", both_sides=True)
    for place, (left, right) in enumerate(itertools.pairwise(columns)):
        for row in range(2):
            corners = []
            for (slot, x, top), across, down in (
                (left, place, row),
                (left, place, row + 1),
                (right, place + 1, row + 1),
                (right, place + 1, row),
            ):
                point = (x, top - 12 * down, 0.0)
                corners.append(Corner(point, (across * 32 / 3, down * 16), (0, 0, 1), None, slot))
            builder.add(cloth, corners)
    # The pole belongs to node 0 as well; its shapes name their matrix so that one list draws them all.
    return builder


def notice_screen(pictures: Pictures) -> ModelBuilder:
    """A board under a little roof that shows one picture after the other."""
    builder = ModelBuilder("notice", pictures)
    shade(builder, BOX_SHADOW, 20, 8, 1, 1)
    builder.add(BARK, *box((-17, 0, -2), (-14, 34, 2)), *box((14, 0, -2), (17, 34, 2)))
    face = quad(((-14, 34, -6), (-14, 6, 6), (14, 6, 6), (14, 34, -6)), (0, 0, 32, 32))
    builder.add(solid("screen", "screen.1", lights=8), face)
    builder.add(BOARD, face[::-1])
    builder.add(BARK, *box((-17, 34, -9), (17, 37, -4)), *box((-14, 4, 4), (14, 6, 8)))
    return builder


def neon_sign(pictures: Pictures) -> ModelBuilder:
    """The inn's sign; one of its two faces is to be seen at a time."""
    builder = ModelBuilder("neon", pictures)
    builder.add(BARK, *box((-14, 14, -3), (14, 16, -1)))
    dark = builder.node("dark", (0, 0, 0))
    bright = builder.node("bright", (0, 0, 0))
    off = Paint("neon_off", "neon", lights=0, polygon_id=ID)
    on = solid("neon_on", "neon", lights=8)
    dim = rgb5("#606070")
    builder.add(off, [c._replace(color=dim) for c in card((-16, 0, 0), (16, 0, 0), 16, (0, 0, 32, 16))], node=dark)
    builder.add(on, card((-16, 0, 0), (16, 0, 0), 16, (0, 0, 32, 16)), node=bright)
    return builder


def well(pictures: Pictures) -> ModelBuilder:
    builder = ModelBuilder("well", pictures)
    shade(builder, ROUND_SHADOW, 17, 15, 1, 1)
    builder.add(FOUNDATION, *lathe(((12, 11), (12, 0)), 8, texels=(96, 11), turn=4096))
    ring = []
    for place in range(8):
        a, b = 4096 + 8192 * place, 4096 + 8192 * (place + 1)
        (ax, az), (bx, bz), (cx, cz), (dx, dz) = around(b, 9), around(b, 12), around(a, 12), around(a, 9)
        ring.append(quad(((ax, 11, az), (bx, 11, bz), (cx, 11, cz), (dx, 11, dz)), (0, 0, 9, 3)))
    builder.add(FOUNDATION, *ring)
    builder.add(
        DARKNESS,
        *[
            tuple(
                Corner((x, 8, z), None, None, rgb5("#10203c"))
                for x, z in ((0, 0), around(8192 * i + 12288, 10), around(8192 * i + 4096, 10))
            )
            for i in range(8)
        ],
    )
    for x in (-11, 9):
        builder.add(BARK, *box((x, 0, -1), (x + 2, 32, 1)))
    slopes, gables = gable_roof((-11, 30, -8), (11, 40, 8), overhang=4)
    builder.add(solid("roof_red"), *slopes)
    builder.add(BARK, *[face[::-1] for face in slopes], *gables, *box((-9, 22, -1.5), (9, 25, 1.5)))
    builder.add(PLANKS, *box((-3, 12, -3), (3, 18, 3)))
    return builder


def blossom_bush(pictures: Pictures) -> ModelBuilder:
    """A bush that turns toward the camera about its own axis."""
    builder = ModelBuilder("bush", pictures)
    shade(builder, ROUND_SHADOW, 12, 9)
    plant = builder.node("plant", (0, 0, 0), billboard="upright")
    paint = solid("bush", repeat=(False, False))
    face = card((-12, 0, 0), (12, 0, 0), 24, (0, 0, 32, 32))
    builder.add(paint, [corner._replace(normal=(0, 0.6, 0.8)) for corner in face], node=plant)
    return builder


def cave_mouth(pictures: Pictures) -> ModelBuilder:
    """The dark arch in front of a cave; its origin is the middle of the tile inside."""
    builder = ModelBuilder("cave_mouth", pictures)
    arch = solid("cave_arch", "cave_mouth", repeat=(False, False))
    builder.add(arch, card((-16, 0, 8.5), (16, 0, 8.5), 32, (0, 0, 32, 32)))
    return builder


def barrel(pictures: Pictures) -> ModelBuilder:
    builder = ModelBuilder("barrel", pictures)
    shade(builder, ROUND_SHADOW, 9, 8, 1, 1)
    builder.add(PLANKS, *lathe(((6, 15), (7, 8), (6, 0)), 7, texels=(48, 16)))
    lid = [around(65536 * place // 7, 6) for place in range(7)]
    for place in range(1, 6):
        points = (lid[0], lid[place + 1], lid[place])
        builder.add(PLANKS, tuple(Corner((x, 14.5, z), (8 + x, 8 + z)) for x, z in points))
    return builder


def portal(pictures: Pictures) -> ModelBuilder:
    """Light rising from a warp panel: a ring that turns and a shaft, both see-through."""
    builder = ModelBuilder("portal", pictures)
    ring = Paint("portal_ring", "glow", lights=0, alpha=20, polygon_id=22, mirror=(True, True), fog=False)
    aqua = rgb5("#80f0fc")
    face = quad(((-10, 1, -10), (-10, 1, 10), (10, 1, 10), (10, 1, -10)), (0, 0, 32, 32))
    builder.add(ring, [corner._replace(color=aqua) for corner in face])
    shaft = Paint("portal_shaft", "falls", lights=0, alpha=11, polygon_id=23, both_sides=True, fog=False)
    for faces in (lathe(((5, 30), (7, 0.5)), 6, texels=(64, 32)),):
        builder.add(shaft, *[[corner._replace(color=aqua) for corner in face] for face in faces])
    return builder

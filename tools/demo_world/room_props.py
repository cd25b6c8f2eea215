"""The props of rooms, the cave and the ice cavern."""

from __future__ import annotations

from tools.demo_world.mesh import Corner
from tools.demo_world.model import ModelBuilder, Paint
from tools.demo_world.picture import rgb5
from tools.demo_world.props import (
    BARK,
    BOX_SHADOW,
    ID,
    PLANKS,
    ROUND_SHADOW,
    Pictures,
    _pane,
    shade,
    solid,
)
from tools.demo_world.shapes import box, card, lathe, quad


def table(pictures: Pictures) -> ModelBuilder:
    """A table two tiles wide and high enough to talk across."""
    builder = ModelBuilder("table", pictures)
    shade(builder, BOX_SHADOW, 18, 12, 1, 1)
    for x in (-14, 11):
        for z in (-9, 6):
            builder.add(BARK, *box((x, 0, z), (x + 3, 10, z + 3), top=False))
    cloth = solid("cloth")
    builder.add(cloth, quad(((-16, 12, -11), (-16, 12, 11), (16, 12, 11), (16, 12, -11)), (0, 0, 32, 22)))
    builder.add(cloth, card((-16, 7, 11), (16, 7, 11), 5, (0, 24, 32, 32)))
    builder.add(BARK, *box((-15, 7, -10), (15, 12, 10), top=False, sides="new"))
    return builder


def stool(pictures: Pictures) -> ModelBuilder:
    builder = ModelBuilder("stool", pictures)
    shade(builder, ROUND_SHADOW, 7, 6)
    builder.add(PLANKS, *lathe(((5, 8), (4, 0)), 6, texels=(32, 8)), *box((-4, 7.5, -4), (4, 8.5, 4)))
    return builder


def bed(pictures: Pictures) -> ModelBuilder:
    """A bed, head to the north, 28 x 44."""
    builder = ModelBuilder("bed", pictures)
    shade(builder, BOX_SHADOW, 17, 26, 1, 1)
    builder.add(PLANKS, *box((-14, 0, -22), (14, 7, 22), top=False))
    quilt = solid("quilt", repeat=(False, False))
    builder.add(quilt, quad(((-14, 10, -22), (-14, 9, 22), (14, 9, 22), (14, 10, -22)), (0, 0, 32, 64)))
    builder.add(quilt, card((-14, 6, 22), (14, 6, 22), 3, (0, 56, 32, 64)))
    for side in (-1, 1):
        a, b = (-22, 22) if side < 0 else (22, -22)
        builder.add(quilt, card((14 * side, 6, a), (14 * side, 6, b), 4, (2, 30, 30, 36)))
    builder.add(PLANKS, *box((-15, 0, -25), (15, 20, -22)), *box((-15, 0, 22), (15, 11, 24)))
    return builder


def bookshelf(pictures: Pictures) -> ModelBuilder:
    builder = ModelBuilder("bookshelf", pictures)
    shade(builder, BOX_SHADOW, 18, 7, 1, 4)
    books = solid("books")
    builder.add(PLANKS, *box((-16, 0, -8), (16, 36, 4), sides="new"))
    builder.add(books, card((-16, 2, 4), (16, 2, 4), 34, (0, 0, 32, 32)))
    builder.add(PLANKS, card((-16, 0, 4), (16, 0, 4), 2, (0, 0, 32, 2)))
    return builder


def television(pictures: Pictures) -> ModelBuilder:
    """A set on a low cupboard; its picture changes."""
    builder = ModelBuilder("television", pictures)
    shade(builder, BOX_SHADOW, 16, 10, 1, 1)
    builder.add(PLANKS, *box((-14, 0, -8), (14, 9, 8)))
    builder.add(BARK, *box((-11, 9, -6), (11, 28, 4), sides="new"))
    screen = solid("tv", "tv.1", emission=rgb5("#808080"))
    builder.add(screen, quad(((-11, 28, 3), (-11, 9, 5), (11, 9, 5), (11, 28, 3)), (0, 0, 32, 32)))
    return builder


def plant(pictures: Pictures) -> ModelBuilder:
    builder = ModelBuilder("plant", pictures)
    shade(builder, ROUND_SHADOW, 7, 6)
    leaves = solid("potted", both_sides=True, repeat=(False, False))
    up = (0, 0.6, 0.8)
    for ends in (((-6, 0, 0), (6, 0, 0)), ((0, 0, 6), (0, 0, -6)), ((-5, 0, 5), (5, 0, -5))):
        builder.add(leaves, [c._replace(normal=up) for c in card(*ends, 26, (0, 0, 16, 32))])
    return builder


def hearth(pictures: Pictures) -> ModelBuilder:
    """A fireplace in the north wall."""
    builder = ModelBuilder("hearth", pictures)
    stone = solid("boulder", mirror=(True, True))
    builder.add(
        stone, *box((-20, 0, -8), (-12, 28, 4)), *box((12, 0, -8), (20, 28, 4)), *box((-20, 28, -8), (20, 36, 5))
    )
    builder.add(stone, *box((-14, 36, -8), (14, 56, 0)))
    soot = Paint("soot", None, lights=0, polygon_id=ID)
    builder.add(soot, [c._replace(color=rgb5("#281818")) for c in card((-12, 0, -4), (12, 0, -4), 28, (0, 0, 1, 1))])
    builder.add(stone, *box((-14, 0, 4), (14, 1, 12)))
    builder.add(BARK, *box((-9, 1, -3), (9, 4, 0)), *box((-7, 3, -2), (6, 6, 2)))
    fire = Paint("fire", "fire.1", lights=0, polygon_id=ID, repeat=(False, False))
    builder.add(fire, card((-10, 2, 1), (10, 2, 1), 24, (0, 0, 32, 32)))
    warm = Paint("firelight", "glow", lights=0, alpha=12, polygon_id=24, mirror=(True, True))
    face = quad(((-26, 1.25, 2), (-26, 1.25, 34), (26, 1.25, 34), (26, 1.25, 2)), (0, 8, 32, 32))
    builder.add(warm, [c._replace(color=rgb5("#fca050")) for c in face])
    return builder


def counter(pictures: Pictures) -> ModelBuilder:
    """A kitchen counter, two tiles wide, against the north wall."""
    builder = ModelBuilder("counter", pictures)
    shade(builder, BOX_SHADOW, 18, 9, 1, 2)
    builder.add(PLANKS, *box((-16, 0, -8), (16, 13, 5), top=False))
    builder.add(solid("kitchen"), *box((-16, 13, -8), (16, 15, 6)))
    builder.add(solid("basin", "lantern", diffuse=rgb5("#8090a0")), *box((-10, 15, -5), (0, 16, 3)))
    return builder


def crystal(pictures: Pictures) -> ModelBuilder:
    """Clear ice that mirrors its surroundings; four blades, see-through."""
    builder = ModelBuilder("crystal", pictures)
    ice = Paint(
        "crystal",
        "ice_mirror",
        diffuse=rgb5("#a0b0d0"),
        ambient=rgb5("#606878"),
        emission=rgb5("#405070"),
        alpha=22,
        polygon_id=30,
        environment=True,
    )
    for x, z, radius, height, turn in ((0, -1, 6, 34, 0), (6, 3, 4, 20, 5000), (-6, 2, 4, 24, 9000), (0, 6, 3, 12, 0)):
        builder.add(
            ice, *lathe(((0, height), (radius, height * 2 // 3), (radius * 0.75, 0)), 5, center=(x, 0, z), turn=turn)
        )
    return builder


def stalagmite(pictures: Pictures) -> ModelBuilder:
    builder = ModelBuilder("stalagmite", pictures)
    shade(builder, ROUND_SHADOW, 10, 9)
    stone = solid("boulder", mirror=(True, True))
    builder.add(stone, *lathe(((0, 30), (3, 16), (8, 0)), 6, texels=(64, 32), turn=2000))
    builder.add(stone, *lathe(((0, 16), (4, 0)), 5, center=(7, 0, 4), texels=(48, 32)))
    return builder


def torch(pictures: Pictures) -> ModelBuilder:
    """A lantern on a stake: light 3 and a halo that faces the camera."""
    builder = ModelBuilder("torch", pictures)
    shade(builder, ROUND_SHADOW, 6, 5)
    builder.add(BARK, *box((-1, 0, -1), (1, 18, 1), top=False))
    glass = solid("torch_glass", "lantern", lights=8, emission=rgb5("#c0b080"))
    builder.add(glass, *[_pane(face) for face in box((-3, 18, -3), (3, 25, 3))])
    halo = builder.node("halo", (0, 21, 0), billboard="full")
    glow = Paint("halo", "glow", lights=8, alpha=12, polygon_id=21, mirror=(True, True), fog=False)
    face = quad(((-24, 24, 0), (-24, -24, 0), (24, -24, 0), (24, 24, 0)), (0, 0, 32, 32))
    builder.add(glow, [corner._replace(normal=(0, 0, 1)) for corner in face], node=halo)
    return builder


def snowman(pictures: Pictures) -> ModelBuilder:
    builder = ModelBuilder("snowman", pictures)
    shade(builder, ROUND_SHADOW, 11, 9)
    white = solid("snowball", "snow")
    builder.add(white, *lathe(((4, 16), (9, 8), (5, 0)), 7, texels=(64, 32)))
    builder.add(white, *lathe(((0, 28), (5, 25), (6, 21), (3, 15)), 7, texels=(48, 32)))
    coal = Paint("coal", None, lights=0, polygon_id=ID)
    for x, y, z in ((-2, 24, 5.25), (2, 24, 5.25), (0, 12, 8), (0, 8, 9.25)):
        face = card((x - 0.75, y, z), (x + 0.75, y, z), 1.5, (0, 0, 1, 1))
        builder.add(coal, [c._replace(color=rgb5("#202030")) for c in face])
    tip = Corner((0, 21, 10), None, None, rgb5("#f08030"))
    base = [
        Corner(point, None, None, rgb5("#e06820"))
        for point in ((-1, 22.5, 5), (-1, 20.5, 5), (1, 20.5, 5), (1, 22.5, 5))
    ]
    for place in range(4):
        builder.add(coal, (base[place], base[(place + 1) % 4], tip))
    return builder

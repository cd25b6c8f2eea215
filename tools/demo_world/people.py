"""The people: 32 x 32 sprites in four directions, walking and running, drawn from parts; and what they stand on.

A sheet has the pictures name.1 to name.n: four a direction (north, south, west, east; stand, step, stand, step), and
for the player four more a direction for running. The frame sequences count in the order of the sorted names.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from formats.binary import frozen
from formats.field.frame_sequence import FrameSequence
from formats.nitro.nsbmd import Nsbmd
from formats.nitro.nsbtx import Nsbtx
from tools.demo_world.mesh import Corner
from tools.demo_world.model import ModelBuilder, Paint
from tools.demo_world.paint import blank, stamp
from tools.demo_world.picture import COLORS_16, Indices, Picture, from_rows, ramp, texture_set
from tools.demo_world.shapes import box, card

_KEY = ".#sSHhCcdPpbw"
"""Clear, outline, skin, hair, coat (each shade before light), trim, trousers, boots, white: the palette in letters."""

_HEAD_SOUTH = (
    "....######....",
    "..##hhhhhh##..",
    ".#hhhhhhhhhh#.",
    ".#hhhhhhhhhh#.",
    "#hhHhhhhhhHhh#",
    "#hHHSHSSHSHHh#",
    "#HHSSSSSSSSHH#",
    "#HsS#SSSS#SsH#",
    ".#sSwSSSSwSs#.",
    ".#sS#SSSS#Ss#.",
    "..#sSSSSSSs#..",
    "...##ssss##...",
)
_HEAD_NORTH = (
    "....######....",
    "..##hhhhhh##..",
    ".#hhhhhhhhhh#.",
    ".#hhhhhhhhhh#.",
    "#hhhhhhhhhhhh#",
    "#hhhhhhhhhhhh#",
    "#HhhhhhhhhhhH#",
    "#HHhhhhhhhhHH#",
    ".#HHhhhhhhHH#.",
    ".#HHHHHHHHHH#.",
    "..#HHHHHHHH#..",
    "...##HHHH##...",
)
_HEAD_WEST = (
    "....######....",
    "..##hhhhhh##..",
    ".#hhhhhhhhhh#.",
    ".#hhhhhhhhhh#.",
    "#hhhhhhhhhhhh#",
    "#HSHhhHhhhhhh#",
    "#SSSHhHHhhhhh#",
    "#S#SSHsHHhhhH#",
    ".wSSSSsSHhHH#.",
    ".#SSSSSsHHH#..",
    ".#sSSSSsH##...",
    "..##sss##.....",
)
_BODY_SOUTH = (
    "..#cCddCc#..",
    ".#ccCddCcc#.",
    "#SCcccccCcS#",
    "#s#cccccc#s#",
    ".##CCCCCC##.",
)
_BODY_NORTH = (
    "..#cccccc#..",
    ".#cccccccc#.",
    "#SCcccccCcS#",
    "#s#cccccc#s#",
    ".##CCCCCC##.",
)
_BODY_WEST = (
    "..#dcccc#...",
    "..#dccCcc#..",
    "..#ccCSCc#..",
    "..#ccCsCc#..",
    "..##CCCC##..",
)
_LEGS = {
    "stand": ("..#pp##pp#..", "..#pP##Pp#..", "..#bb##bb#..", "...##..##..."),
    "left": ("..#pp##pp#..", "..#pP##PP#..", "..#bb#.##...", "..####......"),
    "right": ("..#pp##pp#..", "..#PP##Pp#..", "...##.#bb#..", "......####.."),
    "side": ("..##pppp##..", "...#pPPp#...", "...#bbbb#...", "....####...."),
    "side_left": ("..#pppPP#...", ".#ppP#PPP#..", "#bb##.#bb#..", "###...####.."),
    "side_right": ("..#PPppp#...", ".#PPP#ppP#..", "#bb##.#bb#..", "###...####.."),
}
_HAT = (
    "....######....",
    "..##dddddd##..",
    ".#dddddddddd#.",
    "#cdddddddddcc#",
    "#CcccccccccCC#",
    ".############.",
)
_BUN = ("..####..", ".#hhhh#.", "#hhhhhh#", "#HhhhhH#", ".#HHHH#.")
_BEARD = ("#wwwwww#", "#wwwwww#", ".#wwww#.", "..####..")


@dataclass(frozen=True)
class Looks:
    """Colours of a person, and the extras: `hat`, `bun`, `beard`."""

    name: str
    hair: tuple[str, str]
    coat: tuple[str, str]
    trim: str
    trousers: tuple[str, str]
    skin: tuple[str, str] = ("#d89070", "#f4c8a0")
    hat: bool = False
    bun: bool = False
    beard: bool = False

    @property
    def palette(self) -> tuple[int, ...]:
        """The sprite's colours, in the order of the letters it is drawn with."""
        return ramp(
            "#000000", "#282030", *self.skin, *self.hair, *self.coat, self.trim, *self.trousers, "#58402c", "#f8f8f8"
        )


PLAYER = Looks("hero", ("#5c3420", "#8c5430"), ("#b83838", "#e05848"), "#fcf0d8", ("#30487c", "#4868a4"), hat=True)
MILLER = Looks("miller", ("#a8a098", "#d0ccc4"), ("#7c6448", "#a88c64"), "#f4ecd4", ("#4c4440", "#6c6058"), beard=True)
GARDENER = Looks(
    "gardener", ("#8c4420", "#c06c34"), ("#387848", "#58a868"), "#f0d860", ("#6c4c7c", "#8c6ca0"), bun=True
)
FISHER = Looks("fisher", ("#30303c", "#4c4c5c"), ("#286890", "#4090bc"), "#f8d048", ("#586048", "#788060"), hat=True)
CHILD = Looks("child", ("#c08830", "#ecc058"), ("#c06898", "#e898bc"), "#fcfcfc", ("#404c80", "#5c6cac"))
KEEPER = Looks("keeper", ("#40241c", "#683c2c"), ("#384068", "#586494"), "#e8e8f4", ("#30303c", "#484858"), bun=True)

CAST: dict[int, Looks] = {0: PLAYER, 1: MILLER, 2: GARDENER, 3: FISHER, 4: CHILD, 5: KEEPER}
"""Object graphics id -> who is drawn for it."""

MEMBERS = {0: 90, 1: 0, 2: 1, 3: 2, 4: 3, 5: 4}
"""Object graphics id -> member of mmodel, as a real program's table begins."""

PARCEL_GRAPHICS, PARCEL_MEMBER = 87, 85
"""An item on the floor."""

_PARCEL = (
    "................",
    "................",
    "......#..#......",
    ".....#d##d#.....",
    "......#dd#......",
    "...####dd####...",
    "..#cccccdcccc#..",
    "..#cccccdcccC#..",
    "..#dddddddddd#..",
    "..#ccccCdcccC#..",
    "..#ccccCdccCC#..",
    "..#cccCCdcCCC#..",
    "..#CCCCCdCCCC#..",
    "...##########...",
    "................",
    "................",
)

_WALK, _RUN = 16, 16
_PHASES = ("stand", "left", "stand", "right")


def _draw(looks: Looks, direction: str, phase: str, run: bool) -> Indices:
    """One picture; the body is 14 wide and 21 high, its feet on the lowest row."""
    image = blank(32, 32)
    side = direction in ("west", "east")
    leg = {"stand": "side", "left": "side_left", "right": "side_right"}[phase] if side else phase
    bob = 1 if phase != "stand" else 0
    lean = (1 if run else 0) + (1 if run and phase != "stand" else 0)
    legs = from_rows(_LEGS[leg], _KEY)
    body = from_rows({"south": _BODY_SOUTH, "north": _BODY_NORTH}.get(direction, _BODY_WEST), _KEY)
    head = from_rows({"south": _HEAD_SOUTH, "north": _HEAD_NORTH}.get(direction, _HEAD_WEST), _KEY)
    forward = -lean if side else 0
    stamp(image, legs, 10, 28)
    stamp(image, body, 10 + forward // 2, 24 - bob)
    stamp(image, head, 9 + forward, 13 - bob + (1 if run and not side else 0))
    top = 13 - bob + (1 if run and not side else 0)
    if looks.hat:
        stamp(image, from_rows(_HAT, _KEY), 9 + forward, top - 1)
    if looks.bun:
        if side:
            stamp(image, from_rows(_BUN, _KEY), 17 + forward, top + 1)
        else:
            stamp(image, from_rows(_BUN, _KEY), 12, top - 3)
    if looks.beard and direction != "north":
        stamp(image, from_rows(_BEARD, _KEY), (8 if side else 12) + forward, top + 9)
    if direction == "east":
        image = image[:, ::-1].copy()
    return image


def sheet(looks: Looks, running: bool) -> Nsbtx:
    """The sprite file of a person; `running` adds the pictures that only the player has."""
    pictures: list[Picture] = []
    for run in (False, True)[: 2 if running else 1]:
        for direction in ("north", "south", "west", "east"):
            for phase in _PHASES:
                image = _draw(looks, direction, phase, run)
                name = f"{looks.name}.{len(pictures) + 1}"
                pictures.append(Picture(name, COLORS_16, image, looks.palette, True, None, looks.name))
    return texture_set(sorted(pictures, key=lambda picture: picture.name))


def sequence(running: bool) -> FrameSequence:
    """The frame sequence of walking, or of walking and running: four ticks a picture."""
    count = _WALK + (_RUN if running else 0)
    names = sorted(str(number + 1) for number in range(count))
    textures = [names.index(str(number + 1)) for number in range(count)]
    starts = [4 * number for number in range(count)]
    return FrameSequence(frozen(starts, np.uint16), frozen(textures, np.uint8), frozen([0] * count, np.uint8))


def parcel() -> Nsbtx:
    """The sprite file of an item on the floor, with as many pictures as the sequence of walking has."""
    image, palette = from_rows(_PARCEL, _KEY), MILLER.palette
    names = sorted(f"parcel.{number + 1}" for number in range(_WALK))
    return texture_set([Picture(name, COLORS_16, image, palette, True, None, "parcel") for name in names])


def billboard(size: int) -> Nsbmd:
    """The model that shows a person or a thing: a square of so many units, always facing the camera."""
    picture = Picture("hero.5", COLORS_16, blank(size, size), PLAYER.palette, True, None, "hero")
    builder = ModelBuilder("person", {"hero.5": picture}, billboard="full")
    white = 0x7FFF
    paint = Paint("person", "hero.5", diffuse=white, ambient=white, fog=False)
    face = card((-size / 2, 0, 0), (size / 2, 0, 0), size, (0, 0, size, size))
    builder.add(paint, [corner._replace(normal=(0, 0, 1)) for corner in face])
    return Nsbmd((builder.build(),))


def foot_shadow(pictures: dict[str, Picture], half_width: float, half_depth: float) -> Nsbmd:
    """The shadow at a person's feet, with its own texture."""
    builder = ModelBuilder("foot_shadow", pictures)
    paint = Paint("foot_shadow", "shadow", polygon_id=2, alpha=18, lights=0, mirror=(True, True))
    points = ((-half_width, 5, -half_depth), (-half_width, 5, half_depth))
    face = [*points, (half_width, 5, half_depth), (half_width, 5, -half_depth)]
    texels = ((0, 0), (0, 32), (32, 32), (32, 0))
    builder.add(paint, [Corner(point, texel) for point, texel in zip(face, texels, strict=True)])
    return Nsbmd((builder.build(),), texture_set([pictures["shadow"]]).textures)


def field_sign(pictures: dict[str, Picture]) -> Nsbmd:
    """A small guidepost that stands in the map as an object, with its own textures."""
    builder = ModelBuilder("field_sign", pictures)
    post = Paint("post", "bark", polygon_id=32)
    board = Paint("board", "board", polygon_id=40)
    builder.add(post, *box((-1, 0, -1), (1, 9, 1), top=False))
    builder.add(board, card((-7, 7, 1.5), (7, 7, 1.5), 8, (0, 0, 32, 16)))
    builder.add(post, *box((-7, 7, 0), (7, 15, 1.5), sides="new"))
    return Nsbmd((builder.build(),), texture_set([pictures["bark"], pictures["board"]]).textures)

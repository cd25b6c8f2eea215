"""The outdoor ground of the demo world: converts the text map to tiles, layers and attributes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from formats.field.terrain_attribute import attribute
from tools.demo_world.edges import Atlas, open_neighbours
from tools.demo_world.grid import Corners, Grid, Tile
from tools.demo_world.model import Paint
from tools.demo_world.outdoor_map import GROUND, LEVELS
from tools.demo_world.picture import Picture, rgb5
from tools.demo_world.terrain import MARGIN, Style, Surface

SIZE = 64
WATER_LINE = -4
UPPER_WATER_LINE = 28
BRIDGE_DECK = 16

_WET = "~=qJ"
_OPEN_WATER = "~=J"
_BED = {"d": -24, "u": 0, "z": -8}

_RIVER = range(30, 34)
_BRIDGE_ROWS = (36, 37)
_WATERFALL_ROWS = (8, 9)

_KINDS = {
    ".": "grass",
    "f": "garden",
    "*": "bells",
    "w": "meadow",
    "W": "meadow",
    "p": "path",
    "c": "cobbles",
    "s": "sand",
    "T": "forest",
    "X": "grass",
    "D": "grass",
    "o": "path",
    "^": "stairs",
    "L": "grass",
    "M": "grass",
    "B": "planks",
    "P": "panel",
    "~": "sand",
    "=": "sand",
    "q": "sand",
    "J": "sand",
}

_JOINS = {
    "path": {"path", "cobbles", "stairs", "planks"},
    "cobbles": {"path", "cobbles"},
    "sand": {"sand", "panel"},
    "forest": {"forest"},
}
"""Grounds with a ragged border, and which neighbours they run into without one."""

_BEHAVIOURS = {"w": 0x02, "W": 0x03, "s": 0x21, "~": 0x10, "=": 0x15, "q": 0x17, "o": 0x6E, "P": 0x67, "J": 0x71}
_BLOCKED = {"T": 0, "t": 0, "k": 0, "r": 0, "X": 0, "D": 0x69, "L": 0x3B, "M": 0x5B}

_ONE_WAY = {
    "": 0x00,
    "e": 0x30,
    "w": 0x31,
    "n": 0x32,
    "s": 0x33,
    "en": 0x34,
    "nw": 0x35,
    "es": 0x36,
    "sw": 0x37,
    "ns": 0x49,
    "ew": 0x4A,
}
"""Behaviour of a tile that may not be left or entered over some of its sides."""

PAINTS = {
    name: Paint(name, name)
    for name in (
        "grass",
        "path",
        "cobbles",
        "sand",
        "forest",
        "garden",
        "bells",
        "meadow",
        "bed",
        "stairs",
        "planks",
        "panel",
    )
}
WALLS = {
    "cliff": Paint("cliff", "cliff"),
    "bank": Paint("bank", "bank"),
}
WATER = Paint("water", "water", alpha=31, polygon_id=1)
DECK = Paint("deck", "planks_down")


def ground(x: int, z: int) -> str:
    """The map's character at a tile; outside, that of the nearest tile."""
    return GROUND[max(0, min(SIZE - 1, z))][max(0, min(SIZE - 1, x))]


def level(x: int, z: int) -> str:
    """The map's height character at a tile."""
    return LEVELS[max(0, min(SIZE - 1, z))][max(0, min(SIZE - 1, x))]


def kind(x: int, z: int) -> str:
    """The ground picture of a tile; trees and rocks stand on sand where they have sand beside them."""
    character = ground(x, z)
    if character in _KINDS:
        return _KINDS[character]
    sandy = sum(ground(x + dx, z + dz) == "s" for dx, dz in ((1, 0), (-1, 0), (0, 1), (0, -1)))
    return "sand" if sandy >= 2 else "grass"


def _flat_height(x: int, z: int) -> int | None:
    character = level(x, z)
    if character in _BED:
        return _BED[character]
    return 16 * int(character) if character.isdigit() else None


def _slope(x: int, z: int, character: str) -> Corners:
    """The corners of a slope tile, between the flat tiles at the two ends of its run."""
    dx, dz = (0, 1) if character == "N" else (1, 0)
    before = after = 1
    while level(x - before * dx, z - before * dz) == character:
        before += 1
    while level(x + after * dx, z + after * dz) == character:
        after += 1
    start = _flat_height(x - before * dx, z - before * dz)
    end = _flat_height(x + after * dx, z + after * dz)
    if character == "E" and ground(x - before, z) in _WET:
        start = BRIDGE_DECK
    if character == "E" and ground(x + after, z) in _WET:
        end = BRIDGE_DECK
    assert start is not None and end is not None
    run = before + after - 1
    first = start + (end - start) * (before - 1) // run
    second = start + (end - start) * before // run
    return (first, first, second, second) if character == "N" else (first, second, first, second)


def _vertex(x: int, z: int) -> int:
    """The height of the lake's bed where four tiles meet: the shore's, if one of them is no lake."""
    heights = []
    for dx, dz in ((-1, -1), (0, -1), (-1, 0), (0, 0)):
        character = level(x + dx, z + dz)
        if character == "d":
            return _BED["d"]
        if character == "N":
            corners = _slope(x + dx, z + dz, "N")
            heights.append(corners[{(-1, -1): 3, (0, -1): 2, (-1, 0): 1, (0, 0): 0}[dx, dz]])
        elif character != "b":
            height = _flat_height(x + dx, z + dz)
            assert height is not None
            heights.append(height)
    return min(heights) if heights else _BED["d"]


def _corners(x: int, z: int) -> Corners:
    character = level(x, z)
    if character == "b":
        return _vertex(x, z), _vertex(x + 1, z), _vertex(x, z + 1), _vertex(x + 1, z + 1)
    height = _flat_height(x, z)
    if height is None:
        return _slope(x, z, character)
    return height, height, height, height


def _places(more: int = 0) -> Iterator[tuple[int, int]]:
    """All tiles that are drawn, and `more` around them."""
    reach = MARGIN + more
    for z in range(-reach, SIZE + reach):
        for x in range(-reach, SIZE + reach):
            yield x, z


def ground_layer() -> Grid:
    """The ground itself, and under water its bed."""
    grid = Grid(SIZE, SIZE)
    for x, z in _places():
        wet = ground(x, z) in _OPEN_WATER
        bank = wet or ground(x, z) == "B" or ("~" in {ground(x + 1, z), ground(x - 1, z)} and level(x, z) == "0")
        grid.tiles[x, z] = Tile(
            ground(x, z), _corners(x, z), _attribute(x, z), "bank" if bank else "cliff", solid_ground=not wet
        )
    return grid


def water_layer() -> Grid:
    """The surface of the water; the waterfall is drawn by its prop, and nothing stands on the surface below a jetty."""
    grid = Grid(SIZE, SIZE)
    for x, z in _places():
        character = ground(x, z)
        if character not in _WET and not (level(x, z) == "N" and character == "q"):
            continue
        line = UPPER_WATER_LINE if level(x, z) == "u" else WATER_LINE
        corners = (line, line, line, line)
        falls = x in _RIVER and z in _WATERFALL_ROWS
        if falls:
            top = UPPER_WATER_LINE - 16 * (z - _WATERFALL_ROWS[0])
            corners = (top, top, top - 16, top - 16)
        grid.tiles[x, z] = Tile(character, corners, wall="", hidden=falls, solid_ground=character in "~=")
    return grid


def deck_layer() -> Grid:
    """The flat part of the bridge, and the jetty."""
    grid = Grid(SIZE, SIZE)
    for x, z in _places():
        if x in _RIVER and z in _BRIDGE_ROWS:
            grid.tiles[x, z] = Tile("bridge", (BRIDGE_DECK,) * 4, wall="")
        elif ground(x, z) == "J":
            grid.tiles[x, z] = Tile("jetty", (0, 0, 0, 0), wall="")
    return grid


def _attribute(x: int, z: int) -> int:
    character = ground(x, z)
    if character in _BLOCKED:
        return attribute(_BLOCKED[character], True)
    if x in _RIVER and z in _WATERFALL_ROWS:
        return attribute(0x13)
    if x in _RIVER and z in _BRIDGE_ROWS:
        return attribute(0x73)
    if character == "B" and (x + 1 in _RIVER or x - 1 in _RIVER):
        return attribute(0x70)
    if character in _BEHAVIOURS:
        return attribute(_BEHAVIOURS[character], False)
    drops = _drops(x, z)
    if drops not in _ONE_WAY:
        return attribute(0, True)
    return attribute(_ONE_WAY[drops])


def _drops(x: int, z: int) -> str:
    """The sides over which the ground falls at least half a step, in alphabetical order."""
    mine = _corners(x, z)
    result = ""
    for side, dx, dz, own, others in (
        ("e", 1, 0, (1, 3), (0, 2)),
        ("n", 0, -1, (0, 1), (2, 3)),
        ("s", 0, 1, (2, 3), (0, 1)),
        ("w", -1, 0, (0, 2), (1, 3)),
    ):
        if ground(x + dx, z + dz) in _WET or ground(x, z) == "J":
            continue
        theirs = _corners(x + dx, z + dz)
        if any(mine[a] - theirs[b] >= 8 for a, b in zip(own, others, strict=True)):
            result += side
    return result


def attributes(mx: int, mz: int) -> npt.NDArray[np.uint16]:
    """The attribute words of a cell."""
    return np.array([[_attribute(32 * mx + x, 32 * mz + z) for x in range(32)] for z in range(32)], np.uint16)


def _deep(x: int, z: int) -> bool:
    """Whether a tile is a bed that is below the water as a whole."""
    return ground(x, z) in _OPEN_WATER and (level(x, z) == "u" or max(_corners(x, z)) < WATER_LINE)


class Dress:
    """Chooses the surface of every tile of the ground layer; collects the edge tiles it needs on the way."""

    def __init__(self, pictures: dict[str, Picture]) -> None:
        grass = pictures["grass"]
        shore = Atlas("edge_shore", pictures["sand"], pictures["bed"], rgb5("#a8b08c"), 6)
        borders = {"path": "#8c7048", "cobbles": "#5c6458", "sand": "#b0a060", "forest": "#2e6844"}
        self.atlases = {
            name: Atlas(f"edge_{name}", pictures[name], grass, rgb5(border), 1 if name == "forest" else 2)
            for name, border in borders.items()
        }
        self.atlases["shore"] = shore
        self._paints = {name: Paint(f"edge_{name}", f"edge_{name}", repeat=(False, False)) for name in self.atlases}
        self._inside = {
            name: {place for place in _places(1) if kind(*place) in joined} for name, joined in _JOINS.items()
        }

        self._shallow = {place for place in _places(1) if not _deep(*place)}

    def surface(self, grid: Grid, x: int, z: int, tile: Tile) -> Surface:
        """What covers a tile of the ground."""
        name = kind(x, z)
        if _deep(x, z):
            return Surface(PAINTS["bed"])
        if level(x, z) == "b":
            open_sides = open_neighbours(self._shallow, x, z)
            if open_sides:
                number = self.atlases["shore"].tile(x, z, open_sides)
                return Surface(self._paints["shore"], *Atlas.place(number), tiled=False)
        if name in self.atlases and tile.ground not in _WET and name != "planks":
            open_sides = open_neighbours(self._inside[name], x, z)
            if open_sides:
                number = self.atlases[name].tile(x, z, open_sides)
                return Surface(self._paints[name], *Atlas.place(number), tiled=False)
        return Surface(PAINTS[name])

    @property
    def style(self) -> Style:
        return Style(self.surface, WALLS)


def _water_surface(grid: Grid, x: int, z: int, tile: Tile) -> Surface:
    return Surface(WATER)


WATER_STYLE = Style(_water_surface, {})
DECK_STYLE = Style(lambda grid, x, z, tile: Surface(PAINTS["planks"] if tile.ground == "bridge" else DECK), {})

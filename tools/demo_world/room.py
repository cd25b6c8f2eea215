"""Building rooms: maps of one cell that are drawn as text, their walls, their baked light, their bridges."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from formats.field.terrain_attribute import attribute
from tools.demo_world.edges import Atlas, open_neighbours
from tools.demo_world.grid import Grid, Tile
from tools.demo_world.mesh import Face, Vector
from tools.demo_world.model import ModelBuilder, Paint
from tools.demo_world.picture import Picture, rgb5
from tools.demo_world.place import Cell, Placement
from tools.demo_world.plates import Plate
from tools.demo_world.shapes import box, card
from tools.demo_world.terrain import SOLID, Style, Surface, add_terrain

Light = tuple[float, float, int]
"""A lamp: tile x and z, and how many tiles its light reaches."""


@dataclass(frozen=True)
class Room:
    """A room of one cell. `ground` begins at tile (`left`, `top`); `levels` as outdoors, all 0 when left out.

    `kinds` gives the ground picture of each character. `#` is wall, `wall_height` above the floor, but low
    where it would hide the floor behind it. `edges` are (upper, lower, border colour) of grounds with a ragged border.
    `lights` and `shadow` (a colour) bake lamps into vertex colours; without lights the room is lit by the area's light.
    """

    name: str
    left: int
    top: int
    ground: Sequence[str]
    kinds: Mapping[str, str]
    behaviours: Mapping[str, int]
    blocked: str
    wall: str
    wall_top: str
    wall_height: int
    props: Sequence[Placement] = ()
    levels: Sequence[str] = ()
    edges: Sequence[tuple[str, str, str]] = ()
    lights: Sequence[Light] = ()
    shadow: str = "#000000"
    bridge: tuple[int, int, int, int] | None = None


_AROUND = 7
_STAIR_SIDES = {(False, False): 0x00, (True, False): 0x30, (False, True): 0x31, (True, True): 0x4A}
"""Behaviour of a stair tile by whether the ground falls at its east and west side."""


def _paint(name: str, picture: str, lit: bool) -> Paint:
    return Paint(name, picture, lights=1 if lit else 0)


def _low_walls(room: Room, x: int, z: int) -> bool:
    """Whether the wall at a drawn place would hide floor behind it (to the north); so does all of the last row."""
    return z == len(room.ground) - 1 or (z > 0 and room.ground[z - 1][x] != "#")


def _near_floor(room: Room, x: int, z: int) -> bool:
    rows, columns = len(room.ground), len(room.ground[0])
    return any(
        room.ground[j][i] != "#"
        for j in range(max(0, z - 1), min(rows, z + 2))
        for i in range(max(0, x - 1), min(columns, x + 2))
    )


def _corners(room: Room, x: int, z: int) -> tuple[int, int, int, int]:
    if not room.levels:
        return 0, 0, 0, 0
    character = room.levels[z][x]
    if character == "N":
        before = after = 1
        while room.levels[z - before][x] == "N":
            before += 1
        while room.levels[z + after][x] == "N":
            after += 1
        upper, lower = 16 * int(room.levels[z - before][x]), 16 * int(room.levels[z + after][x])
        run = before + after - 1
        north = upper + (lower - upper) * (before - 1) // run
        south = upper + (lower - upper) * before // run
        return north, north, south, south
    height = 16 * int(character)
    return height, height, height, height


def _grid(room: Room) -> Grid:
    grid = Grid(32, 32)
    for z, row in enumerate(room.ground):
        for x, character in enumerate(row):
            place = (room.left + x, room.top + z)
            if character != "#":
                behaviour = room.behaviours.get(character, 0)
                if character == "^":
                    behaviour = _STAIR_SIDES[room.ground[z][x + 1] == ".", room.ground[z][x - 1] == "."]
                word = attribute(behaviour, character in room.blocked)
                grid.tiles[place] = Tile(character, _corners(room, x, z), word, "wall")
            else:
                floor = (
                    max(
                        _corners(room, i, j)[0]
                        for j in range(max(0, z - 1), min(len(room.ground), z + 2))
                        for i in range(max(0, x - 1), min(len(row), x + 2))
                        if room.ground[j][i] != "#"
                    )
                    if _near_floor(room, x, z)
                    else 0
                )
                height = floor + (0 if _low_walls(room, x, z) else room.wall_height)
                grid.tiles[place] = Tile("#", (height,) * 4, attribute(0, True), "wall", solid_ground=False)
    _surround(grid, room)
    return grid


def _surround(grid: Grid, room: Room) -> None:
    """Surround the room with more tops of walls, which cannot be reached."""
    right, bottom = room.left + len(room.ground[0]), room.top + len(room.ground)
    for z in range(room.top - _AROUND, bottom + _AROUND):
        for x in range(room.left - _AROUND, right + _AROUND):
            if (x, z) not in grid.tiles and 0 <= x < 32 and 0 <= z < 32:
                height = 0 if z >= bottom - 1 else room.wall_height
                grid.tiles[x, z] = Tile("#", (height,) * 4, attribute(0, True), "wall", solid_ground=False)


def _shader(room: Room) -> Callable[[Vector], int] | None:
    if not room.lights:
        return None
    shadow = rgb5(room.shadow)
    dark = (shadow & 31, shadow >> 5 & 31, shadow >> 10 & 31)

    def shade(point: Vector) -> int:
        best = 0.0
        for x, z, reach in room.lights:
            dx, dz = point[0] / 16 - x, point[2] / 16 - z
            near = 1 - (dx * dx + dz * dz) / (reach * reach)
            best = max(best, near)
        strength = int(best * 16)
        warm = (31, 29, 25)
        red, green, blue = (d + (w - d) * strength // 16 for d, w in zip(dark, warm, strict=True))
        return red | green << 5 | blue << 10

    return shade


def build_room(room: Room, pictures: Mapping[str, Picture], atlases: dict[str, Atlas]) -> Cell:
    """The cell of a room; the edge tiles that it needs are added to `atlases`."""
    lit = not room.lights
    grid = _grid(room)
    paints = {name: _paint(name, name, lit) for name in set(room.kinds.values())}
    upper = {}
    for name, lower, border in room.edges:
        label = f"edge_{name}"
        if label not in atlases:
            atlases[label] = Atlas(label, pictures[name], pictures[lower], rgb5(border), 2)
        inside = {place for place, tile in grid.tiles.items() if tile.ground == "#" or room.kinds[tile.ground] == name}
        upper[name] = (atlases[label], Paint(label, label, lights=1 if lit else 0, repeat=(False, False)), inside)
    top = Paint("wall_top", None, lights=0)
    dark = rgb5(room.wall_top)

    def surface(_: Grid, x: int, z: int, tile: Tile) -> Surface:
        if tile.ground == "#":
            return Surface(top)
        name = room.kinds[tile.ground]
        if name in upper:
            atlas, paint, inside = upper[name]
            open_sides = open_neighbours(inside, x, z)
            if open_sides:
                return Surface(paint, *Atlas.place(atlas.tile(x, z, open_sides)), tiled=False)
        return Surface(paints[name])

    builder = ModelBuilder(room.name, pictures)
    shade = _shader(room)

    def color(point: Vector) -> int:
        return shade(point) if shade else dark

    wall = _paint("wall", room.wall, lit)
    style = Style(surface, {"wall": wall, SOLID: top}, color if shade else None)
    add_terrain(builder, grid, style, 0, 0)
    builder.recolor(top, dark)
    plates = grid.plates(0, 0)
    attributes = np.full((32, 32), attribute(0, True), np.uint16)
    for (x, z), tile in grid.tiles.items():
        attributes[z, x] = tile.attribute
    if room.bridge:
        plates += _bridge(builder, room, lit, style, attributes)
    return Cell(builder, attributes, plates, room.props)


def _bridge(
    builder: ModelBuilder, room: Room, lit: bool, style: Style, attributes: npt.NDArray[np.uint16]
) -> list[Plate]:
    """A wooden bridge over a lower path; its tiles are (x, z, length, height), west to east."""
    assert room.bridge
    x, z, length, height = room.bridge
    deck = Grid(32, 32)
    for step in range(length):
        deck.tiles[x + step, z] = Tile("bridge", (height,) * 4, wall="")
    paint = _paint("deck", "deck", lit)
    add_terrain(builder, deck, Style(lambda *_: Surface(paint), {}, style.shade), 0, 0)
    west, east, north = 16 * x - 256, 16 * (x + length) - 256, 16 * z - 256
    beams = _paint("beams", "bark", lit)
    rails = Paint("rail", "rail", lights=beams.lights, both_sides=True, repeat=(True, False))
    sides: list[tuple[Paint, Face]] = [
        (beams, face)
        for face in box((west, height - 5, north), (east, height, north + 16), top=False, bottom=True, sides="ns")
    ]
    for line in (north, north + 16):
        sides.append((rails, card((west, height, line), (east, height, line), 11, (0, 0, east - west, 16))))
    for material, face in sides:
        if style.shade and not lit:
            face = tuple(
                c._replace(color=style.shade((c.position[0] + 256, c.position[1], c.position[2] + 256))) for c in face
            )
        builder.add(material, face)
    attributes[z, x : x + length] = attribute(0x72)
    attributes[z, x - 1] = attributes[z, x + length] = attribute(0x70)
    return deck.plates(0, 0)

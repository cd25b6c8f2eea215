"""The layers about the events of a map: their boxes, what trainers see, where people walk, what triggers need."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from formats.field.zone_event import RETURN_HEADER, RETURN_WARP
from formats.fixed import ONE
from mapexplorer.world.cells import TILE_UNITS, Cell
from mapexplorer.world.direction import DX, DZ
from mapexplorer.world.layer_colors import EVENTS, RANGE, SIGHT, Rgb
from mapexplorer.world.map_objects import MapObject, map_objects
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.readable import readable_events
from mapexplorer.world.save import fresh_save
from mapexplorer.world.shapes import FAINT, SOLID, Array, Shapes, Thing, shapes_of
from mapexplorer.world.sight import looks, seen_tiles

_FLAT_HEIGHT: Final = 2.0
"""The height of a trigger's box in units; other boxes are as high as a tile is wide."""
_CLEAR: Final = 56
"""The alpha of the faces of a high box, of which two or three lie over the picture of a person."""
_INSET: Final = 1.0
"""The distance in units between the border of an event's tiles and its box."""
_LIFT: Final = 1.0
"""Units that tiles are above the ground."""

_WALKING: Final = ("wander", "wander freely")
"""The kinds of movement types that walk within a range."""


def event_shapes(place: FieldPlace, header: int, cell: Cell | None = None) -> Shapes:
    """The boxes of a header's events in the matrix of a place, all or those that begin in a cell; people are drawn over
    warps, warps over signs, signs over triggers."""
    boxes: list[Array] = []
    things: list[Thing] = []
    for thing, record, size in _events(place, header):
        x, z = int(record["x"]), int(record["z"])
        if cell is None or (x // 32, z // 32) == (cell.x, cell.z):
            boxes.append(_box(place, thing.kind, record, size))
            things.append(thing)
    fills = np.array([(*EVENTS[one.kind], FAINT if one.kind == "trigger" else _CLEAR) for one in things], np.uint8)
    edges = np.array([(*EVENTS[one.kind], SOLID) for one in things], np.uint8)
    fills, edges = fills.reshape(-1, 4), edges.reshape(-1, 4)
    faces = np.concatenate(boxes) if boxes else np.zeros((0, 4, 3))
    owners = np.repeat(np.arange(len(things)), _SIDES)
    return shapes_of(faces, fills[owners], edges[owners], owners, tuple(things))


def _events(place: FieldPlace, header: int) -> list[tuple[Thing, np.void, tuple[int, int]]]:
    """The events on tiles, each with its record and its size in tiles, the topmost last."""
    world = place.world
    events = readable_events(world, header)
    if events is None:
        return []
    found = []
    for index, record in enumerate(events.triggers):
        size = max(1, int(record["width"])), max(1, int(record["length"]))
        found.append((Thing("trigger", (header, index), f"script {record['script']}"), record, size))
    for index, record in enumerate(events.background):
        found.append((Thing("sign", (header, index), f"sign {index}"), record, (1, 1)))
    for index, record in enumerate(events.warps):
        header_there, returns = int(record["header"]), record["warp"] == RETURN_WARP
        returns = returns or header_there == RETURN_HEADER or header_there >= len(world.headers)
        there = "back" if returns else world.headers[header_there].internal_name
        found.append((Thing("warp", (header, index), f"→ {there}"), record, (1, 1)))
    for index, record in enumerate(events.objects):
        label = world.game.tables.graphics_name(int(record["graphics"])).replace("_", " ") or f"object {index}"
        found.append((Thing("object", (header, index), label), record, (1, 1)))
    return found


_SIDES: Final = 5


def _box(place: FieldPlace, kind: str, record: np.void, size: tuple[int, int]) -> Array:
    """The top and the four sides (_SIDES, 4, 3) of a box on the ground over an event's tiles."""
    west, north = float(record["x"]) * TILE_UNITS, float(record["z"]) * TILE_UNITS
    east, south = west + size[0] * TILE_UNITS, north + size[1] * TILE_UNITS
    near = float(record["y"]) / ONE if kind == "object" else 0.0
    low = place.height((west + east) / 2, (north + south) / 2, near).height
    high = low + (_FLAT_HEIGHT if kind == "trigger" else TILE_UNITS)
    west, north, east, south = west + _INSET, north + _INSET, east - _INSET, south - _INSET
    ring = [(west, north), (west, south), (east, south), (east, north)]
    faces = [[(x, high, z) for x, z in ring]]
    for (ax, az), (bx, bz) in zip(ring, ring[1:] + ring[:1], strict=True):
        faces.append([(ax, low, az), (bx, low, bz), (bx, high, bz), (ax, high, az)])
    return np.array(faces, np.float64)


# --- tiles


def _tiles(
    place: FieldPlace,
    header: int,
    cell: Cell,
    color: Rgb,
    found: Callable[[int, np.void], Iterator[tuple[int, int]]],
    label: Callable[[np.void], str],
) -> Shapes:
    """The tiles that `found` gives for the objects of a header that begin in a cell."""
    events = readable_events(place.world, header)
    faces: list[Array] = []
    owners: list[int] = []
    things: list[Thing] = []
    for index, record in enumerate(events.objects if events is not None else ()):
        if (int(record["x"]) // 32, int(record["z"]) // 32) != (cell.x, cell.z):
            continue
        tiles = list(found(index, record))
        if tiles:
            faces += [_flat(place, x, z, float(record["y"]) / ONE) for x, z in tiles]
            owners += [len(things)] * len(tiles)
            things.append(Thing("object", (header, index), label(record)))
    fills, edges = (np.tile(np.array([*color, alpha], np.uint8), (len(faces), 1)) for alpha in (FAINT, SOLID))
    shapes = np.array(faces, np.float64) if faces else np.zeros((0, 4, 3))
    return shapes_of(shapes, fills, edges, np.array(owners, np.int64), tuple(things))


def _flat(place: FieldPlace, x: int, z: int, near: float) -> Array:
    """A tile at the height of its centre."""
    west, north = x * TILE_UNITS, z * TILE_UNITS
    east, south = west + TILE_UNITS, north + TILE_UNITS
    y = place.height((x + 0.5) * TILE_UNITS, (z + 0.5) * TILE_UNITS, near).height + _LIFT
    return np.array([(west, y, north), (west, y, south), (east, y, south), (east, y, north)], np.float64)


def sight_shapes(place: FieldPlace, header: int, cell: Cell) -> Shapes:
    """The tiles on which the trainers of a header see the player, in all directions that they face; the objects of a
    new game block their sight. Raises FormatError."""
    world, terrain = place.world, place.terrain
    tables = world.game.tables
    trainers = {each.index: each for each in map_objects(world, header, terrain)}
    others: dict[tuple[int, int], list[MapObject]] = defaultdict(list)
    for each in map_objects(world, header, terrain, fresh_save(world.game)):
        others[each.x, each.z].append(each)

    def seen(index: int, record: np.void) -> Iterator[tuple[int, int]]:
        if tables.script_numbers.trainer(int(record["script"])) is None:
            return
        for direction in looks(tables, trainers[index]):
            yield from seen_tiles(terrain, trainers[index], direction, lambda x, z: others.get((x, z), ()))

    return _tiles(place, header, cell, SIGHT, seen, lambda record: f"sees {int(record['parameters'][0])} tiles")


def range_shapes(place: FieldPlace, header: int, cell: Cell) -> Shapes:
    """The tiles that the people of a header may walk on."""
    movements = place.world.game.tables.movement_types

    def walked(index: int, record: np.void) -> Iterator[tuple[int, int]]:
        movement = movements.get(int(record["movement_type"]))
        if movement is None or movement.kind not in _WALKING:
            return
        along_x, along_z = (any(shift[one] for one in movement.directions) for shift in (DX, DZ))
        wide, deep = int(record["range_x"]) * along_x, int(record["range_z"]) * along_z
        for z in range(int(record["z"]) - deep, int(record["z"]) + deep + 1):
            for x in range(int(record["x"]) - wide, int(record["x"]) + wide + 1):
                if place.terrain.cell_at(x, z) is not None and not place.terrain.collides(x, z):
                    yield x, z

    def size(record: np.void) -> str:
        return f"walks {int(record['range_x'])} x {int(record['range_z'])} tiles"

    return _tiles(place, header, cell, RANGE, walked, size)


def trigger_shapes(place: FieldPlace, header: int, cell: Cell) -> Shapes:
    """The triggers of a header that begin in a cell, labelled with the variable that they need."""
    events, names = readable_events(place.world, header), place.world.game.tables.save_names.variables
    faces: list[Array] = []
    things: list[Thing] = []
    for index, record in enumerate(events.triggers if events is not None else ()):
        x, z = int(record["x"]), int(record["z"])
        if (x // 32, z // 32) == (cell.x, cell.z):
            size = max(1, int(record["width"])), max(1, int(record["length"]))
            faces.append(_box(place, "trigger", record, size)[:1])
            variable = int(record["variable"])
            label = f"{names.get(variable, f'0x{variable:X}')} = {int(record['value'])}"
            things.append(Thing("trigger", (header, index), label))
    color = EVENTS["trigger"]
    fills, edges = (np.tile(np.array([*color, alpha], np.uint8), (len(faces), 1)) for alpha in (FAINT, SOLID))
    shapes = np.concatenate(faces) if faces else np.zeros((0, 4, 3))
    return shapes_of(shapes, fills, edges, np.arange(len(faces)), tuple(things))

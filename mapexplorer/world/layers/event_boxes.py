"""Boxes and tiles on the ground for the layers about the events of a map."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

import numpy as np

from formats.fixed import ONE
from mapexplorer.world.cells import TILE_UNITS, Cell
from mapexplorer.world.colors import Rgb
from mapexplorer.world.layers.kind import CellOverlay
from mapexplorer.world.layers.shapes import FAINT, SOLID, Array, Shapes, ShapeSubject, shapes_of
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.sources.readable import readable_events

SIDES: Final = 5
"""The faces of a box."""
_FLAT_HEIGHT: Final = 2.0
"""The height of a trigger's box in units; other boxes are as high as a tile is wide."""
_INSET: Final = 1.0
"""The distance in units between the border of an event's tiles and its box."""
_LIFT: Final = 1.0
"""Units that tiles are above the ground."""


def begins_in(record: np.void, cell: Cell) -> bool:
    """Whether an event begins in a cell."""
    return (int(record["x"]) // 32, int(record["z"]) // 32) == (cell.x, cell.z)


def trigger_size(record: np.void) -> tuple[int, int]:
    """The width and the length of a trigger in tiles."""
    return max(1, int(record["width"])), max(1, int(record["length"]))


def event_box(
    place: FieldPlace, kind: str, record: np.void | Mapping[str, int], size: tuple[int, int] = (1, 1)
) -> Array:
    """The top and the four sides (SIDES, 4, 3) of a box on the ground over an event's tiles."""
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


def object_tiles(
    part: CellOverlay,
    color: Rgb,
    tiles: Callable[[int, np.void], Iterator[tuple[int, int]]],
    label: Callable[[np.void], str],
    alpha: int = FAINT,
) -> Shapes:
    """The tiles that `tiles` gives for the objects of the owner that begin in a cell."""
    events = readable_events(part.place.world, part.owner)
    faces: list[Array] = []
    owners: list[int] = []
    things: list[ShapeSubject] = []
    for index, record in enumerate(events.objects if events is not None else ()):
        own = list(tiles(index, record)) if begins_in(record, part.cell) else []
        if own:
            faces += [_flat(part.place, x, z, float(record["y"]) / ONE) for x, z in own]
            owners += [len(things)] * len(own)
            things.append(ShapeSubject("object", (part.owner, index), label(record)))
    return faint_shapes(faces, color, owners, things, alpha)


def faint_shapes(
    faces: list[Array], color: Rgb, owners: list[int], things: list[ShapeSubject], alpha: int = FAINT
) -> Shapes:
    """Faces (4, 3) of one colour, within their edges of an alpha."""
    fills, edges = (np.tile(np.array([*color, each], np.uint8), (len(faces), 1)) for each in (alpha, SOLID))
    shapes = np.array(faces, np.float64) if faces else np.zeros((0, 4, 3))
    return shapes_of(shapes, fills, edges, np.array(owners, np.int64), tuple(things))


def _flat(place: FieldPlace, x: int, z: int, near: float) -> Array:
    """A tile at the height of its centre."""
    west, north = x * TILE_UNITS, z * TILE_UNITS
    east, south = west + TILE_UNITS, north + TILE_UNITS
    y = place.height((x + 0.5) * TILE_UNITS, (z + 0.5) * TILE_UNITS, near).height + _LIFT
    return np.array([(west, y, north), (west, y, south), (east, y, south), (east, y, north)], np.float64)

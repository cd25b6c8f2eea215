"""The tiles of a place that have ground, by terrain attributes, height plates and, where these say nothing, models."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from formats.binary import FormatError
from formats.field.height_plates import HeightPlates
from formats.field.terrain_attribute import COLLISION
from formats.fixed import ONE
from formats.nitro.nsbmd import Nsbmd
from mapexplorer.world.cells import CELL_TILES, CELL_UNITS, TILE_UNITS, Cell
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.terrain.plates import plane_heights, plate_corners

Mask = npt.NDArray[np.bool_]
Point = tuple[float, float, float]

WALL_TILES: Final = 3
"""The width in tiles of the wall around a room's floor."""
WALL_UNITS: Final = 64
"""The assumed height of a room's walls in units."""
_CENTRES: Final = np.arange(CELL_TILES) * TILE_UNITS + (TILE_UNITS - CELL_UNITS) / 2


@dataclass(frozen=True, eq=False)
class PlaceGround:
    """The ground of some cells, as arrays (rows, columns) whose first tile is (`west`, `north`), matrix-wide.

    `ground`: tiles with visible terrain; `free`: those of them without the collision bit, or if there are none, all
    tiles without it; `heights`: units, the median of all plates for tiles without a plate; `surface`: the same, limited
    to the height range of the terrain model's box.
    """

    west: int
    north: int
    ground: Mask
    free: Mask
    heights: npt.NDArray[np.float64]
    surface: npt.NDArray[np.float64]

    @property
    def bounds(self) -> tuple[int, int, int, int] | None:
        """The first and last column and the first and last row with ground, matrix-wide tiles; None without ground."""
        columns, rows = np.flatnonzero(self.ground.any(0)), np.flatnonzero(self.ground.any(1))
        if not len(columns):
            return None
        west, east, north, south = (int(value) for value in (columns[0], columns[-1], rows[0], rows[-1]))
        return self.west + west, self.west + east, self.north + north, self.north + south


def place_ground(place: FieldPlace, cells: Iterable[Cell]) -> PlaceGround:
    """The ground of some cells of a place's matrix; damaged cells have none.

    A tile with a height plate or the collision bit is ground. In a matrix without header section (of rooms and caves)
    these tiles are not: those outside the box of the terrain model, and in a cell without collision bits those without
    a polygon that is seen from above; free tiles connected to the outside of the matrix by more than a gap of one tile,
    which are the empty space around the rooms; and wall tiles more than 3 tiles from the floor.
    """
    chosen = tuple(cells)
    west, north = (min((getattr(cell, axis) for cell in chosen), default=0) for axis in ("x", "z"))
    width = max((cell.x + 1 for cell in chosen), default=0) - west
    height = max((cell.z + 1 for cell in chosen), default=0) - north
    shape = height * CELL_TILES, width * CELL_TILES
    land, blocked, modelled = np.zeros((3, *shape), bool)
    heights, lowest, highest = np.full((3, *shape), np.nan)
    for cell in chosen:
        x, z = (cell.x - west) * CELL_TILES, (cell.z - north) * CELL_TILES
        part = slice(z, z + CELL_TILES), slice(x, x + CELL_TILES)
        try:
            attributes, plates = place.terrain.attributes(cell), _heights(place.terrain.bdhc(cell))
            low, high = _terrain_box(place, cell)
        except FormatError:
            continue
        land[part], blocked[part], heights[part] = True, attributes & COLLISION != 0, plates
        lowest[part], highest[part] = low[1], high[1]
        modelled[part] = _within(low[2], high[2])[:, None] & _within(low[0], high[0])
        if place.matrix.headers is None and not blocked[part].any():
            modelled[part] &= (place.terrain.surface(cell) > -np.inf).reshape(CELL_TILES, 2, CELL_TILES, 2).any((1, 3))
    known = ~np.isnan(heights)
    ground = land & (known | blocked)
    free = land & ~blocked
    if place.matrix.headers is None:
        inside = ~_outside(land, blocked)
        if (free & inside).any():
            free &= inside
            ground &= inside
        ground = ground & modelled if (ground & modelled).any() else ground
        if (free & ground).any():
            ground &= ~blocked | grown(free & ground, WALL_TILES)
    free = free & ground if (free & ground).any() else free
    heights[~known] = np.median(heights[known]) if known.any() else 0.0
    surface = np.fmin(np.fmax(heights, lowest), highest)
    return PlaceGround(west * CELL_TILES, north * CELL_TILES, ground, free, heights, surface)


def room_box(place: FieldPlace) -> tuple[Point, Point] | None:
    """The lowest and the highest corner of a room or cave with its walls, matrix-wide units. None for a place that
    shares its matrix with others, is larger than the 2 x 2 cells that are loaded, or has no ground."""
    if place.matrix.headers is not None or max(place.matrix.land.shape) > 2:
        return None
    ground = place_ground(place, place.cells)
    if ground.bounds is None:
        return None
    west, east, north, south = (value * TILE_UNITS for value in ground.bounds)
    heights = ground.surface[ground.ground]
    low, high = float(heights.min()), float(heights.max()) + WALL_UNITS
    return (west, low, north), (east + TILE_UNITS, high, south + TILE_UNITS)


def _heights(bdhc: HeightPlates) -> npt.NDArray[np.float64]:
    """The heights (32, 32) of the plate at each tile's centre that is nearest to height 0, in units; NaN without a
    plate."""
    heights = np.full((CELL_TILES, CELL_TILES), np.nan)
    corners = plate_corners(bdhc)
    low, high = corners.min(1), corners.max(1)
    columns = np.searchsorted(_CENTRES, np.stack([low[:, 0], high[:, 0]], -1)).tolist()
    rows = np.searchsorted(_CENTRES, np.stack([low[:, 2], high[:, 2]], -1)).tolist()
    for plate, ((left, right), (top, bottom)) in enumerate(zip(columns, rows, strict=True)):
        x, z = np.meshgrid(_CENTRES[left:right], _CENTRES[top:bottom])
        plane = plane_heights(bdhc, np.array(plate), x, z)
        inside = _in_outline(corners[plate][:, [0, 2]], x, z)
        part = heights[top:bottom, left:right]
        np.copyto(part, plane, where=inside & ~(np.abs(part) <= np.abs(plane)))
    return heights


def _in_outline(corners: npt.NDArray[np.float64], x: npt.NDArray[np.float64], z: npt.NDArray[np.float64]) -> Mask:
    """Which points are in a plate with corners (4, 2) in the order of `HeightPlates.outlines`, edges included."""
    inside = np.ones(x.shape, np.bool_)
    for (x0, z0), (x1, z1) in zip(corners, np.roll(corners, -1, 0), strict=True):
        inside &= (x1 - x0) * (z - z0) - (z1 - z0) * (x - x0) <= 0
    return inside


def _terrain_box(place: FieldPlace, cell: Cell) -> npt.NDArray[np.float64]:
    """The lowest and the highest corner (2, 3) of the box of a cell's terrain model: units, x and z from the cell's
    centre. Raises FormatError."""
    boxes = Nsbmd.read_boxes(place.world.land_sections(cell.land).model)
    box, scale = boxes[0] if boxes else ((0,) * 6, 0)
    corners: npt.NDArray[np.float64] = np.array(box, float).reshape(2, 3).cumsum(0) * scale / ONE**2
    return corners + ((0, cell.centre[1] / ONE, 0),)


def _within(low: float, high: float) -> Mask:
    """The mask of a row of tiles whose centres are between two positions."""
    within: Mask = (low <= _CENTRES) & (high >= _CENTRES)
    return within


def _outside(land: Mask, blocked: Mask) -> Mask:
    """The free tiles that are connected to the outside. A tile between two walls does not connect: a door in the outer
    wall of a room has nothing behind it."""
    solid = np.pad(land & blocked, 1)
    door = np.zeros_like(solid)
    door[1:-1, 1:-1] = (solid[1:-1, :-2] & solid[1:-1, 2:]) | (solid[:-2, 1:-1] & solid[2:, 1:-1])
    passable = ~solid & ~door
    return connected(~np.pad(land, 1), passable)[1:-1, 1:-1] & land


def connected(tiles: Mask, passable: Mask) -> Mask:
    """The passable tiles that are connected with one of some tiles, over passable ones."""
    reached = tiles & passable
    count = -1
    while count != (count := int(reached.sum())):
        reached = grown(reached, 1) & passable
    return reached


def grown(mask: Mask, tiles: int) -> Mask:
    """A mask extended by a number of tiles in each direction."""
    for _ in range(tiles):
        more = mask.copy()
        more[1:] |= mask[:-1]
        more[:-1] |= mask[1:]
        more[:, 1:] |= mask[:, :-1]
        more[:, :-1] |= mask[:, 1:]
        mask = more
    return mask

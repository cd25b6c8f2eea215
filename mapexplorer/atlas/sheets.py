"""The canvas of a whole game: the map of the region, and every other map beside the door that leads to it.

A sheet is what is drawn of a matrix: all of it where its cells name their headers, else the part that is seen, once for
each header. It has blocks of TILE pixels of its own, so that a tile shows one sheet. A unit of a map is a pixel.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from mapexplorer.errors import PlaceError
from mapexplorer.export.poster_bands import Poster, Region, around
from mapexplorer.export.request import PosterRequest
from mapexplorer.scene.view import ENTERED
from mapexplorer.units import NOON
from mapexplorer.world.cells import CELL_UNITS, TILE_UNITS, Cell
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.sources.damage import read_or
from mapexplorer.world.sources.readable import readable_events, readable_warp_target
from mapexplorer.world.world import FieldWorld

TILE: Final = 256
"""Pixels of the side of a tile of the canvas."""
_MARGIN: Final = 24
"""Pixels around a room."""
_UNKNOWN: Final = Region(0, 0, 0, 0)
_LEVELS: Final = 12
"""More zoom levels than any game needs."""


@dataclass(frozen=True)
class Sheet:
    """A part of a matrix, entered through a header, in the canvas: its `region` in pixels of the matrix, and where the
    north-west corner of that is in the canvas."""

    header: int
    whole: bool
    region: Region
    x: int = 0
    y: int = 0

    @property
    def blocks(self) -> tuple[int, int]:
        """Columns and rows of blocks."""
        return -(-(self.region.right - self.region.left) // TILE), -(-(self.region.lower - self.region.upper) // TILE)

    @property
    def origin(self) -> tuple[int, int]:
        """Where the corner of the matrix is in the canvas."""
        return self.x - self.region.left, self.y - self.region.upper

    def place(self, world: FieldWorld) -> FieldPlace:
        """The place through which it is drawn."""
        return world.place(self.header)

    def cells(self, world: FieldWorld) -> list[Cell]:
        """The cells that it shows."""
        place = self.place(world)
        return list(place.matrix_cells.values()) if self.whole else list(place.cells)

    def own_blocks(self, world: FieldWorld) -> npt.NDArray[np.bool_]:
        """Which blocks (row, column) are its own: all, but of a whole matrix those of its cells. In its other blocks
        there may be other sheets."""
        columns, rows = self.blocks
        if not self.whole:
            return np.ones((rows, columns), np.bool_)
        side, corner = CELL_UNITS // TILE, (self.region.left // CELL_UNITS, self.region.upper // CELL_UNITS)
        cells = np.zeros((rows // side, columns // side), np.bool_)
        across, down = (np.array(list(self.place(world).matrix_cells)) - corner).T
        cells[down, across] = True
        return cells.repeat(side, 0).repeat(side, 1)

    def poster(
        self, world: FieldWorld, second: int = NOON, save: str = ENTERED, chosen: Region | None = None
    ) -> Poster:
        """What draws a region of it, by default all that is seen."""
        request = PosterRequest(
            output=Path("sheet.png"),
            place=self.header,
            whole_matrix=self.whole,
            cell_pixels=CELL_UNITS,
            layers=("terrain", "props", "people"),
            second=second,
            save=save,
        )
        return Poster(world, request, chosen)


Door = tuple[tuple[int, int], Sheet]
"""The tile of a warp, and the sheet to which it leads."""


def planned(world: FieldWorld) -> dict[int, Sheet]:
    """Header -> the sheet that it is on, the same for those of one matrix; without regions but for whole matrices.
    Headers without land have none."""
    of_matrix: dict[int, Sheet] = {}
    sheets: dict[int, Sheet] = {}
    for header in world.headers:
        place = world.place(header.id)
        cells = read_or((), lambda place=place: place.cells)
        if not cells:
            continue
        matrix = place.matrix_id.value
        if place.matrix.headers is None:
            sheets[header.id] = Sheet(header.id, False, _UNKNOWN)
        else:
            if matrix not in of_matrix:
                of_matrix[matrix] = Sheet(header.id, True, cells_region(place.matrix_cells))
            sheets[header.id] = of_matrix[matrix]
    return sheets


def cells_region(cells: Iterable[tuple[int, int]]) -> Region:
    """The region of cells by their columns and rows."""
    return around(np.array(list(cells)) * CELL_UNITS, CELL_UNITS)


def seen_region(world: FieldWorld, header: int) -> Region:
    """What is seen of the only map of a matrix, with a margin. Raises FormatError, RomError."""
    seen = Sheet(header, False, _UNKNOWN).poster(world).region
    return Region(seen.left - _MARGIN, seen.upper - _MARGIN, seen.right + _MARGIN, seen.lower + _MARGIN)


def laid_out(world: FieldWorld, sheets: Mapping[int, Sheet]) -> tuple[int, dict[int, Sheet]]:
    """The zoom level at which a pixel of the canvas is a unit, and the sheets by header with their places."""
    distinct = sorted(dict.fromkeys(sheets.values()), key=lambda sheet: -sheet.blocks[0] * sheet.blocks[1])
    needed = sum(columns * rows for columns, rows in (sheet.blocks for sheet in distinct))
    doors = {sheet: list(_doors(world, sheets, sheet)) for sheet in distinct}
    for level in range(_LEVELS):
        if 4**level >= needed:
            placed = _placed(world, distinct, doors, level)
            if placed is not None:
                return level, {header: placed[sheet] for header, sheet in sheets.items()}
    raise PlaceError("The maps of the game have no room in one canvas.")


def _placed(
    world: FieldWorld, sheets: Sequence[Sheet], doors: Mapping[Sheet, Sequence[Door]], level: int
) -> dict[Sheet, Sheet] | None:
    """The sheets with their places: the largest in the middle, others beside the doors that lead there, at last those
    to which none does. None where there is not enough room."""
    taken = np.zeros((2**level, 2**level), np.bool_)
    placed: dict[Sheet, Sheet] = {}
    for first in sheets:
        middle = 2**level // 2
        queue = [(first, (middle, 2**level - 1 if placed else middle))]
        for sheet, near in queue:  # which grows
            if sheet in placed:
                continue
            put = _put(world, taken, sheet, near)
            if put is None:
                return None
            placed[sheet] = put
            x, y = put.origin
            queue += [
                (goal, ((x + at[0] * TILE_UNITS) // TILE, (y + at[1] * TILE_UNITS) // TILE))
                for at, goal in doors[sheet]
            ]
    return placed


def _doors(world: FieldWorld, sheets: Mapping[int, Sheet], sheet: Sheet) -> Iterator[Door]:
    """The warps on a sheet to other sheets."""
    for header in [header for header, on in sheets.items() if on == sheet]:
        events = readable_events(world, header)
        for index, warp in enumerate(events.warps if events is not None else ()):
            target = readable_warp_target(world, header, index)
            if target is not None and target[0] in sheets:
                yield (int(warp["x"]), int(warp["z"])), sheets[target[0]]


def _put(world: FieldWorld, taken: npt.NDArray[np.bool_], sheet: Sheet, near: tuple[int, int]) -> Sheet | None:
    """A sheet at the free blocks nearest to one, with its middle there; None where there are none."""
    columns, rows = sheet.blocks
    if max(columns, rows) > len(taken):
        return None
    sums = np.pad(taken.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    used = sums[rows:, columns:] - sums[:-rows, columns:] - sums[rows:, :-columns] + sums[:-rows, :-columns]
    free = np.argwhere(used == 0)
    if not len(free):
        return None
    y, x = free[np.abs(free - (near[1] - rows / 2 + 0.5, near[0] - columns / 2 + 0.5)).max(1).argmin()].tolist()
    taken[y : y + rows, x : x + columns] = sheet.own_blocks(world)
    return replace(sheet, x=x * TILE, y=y * TILE)

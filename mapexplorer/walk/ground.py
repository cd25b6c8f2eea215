"""The ground under the walker: tiles, heights, zones, warps and people of a matrix, cached for searches.

Tiles and units count from the matrix' north-west corner; heights are fx32.
"""

from __future__ import annotations

from typing import Final

from formats.field.bdhc import Bdhc
from formats.fixed import ONE
from mapexplorer.world.cells import CELL_TILES, CELL_UNITS, TILE_UNITS, Cell
from mapexplorer.world.files import WorldFiles
from mapexplorer.world.map_objects import MapObject, map_objects
from mapexplorer.world.terrain import Terrain

TILE: Final = TILE_UNITS * ONE
HALF: Final = TILE // 2
_CELL: Final = CELL_UNITS * ONE
_UNKNOWN: Final = -2
_NONE: Final = -1
_SEVERAL: Final = 0
_SINGLE: Final = 1


def centre(tile: int) -> int:
    """The fx32 coordinate of a tile's centre."""
    return tile * TILE + HALF


class _CellHeights:
    """For each tile's centre in a cell: whether no, one or several plates contain it, and the height of a single
    one."""

    __slots__ = ("bdhc", "heights", "kinds", "x", "z")

    def __init__(self, cell: Cell, bdhc: Bdhc) -> None:
        self.bdhc = bdhc
        self.x, _, self.z = cell.centre
        self.kinds = [_UNKNOWN] * (CELL_TILES * CELL_TILES)
        self.heights = [0] * (CELL_TILES * CELL_TILES)

    def look(self, index: int) -> int:
        x, z = index % CELL_TILES * TILE + HALF - _CELL // 2, index // CELL_TILES * TILE + HALF - _CELL // 2
        _, found = self.bdhc.candidates(x, z)
        kind = _NONE if not found else _SINGLE if len(found) == 1 else _SEVERAL
        self.kinds[index] = kind
        if kind == _SINGLE:
            self.heights[index] = found[0][1]
        return kind


class Ground(Terrain):
    """The terrain of a matrix entered through `header`, with the events of its zones."""

    def __init__(self, world: WorldFiles, header: int) -> None:
        super().__init__(world, world.headers[header].matrix, header)
        self.world = world
        self.header = header
        self._heights: dict[tuple[int, int], _CellHeights] = {}
        self._warps: dict[int, dict[tuple[int, int], int]] = {}
        self._triggers: dict[int, list[tuple[int, ...]]] = {}
        self._objects: dict[int, dict[tuple[int, int], tuple[MapObject, ...]]] = {}

    def __repr__(self) -> str:
        return f"<Ground of matrix {self.matrix}>"

    def _cell(self, place: tuple[int, int]) -> _CellHeights | None:
        cell = self.cells.get(place)
        if cell is None:
            return None
        heights = self._heights[place] = _CellHeights(cell, self.bdhc(cell))
        return heights

    # --- heights

    def plate_height(self, x: int, z: int, near: int) -> int | None:
        """The ground at a point that is nearest to the height `near`; None where no plate is."""
        place = (x // _CELL, z // _CELL)
        cell = self._heights.get(place) or self._cell(place)
        if cell is None:
            return None
        answer = cell.bdhc.height_at(x - cell.x, z - cell.z, near)
        return None if answer is None else answer[0]

    def centre_height(self, x: int, z: int, near: int) -> int | None:
        """`plate_height` at the centre of a tile, looked up once where a single plate (or none) answers."""
        place = (x >> 5, z >> 5)
        cell = self._heights.get(place) or self._cell(place)
        if cell is None:
            return None
        index = (z & 31) << 5 | (x & 31)
        kind = cell.kinds[index]
        if kind == _UNKNOWN:
            kind = cell.look(index)
        if kind == _SINGLE:
            return cell.heights[index]
        return None if kind == _NONE else self.plate_height(centre(x), centre(z), near)

    def single_height(self, x: int, z: int) -> int | None:
        """The height of a tile's centre if at most one plate contains it; None if it depends on the previous height."""
        place = (x >> 5, z >> 5)
        cell = self._heights.get(place) or self._cell(place)
        if cell is None:
            return None
        index = (z & 31) << 5 | (x & 31)
        kind = cell.kinds[index]
        if kind == _UNKNOWN:
            kind = cell.look(index)
        return cell.heights[index] if kind == _SINGLE else None

    def levels(self, x: int, z: int) -> list[int]:
        """The heights of all plates at a tile's centre, from the highest down."""
        place = (x >> 5, z >> 5)
        cell = self._heights.get(place) or self._cell(place)
        if cell is None:
            return []
        _, found = cell.bdhc.candidates(centre(x) - cell.x, centre(z) - cell.z)
        return sorted({height for _, height in found}, reverse=True)

    # --- zones

    def zone(self, x: int, z: int) -> int:
        """The header that governs a tile; the entered one where there is no land."""
        cell = self.cells.get((x >> 5, z >> 5))
        return self.header if cell is None else cell.header

    def warps(self, zone: int) -> dict[tuple[int, int], int]:
        """Tile -> number of the first warp there, of a zone."""
        if zone not in self._warps:
            events = self.world.events(zone) if zone < len(self.world.headers) else None
            found: dict[tuple[int, int], int] = {}
            if events is not None:
                for number, (x, z) in enumerate(events.warps[["x", "z"]].tolist()):
                    found.setdefault((x, z), number)
            self._warps[zone] = found
        return self._warps[zone]

    def warp_at(self, x: int, z: int) -> tuple[int, int] | None:
        """(zone, warp number) of the warp event on a tile."""
        zone = self.zone(x, z)
        number = self.warps(zone).get((x, z))
        return None if number is None else (zone, number)

    def triggers(self, zone: int) -> list[tuple[int, ...]]:
        """A zone's triggers as (x, z, width, length, script, variable, value)."""
        if zone not in self._triggers:
            events = self.world.events(zone) if zone < len(self.world.headers) else None
            fields = ["x", "z", "width", "length", "script", "variable", "value"]
            self._triggers[zone] = [] if events is None else events.triggers[fields].tolist()
        return self._triggers[zone]

    def objects(self, zone: int) -> dict[tuple[int, int], tuple[MapObject, ...]]:
        """Tile -> the objects of a zone's events there."""
        if zone not in self._objects:
            found: dict[tuple[int, int], tuple[MapObject, ...]] = {}
            for each in map_objects(self.world, zone, self):
                found[each.x, each.z] = (*found.get((each.x, each.z), ()), each)
            self._objects[zone] = found
        return self._objects[zone]


class Grounds:
    """The grounds of a world. Headers of a matrix whose cells name their headers share one."""

    def __init__(self, world: WorldFiles) -> None:
        self.world = world
        self._grounds: dict[tuple[int, int], Ground] = {}

    def entered(self, header: int) -> Ground:
        """The ground of the matrix that is entered through a header."""
        matrix = self.world.headers[header].matrix
        key = (matrix, header if self.world.matrix(matrix).headers is None else -1)
        if key not in self._grounds:
            self._grounds[key] = Ground(self.world, header)
        return self._grounds[key]

"""Terrain of a whole matrix: attributes of tiles, heights of points, the block of cells that the game loads.

Cells whose tiles or height plates cannot be read have those of unloaded cells.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from formats.binary import FormatError, frozen
from formats.field.height_plates import HeightPlates, HeightReason
from formats.field.terrain_attribute import BEHAVIOUR, COLLISION, UNLOADED, behaviours, collides
from formats.fixed import ONE, Vector
from mapexplorer.caching import Cache, shared_property
from mapexplorer.world.cells import CELL_TILES, CELL_UNITS, TILE_UNITS, Cell
from mapexplorer.world.sources.damage import Damage
from mapexplorer.world.sources.files import WorldFiles
from mapexplorer.world.sources.readable import readable_props

TILE = np.dtype([("x", "<i4"), ("z", "<i4"), ("behaviour", "u1"), ("blocked", "?")])
"""A tile: its column and row in the matrix, its behaviour, and whether its collision bit is set."""


TILE_LENGTH: Final = TILE_UNITS * ONE
"""The side of a tile, fx32."""
_HALF: Final = TILE_LENGTH // 2
_CELL: Final = CELL_UNITS * ONE


def centre(tile: int) -> int:
    """The fx32 coordinate of a tile's centre."""
    return tile * TILE_LENGTH + _HALF


def cell_of(position: Vector) -> tuple[int, int]:
    """The cell (x, z) in which an fx32 position is."""
    return position[0] // _CELL, position[2] // _CELL


def level(height: int) -> int:
    """An fx32 height in levels of 8 units, rounded toward 0; objects collide only on the same level."""
    return (height >> 3) // ONE if height >= 0 else -(-(height >> 3) // ONE)


@dataclass(frozen=True)
class TerrainHeight:
    """The result of the game's height query at a point."""

    height: float
    """In units."""
    fx32: int
    """The height as the exact integer."""
    plate: int | None
    """The plate of the cell's BDHC; None when no plate contains the point: the game then returns 0."""
    strip: int | None
    """The strip of the cell's BDHC; None without a plate."""
    candidates: tuple[tuple[int, float], ...]
    """(plate, height in units) of all plates that contain the point, in the game's order."""
    cell: tuple[int, int]
    """The cell (x, z) of the point."""
    land: int | None
    """The land data of the cell; None without land."""
    near_fx32: int
    """The height of the query."""
    reason: HeightReason
    """Why it is this height."""

    @property
    def found(self) -> bool:
        """Whether a plate contains the point."""
        return self.plate is not None


@dataclass(frozen=True)
class ResidentBlock:
    """The 2 x 2 cells that the game keeps loaded, in its order NW, NE, SW, SE; cells without land are omitted."""

    west: int
    north: int
    cells: tuple[Cell, ...]


def resident_corner(x: int, z: int) -> tuple[int, int]:
    """The north-west cell of the loaded block while the player is on tile (x, z): the block consists of the player's
    cell and the cells next to the quarter of it with the player."""
    return (x - CELL_TILES // 2) // CELL_TILES, (z - CELL_TILES // 2) // CELL_TILES


Plates = Callable[[int, int], int | None]
"""Tile (x, z) -> the fx32 height of the dynamic height plate over it; None without one."""


class Terrain:
    """The terrain of a matrix entered through a header. Tiles and units count from the matrix' north-west corner."""

    def __init__(self, world: WorldFiles, matrix: int, entered: int, known: frozenset[str] = frozenset()) -> None:
        """`known`: the hidden locations that are known."""
        self._world = world
        self.height_limit = world.game.tables.movement.height_limit
        self.groups = world.game.tables.behaviour_groups
        self.matrix = matrix
        self.known = known
        self._entered = entered
        self._words: dict[tuple[int, int], list[int]] = {}
        self._surfaces: Cache[int, npt.NDArray[np.float64]] = Cache()
        self._plates: dict[tuple[int, int], tuple[HeightPlates, int, int]] = {}
        """Cell -> its height plates, and the fx32 coordinates of its centre."""
        self._centre_heights: dict[tuple[int, int], Sequence[int]] = {}

    @shared_property
    def cells(self) -> dict[tuple[int, int], Cell]:
        """(x, z) -> cell with land."""
        return self._world.cells(self.matrix, self._entered, self.known)

    def cell_at(self, x: int, z: int) -> Cell | None:
        """The cell of a tile, None where the matrix has no land."""
        return self.cells.get((x // CELL_TILES, z // CELL_TILES))

    def attributes(self, cell: Cell) -> npt.NDArray[np.uint16]:
        """The (32, 32) attribute words of a cell, row = z, column = x."""
        return self._world.land_parts(cell.land).attributes

    def bdhc(self, cell: Cell) -> HeightPlates:
        """The height plates of a cell."""
        return self._world.land_parts(cell.land).plates

    @property
    def damaged(self) -> tuple[Damage, ...]:
        """What the land data of the cells that were asked for tile by tile lack."""
        lands = dict.fromkeys(self.cells[place].land for place in (*self._words, *self._plates))
        return tuple(damage for land in lands for damage in self._world.land_parts(land).damaged)

    def surface(self, cell: Cell) -> npt.NDArray[np.float64]:
        """`surface_heights` of a cell's terrain model, without the cell's altitude; -inf for a model that cannot be
        read, because it is not drawn."""
        return self._surfaces.get(cell.land, self._read_surface, cell.land)

    def _read_surface(self, land: int) -> npt.NDArray[np.float64]:
        from mapexplorer.world.terrain.terrain_surface import SAMPLES, surface_heights

        try:
            return surface_heights(self._world.terrain_model(land))
        except FormatError:
            return np.full((SAMPLES, SAMPLES), -np.inf)

    def attribute(self, x: int, z: int) -> int:
        """The attribute word of a tile; behaviour 0xFF where there is no land."""
        place = (x >> 5, z >> 5)  # called millions of times by a search
        words = self._words.get(place) or self._read_words(place)
        return words[(z & 31) << 5 | (x & 31)] if words else UNLOADED

    def _read_words(self, place: tuple[int, int]) -> list[int]:
        cell = self.cells.get(place)
        if cell is None:
            return []
        words: list[int] = self.attributes(cell).ravel().tolist()
        self._words[place] = words
        return words

    def tiles(self, cells: Sequence[Cell]) -> npt.NDArray[np.void]:
        """The tiles of some cells, (n,) records of TILE: cell by cell, row by row, read-only."""
        tiles = np.zeros((len(cells), CELL_TILES, CELL_TILES), TILE)
        rows, columns = np.indices((CELL_TILES, CELL_TILES), np.int32)
        for part, cell in zip(tiles, cells, strict=True):
            words = self.attributes(cell)
            part["x"], part["z"] = columns + CELL_TILES * cell.x, rows + CELL_TILES * cell.z
            part["behaviour"], part["blocked"] = behaviours(words), collides(words)
        return frozen(tiles.reshape(-1), TILE)

    def behaviour(self, x: int, z: int) -> int:
        """The behaviour of a tile."""
        return self.attribute(x, z) & BEHAVIOUR

    def collides(self, x: int, z: int) -> bool:
        """The collision bit of a tile."""
        return bool(self.attribute(x, z) & COLLISION)

    def resident(self, x: int, z: int) -> ResidentBlock:
        """The cells that are loaded while the player is on tile (x, z)."""
        west, north = resident_corner(x, z)
        places = ((west, north), (west + 1, north), (west, north + 1), (west + 1, north + 1))
        return ResidentBlock(west, north, tuple(self.cells[place] for place in places if place in self.cells))

    def height(self, x: float, z: float, near: float = 0.0) -> TerrainHeight:
        """The height query at (x, z), matrix-wide units; the plate nearest to height `near` is chosen."""
        return self.height_fx(round(x * ONE), round(z * ONE), round(near * ONE))

    def height_fx(self, x: int, z: int, near: int) -> TerrainHeight:
        """`height` with fx32 integers."""
        place = (math.floor(x / (CELL_UNITS * ONE)), math.floor(z / (CELL_UNITS * ONE)))
        cell = self.cells.get(place)
        if cell is None:
            return TerrainHeight(0.0, 0, None, None, (), place, None, near, HeightReason.NO_LAND)
        centre_x, _, centre_z = cell.centre
        bdhc = self.bdhc(cell)
        _, plates = bdhc.candidates(x - centre_x, z - centre_z)
        answer = bdhc.query(x - centre_x, z - centre_z, near)
        if answer is None:
            damaged = self._world.land_parts(cell.land).damaged
            reason = HeightReason.NOT_READ if damaged else HeightReason.NO_PLATE
            return TerrainHeight(0.0, 0, None, None, (), place, cell.land, near, reason)
        candidates = tuple((plate, height / ONE) for plate, height in plates)
        return TerrainHeight(
            answer.height / ONE,
            answer.height,
            answer.plate,
            answer.strip,
            candidates,
            place,
            cell.land,
            near,
            answer.reason,
        )

    def props_on(self, x: int, z: int) -> tuple[int, ...]:
        """The models of the props that stand on a tile, before those that the area lacks are replaced."""
        cell = self.cell_at(x, z)
        if cell is None:
            return ()
        centre_x, _, centre_z = cell.centre
        return tuple(
            [
                int(record["model"])
                for record in readable_props(self._world, cell.land)
                if (record["position"][0] + centre_x) // TILE_LENGTH == x
                and (record["position"][2] + centre_z) // TILE_LENGTH == z
            ]
        )

    # --- heights for searches and ticks, cached

    def _cell(self, place: tuple[int, int]) -> tuple[HeightPlates, int, int] | None:
        cell = self.cells.get(place)
        if cell is None:
            return None
        x, _, z = cell.centre
        known = self._plates[place] = self.bdhc(cell), x, z
        return known

    def plate_height(self, x: int, z: int, near: int) -> int | None:
        """The fx32 height at a point on the plate nearest to height `near`; None without a plate."""
        place = (x // _CELL, z // _CELL)
        cell = self._plates.get(place) or self._cell(place)
        if cell is None:
            return None
        bdhc, centre_x, centre_z = cell
        answer = bdhc.height_at(x - centre_x, z - centre_z, near)
        return None if answer is None else answer[0]

    def _at_centre(self, x: int, z: int) -> Sequence[int]:
        """The fx32 heights of all plates at a tile's centre; cached."""
        heights = self._centre_heights.get((x, z))
        if heights is None:
            place = (x >> 5, z >> 5)
            cell = self._plates.get(place) or self._cell(place)
            plates = cell[0].candidates(centre(x) - cell[1], centre(z) - cell[2])[1] if cell is not None else ()
            heights = self._centre_heights[x, z] = tuple([height for _, height in plates])
        return heights

    def centre_height(self, x: int, z: int, near: int) -> int | None:
        """`plate_height` at the centre of a tile; cached where it has at most one plate."""
        heights = self._at_centre(x, z)
        return self.plate_height(centre(x), centre(z), near) if len(heights) > 1 else heights[0] if heights else None

    def single_height(self, x: int, z: int) -> int | None:
        """The fx32 height of a tile's centre with a single plate; None otherwise."""
        heights = self._at_centre(x, z)
        return heights[0] if len(heights) == 1 else None

    def levels(self, x: int, z: int) -> list[int]:
        """The fx32 heights of all plates at a tile's centre, from the highest to the lowest."""
        return sorted({*self._at_centre(x, z)}, reverse=True)

    def with_plates(self, plate: Plates) -> Terrain:
        """The same terrain with dynamic height plates. It shares the caches of this one."""
        return _PlatedTerrain(self, plate)


class _PlatedTerrain(Terrain):
    """A terrain with dynamic height plates for `plate_height` and `centre_height`."""

    def __init__(self, ground: Terrain, plate: Plates) -> None:
        super().__init__(ground._world, ground.matrix, ground._entered, ground.known)
        self._words, self._surfaces, self._plates = ground._words, ground._surfaces, ground._plates
        self._centre_heights = ground._centre_heights
        self._plate = plate

    def plate_height(self, x: int, z: int, near: int) -> int | None:
        plate = self._plate(x // TILE_LENGTH, z // TILE_LENGTH)
        return with_plate(super().plate_height(x, z, near), plate, near)[0]

    def centre_height(self, x: int, z: int, near: int) -> int | None:
        return self.plate_height(centre(x), centre(z), near)


def with_plate(ground: int | None, plate: int | None, y: int) -> tuple[int | None, bool]:
    """The height of a point for something at height y, and whether it is that of a dynamic height plate.

    A plate is used where there is no ground, or where it is above the ground and nearer to y.
    """
    if plate is None or (ground is not None and (plate <= ground or abs(plate - y) >= abs(ground - y))):
        return ground, False
    return plate, True

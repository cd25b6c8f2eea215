"""What the game does not draw: collision, behaviours, height plates, strips, events and the grid, cell by cell.

Pure computation; it can run in a thread. Positions count from the overlay's origin, in units. The ground under a tile
is its highest height plate at the tile's centre, 0 where it has none.

What the layers number, for picking: collision and behaviours (tile x, tile z), matrix-wide; plates (plate, land data
id); strips (strip, land data id); events (index, kind: 0 background, 1 object, 2 warp, 3 trigger).
"""

from __future__ import annotations

import colorsys
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from formats.field.bdhc import Bdhc
from formats.field.terrain_attribute import BEHAVIOUR, COLLISION
from formats.fixed import ONE
from mapexplorer.world.cells import CELL_TILES, CELL_UNITS, TILE_UNITS, Cell
from mapexplorer.world.place import Place

COLLISION_LAYER: Final = "collision"
BEHAVIOUR_LAYER: Final = "behaviours"
PLATE_LAYER: Final = "plates"
STRIP_LAYER: Final = "strips"
EVENT_LAYER: Final = "events"
GRID_LAYER: Final = "grid"
OVERLAYS: Final = (COLLISION_LAYER, BEHAVIOUR_LAYER, PLATE_LAYER, STRIP_LAYER, EVENT_LAYER, GRID_LAYER)

VERTEX: Final = np.dtype([("position", "<f4", 3), ("color", "u1", 4), ("source", "<u4", 2)])

BACKGROUND, OBJECT, WARP, TRIGGER = range(4)

_BLOCKED: Final = (230, 60, 50, 110)
_EVENT_COLORS: Final = ((70, 160, 255, 170), (90, 220, 120, 170), (255, 120, 230, 170), (255, 210, 70, 120))
_FLAT, _SLOPED = (60, 200, 190, 90), (250, 160, 50, 110)
_EDGE: Final = (20, 40, 60, 230)
_NORMAL: Final = (250, 250, 90, 255)
_STRIP: Final = (190, 110, 250, 255)
_TILE_LINE, _CELL_LINE = (10, 20, 30, 90), (250, 70, 60, 230)
_HIGHEST: Final = 0x7FFFFFFF
_HALF: Final = CELL_UNITS / 2
_NORMAL_LENGTH: Final = 16.0

Vertices = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Overlay:
    """One layer of one group (a cell's key): `triangles` and `lines` are VERTEX records relative to `origin`."""

    key: object
    layer: str
    origin: tuple[float, float, float]
    triangles: Vertices
    lines: Vertices


def tile_heights(bdhc: Bdhc) -> npt.NDArray[np.float64]:
    """The highest ground at the centre of each tile in units (32, 32), row = z; NaN where there is none."""
    heights = np.full((CELL_TILES, CELL_TILES), np.nan)
    for z in range(CELL_TILES):
        for x in range(CELL_TILES):
            at = [int((tile * TILE_UNITS + TILE_UNITS // 2 - _HALF) * ONE) for tile in (x, z)]
            answer = bdhc.query(at[0], at[1], _HIGHEST)
            if answer is not None:
                heights[z, x] = answer.height / ONE
    return heights


class OverlayMaker:
    """Overlays of a place's cells; heights are worked out once for each land."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self._heights: dict[int, npt.NDArray[np.float64]] = {}

    def make(self, cell: Cell, layer: str) -> Overlay:
        """One layer of a cell under the key ("cell", x, z). Raises FormatError, RomError."""
        origin = (cell.x * CELL_UNITS + _HALF, 0.0, cell.z * CELL_UNITS + _HALF)
        makers = {
            COLLISION_LAYER: self._collision,
            BEHAVIOUR_LAYER: self._behaviours,
            PLATE_LAYER: self._plates,
            STRIP_LAYER: self._strips,
            EVENT_LAYER: self._events,
            GRID_LAYER: self._grid,
        }
        triangles, lines = makers[layer](cell)
        return Overlay(("cell", cell.x, cell.z), layer, origin, triangles, lines)

    def heights(self, cell: Cell) -> npt.NDArray[np.float64]:
        """`tile_heights` of a cell, 0 where there is no ground."""
        if cell.land not in self._heights:
            self._heights[cell.land] = np.nan_to_num(tile_heights(self.place.terrain.bdhc(cell)))
        return self._heights[cell.land]

    def _collision(self, cell: Cell) -> tuple[Vertices, Vertices]:
        blocked = np.argwhere(self.place.terrain.attributes(cell) & COLLISION != 0)
        colors = np.tile(np.array(_BLOCKED, np.uint8), (len(blocked), 1))
        return self._tiles(cell, blocked, colors), _none()

    def _behaviours(self, cell: Cell) -> tuple[Vertices, Vertices]:
        attributes = self.place.terrain.attributes(cell)
        behaving = np.argwhere(attributes & BEHAVIOUR != 0)
        numbers = attributes[behaving[:, 0], behaving[:, 1]] & BEHAVIOUR
        palette = np.array([behaviour_color(number) for number in range(256)], np.uint8)
        return self._tiles(cell, behaving, palette[numbers]), _none()

    def _tiles(self, cell: Cell, tiles: npt.NDArray[np.int64], colors: npt.NDArray[np.uint8]) -> Vertices:
        """Quads over (z, x) tiles of a cell."""
        heights = self.heights(cell)[tiles[:, 0], tiles[:, 1]]
        corners = np.empty((len(tiles), 4, 3))
        for number, (x, z) in enumerate(((0, 0), (0, 1), (1, 1), (1, 0))):
            corners[:, number, 0] = (tiles[:, 1] + x) * TILE_UNITS - _HALF
            corners[:, number, 1] = heights
            corners[:, number, 2] = (tiles[:, 0] + z) * TILE_UNITS - _HALF
        sources = np.stack([tiles[:, 1] + cell.x * CELL_TILES + 1, tiles[:, 0] + cell.z * CELL_TILES], axis=1)
        return _quads(corners, colors, sources)

    def _plates(self, cell: Cell) -> tuple[Vertices, Vertices]:
        corners, normals = plate_corners(self.place.terrain.bdhc(cell))
        count = len(corners)
        level = np.abs(normals[:, [0, 2]]).max(1, initial=0) < 1e-3
        colors = np.where(level[:, None], np.array(_FLAT), np.array(_SLOPED)).astype(np.uint8)
        sources = np.stack([np.arange(count) + 1, np.full(count, cell.land)], axis=1)
        middle = corners.mean(1)
        stems = np.stack([middle, middle + normals * _NORMAL_LENGTH], axis=1)
        lines = np.concatenate([_loops(corners, _EDGE, sources), _segments(stems, _NORMAL, sources)])
        return _quads(corners, colors, sources), lines

    def _strips(self, cell: Cell) -> tuple[Vertices, Vertices]:
        bdhc = self.place.terrain.bdhc(cell)
        ends = np.zeros((len(bdhc.strips), 2, 3))
        ground = float(np.median(self.heights(cell)))
        for number, strip in enumerate(bdhc.strips):
            ends[number] = [[-_HALF, ground, strip.scanline / ONE], [_HALF, ground, strip.scanline / ONE]]
        sources = np.stack([np.arange(len(ends)) + 1, np.full(len(ends), cell.land)], axis=1)
        return _none(), _segments(ends, _STRIP, sources)

    def _events(self, cell: Cell) -> tuple[Vertices, Vertices]:
        events = self.place.world.events(cell.header)
        if events is None:
            return _none(), _none()
        heights = self.heights(cell)
        corners, colors, sources = [], [], []
        tables = ((BACKGROUND, events.background), (OBJECT, events.objects), (WARP, events.warps))
        for kind, table in (*tables, (TRIGGER, events.triggers)):
            for index, record in enumerate(table):
                width, length = (int(record["width"]), int(record["length"])) if kind == TRIGGER else (1, 1)
                x = int(record["x"]) - cell.x * CELL_TILES
                z = int(record["z"]) - cell.z * CELL_TILES
                if not (0 <= x < CELL_TILES and 0 <= z < CELL_TILES):
                    continue
                ground = float(heights[z, x])
                high = 2.0 if kind == TRIGGER else TILE_UNITS
                box = _box(x, z, max(width, 1), max(length, 1), ground, ground + high)
                corners.append(box)
                colors += [_EVENT_COLORS[kind]] * len(box)
                sources += [(index + 1, kind)] * len(box)
        if not corners:
            return _none(), _none()
        faces, owners = np.concatenate(corners), np.array(sources)
        return _quads(faces, np.array(colors, np.uint8), owners), _loops(faces, _EDGE, owners)

    def _grid(self, cell: Cell) -> tuple[Vertices, Vertices]:
        tiles = np.argwhere(np.ones((CELL_TILES, CELL_TILES), bool))
        heights = self.heights(cell).ravel()
        corners = np.empty((len(tiles), 4, 3))
        for number, (x, z) in enumerate(((0, 0), (0, 1), (1, 1), (1, 0))):
            corners[:, number, 0] = (tiles[:, 1] + x) * TILE_UNITS - _HALF
            corners[:, number, 1] = heights
            corners[:, number, 2] = (tiles[:, 0] + z) * TILE_UNITS - _HALF
        # Each tile's northern and western side; the neighbours draw the others.
        sides = corners[:, [[0, 3], [0, 1]]].reshape(-1, 2, 3)
        edge = np.array([[[-_HALF, 0, -_HALF], [-_HALF, 0, _HALF], [_HALF, 0, _HALF], [_HALF, 0, -_HALF]]])
        edge[:, :, 1] = float(np.median(heights))
        nothing = np.zeros((len(sides), 2), np.int64)
        lines = np.concatenate([_segments(sides, _TILE_LINE, nothing), _loops(edge, _CELL_LINE, nothing[:1])])
        return _none(), lines


def plate_corners(bdhc: Bdhc) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The corners (n, 4, 3) of the height plates, relative to the cell's centre, y absolute, and their normals (n, 3),
    in units."""
    plates = bdhc.plates
    first, second = bdhc.points[plates["first_point"]], bdhc.points[plates["second_point"]]
    normal = bdhc.normals[plates["normal"]]
    normals = np.stack([normal["x"], normal["y"], normal["z"]], axis=1).astype(np.float64) / ONE
    constant = bdhc.constants[plates["constant"]] / ONE
    xs = np.stack([first["x"], first["x"], second["x"], second["x"]], axis=1) / ONE
    zs = np.stack([first["z"], second["z"], second["z"], first["z"]], axis=1) / ONE
    steep = np.where(normals[:, 1] == 0, np.inf, normals[:, 1])
    ys = -(normals[:, :1] * xs + normals[:, 2:] * zs + constant[:, None]) / steep[:, None]
    return np.stack([xs, ys, zs], axis=2), normals


def behaviour_color(number: int) -> tuple[int, int, int, int]:
    """A colour for a behaviour; neighbouring numbers get hues far apart."""
    red, green, blue = colorsys.hsv_to_rgb(number * 0.61803398875 % 1.0, 0.65, 0.95)
    return round(255 * red), round(255 * green), round(255 * blue), 130


def _none() -> Vertices:
    return np.zeros(0, VERTEX)


def _vertices(positions: npt.NDArray[np.float64], colors: Any, sources: Any) -> Vertices:
    out = np.zeros(len(positions), VERTEX)
    out["position"], out["color"], out["source"] = positions, colors, sources
    return out


def _quads(corners: npt.NDArray[np.float64], colors: npt.NDArray[np.uint8], sources: npt.NDArray[Any]) -> Vertices:
    positions = corners[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3)
    return _vertices(positions, np.repeat(colors, 6, axis=0), np.repeat(sources, 6, axis=0))


def _loops(corners: npt.NDArray[np.float64], color: tuple[int, ...], sources: npt.NDArray[Any]) -> Vertices:
    positions = corners[:, [0, 1, 1, 2, 2, 3, 3, 0]].reshape(-1, 3)
    return _vertices(positions, color, np.repeat(sources, 8, axis=0))


def _segments(ends: npt.NDArray[np.float64], color: tuple[int, ...], sources: npt.NDArray[Any]) -> Vertices:
    return _vertices(ends.reshape(-1, 3), color, np.repeat(sources, 2, axis=0))


def _box(x: int, z: int, width: int, length: int, low: float, high: float) -> npt.NDArray[np.float64]:
    """The top and the four sides (5, 4, 3) of a box over tiles of a cell, a unit inside their border."""
    west, north = x * TILE_UNITS - _HALF + 1, z * TILE_UNITS - _HALF + 1
    east, south = west + width * TILE_UNITS - 2, north + length * TILE_UNITS - 2
    ring = [(west, north), (west, south), (east, south), (east, north)]
    faces = [[(px, high, pz) for px, pz in ring]]
    for (ax, az), (bx, bz) in zip(ring, ring[1:] + ring[:1], strict=True):
        faces.append([(ax, low, az), (bx, low, bz), (bx, high, bz), (ax, high, az)])
    return np.array(faces, np.float64)

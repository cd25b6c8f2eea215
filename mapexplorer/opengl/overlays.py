"""What the game does not draw: collision, behaviours, height plates, strips, events and the grid, cell by cell.

Pure computation; it can run in a thread. Positions count from the overlay's origin, in units.

What the layers number, for picking: collision and behaviours (tile x, tile z), matrix-wide; plates (plate, cell x,
cell z); strips (strip, cell x, cell z); events (index, kind, header), the kinds being those of EVENT_KINDS.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from mapexplorer.world.cell_ground import CellGround
from mapexplorer.world.cells import CELL_TILES, CELL_UNITS, TILE_UNITS, Cell
from mapexplorer.world.files import WorldFiles
from mapexplorer.world.layer_colors import (
    BLOCKED,
    CELL_LINE,
    EVENTS,
    FLAT_PLATE,
    NORMAL,
    SLOPED_PLATE,
    STRIP,
    TILE_LINE,
    Rgb,
    hue,
)

COLLISION_LAYER: Final = "collision"
BEHAVIOUR_LAYER: Final = "behaviours"
PLATE_LAYER: Final = "plates"
STRIP_LAYER: Final = "strips"
EVENT_LAYER: Final = "events"
GRID_LAYER: Final = "grid"
OVERLAYS: Final = (COLLISION_LAYER, BEHAVIOUR_LAYER, PLATE_LAYER, STRIP_LAYER, EVENT_LAYER, GRID_LAYER)

VERTEX: Final = np.dtype([("position", "<f4", 3), ("color", "u1", 4), ("source", "<u4", 2)])

EVENT_KINDS: Final = ("sign", "object", "warp", "trigger")
"""The lists of a header's events: background, objects, warps, triggers."""
TRIGGER: Final = EVENT_KINDS.index("trigger")

_SOLID, _HALF_CLEAR, _FAINT = 255, 140, 110
_HALF: Final = CELL_UNITS / 2
_CELL_BITS: Final = 16
_CELL: Final = (1 << _CELL_BITS) - 1
_KIND_BITS: Final = 2

Vertices = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Overlay:
    """One layer of one group (a cell's key): `triangles` and `lines` are VERTEX records relative to `origin`."""

    key: object
    layer: str
    origin: tuple[float, float, float]
    triangles: Vertices
    lines: Vertices


def make_overlay(world: WorldFiles, ground: CellGround, layer: str, header: int | None = None) -> Overlay:
    """One layer of a cell under the key ("cell", x, z); events of `header`, by default the one that governs the cell.
    Raises FormatError, RomError."""
    cell = ground.cell
    origin = (cell.x * CELL_UNITS + _HALF, 0.0, cell.z * CELL_UNITS + _HALF)
    triangles, lines = _events(ground, world, header) if layer == EVENT_LAYER else _MAKERS[layer](ground)
    for part in (triangles, lines):
        part["position"] -= np.array(origin, np.float32)
    return Overlay(("cell", cell.x, cell.z), layer, origin, triangles, lines)


def _collision(ground: CellGround) -> tuple[Vertices, Vertices]:
    blocked = np.argwhere(ground.blocked)
    return _tiles(ground, blocked, np.tile(_rgba(BLOCKED, _SOLID), (len(blocked), 1)))


def _behaviours(ground: CellGround) -> tuple[Vertices, Vertices]:
    behaving = np.argwhere(ground.behaviours)
    palette = np.stack([_rgba(hue(number), _SOLID) for number in range(256)])
    return _tiles(ground, behaving, palette[ground.behaviours[behaving[:, 0], behaving[:, 1]]])


def _plates(ground: CellGround) -> tuple[Vertices, Vertices]:
    corners, sloped = ground.plates, ground.sloped[:, None]
    sources = _numbered(len(corners), ground.cell)
    fills, edges = (
        np.where(sloped, _rgba(SLOPED_PLATE, alpha), _rgba(FLAT_PLATE, alpha)) for alpha in (_HALF_CLEAR, _SOLID)
    )
    lines = [_loops(corners, edges, sources), _segments(ground.stems, _rgba(NORMAL, _SOLID), sources)]
    return _quads(corners, fills, sources), np.concatenate(lines)


def _strips(ground: CellGround) -> tuple[Vertices, Vertices]:
    sources = _numbered(len(ground.scanlines), ground.cell)[ground.crossing]
    return _none(), _segments(ground.strip_lines, _rgba(STRIP, _HALF_CLEAR), sources)


def _events(ground: CellGround, world: WorldFiles, header: int | None) -> tuple[Vertices, Vertices]:
    cell = ground.cell
    owner = cell.header if header is None else header
    events = world.events(owner)
    if events is None:
        return _none(), _none()
    corners, fills, edges, sources = [], [], [], []
    for kind, table in enumerate((events.background, events.objects, events.warps, events.triggers)):
        color = EVENTS[EVENT_KINDS[kind]]
        for index, record in enumerate(table):
            width, length = (int(record["width"]), int(record["length"])) if kind == TRIGGER else (1, 1)
            x, z = int(record["x"]) - cell.x * CELL_TILES, int(record["z"]) - cell.z * CELL_TILES
            if not (0 <= x < CELL_TILES and 0 <= z < CELL_TILES):
                continue
            height = float(ground.tiles[z, x, :, 1].mean())
            box = _box(record, max(width, 1), max(length, 1), height, 2.0 if kind == TRIGGER else TILE_UNITS)
            corners.append(box)
            fills += [_rgba(color, _FAINT)] * len(box)
            edges += [_rgba(color, _SOLID)] * len(box)
            sources += [(index + 1, kind | owner << _KIND_BITS)] * len(box)
    if not corners:
        return _none(), _none()
    faces, owners = np.concatenate(corners), np.array(sources)
    return _quads(faces, np.array(fills), owners), _loops(faces, np.array(edges), owners)


def _grid(ground: CellGround) -> tuple[Vertices, Vertices]:
    # Each tile's northern and western side; the neighbours draw the others.
    sides = ground.tiles.reshape(-1, 4, 3)[:, [[0, 3], [0, 1]]].reshape(-1, 2, 3)
    nothing = np.zeros((len(sides), 2), np.int64)
    lines = [
        _segments(sides, _rgba(TILE_LINE, _HALF_CLEAR), nothing),
        _loops(ground.border[None], _rgba(CELL_LINE, _SOLID), nothing[:1]),
    ]
    return _none(), np.concatenate(lines)


def numbers_of(layer: str, first: int, second: int) -> tuple[int, ...]:
    """What the two numbers of a picked vertex stand for."""
    if layer in (PLATE_LAYER, STRIP_LAYER):
        return first - 1, second & _CELL, second >> _CELL_BITS
    if layer == EVENT_LAYER:
        return first - 1, second & (1 << _KIND_BITS) - 1, second >> _KIND_BITS
    return first - 1, second


def _numbered(count: int, cell: Cell) -> npt.NDArray[np.int64]:
    """A number for each part of a cell, and the cell."""
    return np.stack([np.arange(count) + 1, np.full(count, cell.x | cell.z << _CELL_BITS)], axis=1)


def _rgba(color: Rgb, alpha: int) -> npt.NDArray[np.uint8]:
    return np.array([*color, alpha], np.uint8)


def _tiles(
    ground: CellGround, tiles: npt.NDArray[np.int64], colors: npt.NDArray[np.uint8]
) -> tuple[Vertices, Vertices]:
    """Quads over (z, x) tiles of a cell, and their outlines."""
    corners = ground.tiles[tiles[:, 0], tiles[:, 1]]
    places = tiles[:, ::-1] + (ground.cell.x * CELL_TILES + 1, ground.cell.z * CELL_TILES)
    return _quads(corners, colors, places), _loops(corners, colors, places)


def _none() -> Vertices:
    return np.zeros(0, VERTEX)


def _vertices(positions: npt.NDArray[np.float64], colors: Any, sources: Any) -> Vertices:
    out = np.zeros(len(positions), VERTEX)
    out["position"], out["color"], out["source"] = positions, colors, sources
    return out


def _quads(corners: npt.NDArray[np.float64], colors: npt.NDArray[Any], sources: npt.NDArray[Any]) -> Vertices:
    positions = corners[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3)
    return _vertices(positions, np.repeat(colors, 6, axis=0), np.repeat(sources, 6, axis=0))


def _loops(corners: npt.NDArray[np.float64], colors: npt.NDArray[Any], sources: npt.NDArray[Any]) -> Vertices:
    """Outlines; one colour, or one for each."""
    positions = corners[:, [0, 1, 1, 2, 2, 3, 3, 0]].reshape(-1, 3)
    each = np.repeat(colors, 8, axis=0) if colors.ndim == 2 else colors
    return _vertices(positions, each, np.repeat(sources, 8, axis=0))


def _segments(ends: npt.NDArray[np.float64], color: npt.NDArray[np.uint8], sources: npt.NDArray[Any]) -> Vertices:
    return _vertices(ends.reshape(-1, 3), color, np.repeat(sources, 2, axis=0))


def _box(record: Any, width: int, length: int, low: float, height: float) -> npt.NDArray[np.float64]:
    """The top and the four sides (5, 4, 3) of a box over an event's tiles, a unit inside their border."""
    west, north = int(record["x"]) * TILE_UNITS + 1, int(record["z"]) * TILE_UNITS + 1
    east, south, high = west + width * TILE_UNITS - 2, north + length * TILE_UNITS - 2, low + height
    ring = [(west, north), (west, south), (east, south), (east, north)]
    faces = [[(px, high, pz) for px, pz in ring]]
    for (ax, az), (bx, bz) in zip(ring, ring[1:] + ring[:1], strict=True):
        faces.append([(ax, low, az), (bx, low, bz), (bx, high, bz), (ax, high, az)])
    return np.array(faces, np.float64)


_MAKERS: Final = {
    COLLISION_LAYER: _collision,
    BEHAVIOUR_LAYER: _behaviours,
    PLATE_LAYER: _plates,
    STRIP_LAYER: _strips,
    GRID_LAYER: _grid,
}

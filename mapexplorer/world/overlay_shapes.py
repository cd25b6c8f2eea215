"""The shapes of the layers over a map (collision, behaviours, height plates, events, grid), in matrix-wide units, with
their colours and the thing that each represents. Both views draw these shapes and pick in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from formats.field.zone_event import RETURN_HEADER, RETURN_WARP
from formats.fixed import ONE
from mapexplorer.games.tables import Tables
from mapexplorer.world.behaviour_meaning import behaviour_arrow, behaviour_meaning
from mapexplorer.world.cell_ground import cell_ground
from mapexplorer.world.cells import FILLER_HEADER, TILE_UNITS, Cell
from mapexplorer.world.layer_colors import (
    ARROW,
    BLOCKED,
    CELL_LINE,
    EVENTS,
    SLOPED_PLATE,
    STRIP,
    TILE_LINE,
    Rgb,
    height_color,
)
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.readable import readable_events

BEHAVIOUR_LAYER: Final = "behaviours"
COLLISION_LAYER: Final = "collision"
PLATE_LAYER: Final = "plates"
GRID_LAYER: Final = "grid"
EVENT_LAYER: Final = "events"
LAYERS: Final = (BEHAVIOUR_LAYER, COLLISION_LAYER, PLATE_LAYER, GRID_LAYER, EVENT_LAYER)
"""The layers, in drawing order."""
TILE_LAYERS: Final = (BEHAVIOUR_LAYER, COLLISION_LAYER)
"""The layers with one face per tile."""

_SOLID, _HALF_CLEAR, _FAINT = 255, 140, 110
_FLAT_HEIGHT: Final = 2.0
"""The height of a trigger's box in units; other boxes are as high as a tile is wide."""
_ARROW: Final = 5.0
"""Units from the middle of an arrow to its tip."""
_LIFT: Final = 0.5
"""Units that arrows are above their tiles and plates."""
_INSET: Final = 1.0
"""The distance in units between the border of an event's tiles and its box."""

Array = npt.NDArray[np.float64]
Colors = npt.NDArray[np.uint8]


class Thing(NamedTuple):
    """The thing that a shape represents: kind and key as in `mapexplorer.inspector.subject`, and a label."""

    kind: str
    key: tuple[int, ...]
    label: str = ""


@dataclass(frozen=True, eq=False)
class Shapes:
    """One layer of a cell or of a header.

    `faces` (n, 4, 3) are quads with the RGBA colours `fills` and `edges` (n, 4); `owners` (n,) are indices into
    `things`. `lines` (m, 2, 3) with `line_colors` (m, 4) cannot be picked.
    """

    faces: Array
    fills: Colors
    edges: Colors
    owners: npt.NDArray[np.int64]
    lines: Array
    line_colors: Colors
    things: tuple[Thing, ...]

    def faces_of(self, number: int) -> Array:
        """The faces (n, 4, 3) of a thing."""
        found: Array = self.faces[self.owners == number]
        return found

    def find(self, kind: str, key: tuple[int, ...]) -> int | None:
        """The index of a thing."""
        return next((number for number, one in enumerate(self.things) if (one.kind, one.key) == (kind, key)), None)


class CellOverlay:
    """The layers of a cell, each computed when it is first requested. `owner` is the header whose events are shown."""

    def __init__(self, place: FieldPlace, cell: Cell, owner: int) -> None:
        """Raises FormatError."""
        self.cell = cell
        self.ground = cell_ground(place, cell)
        self.events = event_shapes(place, owner, cell)
        self._tables = place.world.game.tables

    def __getitem__(self, layer: str) -> Shapes:
        found: Shapes = getattr(self, layer)
        return found

    def tile_colors(self, layer: str) -> Colors:
        """The fills (32, 32, 4) of the tiles of one of TILE_LAYERS; alpha 0 for tiles without one."""
        ground = self.ground
        if layer == COLLISION_LAYER:
            colors = np.zeros((*ground.blocked.shape, 4), np.uint8)
            colors[ground.blocked] = (*BLOCKED, _SOLID)
            return colors
        return _behaviour_colors(self._tables)[ground.behaviours]

    @cached_property
    def collision(self) -> Shapes:
        """The tiles with the collision bit."""
        return self._tiles(COLLISION_LAYER, lambda behaviour: "")

    @cached_property
    def behaviours(self) -> Shapes:
        """The tiles with a behaviour in the colours of their meanings; labels are the names of the behaviours, lines
        the arrows of ledges and slides."""
        kinds = self.ground.behaviours
        groups = []
        for behaviour in np.unique(kinds).tolist():
            direction = behaviour_arrow(self._tables, behaviour)
            if direction is not None:
                tiles = self.ground.tiles[kinds == behaviour]
                groups.append(_arrows(tiles.mean(1), np.array([direction[0], 0.0, direction[1]]) * _ARROW))
        lines = [(np.concatenate(groups), _rgba(ARROW, _SOLID))] if groups else []
        return self._tiles(BEHAVIOUR_LAYER, self._tables.behaviour_name, lines)

    def _tiles(self, layer: str, label: Callable[[int], str], lines: Sequence[tuple[Array, Colors]] = ()) -> Shapes:
        cell, ground, colors = self.cell, self.ground, self.tile_colors(layer)
        rows, columns = np.nonzero(colors[..., 3])
        tiles = zip(*self._numbers(rows, columns), ground.behaviours[rows, columns].tolist(), strict=True)
        things = tuple([Thing("tile", (cell.matrix, x, z), label(behaviour)) for x, z, behaviour in tiles])
        fills = colors[rows, columns]
        return _faces(ground.tiles[rows, columns], fills, fills, np.arange(len(rows)), things, lines)

    @property
    def first_tiles(self) -> npt.NDArray[np.bool_]:
        """Of the faces of the behaviours, those whose western and northern neighbours have another behaviour."""
        kinds = np.pad(self.ground.behaviours, ((1, 0), (1, 0)))
        first = (kinds[1:, 1:] != kinds[:-1, 1:]) & (kinds[1:, 1:] != kinds[1:, :-1])
        rows, columns = np.nonzero(self.tile_colors(BEHAVIOUR_LAYER)[..., 3])
        found: npt.NDArray[np.bool_] = first[rows, columns]
        return found

    def _numbers(self, rows: npt.NDArray[np.int64], columns: npt.NDArray[np.int64]) -> tuple[list[int], list[int]]:
        """The matrix-wide numbers of tiles."""
        return (columns + self.cell.x * 32).tolist(), (rows + self.cell.z * 32).tolist()

    @cached_property
    def plates(self) -> Shapes:
        """The height plates in the colours of their heights, labelled with them; as lines, arrows down their slopes
        and the scanlines of the strips."""
        cell, ground = self.cell, self.ground
        middles, sloped = ground.plates.mean(1), ground.sloped
        rgbs = [height_color(height) for height in middles[:, 1].tolist()]
        fills = np.array([(*rgb, _HALF_CLEAR) for rgb in rgbs], np.uint8).reshape(-1, 4)
        edges = np.array([(*rgb, _SOLID) for rgb in rgbs], np.uint8).reshape(-1, 4)
        edges[sloped] = _rgba(SLOPED_PLATE, _SOLID)
        things = tuple([
            Thing("plate", (cell.matrix, cell.x, cell.z, plate), _heights(corners))
            for plate, corners in enumerate(ground.plates[..., 1])
        ])  # fmt: skip
        arrows = _arrows(middles[sloped], ground.downhill[sloped] * _ARROW)
        lines = [(arrows, _rgba(ARROW, _SOLID)), (ground.strip_lines, _rgba(STRIP, _HALF_CLEAR))]
        return _faces(ground.plates, fills, edges, np.arange(len(things)), things, lines)

    @cached_property
    def grid(self) -> Shapes:
        """The borders of the tiles and of the cell, as lines."""
        # The northern and western side of each tile; the neighbours have the others.
        sides = self.ground.tiles.reshape(-1, 4, 3)[:, [[0, 3], [0, 1]]].reshape(-1, 2, 3)
        border = np.stack([self.ground.border, np.roll(self.ground.border, -1, 0)], 1)
        lines = [(sides, _rgba(TILE_LINE, _HALF_CLEAR)), (border, _rgba(CELL_LINE, _SOLID))]
        nothing = np.zeros((0, 4), np.uint8)
        return _faces(np.zeros((0, 4, 3)), nothing, nothing, np.zeros(0, np.int64), (), lines)


def event_owner(cell: Cell, entered: int, *, whole: bool) -> int:
    """The header whose events a cell shows: the entered one, or in the whole matrix the cell's own."""
    return cell.header if whole and cell.header != FILLER_HEADER else entered


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
    rgbs = [EVENTS[thing.kind] for thing in things]
    fills, edges = (np.array([(*rgb, alpha) for rgb in rgbs], np.uint8).reshape(-1, 4) for alpha in (_FAINT, _SOLID))
    faces = np.concatenate(boxes) if boxes else np.zeros((0, 4, 3))
    owners = np.repeat(np.arange(len(things)), _SIDES)
    return _faces(faces, fills[owners], edges[owners], owners, tuple(things))


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
        found.append((Thing("object", (header, index), f"object {index}"), record, (1, 1)))
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


def _rgba(color: Rgb, alpha: int) -> Colors:
    return np.array([*color, alpha], np.uint8)


@cache
def _behaviour_colors(tables: Tables) -> Colors:
    """The colour (256, 4) of each behaviour; those of plain ground are clear."""
    colors = np.zeros((256, 4), np.uint8)
    for number in range(256):
        meaning = behaviour_meaning(tables, number)
        if meaning is not None:
            colors[number] = _rgba(meaning.color, _SOLID)
    return colors


def _arrows(middles: Array, half: Array) -> Array:
    """Arrows (3 n, 2, 3), each of three lines, through points (n, 3); `half`, (3,) or (n, 3), is from the middle to the
    tip, level."""
    half = np.broadcast_to(half, middles.shape)
    side = np.stack([half[:, 2], half[:, 1], -half[:, 0]], -1)
    tips, lift = middles + half, np.array([0.0, _LIFT, 0.0])
    ends = [(middles - half, tips), (tips + (side - half) * 0.6, tips), (tips - (side + half) * 0.6, tips)]
    lines: Array = np.concatenate([np.stack(pair, 1) for pair in ends]) + lift
    return lines


def _heights(corners: Array) -> str:
    """The heights of a plate as its label: one number, or the lowest and the highest."""
    low, high = corners.min(), corners.max()
    return f"{low:g}" if high - low < 0.01 else f"{low:.4g} – {high:.4g}"


def _faces(
    faces: Array,
    fills: npt.NDArray[Any],
    edges: npt.NDArray[Any],
    owners: npt.NDArray[np.int64],
    things: tuple[Thing, ...],
    parts: Sequence[tuple[Array, Colors]] = (),
) -> Shapes:
    """Shapes with lines, `parts`, of one colour for each group."""
    ends = np.concatenate([np.zeros((0, 2, 3)), *(group for group, _ in parts)])
    colors = np.repeat([color for _, color in parts], [len(group) for group, _ in parts], 0) if parts else None
    line_colors = colors if colors is not None else np.zeros((0, 4), np.uint8)
    return Shapes(faces, fills.astype(np.uint8), edges.astype(np.uint8), owners, ends, line_colors, things)

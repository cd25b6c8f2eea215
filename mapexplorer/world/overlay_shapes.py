"""The shapes of the layers over a map (collision, behaviours, encounters, height plates, grid, events), in matrix-wide
units, with their colours and the thing that each represents. Both views draw these shapes and pick in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from mapexplorer.games.tables import Tables
from mapexplorer.world.behaviour_meaning import behaviour_arrow, behaviour_meaning
from mapexplorer.world.cell_ground import cell_ground
from mapexplorer.world.cells import FILLER_HEADER, Cell
from mapexplorer.world.encounter_tiles import encounter_tiles
from mapexplorer.world.event_layers import event_shapes, range_shapes, sight_shapes, trigger_shapes
from mapexplorer.world.layer_colors import (
    ARROW,
    BLOCKED,
    CELL_LINE,
    ENCOUNTERS,
    SLOPED_PLATE,
    STRIP,
    TILE_LINE,
    height_color,
)
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.shapes import HALF_CLEAR, SOLID, Array, Colors, Shapes, Thing, rgba, shapes_of

BEHAVIOUR_LAYER: Final = "behaviours"
COLLISION_LAYER: Final = "collision"
PLATE_LAYER: Final = "plates"
GRID_LAYER: Final = "grid"
EVENT_LAYER: Final = "events"
ENCOUNTER_LAYER: Final = "encounters"
RANGE_LAYER: Final = "ranges"
SIGHT_LAYER: Final = "sight"
TRIGGER_LAYER: Final = "triggers"
OWNED_LAYERS: Final = (RANGE_LAYER, SIGHT_LAYER, TRIGGER_LAYER, EVENT_LAYER)
"""The layers about the events of one header."""
TILE_LAYERS: Final = (BEHAVIOUR_LAYER, COLLISION_LAYER, ENCOUNTER_LAYER)
"""The layers with one face per tile."""
LAYERS: Final = (*TILE_LAYERS, PLATE_LAYER, GRID_LAYER, *OWNED_LAYERS)
"""The layers, in drawing order."""

_ARROW: Final = 5.0
"""Units from the middle of an arrow to its tip."""
_LIFT: Final = 0.5
"""Units that arrows are above their tiles and plates."""


class CellOverlay:
    """The layers of a cell, each computed when it is first requested. `owner` is the header whose events are shown."""

    def __init__(self, place: FieldPlace, cell: Cell, owner: int) -> None:
        """Raises FormatError."""
        self.cell = cell
        self.ground = cell_ground(place, cell)
        self.events = event_shapes(place, owner, cell)
        self._place, self._owner = place, owner
        self._tables = place.world.game.tables

    def __getitem__(self, layer: str) -> Shapes:
        found: Shapes = getattr(self, layer)
        return found

    def tile_colors(self, layer: str) -> Colors:
        """The fills (32, 32, 4) of the tiles of one of TILE_LAYERS; alpha 0 for tiles without one."""
        ground = self.ground
        if layer == COLLISION_LAYER:
            colors = np.zeros((*ground.blocked.shape, 4), np.uint8)
            colors[ground.blocked] = (*BLOCKED, SOLID)
            return colors
        if layer == ENCOUNTER_LAYER:
            return _encounter_colors()[self._encounter_kinds]
        return _behaviour_colors(self._tables)[ground.behaviours]

    @cached_property
    def _encounter_kinds(self) -> npt.NDArray[np.uint8]:
        return encounter_tiles(self._place, self.cell)

    @cached_property
    def encounters(self) -> Shapes:
        """The tiles on which wild Pokémon are met, in the colours of how."""
        kinds = self._encounter_kinds
        return self._tiles(ENCOUNTER_LAYER, lambda kind: tuple(ENCOUNTERS)[kind - 1], kinds=kinds)

    @cached_property
    def sight(self) -> Shapes:
        """The tiles that trainers look at."""
        return sight_shapes(self._place, self._owner, self.cell)

    @cached_property
    def ranges(self) -> Shapes:
        """The tiles that people walk on."""
        return range_shapes(self._place, self._owner, self.cell)

    @cached_property
    def triggers(self) -> Shapes:
        """The triggers with what they need."""
        return trigger_shapes(self._place, self._owner, self.cell)

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
        lines = [(np.concatenate(groups), rgba(ARROW, SOLID))] if groups else []
        return self._tiles(BEHAVIOUR_LAYER, self._tables.behaviour_name, lines)

    def _tiles(
        self,
        layer: str,
        label: Callable[[int], str],
        lines: Sequence[tuple[Array, Colors]] = (),
        kinds: npt.NDArray[np.uint8] | None = None,
    ) -> Shapes:
        """The tiles with a colour, labelled by their kinds, by default their behaviours."""
        cell, ground, colors = self.cell, self.ground, self.tile_colors(layer)
        rows, columns = np.nonzero(colors[..., 3])
        labelled = (ground.behaviours if kinds is None else kinds)[rows, columns]
        tiles = zip(*self._numbers(rows, columns), labelled.tolist(), strict=True)
        things = tuple([Thing("tile", (cell.matrix, x, z), label(behaviour)) for x, z, behaviour in tiles])
        fills = colors[rows, columns]
        return shapes_of(ground.tiles[rows, columns], fills, fills, np.arange(len(rows)), things, lines)

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
        fills = np.array([(*rgb, HALF_CLEAR) for rgb in rgbs], np.uint8).reshape(-1, 4)
        edges = np.array([(*rgb, SOLID) for rgb in rgbs], np.uint8).reshape(-1, 4)
        edges[sloped] = rgba(SLOPED_PLATE, SOLID)
        things = tuple([
            Thing("plate", (cell.matrix, cell.x, cell.z, plate), _heights(corners))
            for plate, corners in enumerate(ground.plates[..., 1])
        ])  # fmt: skip
        arrows = _arrows(middles[sloped], ground.downhill[sloped] * _ARROW)
        lines = [(arrows, rgba(ARROW, SOLID)), (ground.strip_lines, rgba(STRIP, HALF_CLEAR))]
        return shapes_of(ground.plates, fills, edges, np.arange(len(things)), things, lines)

    @cached_property
    def grid(self) -> Shapes:
        """The borders of the tiles and of the cell, as lines."""
        # The northern and western side of each tile; the neighbours have the others.
        sides = self.ground.tiles.reshape(-1, 4, 3)[:, [[0, 3], [0, 1]]].reshape(-1, 2, 3)
        border = np.stack([self.ground.border, np.roll(self.ground.border, -1, 0)], 1)
        lines = [(sides, rgba(TILE_LINE, HALF_CLEAR)), (border, rgba(CELL_LINE, SOLID))]
        nothing = np.zeros((0, 4), np.uint8)
        return shapes_of(np.zeros((0, 4, 3)), nothing, nothing, np.zeros(0, np.int64), (), lines)


def event_owner(cell: Cell, entered: int, *, whole: bool) -> int:
    """The header whose events a cell shows: the entered one, or in the whole matrix the cell's own."""
    return cell.header if whole and cell.header != FILLER_HEADER else entered


@cache
def _behaviour_colors(tables: Tables) -> Colors:
    """The colour (256, 4) of each behaviour; those of plain ground are clear."""
    colors = np.zeros((256, 4), np.uint8)
    for number in range(256):
        meaning = behaviour_meaning(tables, number)
        if meaning is not None:
            colors[number] = rgba(meaning.color, SOLID)
    return colors


@cache
def _encounter_colors() -> Colors:
    """The colour of each kind of `encounter_tiles`; clear for none."""
    return np.array([(0, 0, 0, 0), *((*color, SOLID) for color in ENCOUNTERS.values())], np.uint8)


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

"""A kind of layer over a map as a value, and the layers of a cell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from formats.remembered import remembered
from mapexplorer.games.tables import Tables
from mapexplorer.world.cells import FILLER_HEADER, Cell
from mapexplorer.world.colors import Rgb, height_scale
from mapexplorer.world.layers.shapes import Colors, Shapes
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.sources.files import WorldFiles
from mapexplorer.world.terrain.cell_ground import cell_ground

Mask = npt.NDArray[np.bool_]
Legend = list[tuple[Rgb, str]]
"""Colours with what they mean."""
Named = Callable[[WorldFiles, np.void], str]
"""The name of the person or thing of an object event."""


@dataclass(frozen=True, eq=False)
class LayerKind:
    """A layer over a map that the game does not draw: `shapes` makes it for a cell.

    Lists, menus, keys, drawing, labels, picking and the legend derive from these values.
    """

    id: str
    """By which options and settings name it."""
    title: str
    """For lists and menus."""
    hint: str
    """A sentence about it."""
    shapes: Callable[[CellOverlay], Shapes]
    """Makes it for a cell."""
    depth: int
    """The place in the drawing order: higher layers lie over lower ones and are picked before them."""
    opacity: float
    """0 to 1, until the user sets another one."""
    keys: tuple[str, ...] = ()
    """The shortcuts that show and hide it."""
    legend: Callable[[Tables, Sequence[CellOverlay]], Legend] = lambda tables, cells: []
    """Its colours in a game and in some cells."""
    explained_by: str = ""
    """The id of the layer whose legend has these colours, too: where it is shown, this layer's legend is left out."""
    tile_colors: Callable[[CellOverlay], Colors] | None = None
    """Of a layer with one face per tile, the fills (32, 32, 4) of the tiles; alpha 0 for tiles without one."""
    owned: bool = False
    """Whether it is about the events or the heights of the header that was entered."""
    named: Callable[[CellOverlay], Mask] | None = None
    """The faces that carry the label of their thing; None: none do."""
    tagged: bool = False
    """Whether its things carry their labels above them."""
    fine_lines: bool = True
    """Whether lines within a cell are drawn while the tiles are small, too."""


class CellOverlay:
    """The layers of a cell, each made when it is first requested. `owner` is the header whose events are shown;
    `height_scale` are the colours of plates on the place, or on the `whole` matrix. `named` labels people and things,
    which without it are called what they look like."""

    def __init__(
        self, place: FieldPlace, cell: Cell, owner: int, whole: bool = False, named: Named | None = None
    ) -> None:
        """Raises FormatError."""
        self.place, self.cell, self.owner, self.named = place, cell, owner, named
        self.height_scale = height_scale(*place.plate_heights(whole=whole))
        self.ground = cell_ground(place, cell)

    @remembered
    def __getitem__(self, kind: LayerKind) -> Shapes:
        """The shapes of a layer. Raises FormatError."""
        return kind.shapes(self)

    @remembered
    def tile_colors(self, kind: LayerKind) -> Colors:
        """The fills of a layer of tiles. Raises FormatError."""
        assert kind.tile_colors is not None
        return kind.tile_colors(self)

    @property
    def tables(self) -> Tables:
        """The tables of the game."""
        return self.place.world.game.tables


def event_owner(cell: Cell, entered: int, *, whole: bool) -> int:
    """The header whose events a cell shows: the entered one, or in the whole matrix the cell's own."""
    return cell.header if whole and cell.header != FILLER_HEADER else entered

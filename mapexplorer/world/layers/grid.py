"""The layer of the borders of tiles and cells."""

from __future__ import annotations

from typing import Final

import numpy as np

from mapexplorer.world.colors import Rgb
from mapexplorer.world.layers.kind import CellOverlay, LayerKind
from mapexplorer.world.layers.shapes import HALF_CLEAR, SOLID, Shapes, rgba, shapes_of

_TILE: Final[Rgb] = (255, 255, 255)
_CELL: Final[Rgb] = (255, 220, 90)


def _shapes(part: CellOverlay) -> Shapes:
    """The borders of the tiles and of the cell, as lines."""
    ground = part.ground
    # The northern and western side of each tile; the neighbours have the others.
    sides = ground.tiles.reshape(-1, 4, 3)[:, [[0, 3], [0, 1]]].reshape(-1, 2, 3)
    border = np.stack([ground.border, np.roll(ground.border, -1, 0)], 1)
    lines = [(sides, rgba(_TILE, HALF_CLEAR)), (border, rgba(_CELL, SOLID))]
    nothing = np.zeros((0, 4), np.uint8)
    return shapes_of(np.zeros((0, 4, 3)), nothing, nothing, np.zeros(0, np.int64), (), lines)


GRID: Final = LayerKind(
    "grid",
    "Grid",
    "Tiles, and stronger every 32 of them the cells.",
    _shapes,
    depth=4,
    opacity=0.45,
    keys=("Alt+8", "G"),
    fine_lines=False,
)

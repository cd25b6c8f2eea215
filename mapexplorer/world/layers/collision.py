"""The layer of the tiles that block."""

from __future__ import annotations

from typing import Final

import numpy as np

from mapexplorer.world.colors import BLOCKED
from mapexplorer.world.layers.kind import CellOverlay, LayerKind
from mapexplorer.world.layers.shapes import SOLID, Colors
from mapexplorer.world.layers.tiles import tile_shapes


def _colors(part: CellOverlay) -> Colors:
    blocked = part.ground.blocked
    colors = np.zeros((*blocked.shape, 4), np.uint8)
    colors[blocked] = (*BLOCKED, SOLID)
    return colors


COLLISION: Final = LayerKind(
    "collision",
    "Collision",
    "Tiles whose collision bit is set: permissions with 0x80.",
    lambda part: tile_shapes(part, _colors(part), part.ground.behaviours, lambda behaviour: ""),
    depth=1,
    opacity=0.55,
    keys=("Alt+4", "C"),
    legend=lambda tables, cells: [(BLOCKED, "collision bit set")],
    tile_colors=_colors,
)

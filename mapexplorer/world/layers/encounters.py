"""The layer of the tiles on which wild Pokémon are met, in the colours of how."""

from __future__ import annotations

from typing import Final

import numpy as np

from mapexplorer.world.colors import ENCOUNTERS
from mapexplorer.world.events.encounter_tiles import encounter_tiles
from mapexplorer.world.layers.kind import CellOverlay, LayerKind
from mapexplorer.world.layers.shapes import SOLID, Colors, Shapes
from mapexplorer.world.layers.tiles import tile_shapes

_COLORS: Final[Colors] = np.array([(0, 0, 0, 0), *((*color, SOLID) for color in ENCOUNTERS.values())], np.uint8)
"""The colour of each kind of `encounter_tiles`; clear for none."""


def _shapes(part: CellOverlay) -> Shapes:
    kinds = encounter_tiles(part.place, part.cell)
    return tile_shapes(part, _COLORS[kinds], kinds, lambda kind: tuple(ENCOUNTERS)[kind - 1])


WILD_ENCOUNTERS: Final = LayerKind(
    "encounters",
    "Wild Pokémon",
    "Where they are met: grass, ground, water, Feebas, honey trees.",
    _shapes,
    depth=2,
    opacity=0.55,
    legend=lambda tables, cells: [(color, f"wild Pokémon: {met}") for met, color in ENCOUNTERS.items()],
    tile_colors=lambda part: _COLORS[encounter_tiles(part.place, part.cell)],
)

"""The four outdoor cells: their models, their props."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from formats.field.terrain_attribute import COLLISION
from tools.demo_world.model import ModelBuilder
from tools.demo_world.outdoor import (
    DECK_STYLE,
    SIZE,
    WATER_STYLE,
    Dress,
    attributes,
    deck_layer,
    ground,
    ground_layer,
    water_layer,
)
from tools.demo_world.picture import Picture
from tools.demo_world.place import Cell, Placement
from tools.demo_world.scenery import add_bridge, add_jetty, add_scenery
from tools.demo_world.terrain import add_terrain

ALTITUDES = ((2, 0), (0, 0))
"""Steps of 8 units by which the matrix lifts a cell's terrain model; the model is built that much lower."""

_GROWING = {"t": "tree", "k": "fir", "r": "boulder"}

_PLACED = (
    Placement("cottage", 7.5, 33.5),
    Placement("door", 7.5, 34.5),
    Placement("inn", 20.5, 34),
    Placement("door", 20.5, 35.5),
    Placement("neon_sign", 22.5, 36.125, 22),
    Placement("windmill", 8.5, 14.5, 32),
    Placement("well", 12, 39.5),
    Placement("notice_screen", 17.5, 37.75),
    Placement("flag", 18.5, 41.5),
    Placement("lamp", 10.5, 36.5),
    Placement("lamp", 12.5, 42.5),
    Placement("lamp", 27.5, 38.5),
    Placement("signpost", 13.5, 33.5),
    Placement("fence", 5.5, 49.5),
    Placement("fence", 8.5, 49.5),
    Placement("fence", 5.5, 43.5),
    Placement("fence", 8.5, 43.5),
    Placement("barrel", 16.5, 35.5),
    Placement("barrel", 4.5, 34.5),
    Placement("blossom_bush", 11.5, 34.75),
    Placement("blossom_bush", 24.5, 34.5),
    Placement("blossom_bush", 23.5, 56.5),
    Placement("cave_mouth", 20.5, 7.5, 32),
    Placement("cave_mouth", 44.5, 4.5, 32),
    Placement("waterfall", 32, 8),
    Placement("signpost", 55.5, 25.5),
    Placement("lamp", 36.5, 38.5),
    Placement("boat", 49.5, 43.5, -4),
    Placement("signpost", 45.5, 39.5),
    Placement("portal", 51.5, 52.5),
    Placement("barrel", 46.5, 40.5),
)


_FOOTPRINTS = {
    "well": ((-1, 0), (0, 0)), "notice_screen": ((-1, 0), (0, 0)), "fence": ((-1, 0), (0, 0), (1, 0)),
    "flag": ((0, 0),), "lamp": ((0, 0),), "signpost": ((0, 0),), "barrel": ((0, 0),), "blossom_bush": ((0, 0),),
    "boat": ((0, -1), (0, 0), (0, 1)),
}  # fmt: skip
"""Tiles that a prop stands on and closes, from the one with its origin. Houses and plants are drawn in the map."""


def _close(words: npt.NDArray[np.uint16], mx: int, mz: int) -> None:
    """Close the tiles under placed props in a cell's attribute words."""
    for placed in _PLACED:
        for dx, dz in _FOOTPRINTS.get(placed.prop, ()):
            x, z = int(placed.x) + dx - 32 * mx, int(placed.z) + dz - 32 * mz
            if 0 <= x < 32 and 0 <= z < 32:
                words[z, x] |= COLLISION


def outdoor_cells(pictures: Mapping[str, Picture], dress: Dress) -> list[Cell]:
    """The cells row by row: hill, forest, village, lake. Fills the edge atlases of `dress`."""
    ground_grid, water, deck = ground_layer(), water_layer(), deck_layer()
    growing = [
        Placement(_GROWING[ground(x, z)], x + 0.5, z + 0.5, ground_grid.tiles[x, z].corners[0])
        for z in range(SIZE)
        for x in range(SIZE)
        if ground(x, z) in _GROWING
    ]
    cells = []
    for mz in range(2):
        for mx in range(2):
            lift = 8 * ALTITUDES[mz][mx]
            builder = ModelBuilder(f"demo_{mx}_{mz}", pictures)
            add_terrain(builder, ground_grid, dress.style, mx, mz, lift)
            add_scenery(builder, ground_grid, mx, mz, lift)
            if mz == 1:
                add_bridge(builder, mx, mz)
            add_terrain(builder, deck, DECK_STYLE, mx, mz, lift)
            if (mx, mz) == (1, 1):
                add_jetty(builder, 47, 41, 2, 6)
            add_terrain(builder, water, WATER_STYLE, mx, mz, lift)
            plates = [plate for layer in (ground_grid, deck, water) for plate in layer.plates(mx, mz)]
            props = [p for p in (*_PLACED, *growing) if int(p.x) // 32 == mx and int(p.z) // 32 == mz]
            words = attributes(mx, mz)
            _close(words, mx, mz)
            cells.append(Cell(builder, words, plates, props, mx, mz))
    return cells

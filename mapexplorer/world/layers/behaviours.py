"""The layer of the behaviours of tiles, in the colours of their meanings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np

from mapexplorer.games.tables import Tables
from mapexplorer.world.layers.kind import CellOverlay, LayerKind, Legend, Mask
from mapexplorer.world.layers.shapes import ARROW, ARROW_LENGTH, SOLID, Colors, Shapes, arrows, rgba
from mapexplorer.world.layers.tiles import tile_shapes
from mapexplorer.world.terrain.behaviour_meaning import Meaning, behaviour_arrow, behaviour_meaning


@cache
def _behaviour_colors(tables: Tables) -> Colors:
    """The colour (256, 4) of each behaviour; those of plain ground are clear."""
    meanings = (behaviour_meaning(tables, number) for number in range(256))
    colors = [(0, 0, 0, 0) if meaning is None else (*meaning.color, SOLID) for meaning in meanings]
    return np.array(colors, np.uint8)


def _colors(part: CellOverlay) -> Colors:
    return _behaviour_colors(part.tables)[part.ground.behaviours]


def _shapes(part: CellOverlay) -> Shapes:
    """The tiles with a behaviour; labels are the names of the behaviours, lines the arrows of ledges and slides."""
    kinds = part.ground.behaviours
    groups = []
    for behaviour in np.unique(kinds).tolist():
        direction = behaviour_arrow(part.tables, behaviour)
        if direction is not None:
            tiles = part.ground.tiles[kinds == behaviour]
            groups.append(arrows(tiles.mean(1), np.array([direction[0], 0.0, direction[1]]) * ARROW_LENGTH))
    lines = [(np.concatenate(groups), rgba(ARROW, SOLID))] if groups else []
    return tile_shapes(part, _colors(part), kinds, part.tables.behaviour_name, lines)


def first_tiles(part: CellOverlay) -> Mask:
    """Of the faces, those whose western and northern neighbours have another behaviour."""
    kinds = np.pad(part.ground.behaviours, ((1, 0), (1, 0)))
    first = (kinds[1:, 1:] != kinds[:-1, 1:]) & (kinds[1:, 1:] != kinds[1:, :-1])
    rows, columns = np.nonzero(_colors(part)[..., 3])
    named: Mask = first[rows, columns]
    return named


def _legend(tables: Tables, cells: Sequence[CellOverlay]) -> Legend:
    """The meanings of the behaviours of the cells, with the names of those that occur."""
    behaviours = [part.ground.behaviours.ravel() for part in cells]
    names: dict[Meaning, list[str]] = {}
    for number in np.unique(np.concatenate(behaviours)).tolist() if behaviours else []:
        meaning = behaviour_meaning(tables, number)
        if meaning is not None:
            names.setdefault(meaning, []).append(f"{number} {tables.behaviour_name(number)}")
    return [(meaning.color, f"{meaning.words}: {', '.join(names[meaning])}") for meaning in names]


BEHAVIOURS: Final = LayerKind(
    "behaviours",
    "Tile behaviours",
    "What a tile does: grass, water, door ...",
    _shapes,
    depth=0,
    opacity=0.55,
    keys=("Alt+5", "B"),
    legend=_legend,
    tile_colors=_colors,
    named=first_tiles,
)

"""The layer of the height plates, in the colours of their heights."""

from __future__ import annotations

from typing import Final

import numpy as np

from mapexplorer.world.colors import SLOPED_PLATE, Rgb, height_color
from mapexplorer.world.layers.kind import CellOverlay, LayerKind
from mapexplorer.world.layers.shapes import (
    ARROW,
    ARROW_LENGTH,
    HALF_CLEAR,
    SOLID,
    Array,
    Shapes,
    ShapeSubject,
    arrows,
    rgba,
    shapes_of,
)

_STRIP: Final[Rgb] = (255, 255, 255)


def _shapes(part: CellOverlay) -> Shapes:
    """The plates, labelled with their heights; as lines, arrows down their slopes and the scanlines of the strips."""
    cell, ground = part.cell, part.ground
    middles, sloped = ground.plates.mean(1), ground.sloped
    rgbs = [height_color(height, part.height_scale) for height in middles[:, 1].tolist()]
    fills = np.array([(*rgb, HALF_CLEAR) for rgb in rgbs], np.uint8).reshape(-1, 4)
    edges = np.array([(*rgb, SOLID) for rgb in rgbs], np.uint8).reshape(-1, 4)
    edges[sloped] = rgba(SLOPED_PLATE, SOLID)
    things = tuple(
        [
            ShapeSubject("plate", (cell.matrix, cell.x, cell.z, plate), _heights(corners))
            for plate, corners in enumerate(ground.plates[..., 1])
        ]
    )
    slopes = arrows(middles[sloped], ground.downhill[sloped] * ARROW_LENGTH)
    lines = [(slopes, rgba(ARROW, SOLID)), (ground.strip_lines, rgba(_STRIP, HALF_CLEAR))]
    return shapes_of(ground.plates, fills, edges, np.arange(len(things)), things, lines)


def _heights(corners: Array) -> str:
    """The heights of a plate as its label: one number, or the lowest and the highest."""
    low, high = corners.min(), corners.max()
    return f"{low:g}" if high - low < 0.01 else f"{low:.4g} – {high:.4g}"


PLATES: Final = LayerKind(
    "plates",
    "Height plates",
    "BDHC plates in the colours of their heights, from the lowest to the highest of the map, with slopes and strips.",
    _shapes,
    depth=3,
    opacity=0.55,
    keys=("Alt+6", "P"),
    owned=True,
    legend=lambda tables, cells: [
        *((color, f"plate at {height:.4g} units") for part in cells[:1] for height, color in part.height_scale[::3]),
        (SLOPED_PLATE, "border of a sloped plate; its arrow points down"),
    ],
    named=lambda part: np.ones(len(part.ground.plates), np.bool_),
)

"""Sprites of the 2D engines: their attributes as in object attribute memory (OAM) and cells (GBATEK: DS OBJs).

attribute0: bits 0-7 y, 8 affine, 9 double size or hidden, 10-11 mode, 12 mosaic, 13 256 colours, 14-15 shape.
attribute1: bits 0-8 x, 9-13 affine parameters, 12 and 13 flips where not affine, 14-15 size.
attribute2: bits 0-9 tile, 10-11 priority, 12-15 palette.
"""

from __future__ import annotations

from typing import Final

import numpy as np

OBJECT: Final = np.dtype([("attribute0", "<u2"), ("attribute1", "<u2"), ("attribute2", "<u2")])
"""The three attribute words of a sprite."""

AFFINE: Final = 1 << 8
DOUBLE_SIZE: Final = 1 << 9
HIDDEN: Final = 1 << 9
"""Bits of attribute 0: affine; with it double size, without it hidden."""
COLORS_256: Final = 1 << 13
FLIP_X: Final = 1 << 12
FLIP_Y: Final = 1 << 13
"""Bits of attribute 1 of a sprite that is not affine."""

NORMAL, TRANSLUCENT, WINDOW, BITMAP = range(4)
"""Modes, bits 10-11 of attribute 0."""

SIZES: Final = np.array(
    [
        [(8, 8), (16, 16), (32, 32), (64, 64)],
        [(16, 8), (32, 8), (32, 16), (64, 32)],
        [(8, 16), (8, 32), (16, 32), (32, 64)],
        [(8, 8), (8, 8), (8, 8), (8, 8)],
    ],
    np.int64,
)
"""[shape, size] -> width, height in pixels; there is no shape 3."""
SIZES.flags.writeable = False

"""Sprites of the 2D engines: their attributes as in object attribute memory (OAM) and cells (GBATEK: DS OBJs).

attribute0: bits 0-7 y, 8 affine, 9 double size or hidden, 10-11 mode, 12 mosaic, 13 256 colours, 14-15 shape.
attribute1: bits 0-8 x, 9-13 affine parameters, 12 and 13 flips where not affine, 14-15 size.
attribute2: bits 0-9 tile, 10-11 priority, 12-15 palette.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from formats.nds.tiles import TILE, arrange

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


def draw(objects: npt.NDArray[Any], tiles: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.uint8], int, int]:
    """The picture of sprites that are drawn together, the first one in front: colour numbers, uint8 (height, width), 0
    where it is transparent, and the position of its left upper corner (x -256..255, y -128..127).

    `objects` has dtype OBJECT; `tiles` (n, 8, 8) are those of a one-dimensional mapping in units of a tile. Hidden
    sprites are left out; affine sprites are drawn without their transformation, and palettes are ignored.
    """
    parts = []
    for attribute0, attribute1, attribute2 in objects.tolist():
        if attribute0 & (AFFINE | HIDDEN) == HIDDEN:
            continue
        width, height = SIZES[attribute0 >> 14, attribute1 >> 14].tolist()
        numbers = np.arange(width * height // TILE**2).reshape(height // TILE, width // TILE)
        part = arrange(tiles, (attribute2 + numbers) & 0x3FF)
        if not attribute0 & AFFINE:
            part = part[:: -1 if attribute1 & FLIP_Y else 1, :: -1 if attribute1 & FLIP_X else 1]
        parts.append((part, (attribute1 & 511 ^ 256) - 256, (attribute0 & 255 ^ 128) - 128))
    if not parts:
        return np.zeros((0, 0), np.uint8), 0, 0
    left, top = min(x for _, x, _ in parts), min(y for _, _, y in parts)
    right = max(x + part.shape[1] for part, x, _ in parts)
    bottom = max(y + part.shape[0] for part, _, y in parts)
    picture = np.zeros((bottom - top, right - left), np.uint8)
    for part, x, y in reversed(parts):
        place = picture[y - top : y - top + part.shape[0], x - left : x - left + part.shape[1]]
        place[part != 0] = part[part != 0]
    return picture, left, top

"""2D tiles: 8 x 8 pixels of colour numbers with 4 bits (two pixels per byte, the left one in the low bits) or 8 bits
(GBATEK)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from formats.binary import Buffer, Reader

TILE: int = 8
"""The side of a tile in pixels."""


def unpack(data: Buffer, depth: int) -> npt.NDArray[np.uint8]:
    """All pixels in file order as uint8 colour numbers. Raises ValueError for a depth other than 4 and 8."""
    values = np.frombuffer(Reader.of(data).data, np.uint8)
    if depth == 8:
        return values.copy()
    if depth != 4:
        raise ValueError(f"pixels of tiles have 4 or 8 bits, not {depth}")
    return np.stack([values & 15, values >> 4], axis=-1).ravel()


def pack(pixels: npt.NDArray[np.uint8], depth: int) -> bytes:
    """Colour numbers as bytes, the inverse of `unpack`. Raises ValueError for a wrong depth or numbers that do not
    fit."""
    values = np.asarray(pixels, np.uint8).ravel()
    if depth not in (4, 8):
        raise ValueError(f"pixels of tiles have 4 or 8 bits, not {depth}")
    if depth == 8:
        return values.tobytes()
    if values.size % 2 or np.any(values > 15):
        raise ValueError("pixels of 4 bits are numbers below 16, an even count of them")
    return (values[::2] | values[1::2] << 4).tobytes()


def decode(data: Buffer, depth: int) -> npt.NDArray[np.uint8]:
    """The complete tiles as colour numbers, uint8 (n, 8, 8); bytes after the last complete tile are ignored."""
    pixels = unpack(data, depth)
    count = len(pixels) // (TILE * TILE)
    return pixels[: count * TILE * TILE].reshape(count, TILE, TILE)

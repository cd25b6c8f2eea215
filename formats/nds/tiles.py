"""2D tiles: 8 x 8 pixels of colour numbers with 4 bits (two pixels per byte, the left one in the low bits) or 8 bits
(GBATEK)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from formats.binary import Buffer, Reader, require

TILE: int = 8
"""The side of a tile in pixels."""
FLIP_X: Final = 1 << 10
FLIP_Y: Final = 1 << 11
"""Bits of a map entry."""


def unpack(data: Buffer, depth: int) -> npt.NDArray[np.uint8]:
    """All pixels in file order as uint8 colour numbers. Raises ValueError for a depth other than 4 and 8."""
    values = np.frombuffer(Reader.of(data).data, np.uint8)
    if depth == 8:
        return values.copy()
    require(depth == 4, f"pixels of tiles have 4 or 8 bits, not {depth}")
    return np.stack([values & 15, values >> 4], axis=-1).ravel()


def pack(pixels: npt.NDArray[np.uint8], depth: int) -> bytes:
    """Colour numbers as bytes, the inverse of `unpack`. Raises ValueError for a wrong depth or numbers that do not
    fit."""
    values = np.asarray(pixels, np.uint8).ravel()
    require(depth in (4, 8), f"pixels of tiles have 4 or 8 bits, not {depth}")
    if depth == 8:
        return values.tobytes()
    require(
        not values.size % 2 and not np.any(values > 15), "pixels of 4 bits are numbers below 16, an even count of them"
    )
    return (values[::2] | values[1::2] << 4).tobytes()


def decode(data: Buffer, depth: int) -> npt.NDArray[np.uint8]:
    """The complete tiles as colour numbers, uint8 (n, 8, 8); bytes after the last complete tile are ignored."""
    pixels = unpack(data, depth)
    count = len(pixels) // (TILE * TILE)
    return pixels[: count * TILE * TILE].reshape(count, TILE, TILE)


def arrange(tiles: npt.NDArray[np.uint8], entries: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """The picture of a map of entries (rows, columns) as colour numbers, uint8 (8 * rows, 8 * columns).

    Bits 0-9 of an entry are the tile's number, bits 10 and 11 flip it horizontally and vertically; its palette is
    ignored. The pixels of tiles that are not there are 0.
    """
    numbers, known = entries & 0x3FF, len(tiles)
    picture = np.concatenate([tiles, np.zeros((1, TILE, TILE), np.uint8)])[np.minimum(numbers, known)]
    picture = np.where((entries & FLIP_X != 0)[..., None, None], picture[..., ::-1], picture)
    picture = np.where((entries & FLIP_Y != 0)[..., None, None], picture[..., ::-1, :], picture)
    rows, columns = entries.shape
    return np.ascontiguousarray(picture.swapaxes(1, 2)).reshape(TILE * rows, TILE * columns)

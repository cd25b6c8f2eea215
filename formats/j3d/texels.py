"""The eleven GX texture formats: tiles of texels to RGBA.

A level is rows of tiles, a tile rows of texels; sizes that are no multiple of the tile are cropped. CMPR follows the
hardware: its interpolated colours are weighted 5:3, and its transparent texels have the mean colour of the two
endpoints.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

I4, I8, IA4, IA8, RGB565, RGB5A3, RGBA32 = range(7)
C4, C8, C14X2, CMPR = 8, 9, 10, 14
PALETTE_IA8, PALETTE_RGB565, PALETTE_RGB5A3 = range(3)
PALETTED = (C4, C8, C14X2)


class TileFormat(NamedTuple):
    """The tile of a format: name, width and height in texels, bytes."""

    name: str
    width: int
    height: int
    size: int


TILES = {
    I4: TileFormat("I4", 8, 8, 32),
    I8: TileFormat("I8", 8, 4, 32),
    IA4: TileFormat("IA4", 8, 4, 32),
    IA8: TileFormat("IA8", 4, 4, 32),
    RGB565: TileFormat("RGB565", 4, 4, 32),
    RGB5A3: TileFormat("RGB5A3", 4, 4, 32),
    RGBA32: TileFormat("RGBA32", 4, 4, 64),
    C4: TileFormat("C4", 8, 8, 32),
    C8: TileFormat("C8", 8, 4, 32),
    C14X2: TileFormat("C14X2", 4, 4, 32),
    CMPR: TileFormat("CMPR", 8, 8, 32),
}

Bytes = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint16]


def level_dimensions(width: int, height: int, level: int) -> tuple[int, int]:
    """Width and height of a mipmap level, at least 1."""
    return max(1, width >> level), max(1, height >> level)


def level_size(kind: int, width: int, height: int) -> int:
    """Bytes of one level of `width` x `height` texels."""
    tile = TILES[kind]
    return -(-width // tile.width) * -(-height // tile.height) * tile.size


def decode_palette(kind: int, entries: Words) -> Bytes:
    """uint8 (n, 4) RGBA of palette words of format 0 IA8, 1 RGB565, 2 RGB5A3."""
    if kind == PALETTE_IA8:
        return _intensity(entries & 255, entries >> 8)
    return _rgb565(entries) if kind == PALETTE_RGB565 else _rgb5a3(entries)


def decode_level(kind: int, width: int, height: int, data: bytes | memoryview, palette: Bytes | None = None) -> Bytes:
    """uint8 (height, width, 4) RGBA of one level, rows from the top.

    `data` holds at least `level_size` bytes. Palette indices past the palette give transparent black.
    """
    tile = TILES[kind]
    raw = np.frombuffer(data, np.uint8, level_size(kind, width, height))
    if kind == CMPR:
        # A tile is four 4x4 blocks of 8 bytes.
        blocks = _untile(_cmpr(raw.reshape(-1, 8)).reshape(-1, 2, 2, 4, 4, 4).swapaxes(2, 3), width, tile)
        return np.ascontiguousarray(blocks[:height, :width])
    return np.ascontiguousarray(_untile(_texels(kind, raw, palette), width, tile)[:height, :width])


def _untile(texels: npt.NDArray[Any], width: int, tile: TileFormat) -> npt.NDArray[Any]:
    """Tiles one after the other to rows of texels."""
    across = -(-width // tile.width)
    return texels.reshape(-1, across, tile.height, tile.width, 4).swapaxes(1, 2).reshape(-1, across * tile.width, 4)


def _texels(kind: int, raw: Bytes, palette: Bytes | None) -> Bytes:
    """uint8 (n, 4): the texels in stored order."""
    if kind in (I4, C4):
        nibbles = np.stack((raw >> 4, raw & 15), -1).reshape(-1)
        return _intensity(nibbles * 17, nibbles * 17) if kind == I4 else _lookup(nibbles, palette)
    if kind == I8:
        return _intensity(raw, raw)
    if kind == IA4:
        return _intensity((raw & 15) * 17, (raw >> 4) * 17)
    if kind == C8:
        return _lookup(raw, palette)
    if kind == RGBA32:
        halves = raw.reshape(-1, 2, 16, 2)
        alpha_red, green_blue = halves[:, 0], halves[:, 1]
        order = (alpha_red[..., 1], green_blue[..., 0], green_blue[..., 1], alpha_red[..., 0])
        return np.stack(order, -1).reshape(-1, 4)
    words = raw.view(">u2").astype(np.uint16)
    if kind == IA8:
        return _intensity(words & 255, words >> 8)
    if kind == RGB565:
        return _rgb565(words)
    return _rgb5a3(words) if kind == RGB5A3 else _lookup(words & 0x3FFF, palette)


def _intensity(intensity: npt.NDArray[Any], alpha: npt.NDArray[Any]) -> Bytes:
    grey = intensity.astype(np.uint8)
    return np.stack((grey, grey, grey, alpha.astype(np.uint8)), -1)


def _rgb565(words: Words) -> Bytes:
    red, green, blue = words >> 11, words >> 5 & 63, words & 31
    channels = (red << 3 | red >> 2, green << 2 | green >> 4, blue << 3 | blue >> 2, np.full_like(words, 255))
    return np.stack(channels, -1).astype(np.uint8)


def _rgb5a3(words: Words) -> Bytes:
    opaque = (words & 0x8000) != 0
    result = np.empty((*words.shape, 4), np.uint8)
    for channel in range(3):
        five = words >> (10 - 5 * channel) & 31
        four = words >> (8 - 4 * channel) & 15
        result[..., channel] = np.where(opaque, five << 3 | five >> 2, four * 17)
    three = words >> 12 & 7
    result[..., 3] = np.where(opaque, 255, three << 5 | three << 2 | three >> 1)
    return result


def _lookup(indices: npt.NDArray[Any], palette: Bytes | None) -> Bytes:
    colors = np.zeros((1, 4), np.uint8) if palette is None else np.concatenate((palette, np.zeros((1, 4), np.uint8)))
    return np.asarray(colors[np.minimum(indices, len(colors) - 1)])


def _cmpr(blocks: Bytes) -> Bytes:
    """uint8 (n, 4, 4, 4): the RGBA rows of blocks of two colours and sixteen 2-bit choices."""
    words = blocks[:, :4].copy().view(">u2").astype(np.uint16)
    ends = _rgb565(words).astype(np.uint16)
    first, second = ends[:, 0, :3], ends[:, 1, :3]
    four = (words[:, 0] > words[:, 1])[:, None]
    colors = np.full((len(blocks), 4, 4), 255, np.uint8)
    colors[:, 0, :3], colors[:, 1, :3] = first, second
    half = (first + second) // 2
    colors[:, 2, :3] = np.where(four, (5 * first + 3 * second) >> 3, half)
    colors[:, 3, :3] = np.where(four, (3 * first + 5 * second) >> 3, half)
    colors[:, 3, 3] = np.where(four[:, 0], 255, 0)
    choices = blocks[:, 4:, None] >> np.array([6, 4, 2, 0], np.uint8) & 3
    return np.asarray(colors[np.arange(len(blocks))[:, None, None], choices])

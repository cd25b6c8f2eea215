"""Painting with integers: noise, shading by ramps, and small helpers that every painter uses.

Images are uint8 arrays of palette indices. Nothing here uses floating point, so the same source paints the same picture
on every machine.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tools.demo_world.picture import Indices

Ints = npt.NDArray[np.int64]


def places(width: int, height: int) -> tuple[Ints, Ints]:
    """x and y of every pixel, both (height, width)."""
    y, x = np.mgrid[0:height, 0:width]
    return x.astype(np.int64), y.astype(np.int64)


def noise(x: Ints, y: Ints, seed: int) -> Ints:
    """A number 0..255 for every pixel, without pattern."""
    value = x * 374761393 + y * 668265263 + seed * 2246822519
    value = ((value ^ value >> 13) & 0x7FFFFFFF) * 1274126177
    value = ((value ^ value >> 16) & 0x7FFFFFFF) * 1103515245
    result: Ints = value >> 15 & 0xFF
    return result


def smooth(width: int, height: int, size: int, seed: int, down: int = 0) -> Ints:
    """Noise 0..255 that changes over `size` pixels across and `down` (else `size`) pixels down.

    It repeats at the picture's edges; the sizes divide the lengths.
    """
    x, y = places(width, height)
    high = down or size
    columns, rows = width // size, height // high
    left, top = x // size, y // high
    part_x, part_y = x % size, y % high

    def at(dx: int, dy: int) -> Ints:
        return noise((left + dx) % columns, (top + dy) % rows, seed)

    upper = at(0, 0) * (size - part_x) + at(1, 0) * part_x
    lower = at(0, 1) * (size - part_x) + at(1, 1) * part_x
    total = upper * (high - part_y) + lower * part_y
    result: Ints = total.astype(np.int64) // (size * high)
    return result


def levels(values: Ints, *limits: int) -> Indices:
    """How many of the ascending `limits` each value reaches."""
    return np.searchsorted(np.array(limits), values, side="right").astype(np.uint8)


def blank(width: int, height: int, index: int = 0) -> Indices:
    """An image of one index."""
    return np.full((height, width), index, np.uint8)


def stamp(image: Indices, pattern: Indices, x: int, y: int, clear: int | None = 0) -> None:
    """Draw a pattern with its corner at (x, y), wrapping round the edges; index `clear` is not drawn."""
    height, width = image.shape
    for row in range(pattern.shape[0]):
        for column in range(pattern.shape[1]):
            index = pattern[row, column]
            if clear is None or index != clear:
                image[(y + row) % height, (x + column) % width] = index

"""Edge tiles: tiles at the border of two grounds have pictures of a ragged border, which are collected in an atlas."""

from __future__ import annotations

import numpy as np

from tools.demo_world.grid import TILE
from tools.demo_world.paint import noise, places
from tools.demo_world.picture import COLORS_16, Indices, Picture

_NEIGHBOURS = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1))
_ROUND = 6


def covered(open_sides: frozenset[tuple[int, int]], margin: int, seed: int) -> Indices:
    """Where the upper ground is on a tile: 2 inside, 1 along its border, 0 outside.

    `open_sides` are the neighbours (dx, dz) that do not belong to it. The border keeps about `margin` pixels off them.
    """
    x, y = places(TILE, TILE)
    wobble = noise(x // 2, y // 2, seed) % 3 - 1
    distance = np.full((TILE, TILE), 99 * 99, np.int64)
    for dx, dz in open_sides:
        gap_x = (TILE - x if dx > 0 else x + 1) if dx else np.zeros_like(x)
        gap_y = (TILE - y if dz > 0 else y + 1) if dz else np.zeros_like(y)
        distance = np.minimum(distance, gap_x * gap_x + gap_y * gap_y)
    # Outer corners are rounded: a circle inside the corner decides, not the two straight sides.
    for dx, dz in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
        if (dx, 0) in open_sides and (0, dz) in open_sides:
            gap_x = TILE - x if dx > 0 else x + 1
            gap_y = TILE - y if dz > 0 else y + 1
            in_corner = (gap_x < _ROUND + margin) & (gap_y < _ROUND + margin)
            a, b = _ROUND + margin - gap_x, _ROUND + margin - gap_y
            outside = in_corner & (a * a + b * b > _ROUND * _ROUND)
            distance = np.where(outside, 0, distance)
            ring = in_corner & (a * a + b * b > (_ROUND - 2) * (_ROUND - 2)) & ~outside
            distance = np.where(ring, np.minimum(distance, margin * margin + 2), distance)
    inner = margin + wobble
    result = np.where(distance > (inner + 1) * (inner + 1), 2, np.where(distance > inner * inner, 1, 0))
    return result.astype(np.uint8)


class Atlas:
    """Collects edge tiles of one upper and one lower ground; equal tiles are kept once.

    Both pictures are squares with a side that tiles divide. Palette: the lower ground's colours, the upper one's, and
    `border` for the line between them.
    """

    def __init__(self, name: str, upper: Picture, lower: Picture, border: int, margin: int = 3) -> None:
        self.name = name
        self.upper, self.lower = upper, lower
        self.palette = (*lower.palette, *upper.palette, border)
        if len(self.palette) > 16:
            raise ValueError(f"the edge tiles {name!r} need {len(self.palette)} colours")
        self._margin = margin
        self._tiles: dict[bytes, int] = {}

    def tile(self, x: int, z: int, open_sides: frozenset[tuple[int, int]]) -> int:
        """The number of the tile at (x, z) whose neighbours `open_sides` are the lower ground."""
        mask = covered(open_sides, self._margin, 40 + (x & 1) + 2 * (z & 1))
        lower = _cut(self.lower.indices, x, z)
        upper = _cut(self.upper.indices, x, z) + len(self.lower.palette)
        image = np.where(mask == 2, upper, np.where(mask == 1, len(self.palette) - 1, lower)).astype(np.uint8)
        return self._tiles.setdefault(image.tobytes(), len(self._tiles))

    @staticmethod
    def place(number: int) -> tuple[int, int]:
        """The texel of a tile's north-west corner."""
        return TILE * (number % 8), TILE * (number // 8)

    def picture(self) -> Picture:
        """All tiles, eight in a row."""
        rows = 1
        while 8 * rows < len(self._tiles):
            rows *= 2
        image = np.zeros((TILE * rows, 8 * TILE), np.uint8)
        for data, number in self._tiles.items():
            s, t = self.place(number)
            image[t : t + TILE, s : s + TILE] = np.frombuffer(data, np.uint8).reshape(TILE, TILE)
        return Picture(self.name, COLORS_16, image, self.palette)


def _cut(image: Indices, x: int, z: int) -> Indices:
    side = image.shape[0]
    left, top = TILE * x % side, TILE * z % side
    return image[top : top + TILE, left : left + TILE].copy()


def open_neighbours(inside: set[tuple[int, int]], x: int, z: int) -> frozenset[tuple[int, int]]:
    """Which of the eight neighbours of (x, z) are not in `inside`; corners only count where both sides are."""
    sides = {(dx, dz) for dx, dz in _NEIGHBOURS if (x + dx, z + dz) not in inside}
    return frozenset((dx, dz) for dx, dz in sides if not (dx and dz) or ((dx, 0) not in sides and (0, dz) not in sides))

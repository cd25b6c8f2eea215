"""Height plates from a grid of tiles: the fewest rectangles whose planes are exactly the ground that is drawn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from formats.binary import frozen
from formats.field.bdhc import NORMAL, PLATE, POINT, Bdhc
from formats.field.height_plates import Strip
from formats.fixed import ONE

_NORMALS = {0: (0, 4096), 4: (-993, 3972), 8: (-1832, 3664), 16: (-2896, 2896)}
"""Units that a slope rises over a tile -> (slope, y) components of its normal, in exact proportion."""


class Plate(NamedTuple):
    """A rectangle from (west, north) to (east, south) in units from the cell's centre.

    `height` is that of its north-west corner; `rise_x` and `rise_z` are units gained per tile eastward and southward,
    of which one at most is not 0.
    """

    west: int
    north: int
    east: int
    south: int
    height: int
    rise_x: int = 0
    rise_z: int = 0


def build_bdhc(plates: Iterable[Plate]) -> Bdhc:
    """The section for `plates` in their order. Raises KeyError for a slope without an exact normal."""
    points: dict[tuple[int, int], int] = {}
    normals: dict[tuple[int, int, int], int] = {}
    constants: dict[int, int] = {}
    records = []
    ordered = list(plates)
    for plate in ordered:
        rise = plate.rise_x or plate.rise_z
        slope, up = _NORMALS[abs(rise)]
        slope = slope if rise > 0 else -slope
        normal = (slope if plate.rise_x else 0, up, slope if plate.rise_z else 0)
        offset = -(normal[0] * plate.west + up * plate.height + normal[2] * plate.north)
        records.append(
            (
                points.setdefault((plate.west * ONE, plate.north * ONE), len(points)),
                points.setdefault((plate.east * ONE, plate.south * ONE), len(points)),
                normals.setdefault(normal, len(normals)),
                constants.setdefault(offset, len(constants)),
            )
        )
    return Bdhc(
        frozen(np.array(list(points), POINT)),
        frozen(np.array(list(normals), NORMAL)),
        frozen(list(constants), np.int32),
        frozen(np.array(records, PLATE)),
        tuple(_strips(ordered)),
    )


def _strips(plates: list[Plate]) -> Iterable[Strip]:
    """A scanline at every southern edge; each strip lists what reaches into it or begins on its scanline."""
    before = None
    for scanline in sorted({plate.south for plate in plates}):
        numbers = [
            number
            for number, plate in enumerate(plates)
            if plate.north <= scanline and (before is None or plate.south > before)
        ]
        yield Strip(scanline * ONE, frozen(numbers, np.uint16))
        before = scanline

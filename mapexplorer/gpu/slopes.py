"""The edges of a polygon: chains of vertices, slopes, positions, lengths and coverage (GBATEK: DS 3D rendering).

An edge is a row of EDGE_FIELDS integers. Its position on a line depends on nothing but the line, so that lines can be
drawn in any order.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from formats.kernel import bare_kernel
from mapexplorer.gpu.integers import truncated_quotient
from mapexplorer.gpu.state import SCREEN_X, SCREEN_Y

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]

CURRENT: Final = 0
NEXT: Final = 1
"""Corner rows of the edge's upper and lower vertex."""
X0: Final = 2
Y0: Final = 3
LOWEST: Final = 4
HIGHEST: Final = 5
INCREMENT: Final = 6
START: Final = 7
"""Slope and first position with 18 fraction bits."""
X_LENGTH: Final = 8
Y_LENGTH: Final = 9
NEGATIVE: Final = 10
X_MAJOR: Final = 11
FLIPPED: Final = 12
OFFSET: Final = 13
"""What the interpolation position along Y is ahead of the line."""
EDGE_FIELDS: Final = 16

LEFT: Final = 0
RIGHT: Final = 1


@bare_kernel
def set_up_edge(edge: Int64, corners: Int32, side: int) -> None:
    """Compute the edge between its two vertices."""
    x0 = np.int64(corners[edge[CURRENT], SCREEN_X])
    y0 = np.int64(corners[edge[CURRENT], SCREEN_Y])
    x1 = np.int64(corners[edge[NEXT], SCREEN_X])
    y1 = np.int64(corners[edge[NEXT], SCREEN_Y])
    negative = x1 < x0
    lowest = x1 if negative else x0
    highest = max(lowest, (x0 if negative else x1) - 1)
    x_length = highest - lowest + 1
    y_length = y1 - y0
    if y_length == 0:
        increment = 0
    elif y_length == x_length and x_length != 1:
        increment = 0x40000
    else:
        increment = abs(x1 - x0) * (0x40000 // y_length)
    x_major = increment > 0x40000
    if x_major:
        if side == LEFT:
            start = increment + 0x20000 if negative else 0x20000
        else:
            start = 0x60000 if negative else increment - 0x20000
    else:
        start = 0x40000 if negative and increment != 0 else 0
    flipped = (side == RIGHT) != negative
    edge[X0] = x0
    edge[Y0] = y0
    edge[LOWEST] = lowest
    edge[HIGHEST] = highest
    edge[INCREMENT] = increment
    edge[START] = start
    edge[X_LENGTH] = x_length
    edge[Y_LENGTH] = y_length
    edge[NEGATIVE] = 1 if negative else 0
    edge[X_MAJOR] = 1 if x_major else 0
    edge[FLIPPED] = 1 if flipped else 0
    edge[OFFSET] = 1 if increment >= 0x40000 and flipped else 0


@bare_kernel
def set_up_point(edge: Int64, corners: Int32, vertex: int) -> None:
    """The edge of a polygon of one line: a vertex."""
    edge[CURRENT] = vertex
    edge[NEXT] = vertex
    set_up_edge(edge, corners, LEFT)


@bare_kernel
def edge_accumulator(edge: Int64, y: int) -> int:
    return edge[START] + (y - edge[Y0]) * edge[INCREMENT]


@bare_kernel
def edge_x(edge: Int64, y: int) -> int:
    """Screen x of the edge on a line."""
    x = edge_accumulator(edge, y) >> 18
    x = edge[X0] - x if edge[NEGATIVE] != 0 else edge[X0] + x
    return min(max(x, edge[LOWEST]), edge[HIGHEST])


@bare_kernel
def edge_length(edge: Int64, y: int, swapped: bool) -> int:
    """How many pixels of a line belong to the edge."""
    if edge[X_MAJOR] == 0 or swapped:
        return 1
    return major_length(edge, y)


@bare_kernel
def major_length(edge: Int64, y: int) -> int:
    position = edge_accumulator(edge, y)
    increment = edge[INCREMENT]
    if edge[FLIPPED] != 0:
        return (position >> 18) - ((position - increment) >> 18)
    return ((position + increment) >> 18) - (position >> 18)


@bare_kernel
def edge_coverage(edge: Int64, y: int, side: int, swapped: bool) -> tuple[int, int]:
    """Coverage of the edge's first pixel on a line with 5 fraction bits (0..1023), and its step to the next pixel.

    Where y is the major axis the step is 0; x-major edges on the right cover 31 less the running value.
    """
    position = edge_accumulator(edge, y)
    increment = edge[INCREMENT]
    if edge[X_MAJOR] == 0:
        if increment == 0:
            return (0 if swapped else 31) << 5, 0
        coverage = ((position >> 9) + (increment >> 10)) >> 4
        if coverage >> 5 != position >> 18:
            coverage = 31
        coverage &= 31
        if (edge[FLIPPED] != 0) == swapped:
            coverage = 31 - coverage
        return coverage << 5, 0
    start = position >> 18
    if edge[NEGATIVE] != 0:
        start = edge[X_LENGTH] - start
    if side == RIGHT:
        start = start - major_length(edge, y) + 1
    first = truncated_quotient(((start << 10) + 0x1FF) * edge[Y_LENGTH], edge[X_LENGTH]) & 0x3FF
    step = ((edge[Y_LENGTH] << 10) // edge[X_LENGTH]) & 0x3FF
    return 0 if first == 0x3FF else first, step

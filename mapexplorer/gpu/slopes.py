"""The edges of a polygon: chains of vertices, slopes, positions, lengths, coverage and values along them.

An edge is a row of EDGE_FIELDS integers. Its values on a line depend only on the line, so that lines can be drawn in
any order.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from formats.kernel import kernel
from mapexplorer.arrays import Int32, Int64
from mapexplorer.gpu.integers import Int, truncated_quotient
from mapexplorer.gpu.interpolation import factor_y, is_linear
from mapexplorer.gpu.state import (
    BOTTOM_VERTEX,
    BOTTOM_Y,
    CORNER_COLOR,
    CORNER_DEPTH,
    CORNERS,
    FIRST_CORNER,
    FRONT_FACING,
    NORMALIZED_W,
    SCREEN_X,
    SCREEN_Y,
    TOP_VERTEX,
    TOP_Y,
    W_BUFFERED,
)

CURRENT: Final = 0
NEXT: Final = 1
"""Corner rows of the edge's upper and lower vertex."""
X0: Final = 2
Y0: Final = 3
X1: Final = 4
Y1: Final = 5
INCREMENT: Final = 6
START: Final = 7
"""Slope and first position with 18 fraction bits."""
X_LENGTH: Final = 8
Y_LENGTH: Final = 9
NEGATIVE: Final = 10
X_MAJOR: Final = 11
FLIPPED: Final = 12
OFFSET: Final = 13
"""The offset of the interpolation position along Y from the line."""
LINEAR: Final = 14
ROUNDING: Final = 15
SCALE: Final = 16
SHIFT: Final = 17
"""Attributes are v0 + (((v1 - v0) * part + rounding) * scale >> shift)."""
DEPTH_SLOPE: Final = 18
DEPTH_SHIFT: Final = 19
VALUES: Final = 20
"""The first of the pairs of values at both ends: W, depth, red, green, blue, s, t."""
W: Final = 0
DEPTH: Final = 1
RED: Final = 2
GREEN: Final = 3
BLUE: Final = 4
S: Final = 5
T: Final = 6
EDGE_FIELDS: Final = VALUES + 14

LEFT: Final = 0
RIGHT: Final = 1


@kernel
def set_up_edge(edge: Int64, side: Int, current: Int, following: Int, corners: Int32, w_buffered: bool) -> None:
    """Compute the edge between two corners."""
    upper = corners[current]
    lower = corners[following]
    x0 = np.int64(upper[SCREEN_X])
    y0 = np.int64(upper[SCREEN_Y])
    x1 = np.int64(lower[SCREEN_X])
    y1 = np.int64(lower[SCREEN_Y])
    negative = x1 < x0
    x_length: Int = max(abs(x1 - x0), 1)
    y_length = y1 - y0
    increment: Int
    start: Int
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
    edge[CURRENT] = current
    edge[NEXT] = following
    edge[X0] = x0
    edge[Y0] = y0
    edge[X1] = x1
    edge[Y1] = y1
    edge[INCREMENT] = increment
    edge[START] = start
    edge[X_LENGTH] = x_length
    edge[Y_LENGTH] = y_length
    edge[NEGATIVE] = 1 if negative else 0
    edge[X_MAJOR] = 1 if x_major else 0
    edge[FLIPPED] = 1 if flipped else 0
    edge[OFFSET] = 1 if increment >= 0x40000 and flipped else 0
    edge[VALUES + 2 * W] = upper[NORMALIZED_W]
    edge[VALUES + 2 * W + 1] = lower[NORMALIZED_W]
    edge[VALUES + 2 * DEPTH] = upper[CORNER_DEPTH]
    edge[VALUES + 2 * DEPTH + 1] = lower[CORNER_DEPTH]
    for i in range(5):
        edge[VALUES + 2 * (RED + i)] = upper[CORNER_COLOR + i]
        edge[VALUES + 2 * (RED + i) + 1] = lower[CORNER_COLOR + i]
    if is_linear(edge[VALUES + 2 * W], edge[VALUES + 2 * W + 1], 0x7E):
        # The quotient by the length as a product: with the half added it is never near an integer.
        edge[LINEAR] = 1
        edge[ROUNDING] = 1
        edge[SCALE] = (1 << 40) // y_length if y_length > 0 else 0
        edge[SHIFT] = 41
    else:
        edge[LINEAR] = 0
        edge[ROUNDING] = 0
        edge[SCALE] = 1
        edge[SHIFT] = 9
    if not w_buffered:
        difference = abs(edge[VALUES + 2 * DEPTH + 1] - edge[VALUES + 2 * DEPTH])
        shift = 0
        while difference > 0x3FF:
            difference >>= 1
            shift += 1
        edge[DEPTH_SLOPE] = difference * (0x400000 // y_length) if y_length > 0 else 0
        edge[DEPTH_SHIFT] = shift


@kernel
def start_edges(edges: Int64, corners: Int32, polygon: Int32) -> None:
    """Put both edges of a polygon at its top vertex; a polygon of one line gets its outermost vertices as edges."""
    first = np.int64(polygon[FIRST_CORNER])
    if polygon[TOP_Y] != polygon[BOTTOM_Y]:
        for side in range(2):
            edges[side, CURRENT] = first + polygon[TOP_VERTEX]
            edges[side, NEXT] = first + polygon[TOP_VERTEX]
            edges[side, Y1] = polygon[TOP_Y]
        return
    left = first
    right = first
    for vertex in (first + 1, first + polygon[CORNERS] - 1):
        if corners[vertex, SCREEN_X] < corners[left, SCREEN_X]:
            left = vertex
        if corners[vertex, SCREEN_X] > corners[right, SCREEN_X]:
            right = vertex
    set_up_edge(edges[LEFT], LEFT, left, left, corners, polygon[W_BUFFERED] != 0)
    set_up_edge(edges[RIGHT], LEFT, right, right, corners, polygon[W_BUFFERED] != 0)


@kernel
def advance_edge(edge: Int64, side: Int, y: Int, corners: Int32, polygon: Int32) -> None:
    """Move an edge along its chain of vertices to the line y, which it has left."""
    first = np.int64(polygon[FIRST_CORNER])
    last = first + polygon[CORNERS] - 1
    bottom = first + polygon[BOTTOM_VERTEX]
    forward = (polygon[FRONT_FACING] != 0) == (side == LEFT)
    current = edge[CURRENT]
    following = edge[NEXT]
    while y >= corners[following, SCREEN_Y] and current != bottom:
        current = following
        if forward:
            following = first if current == last else current + 1
        else:
            following = last if current == first else current - 1
    set_up_edge(edge, side, current, following, corners, polygon[W_BUFFERED] != 0)


@kernel
def edge_x(edge: Int64, y: Int) -> Int:
    """Screen x of the edge on a line."""
    x = (edge[START] + (y - edge[Y0]) * edge[INCREMENT]) >> 18
    if edge[NEGATIVE] != 0:
        return max(min(edge[X0] - x, edge[X0] - 1), edge[X1])
    return max(min(edge[X0] + x, edge[X1] - 1), edge[X0])


@kernel
def edge_position(edge: Int64, y: Int) -> Int:
    """The position of a line on the edge, 0..length."""
    return y - edge[Y0] + edge[OFFSET]


@kernel
def edge_factor(edge: Int64, position: Int) -> Int:
    """The perspective factor at a position of the edge."""
    return factor_y(position, edge[Y_LENGTH], edge[VALUES + 2 * W], edge[VALUES + 2 * W + 1])


@kernel
def edge_part(edge: Int64, position: Int, factor: Int) -> Int:
    """The interpolation factor of W, colours and texture coordinates, for `edge_value`."""
    return 2 * position if edge[LINEAR] != 0 else factor


@kernel
def edge_value(edge: Int64, which: Int, part: Int) -> Int:
    """W, a colour or a texture coordinate at a part of the edge."""
    v0 = edge[VALUES + 2 * which]
    v1 = edge[VALUES + 2 * which + 1]
    return v0 + ((((v1 - v0) * part + edge[ROUNDING]) * edge[SCALE]) >> edge[SHIFT])


@kernel
def edge_depth(edge: Int64, position: Int, factor: Int, w_buffered: bool) -> Int:
    """Depth at a position of the edge; of W-buffered polygons always by the perspective factor."""
    z0 = edge[VALUES + 2 * DEPTH]
    z1 = edge[VALUES + 2 * DEPTH + 1]
    if w_buffered:
        return z0 + (((z1 - z0) * factor) >> 9)
    q = position if z0 < z1 else edge[Y_LENGTH] - position
    return min(z0, z1) + (((edge[DEPTH_SLOPE] * q) >> 22) << edge[DEPTH_SHIFT])


@kernel
def major_length(edge: Int64, y: Int) -> Int:
    """How many pixels of a line belong to an x-major edge."""
    increment = edge[INCREMENT]
    position = edge[START] + (y - edge[Y0]) * increment
    if edge[FLIPPED] != 0:
        return (position >> 18) - ((position - increment) >> 18)
    return ((position + increment) >> 18) - (position >> 18)


@kernel
def edge_length(edge: Int64, y: Int, swapped: bool) -> Int:
    """How many pixels of a line belong to the edge."""
    return 1 if edge[X_MAJOR] == 0 or swapped else major_length(edge, y)


@kernel
def edge_coverage(edge: Int64, y: Int, side: Int, swapped: bool) -> tuple[Int, Int]:
    """Coverage of the edge's first pixel on a line with 5 fraction bits (0..1023), and its step to the next pixel.

    Where y is the major axis the step is 0; x-major edges on the right cover 31 less the running value.
    """
    increment = edge[INCREMENT]
    position = edge[START] + (y - edge[Y0]) * increment
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


@kernel
def fills_start(edge: Int64, other: Int64, last: bool, distinct: bool, touching: bool) -> bool:
    """The fill rule at the left end of a span; `edge` is the edge there."""
    if edge[NEGATIVE] != 0 or edge[X_MAJOR] == 0 or (last and distinct):
        return True
    return touching and edge[INCREMENT] == other[INCREMENT]


@kernel
def fills_end(edge: Int64, right: Int64, last: bool, distinct: bool, swapped: bool) -> bool:
    """The fill rule at the right end of a span; `edge` is the edge there, `right` the polygon's right edge."""
    major = edge[X_MAJOR] != 0
    negative = edge[NEGATIVE] != 0
    if (major and not negative) or (last and major and distinct):
        return True
    return right[INCREMENT] == 0 and not (swapped and major and negative)

"""Clipping of polygons against the view volume (GBATEK: DS 3D Polygon Definitions, clipping).

A vertex list is a pair of int64 (CLIP_CAPACITY, FIELDS) arrays between which the passes go back and forth.
"""

from __future__ import annotations

from formats.kernel import kernel
from mapexplorer.arrays import Int64
from mapexplorer.gpu.integers import Flag, Int, signed, truncated_quotient
from mapexplorer.gpu.state import CLIPPED_FIELD, COLOR_FIELD, COORDINATE_FIELD, FIELDS


@kernel
def clip_edge(lists: Int64, source: Int, outside: Int, inside: Int, n: Int, component: Int, sign: Int) -> None:
    """Row `n` of the other list = the point where the edge from `outside` to `inside` crosses the plane."""
    target = 1 - source
    w = lists[source, outside, 3]
    numerator = w - sign * lists[source, outside, component]
    denominator = numerator - (lists[source, inside, 3] - sign * lists[source, inside, component])
    for field in range(CLIPPED_FIELD):
        from_value = lists[source, outside, field]
        difference = lists[source, inside, field] - from_value
        lists[target, n, field] = from_value + truncated_quotient(difference * numerator, denominator)
    for field in range(COORDINATE_FIELD, COORDINATE_FIELD + 2):
        lists[target, n, field] = signed(lists[target, n, field], 16)
    lists[target, n, component] = sign * lists[target, n, 3]
    lists[target, n, CLIPPED_FIELD] = 1


@kernel
def is_outside(lists: Int64, source: Int, row: Int, component: Int, sign: Int) -> Flag:
    return sign * lists[source, row, component] > lists[source, row, 3]


@kernel
def clip_plane(lists: Int64, source: Int, kept: Int, count: Int, component: Int, sign: Int) -> Int:
    """One pass: the part of list `source` inside one plane, written into the other list; its length."""
    target = 1 - source
    n = 0
    for i in range(count):
        if i < kept or not is_outside(lists, source, i, component, sign):
            for field in range(FIELDS):
                lists[target, n, field] = lists[source, i, field]
            n += 1
            continue
        previous = i - 1 if i > 0 else count - 1
        if not is_outside(lists, source, previous, component, sign):
            clip_edge(lists, source, i, previous, n, component, sign)
            n += 1
        following = i + 1 if i + 1 < count else 0
        if not is_outside(lists, source, following, component, sign):
            clip_edge(lists, source, i, following, n, component, sign)
            n += 1
    return n


@kernel
def clip(lists: Int64, kept: Int, count: Int, clip_far: bool) -> Int:
    """Clip the polygon in lists[0] in place: planes Z, Y, X, for each the + side, then the - side.

    The first `kept` vertices (shared with the previous polygon of a strip) are left as they are. The result is the new
    number of vertices, 0 when nothing is left or when the polygon crosses the far plane without `clip_far`.
    """
    source = 0
    for component in (2, 1, 0):
        for sign in (1, -1):
            crossed = False
            for i in range(kept, count):
                if is_outside(lists, source, i, component, sign):
                    crossed = True
                    break
            if not crossed:
                continue
            if component == 2 and sign == 1 and not clip_far:
                return 0
            count = clip_plane(lists, source, kept, count, component, sign)
            source = 1 - source
        for i in range(count):
            for field in range(COLOR_FIELD, COLOR_FIELD + 3):
                lists[source, i, field] = (lists[source, i, field] & ~0xFFF) + 0xFFF
    if source == 1:
        for i in range(count):
            for field in range(FIELDS):
                lists[0, i, field] = lists[1, i, field]
    return count

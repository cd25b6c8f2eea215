"""Facing, strip sharing, screen mapping and storing of polygons (GBATEK: DS 3D Polygon Attributes, Viewport)."""

from __future__ import annotations

import numpy as np

from formats.kernel import kernel
from mapexplorer.arrays import Int32, Int64
from mapexplorer.gpu.clipping import clip
from mapexplorer.gpu.integers import Int, truncated_quotient
from mapexplorer.gpu.state import (
    ACTIVE_ATTR,
    BOTTOM_VERTEX,
    BOTTOM_Y,
    CLIPPED_FIELD,
    COLOR_FIELD,
    COORDINATE_FIELD,
    CORNER_COLOR,
    CORNER_COUNT,
    CORNER_DEPTH,
    CORNER_POLYGON,
    CORNER_S,
    CORNER_T,
    CORNER_W,
    CORNERS,
    DEGENERATE,
    FIELDS,
    FIRST_CORNER,
    FRONT_FACING,
    INDEX_FIELD,
    LIST_OVERFLOW,
    MADE_BY_CLIPPING,
    NORMALIZED_W,
    ONE_DOT_LIMIT,
    PLTT_BASE,
    POLYGON_ATTR,
    POLYGON_CAPACITY,
    POLYGON_COUNT,
    POLYGON_PLTT,
    POLYGON_TEXIMAGE,
    PREDECESSOR,
    SCREEN_FIELD,
    SCREEN_X,
    SCREEN_Y,
    SHADOW,
    SHADOW_MASK,
    SORT_KEY,
    STORE_INDEX,
    TEXIMAGE_PARAM,
    TOP_VERTEX,
    TOP_Y,
    TRANSLUCENT,
    VERTEX_CAPACITY,
    VERTEX_COUNT,
    VIEWPORT_HEIGHT,
    VIEWPORT_LEFT,
    VIEWPORT_TOP,
    VIEWPORT_WIDTH,
    W_BUFFERED,
    W_BUFFERING,
)


@kernel
def facing(slots: Int64, a: Int, b: Int, c: Int) -> Int:
    """The orientation of a polygon from its first three vertices: negative front, positive back."""
    ax = slots[a, 0] - slots[b, 0]
    ay = slots[a, 1] - slots[b, 1]
    aw = slots[a, 3] - slots[b, 3]
    bx = slots[c, 0] - slots[b, 0]
    by = slots[c, 1] - slots[b, 1]
    bw = slots[c, 3] - slots[b, 3]
    nx = ay * bw - aw * by
    ny = aw * bx - ax * bw
    nz = ax * by - ay * bx
    while nx != np.int32(nx) or ny != np.int32(ny) or nz != np.int32(nz):
        nx >>= 4
        ny >>= 4
        nz >>= 4
    return slots[b, 0] * nx + slots[b, 1] * ny + slots[b, 3] * nz


@kernel
def share(corners: Int32, corner: Int, lists: Int64, row: Int) -> None:
    """Vertex `row` of the list = a stored corner of the previous polygon of the strip."""
    for field in range(4):
        lists[0, row, field] = corners[corner, field]
    for channel in range(3):
        lists[0, row, COLOR_FIELD + channel] = ((corners[corner, CORNER_COLOR + channel] >> 4) << 12) + 0xFFF
    lists[0, row, COORDINATE_FIELD] = corners[corner, CORNER_S]
    lists[0, row, COORDINATE_FIELD + 1] = corners[corner, CORNER_T]
    lists[0, row, CLIPPED_FIELD] = 0
    lists[0, row, SCREEN_FIELD] = corners[corner, SCREEN_X]
    lists[0, row, SCREEN_FIELD + 1] = corners[corner, SCREEN_Y]
    lists[0, row, INDEX_FIELD] = corners[corner, STORE_INDEX]


@kernel
def to_screen(state: Int64, lists: Int64, row: Int) -> None:
    """Reduce w to 24 bits and map a clipped vertex to the viewport."""
    w = lists[0, row, 3] & 0xFFFFFF
    lists[0, row, 3] = w
    if w == 0:
        lists[0, row, SCREEN_FIELD] = 0
        lists[0, row, SCREEN_FIELD + 1] = 0
        return
    x = (lists[0, row, 0] + w) & 0xFFFFFFFF
    y = (w - lists[0, row, 1]) & 0xFFFFFFFF
    if w > 0xFFFF:
        x >>= 1
        y >>= 1
        w >>= 1
    # Quotients of 32-bit numbers are exact in double precision and faster than integer division.
    x = np.int64(np.float64((x * state[VIEWPORT_WIDTH]) & 0xFFFFFFFF) / np.float64(2 * w))
    y = np.int64(np.float64((y * state[VIEWPORT_HEIGHT]) & 0xFFFFFFFF) / np.float64(2 * w))
    lists[0, row, SCREEN_FIELD] = (x + state[VIEWPORT_LEFT]) & 0x1FF
    lists[0, row, SCREEN_FIELD + 1] = (y + state[VIEWPORT_TOP]) & 0xFF


@kernel
def is_distant_dot(state: Int64, lists: Int64, count: Int) -> bool:
    """Whether all vertices fall on one screen position with w above DISP_1DOT_DEPTH."""
    for i in range(count):
        if lists[0, i, SCREEN_FIELD] != lists[0, 0, SCREEN_FIELD]:
            return False
        if lists[0, i, SCREEN_FIELD + 1] != lists[0, 0, SCREEN_FIELD + 1] or lists[0, i, 3] <= state[ONE_DOT_LIMIT]:
            return False
    return True


@kernel
def store_corners(state: Int64, lists: Int64, corners: Int32, kept: Int, count: Int, corner_count: Int) -> None:
    """Write the vertices of lists[0] as corners of the polygon that is being stored."""
    referenced = kept if count == corner_count else 0
    first = state[CORNER_COUNT]
    for i in range(count):
        corner = first + i
        for field in range(4):
            corners[corner, field] = np.int32(lists[0, i, field])
        for channel in range(3):
            color = lists[0, i, COLOR_FIELD + channel] >> 12
            corners[corner, CORNER_COLOR + channel] = 0 if color == 0 else 16 * color + 15
        corners[corner, CORNER_S] = lists[0, i, COORDINATE_FIELD]
        corners[corner, CORNER_T] = lists[0, i, COORDINATE_FIELD + 1]
        corners[corner, SCREEN_X] = lists[0, i, SCREEN_FIELD]
        corners[corner, SCREEN_Y] = lists[0, i, SCREEN_FIELD + 1]
        corners[corner, MADE_BY_CLIPPING] = lists[0, i, CLIPPED_FIELD]
        corners[corner, CORNER_POLYGON] = state[POLYGON_COUNT]
        if i < referenced:
            corners[corner, STORE_INDEX] = lists[0, i, INDEX_FIELD]
        else:
            corners[corner, STORE_INDEX] = state[VERTEX_COUNT]
            state[VERTEX_COUNT] += 1
    state[CORNER_COUNT] += count


@kernel
def store_depths(corners: Int32, first: Int, count: Int, w_buffered: bool) -> None:
    """Normalised W and depth of the corners of one polygon."""
    size = 0
    for i in range(first, first + count):
        while (corners[i, CORNER_W] >> size) != 0:
            size += 4
    for i in range(first, first + count):
        w: Int = np.int64(corners[i, CORNER_W])
        if size < 16:
            normalized = w << (16 - size)
            depth = w
        else:
            normalized = w >> (size - 16)
            depth = normalized << (size - 16)
        corners[i, NORMALIZED_W] = normalized
        if not w_buffered:
            if w == 0:
                depth = 0x7FFE00
            else:
                depth = (truncated_quotient(np.int64(corners[i, 2]) * 0x4000, w) + 0x3FFF) * 0x200
        corners[i, CORNER_DEPTH] = min(max(depth, 0), 0xFFFFFF)


@kernel
def store_polygon(state: Int64, polygons: Int32, corners: Int32, first: Int, count: Int, front: bool) -> None:
    """Write the polygon whose corners have just been stored."""
    top = 0
    top_y: Int = 192
    bottom = 0
    bottom_x: Int = 0
    bottom_y: Int = 0
    degenerate = 0
    for i in range(count):
        x = np.int64(corners[first + i, SCREEN_X])
        y = np.int64(corners[first + i, SCREEN_Y])
        if y < top_y:
            top_y = y
            top = i
        if y > bottom_y or (y == bottom_y and x > bottom_x):
            bottom_y = y
            bottom_x = x
            bottom = i
        if corners[first + i, CORNER_W] == 0:
            degenerate = 1
    if bottom_y > 192:
        degenerate = 1
    attribute = state[ACTIVE_ATTR]
    texture = state[TEXIMAGE_PARAM]
    form = (texture >> 26) & 7
    alpha = (attribute >> 16) & 31
    shadow = (attribute >> 4) & 3 == 3
    translucent = 1 if form == 1 or form == 6 or 0 < alpha < 31 else 0
    polygon = polygons[state[POLYGON_COUNT]]
    polygon[FIRST_CORNER] = first
    polygon[CORNERS] = count
    polygon[POLYGON_ATTR] = np.int32(attribute)
    polygon[POLYGON_TEXIMAGE] = np.int32(texture)
    polygon[POLYGON_PLTT] = state[PLTT_BASE]
    polygon[DEGENERATE] = degenerate
    polygon[FRONT_FACING] = 1 if front else 0
    polygon[TRANSLUCENT] = translucent
    polygon[SHADOW_MASK] = 1 if shadow and (attribute >> 24) & 63 == 0 else 0
    polygon[SHADOW] = 1 if shadow and (attribute >> 24) & 63 != 0 else 0
    polygon[TOP_VERTEX] = top
    polygon[BOTTOM_VERTEX] = bottom
    polygon[TOP_Y] = top_y
    polygon[BOTTOM_Y] = bottom_y
    polygon[SORT_KEY] = (translucent << 16) | (bottom_y << 8) | top_y
    polygon[W_BUFFERED] = state[W_BUFFERING]


@kernel
def submit(
    state: Int64,
    slots: Int64,
    lists: Int64,
    polygons: Int32,
    corners: Int32,
    corner_count: Int,
    strip: bool,
    odd: bool,
) -> None:
    """Take the assembled polygon (slots 0-2 or 0-3) through facing, clipping and screen mapping into the store."""
    predecessor = state[PREDECESSOR]
    state[PREDECESSOR] = -1
    attribute = state[ACTIVE_ATTR]
    side = facing(slots, 0, 1, 2)
    if (side < 0 and attribute & 0x80 == 0) or (side > 0 and attribute & 0x40 == 0):
        return

    kept = 0
    if strip and predecessor >= 0 and polygons[predecessor, CORNERS] == corner_count:
        first = np.int64(polygons[predecessor, FIRST_CORNER])
        if corner_count == 4:
            a, b = first + 3, first + 2
        elif odd:
            a, b = first + 2, first + 1
        else:
            a, b = first, first + 2
        if corners[a, MADE_BY_CLIPPING] == 0 and corners[b, MADE_BY_CLIPPING] == 0:
            kept = 2
            share(corners, a, lists, 0)
            share(corners, b, lists, 1)
    for i in range(kept, corner_count):
        for field in range(FIELDS):
            lists[0, i, field] = slots[i, field]

    count = clip(lists, kept, corner_count, attribute & 0x1000 != 0)
    if count == 0:
        return
    if state[POLYGON_COUNT] >= POLYGON_CAPACITY or state[VERTEX_COUNT] + count > VERTEX_CAPACITY:
        state[LIST_OVERFLOW] = 1
        return
    for i in range(kept, count):
        to_screen(state, lists, i)
    if attribute & 0x2000 == 0 and is_distant_dot(state, lists, count):
        return

    first = state[CORNER_COUNT]
    store_corners(state, lists, corners, kept, count, corner_count)
    store_depths(corners, first, count, state[W_BUFFERING] != 0)
    store_polygon(state, polygons, corners, first, count, side <= 0)
    if strip:
        state[PREDECESSOR] = state[POLYGON_COUNT]
    state[POLYGON_COUNT] += 1

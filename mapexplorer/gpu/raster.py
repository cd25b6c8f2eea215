"""Rasterisation: the spans of polygons, line by line (GBATEK: DS 3D Rendering).

A pixel's history depends only on the order of the polygons. So a frame is drawn polygon by polygon, each from top to
bottom, unless it has shadow masks, whose stencil depends on the order of spans on a line.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from formats.kernel import bare_kernel
from mapexplorer.gpu.buffers import (
    ALPHA_REFERENCE,
    BOTTOM_EDGE,
    CONTROL,
    COORDINATES,
    DEPTH_EQUAL,
    FOG_DENSITIES,
    HOLE_END,
    HOLE_FIRST,
    POSITIONS,
    SOURCES,
    SPAN_DEPTHS,
    SPAN_END,
    SPAN_FIRST,
    STENCIL_MASK_DRAWN,
    TEXELS,
    TONE,
    TONES,
    TOP_EDGE,
    VISIBLE,
)
from mapexplorer.gpu.combine import combine
from mapexplorer.gpu.depth_test import visible_in_layers, visible_on_top
from mapexplorer.gpu.integers import color_of
from mapexplorer.gpu.interpolation import attribute_y, depth_y, depths_x, factor_y, factors_x, is_linear, ramp_x
from mapexplorer.gpu.plot import plot, plot_opaque
from mapexplorer.gpu.registers import (
    ALPHA_BLENDING,
    ALPHA_TEST,
    ALPHA_TEST_REF,
    ANTI_ALIASING,
    DISP3DCNT,
    EDGE_MARKING,
    FOG_TABLE,
    HEIGHT,
    TEXTURES,
    TOON_TABLE,
    WIDTH,
)
from mapexplorer.gpu.shadow import begin_mask_span, mask_pixels
from mapexplorer.gpu.slopes import (
    CURRENT,
    INCREMENT,
    LEFT,
    NEGATIVE,
    NEXT,
    OFFSET,
    RIGHT,
    X_MAJOR,
    Y0,
    Y_LENGTH,
    edge_coverage,
    edge_length,
    edge_x,
    set_up_edge,
    set_up_point,
)
from mapexplorer.gpu.state import (
    BOTTOM_VERTEX,
    BOTTOM_Y,
    CORNER_COLOR,
    CORNER_DEPTH,
    CORNER_S,
    CORNER_T,
    CORNERS,
    DEGENERATE,
    FIRST_CORNER,
    FRONT_FACING,
    NORMALIZED_W,
    POLYGON_ATTR,
    POLYGON_PLTT,
    POLYGON_TEXIMAGE,
    SCREEN_X,
    SCREEN_Y,
    SHADOW,
    SHADOW_MASK,
    TOP_VERTEX,
    TOP_Y,
    W_BUFFERED,
)
from mapexplorer.gpu.texture import fetch_texels

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]
Float64 = npt.NDArray[np.float64]
Bytes = npt.NDArray[np.uint8]


@bare_kernel
def prepare_frame(registers: Int64, frame: Int64) -> None:
    """What the registers mean for a whole frame."""
    control = registers[DISP3DCNT]
    frame[CONTROL] = control
    frame[ALPHA_REFERENCE] = registers[ALPHA_TEST_REF] & 31 if control & ALPHA_TEST else 0
    for i in range(32):
        frame[TONES + i] = color_of(registers[TOON_TABLE + i] & 0x7FFF)
    for i in range(34):
        frame[FOG_DENSITIES + i] = registers[FOG_TABLE + min(max(i - 1, 0), 31)] & 0x7F


@bare_kernel
def start_edges(edges: Int64, corners: Int32, polygon: Int32) -> None:
    """Put both edges of a polygon at its top vertex; a polygon of one line gets its outermost vertices as edges."""
    first = np.int64(polygon[FIRST_CORNER])
    if polygon[TOP_Y] != polygon[BOTTOM_Y]:
        for side in range(2):
            edges[side, CURRENT] = first + polygon[TOP_VERTEX]
            edges[side, NEXT] = first + polygon[TOP_VERTEX]
        return
    left = first
    right = first
    last = first + polygon[CORNERS] - 1
    for vertex in (first + 1, last):
        if corners[vertex, SCREEN_X] < corners[left, SCREEN_X]:
            left = vertex
        if corners[vertex, SCREEN_X] > corners[right, SCREEN_X]:
            right = vertex
    set_up_point(edges[LEFT], corners, left)
    set_up_point(edges[RIGHT], corners, right)


@bare_kernel
def advance_edge(edge: Int64, side: int, y: int, corners: Int32, polygon: Int32) -> None:
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
    edge[CURRENT] = current
    edge[NEXT] = following
    set_up_edge(edge, corners, side)


@bare_kernel
def end_value(edge: Int64, corners: Int32, column: int, p: int, factor: int, linear: bool) -> int:
    """A colour or texture coordinate where an edge crosses the line."""
    return attribute_y(
        np.int64(corners[edge[CURRENT], column]),
        np.int64(corners[edge[NEXT], column]),
        p,
        edge[Y_LENGTH],
        factor,
        linear,
    )


@bare_kernel
def interpolate_colors(
    start: Int64, end: Int64, corners: Int32, ends: Int64, whole: float, factors: Float64, out: Int32, count: int
) -> None:
    """out[i] = vertex colour (6 bit) between the two edges; `ends` are position, factor, linearity of both."""
    r0 = end_value(start, corners, CORNER_COLOR, ends[0], ends[1], ends[2] != 0)
    g0 = end_value(start, corners, CORNER_COLOR + 1, ends[0], ends[1], ends[2] != 0)
    b0 = end_value(start, corners, CORNER_COLOR + 2, ends[0], ends[1], ends[2] != 0)
    r1 = end_value(end, corners, CORNER_COLOR, ends[3], ends[4], ends[5] != 0)
    g1 = end_value(end, corners, CORNER_COLOR + 1, ends[3], ends[4], ends[5] != 0)
    b1 = end_value(end, corners, CORNER_COLOR + 2, ends[3], ends[4], ends[5] != 0)
    if r0 == r1 and g0 == g1 and b0 == b1:
        color = np.int32(r0 >> 3 | g0 >> 3 << 8 | b0 >> 3 << 16)
        for i in range(count):
            out[i] = color
        return
    red, red_offset, red_slope = ramp_x(r0, r1, whole)
    green, green_offset, green_slope = ramp_x(g0, g1, whole)
    blue, blue_offset, blue_slope = ramp_x(b0, b1, whole)
    for i in range(count):
        factor = factors[i]
        r = (red + np.int32(red_offset + red_slope * factor)) >> 3
        g = (green + np.int32(green_offset + green_slope * factor)) >> 3
        b = (blue + np.int32(blue_offset + blue_slope * factor)) >> 3
        out[i] = np.int32(r | g << 8 | b << 16)


@bare_kernel
def interpolate_coordinate(
    start: Int64,
    end: Int64,
    corners: Int32,
    column: int,
    ends: Int64,
    whole: float,
    factors: Float64,
    out: Int32,
    count: int,
) -> None:
    """out[i] = a texture coordinate between the two edges."""
    v0 = end_value(start, corners, column, ends[0], ends[1], ends[2] != 0)
    v1 = end_value(end, corners, column, ends[3], ends[4], ends[5] != 0)
    base, offset, slope = ramp_x(v0, v1, whole)
    if v0 == v1:
        for i in range(count):
            out[i] = np.int32(v0)
        return
    for i in range(count):
        out[i] = np.int32(base + np.int32(offset + slope * factors[i]))


@bare_kernel
def fills_start(edge: Int64, other: Int64, last: bool, distinct: bool, touching: bool) -> bool:
    """The fill rule at the left end of a span; `edge` is the edge there."""
    if edge[NEGATIVE] != 0 or edge[X_MAJOR] == 0 or (last and distinct):
        return True
    return touching and edge[INCREMENT] == other[INCREMENT]


@bare_kernel
def fills_end(edge: Int64, right: Int64, last: bool, distinct: bool, swapped: bool) -> bool:
    """The fill rule at the right end of a span; `edge` is the edge there, `right` the polygon's right edge."""
    major = edge[X_MAJOR] != 0
    negative = edge[NEGATIVE] != 0
    if (major and not negative) or (last and major and distinct):
        return True
    return right[INCREMENT] == 0 and not (swapped and major and negative)


@bare_kernel
def draw_polygon(
    polygon: Int32,
    first_line: int,
    end_line: int,
    corners: Int32,
    frame: Int64,
    texture: Bytes,
    palette: Bytes,
    color: Int32,
    depth: Int32,
    attributes: Int32,
    stencil: Int32,
    edges: Int64,
    rows: Int32,
    factors: Float64,
    ends: Int64,
    span: Int64,
) -> None:
    """Draw the lines first_line <= y < end_line of a polygon."""
    span[VISIBLE] = -1
    span[SPAN_FIRST] = 0
    span[SPAN_END] = 0
    span[HOLE_FIRST] = 0
    span[HOLE_END] = 0
    top = np.int64(polygon[TOP_Y])
    bottom = np.int64(polygon[BOTTOM_Y])
    flat = top == bottom
    begin = max(first_line, top)
    stop = min(min(end_line, HEIGHT), top + 1 if flat else bottom)
    if polygon[DEGENERATE] != 0 or begin >= stop:
        return
    control = frame[CONTROL]
    polygon_attr = np.int64(polygon[POLYGON_ATTR])
    mode = polygon_attr >> 4 & 3
    alpha = polygon_attr >> 16 & 31
    wireframe = alpha == 0
    teximage = np.int64(polygon[POLYGON_TEXIMAGE])
    form = teximage >> 26 & 7
    textured = control & TEXTURES != 0 and form != 0
    front = polygon[FRONT_FACING] != 0
    w_buffered = polygon[W_BUFFERED] != 0
    mask = polygon[SHADOW_MASK] != 0
    shadow = polygon[SHADOW] != 0
    layered = control & ANTI_ALIASING != 0
    window = -1
    if polygon_attr & DEPTH_EQUAL:
        window = 0xFF if w_buffered else 0x200
    # A format without alpha, or one whose texels are all opaque, leaves the pixel the polygon's alpha.
    solid = not textured or mode == 1 or ((form == 2 or form == 3 or form == 4) and teximage >> 29 & 1 == 0)
    opaque = (wireframe or (alpha == 31 and solid)) and frame[ALPHA_REFERENCE] < 31
    filled = (
        control & (ANTI_ALIASING | EDGE_MARKING) != 0 or (alpha < 31 and control & ALPHA_BLENDING != 0) or wireframe
    )
    base = polygon_attr & 0x3F008000 | (0 if front else 0x10)

    start_edges(edges, corners, polygon)
    for y in range(begin, stop):
        if not flat:
            for side in range(2):
                if y == begin or y >= corners[edges[side, NEXT], SCREEN_Y]:
                    advance_edge(edges[side], side, y, corners, polygon)
        xl = edge_x(edges[LEFT], y)
        xr = edge_x(edges[RIGHT], y)
        if edges[RIGHT, INCREMENT] == 0 and (edges[LEFT, INCREMENT] != 0 or xl != xr) and xr != 0:
            xr -= 1
        swapped = xl > xr
        start_side = RIGHT if swapped else LEFT
        end_side = 1 - start_side
        xs = min(xl, xr)
        xe = max(xl, xr)
        length = xe + 1 - xs
        start_length = edge_length(edges[start_side], y, swapped)
        end_length = edge_length(edges[end_side], y, swapped)
        vertical = TOP_EDGE if y == top else (BOTTOM_EDGE if y == bottom - 1 else 0)
        last = y == bottom - 1

        # The three parts of the span: the left edge, the inside, the right edge.
        left_limit = min(min(xs + start_length, xe + 1), WIDTH)
        right_limit = min(min(xe - end_length + 1, xe + 1), WIDTH)
        fill_start = True
        fill_end = True
        if not filled:
            distinct = corners[edges[LEFT, NEXT], SCREEN_X] != corners[edges[RIGHT, NEXT], SCREEN_X]
            touching = xs + start_length == xe + 1 and not swapped
            fill_start = fills_start(edges[start_side], edges[end_side], last, distinct, touching)
            fill_end = fills_end(edges[end_side], edges[RIGHT], last, distinct, swapped)
        first_x = xs if fill_start else left_limit
        after_left = max(xs, left_limit) if fill_start else left_limit
        after_inside = max(after_left, right_limit)
        end_x = min(xe + 1, WIDTH) if fill_end else after_inside
        hole = wireframe and vertical == 0
        if mask:
            begin_mask_span(stencil, y)
            if (31 if wireframe else alpha) <= frame[ALPHA_REFERENCE]:
                continue
        else:
            stencil[STENCIL_MASK_DRAWN] = 0
        span[SPAN_FIRST] = first_x
        span[SPAN_END] = end_x
        span[HOLE_FIRST] = after_left
        span[HOLE_END] = after_inside if hole else after_left
        if first_x >= end_x:
            continue

        for side in range(2):
            edge = edges[start_side if side == 0 else end_side]
            w0 = np.int64(corners[edge[CURRENT], NORMALIZED_W])
            w1 = np.int64(corners[edge[NEXT], NORMALIZED_W])
            p = y - edge[Y0] + edge[OFFSET]
            size = edge[Y_LENGTH]
            factor = factor_y(p, size, w0, w1)
            linear = is_linear(w0, w1, 0x7E)
            ends[3 * side] = p
            ends[3 * side + 1] = factor
            ends[3 * side + 2] = 1 if linear else 0
            ends[6 + side] = attribute_y(w0, w1, p, size, factor, linear)
            z0 = np.int64(corners[edge[CURRENT], CORNER_DEPTH])
            z1 = np.int64(corners[edge[NEXT], CORNER_DEPTH])
            ends[8 + side] = depth_y(z0, z1, p, size, factor, w_buffered)
        w_start = ends[6]
        w_end = ends[7]

        visible = 0
        for part in range(2 if hole else 1):
            x0 = first_x if part == 0 else after_inside
            x1 = end_x if not hole or part == 1 else after_left
            count = x1 - x0
            if count <= 0:
                continue
            pixel = WIDTH * y + x0
            stencil_at = 256 * (y & 1) + x0
            depths_x(rows[SPAN_DEPTHS], x0 - xs, count, length, ends[8], ends[9], w_start, w_end, w_buffered)
            if mask:
                mask_pixels(rows, depth, attributes, stencil, pixel, count, front, window, stencil_at, layered)
            elif layered or shadow or window >= 0:
                visible = visible_in_layers(
                    rows, depth, attributes, stencil, pixel, x0 - xs, count, visible,
                    front, window, shadow, stencil_at, layered,
                )  # fmt: skip
            else:
                visible = visible_on_top(rows, depth, attributes, pixel, x0 - xs, count, visible, front)
        if mask:
            continue
        span[VISIBLE] = visible
        if visible == 0:
            continue

        whole = factors_x(rows[POSITIONS], factors, visible, length, w_start, w_end)
        start = edges[start_side]
        end = edges[end_side]
        interpolate_colors(start, end, corners, ends, whole, factors, rows[SOURCES], visible)
        if textured:
            interpolate_coordinate(start, end, corners, CORNER_S, ends, whole, factors, rows[TEXELS], visible)
            interpolate_coordinate(start, end, corners, CORNER_T, ends, whole, factors, rows[COORDINATES], visible)
            fetch_texels(
                texture, palette, teximage, np.int64(polygon[POLYGON_PLTT]),
                rows[TEXELS], rows[COORDINATES], visible, rows[TEXELS],
            )  # fmt: skip
        combine(frame, mode, alpha, textured, rows[SOURCES], rows[TEXELS], rows[TONE], visible)
        left = after_left - xs
        right = after_inside - xs
        if opaque and not layered:
            plot_opaque(rows, color, depth, attributes, visible, left, right, base | vertical)
            continue
        left_coverage = 0
        left_step = 0
        right_coverage = 0
        right_step = 0
        if layered:
            left_coverage, left_step = edge_coverage(start, y, start_side, swapped)
            right_coverage, right_step = edge_coverage(end, y, end_side, swapped)
            if end[X_MAJOR] == 0:
                right_coverage = 31 * 32 - right_coverage
        plot(
            frame, rows, color, depth, attributes, stencil, visible, left, right, polygon_attr, front, vertical,
            shadow, 256 * (y & 1) + xs, left_coverage, left_step, right_coverage, right_step,
        )  # fmt: skip


@bare_kernel
def draw_polygons(
    polygons: Int32,
    order: Int32,
    count: int,
    corners: Int32,
    frame: Int64,
    texture: Bytes,
    palette: Bytes,
    color: Int32,
    depth: Int32,
    attributes: Int32,
    stencil: Int32,
    edges: Int64,
    rows: Int32,
    factors: Float64,
    ends: Int64,
    span: Int64,
) -> None:
    """Draw the polygons order[:count]; line by line when shadow masks are among them."""
    masks = False
    for i in range(count):
        if polygons[i, SHADOW_MASK] != 0 and polygons[i, DEGENERATE] == 0:
            masks = True
    for y in range(HEIGHT if masks else 1):
        first = y if masks else 0
        end = y + 1 if masks else HEIGHT
        for i in range(count):
            polygon = polygons[order[i]]
            if polygon[BOTTOM_Y] < first or polygon[TOP_Y] >= end:
                continue
            draw_polygon(
                polygon, first, end, corners, frame, texture, palette, color, depth, attributes, stencil,
                edges, rows, factors, ends, span,
            )  # fmt: skip

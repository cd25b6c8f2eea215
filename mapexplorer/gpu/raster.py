"""Rasterisation: the spans of polygons, line by line (GBATEK: DS 3D Rendering).

A pixel's history depends only on the order of the polygons. So a frame is drawn polygon by polygon, each from top to
bottom, unless it has shadow masks, whose stencil depends on the order of spans on a line.
"""

from __future__ import annotations

import numpy as np

from formats.kernel import kernel
from mapexplorer.arrays import Bytes, Float64, Int32, Int64
from mapexplorer.gpu.buffers import (
    ALPHA_REFERENCE,
    BACK_FACING,
    BOTTOM_EDGE,
    CONTROL,
    COORDINATES,
    DEPTH_EQUAL,
    FOGGED,
    OPAQUE_ID,
    POSITIONS,
    SOURCES,
    SPAN_DEPTHS,
    STENCIL_MASK_DRAWN,
    TEXELS,
    TONE,
    TOP_EDGE,
)
from mapexplorer.gpu.combine import combine, keeps_alpha
from mapexplorer.gpu.depth_compare import visible_beside_edges, visible_in_layers, visible_on_top
from mapexplorer.gpu.integers import Int
from mapexplorer.gpu.interpolation import colors_x, coordinates_x, depths_x, factors_x
from mapexplorer.gpu.plot import plot, plot_opaque
from mapexplorer.gpu.registers import ALPHA_BLENDING, ANTI_ALIASING, EDGE_MARKING, HEIGHT, TEXTURES, WIDTH
from mapexplorer.gpu.shadow import begin_mask_span, mask_pixels
from mapexplorer.gpu.slopes import (
    BLUE,
    GREEN,
    INCREMENT,
    LEFT,
    RED,
    RIGHT,
    X1,
    X_MAJOR,
    Y1,
    S,
    T,
    W,
    advance_edge,
    edge_coverage,
    edge_depth,
    edge_factor,
    edge_length,
    edge_part,
    edge_position,
    edge_value,
    edge_x,
    fills_end,
    fills_start,
    start_edges,
)
from mapexplorer.gpu.state import (
    BOTTOM_Y,
    DEGENERATE,
    FRONT_FACING,
    POLYGON_ATTR,
    POLYGON_PLTT,
    POLYGON_TEXIMAGE,
    SHADOW,
    SHADOW_MASK,
    TOP_Y,
    W_BUFFERED,
)
from mapexplorer.gpu.texture import fetch_texels


@kernel
def draw_polygon(
    polygon: Int32,
    first_line: Int,
    end_line: Int,
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
) -> None:
    """Draw the lines first_line <= y < end_line of a polygon."""
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
    textured = control & TEXTURES != 0 and teximage >> 26 & 7 != 0
    front = polygon[FRONT_FACING] != 0
    w_buffered = polygon[W_BUFFERED] != 0
    mask = polygon[SHADOW_MASK] != 0
    shadow = polygon[SHADOW] != 0
    layered = control & ANTI_ALIASING != 0
    window = -1
    if polygon_attr & DEPTH_EQUAL:
        window = 0xFF if w_buffered else 0x200
    opaque = wireframe or (alpha == 31 and (not textured or keeps_alpha(mode, teximage)))
    plain = opaque and not layered and frame[ALPHA_REFERENCE] < 31
    filled = (
        control & (ANTI_ALIASING | EDGE_MARKING) != 0 or (alpha < 31 and control & ALPHA_BLENDING != 0) or wireframe
    )
    word = polygon_attr & (OPAQUE_ID | FOGGED) | (0 if front else BACK_FACING)

    start_edges(edges, corners, polygon)
    for y in range(begin, stop):
        if not flat:
            for side in range(2):
                if y == begin or y >= edges[side, Y1]:
                    advance_edge(edges[side], side, y, corners, polygon)
        xl = edge_x(edges[LEFT], y)
        xr = edge_x(edges[RIGHT], y)
        if edges[RIGHT, INCREMENT] == 0 and (edges[LEFT, INCREMENT] != 0 or xl != xr) and xr != 0:
            xr -= 1
        swapped = xl > xr
        start_side = RIGHT if swapped else LEFT
        start = edges[start_side]
        end = edges[1 - start_side]
        xs = min(xl, xr)
        xe = max(xl, xr)
        length = xe + 1 - xs
        start_length = edge_length(start, y, swapped)
        end_length = edge_length(end, y, swapped)
        vertical = TOP_EDGE if y == top else (BOTTOM_EDGE if y == bottom - 1 else 0)

        # The three parts of the span: the left edge, the inside, the right edge.
        left_limit = min(min(xs + start_length, xe + 1), WIDTH)
        right_limit = min(min(xe - end_length + 1, xe + 1), WIDTH)
        fill_start = True
        fill_end = True
        if not filled:
            last = y == bottom - 1
            distinct = edges[LEFT, X1] != edges[RIGHT, X1]
            touching = xs + start_length == xe + 1 and not swapped
            fill_start = fills_start(start, end, last, distinct, touching)
            fill_end = fills_end(end, edges[RIGHT], last, distinct, swapped)
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
        if first_x >= end_x:
            continue

        start_position = edge_position(start, y)
        end_position = edge_position(end, y)
        start_factor = edge_factor(start, start_position)
        end_factor = edge_factor(end, end_position)
        start_part = edge_part(start, start_position, start_factor)
        end_part = edge_part(end, end_position, end_factor)
        w_start = edge_value(start, W, start_part)
        w_end = edge_value(end, W, end_part)
        z_start = edge_depth(start, start_position, start_factor, w_buffered)
        z_end = edge_depth(end, end_position, end_factor, w_buffered)

        visible = 0
        for piece in range(2 if hole else 1):
            x0 = first_x if piece == 0 else after_inside
            x1 = end_x if not hole or piece == 1 else after_left
            count = x1 - x0
            if count <= 0:
                continue
            pixel = WIDTH * y + x0
            stencil_at = 256 * (y & 1) + x0
            depths_x(rows[SPAN_DEPTHS], x0 - xs, count, length, z_start, z_end, w_start, w_end, w_buffered)
            if mask:
                mask_pixels(rows, depth, attributes, stencil, pixel, count, front, window, stencil_at, layered)
            elif shadow or window >= 0:
                visible = visible_in_layers(
                    rows,
                    depth,
                    attributes,
                    stencil,
                    pixel,
                    x0 - xs,
                    count,
                    visible,
                    front,
                    window,
                    shadow,
                    stencil_at,
                    layered,
                )
            elif layered:
                visible = visible_beside_edges(rows, depth, attributes, pixel, x0 - xs, count, visible, front)
            else:
                visible = visible_on_top(rows, depth, attributes, pixel, x0 - xs, count, visible, front)
        if mask:
            continue
        if visible == 0:
            continue

        whole = factors_x(rows[POSITIONS], factors, visible, length, w_start, w_end)
        colors_x(
            rows[SOURCES],
            factors,
            visible,
            whole,
            edge_value(start, RED, start_part),
            edge_value(end, RED, end_part),
            edge_value(start, GREEN, start_part),
            edge_value(end, GREEN, end_part),
            edge_value(start, BLUE, start_part),
            edge_value(end, BLUE, end_part),
        )
        if textured:
            coordinates_x(
                rows[TEXELS],
                rows[COORDINATES],
                factors,
                visible,
                whole,
                edge_value(start, S, start_part),
                edge_value(end, S, end_part),
                edge_value(start, T, start_part),
                edge_value(end, T, end_part),
            )
            fetch_texels(
                texture, palette, teximage, np.int64(polygon[POLYGON_PLTT]), rows[TEXELS], rows[COORDINATES], visible
            )
        combine(frame, mode, alpha, textured, rows[SOURCES], rows[TEXELS], rows[TONE], visible)
        left = after_left - xs
        right = after_inside - xs
        if plain:
            plot_opaque(rows, color, depth, attributes, visible, left, right, word | vertical)
            continue
        left_coverage = 0
        left_step = 0
        right_coverage = 0
        right_step = 0
        if layered:
            left_coverage, left_step = edge_coverage(start, y, start_side, swapped)
            right_coverage, right_step = edge_coverage(end, y, 1 - start_side, swapped)
            if end[X_MAJOR] == 0:
                right_coverage = 31 * 32 - right_coverage
        plot(
            frame,
            rows,
            color,
            depth,
            attributes,
            stencil,
            visible,
            left,
            right,
            polygon_attr,
            word,
            vertical,
            shadow,
            256 * (y & 1) + xs,
            left_coverage,
            left_step,
            right_coverage,
            right_step,
        )


@kernel
def draw_polygons(
    polygons: Int32,
    order: Int32,
    count: Int,
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
    height: Int,
) -> None:
    """Draw the polygons order[:count] on the lines below `height`; line by line when shadow masks are among them."""
    masks = False
    for i in range(count):
        if polygons[i, SHADOW_MASK] != 0 and polygons[i, DEGENERATE] == 0:
            masks = True
    for y in range(height if masks else 1):
        first = y if masks else 0
        end = y + 1 if masks else height
        for i in range(count):
            polygon = polygons[order[i]]
            if polygon[BOTTOM_Y] < first or polygon[TOP_Y] >= end:
                continue
            draw_polygon(
                polygon,
                first,
                end,
                corners,
                frame,
                texture,
                palette,
                color,
                depth,
                attributes,
                stencil,
                edges,
                rows,
                factors,
            )

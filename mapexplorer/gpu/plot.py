"""Writing pixels: alpha test, opaque pixels with edges and coverage, translucent pixels with blending."""

from __future__ import annotations

import numpy as np

from formats.kernel import kernel
from mapexplorer.arrays import Int32, Int64
from mapexplorer.gpu.buffers import (
    ALPHA_REFERENCE,
    BACK_FACING,
    CONTROL,
    DEPTHS,
    EDGES,
    FOGGED,
    LAYER,
    LEFT_EDGE,
    OPAQUE_ID,
    POSITIONS,
    RIGHT_EDGE,
    SOURCES,
    TARGETS,
    TRANSLUCENT_ID,
    TRANSLUCENT_PIXEL,
    UPDATE_DEPTH,
)
from mapexplorer.gpu.integers import Int
from mapexplorer.gpu.registers import ALPHA_BLENDING, ANTI_ALIASING

KEPT_BELOW = OPAQUE_ID | 0x1F00 | EDGES
"""The attribute bits below it that a translucent pixel keeps."""


@kernel
def blend(source: Int, alpha: Int, below: Int, blending: bool) -> Int:
    """A translucent colour over another one."""
    opacity = below >> 24
    if opacity == 0:
        return source & 0xFFFFFF | alpha << 24
    color = source & 0xFFFFFF
    if blending:
        outer = ((source & 0x3F003F) * (alpha + 1) + (below & 0x3F003F) * (31 - alpha)) >> 5 & 0x3F003F
        inner = ((source & 0x3F00) * (alpha + 1) + (below & 0x3F00) * (31 - alpha)) >> 5 & 0x3F00
        color = outer | inner
    return color | max(alpha, opacity) << 24


@kernel
def plot_translucent(
    color: Int32,
    depth: Int32,
    attributes: Int32,
    target: Int,
    source: Int,
    z: Int,
    word: Int,
    polygon_attr: Int,
    shadow: bool,
    blending: bool,
) -> None:
    """One translucent pixel, unless a translucent pixel of the same polygon ID is there already.

    `word` are the fog and facing bits, the polygon ID and the flag of a translucent pixel. A shadow polygon is also
    refused by an opaque pixel of its polygon ID.
    """
    below = attributes[target]
    if shadow and below & TRANSLUCENT_PIXEL == 0:
        if (below ^ polygon_attr) & OPAQUE_ID == 0:
            return
    elif (below ^ word) & TRANSLUCENT_ID == 0:
        return
    if below & FOGGED == 0:
        word &= ~FOGGED
    color[target] = blend(source, source >> 24, color[target], blending)
    if polygon_attr & UPDATE_DEPTH:
        depth[target] = z
    attributes[target] = word | below & KEPT_BELOW


@kernel
def plot_opaque(
    rows: Int32,
    color: Int32,
    depth: Int32,
    attributes: Int32,
    count: Int,
    left: Int,
    right: Int,
    word: Int,
) -> None:
    """A span of opaque pixels without anti-aliasing; positions below `left` and from `right` on are edges."""
    for i in range(count):
        # An unsigned index spares numba's check for a negative one.
        target = np.uint32(rows[TARGETS, i])
        position = rows[POSITIONS, i]
        color[target] = rows[SOURCES, i]
        depth[target] = rows[DEPTHS, i]
        attributes[target] = word | (LEFT_EDGE if position < left else 0) | (RIGHT_EDGE if position >= right else 0)


@kernel
def plot(
    frame: Int64,
    rows: Int32,
    color: Int32,
    depth: Int32,
    attributes: Int32,
    stencil: Int32,
    count: Int,
    left: Int,
    right: Int,
    polygon_attr: Int,
    base: Int,
    vertical: Int,
    shadow: bool,
    stencil_at: Int,
    left_coverage: Int,
    left_step: Int,
    right_coverage: Int,
    right_step: Int,
) -> None:
    """Write the visible pixels of a span, opaque or translucent.

    `base` are polygon ID, fog and facing bits, `vertical` the top and bottom edge bits of the line, `stencil_at` the
    stencil entry of the span's position 0. The coverages have 5 fraction bits; each moves a step with every opaque
    pixel written on its edge.
    """
    reference = frame[ALPHA_REFERENCE]
    anti_aliasing = frame[CONTROL] & ANTI_ALIASING != 0
    blending = frame[CONTROL] & ALPHA_BLENDING != 0
    translucent_word = base & (FOGGED | BACK_FACING) | (polygon_attr >> 24 & 63) << 16 | TRANSLUCENT_PIXEL
    for i in range(count):
        source = rows[SOURCES, i]
        alpha = source >> 24
        if alpha <= reference:
            continue
        target = rows[TARGETS, i]
        position = rows[POSITIONS, i]
        if alpha < 31:
            also_underneath = anti_aliasing and target < LAYER and attributes[target] & EDGES != 0
            if shadow and stencil[stencil_at + position] & 2 == 0:
                also_underneath = False
            plot_translucent(
                color,
                depth,
                attributes,
                target,
                source,
                rows[DEPTHS, i],
                translucent_word,
                polygon_attr,
                shadow,
                blending,
            )
            if also_underneath:
                plot_translucent(
                    color,
                    depth,
                    attributes,
                    np.int32(target + LAYER),
                    source,
                    rows[DEPTHS, i],
                    translucent_word,
                    polygon_attr,
                    shadow,
                    blending,
                )
            continue
        word = base | vertical
        if position < left:
            word |= LEFT_EDGE
            if anti_aliasing:
                word |= min(left_coverage >> 5, 31) << 8
                left_coverage += left_step
        elif position >= right:
            word |= RIGHT_EDGE
            if anti_aliasing:
                word |= max(31 - (right_coverage >> 5), 0) << 8
                right_coverage += right_step
        elif anti_aliasing and vertical != 0:
            word |= 31 << 8
        if anti_aliasing and word & EDGES != 0 and target < LAYER:
            color[target + LAYER] = color[target]
            depth[target + LAYER] = depth[target]
            attributes[target + LAYER] = attributes[target]
        color[target] = source
        depth[target] = rows[DEPTHS, i]
        attributes[target] = word

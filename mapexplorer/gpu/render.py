"""Draws a frame from stored polygons in the stages of the rendering engine."""

from __future__ import annotations

import numpy as np

from formats.kernel import entry, kernel, reads, writes
from mapexplorer.arrays import Bytes, Float64, Int32, Int64
from mapexplorer.gpu.antialias import anti_alias
from mapexplorer.gpu.buffers import ALPHA_REFERENCE, CONTROL, FOG_DENSITIES, SPAN_DEPTHS, TONES
from mapexplorer.gpu.clear import clear
from mapexplorer.gpu.edge_marking import mark_edges
from mapexplorer.gpu.fog import apply_fog
from mapexplorer.gpu.integers import Int, color_of
from mapexplorer.gpu.raster import draw_polygons
from mapexplorer.gpu.registers import (
    ALPHA_TEST,
    ALPHA_TEST_REF,
    ANTI_ALIASING,
    DISP3DCNT,
    EDGE_MARKING,
    FOG,
    FOG_TABLE,
    HEIGHT,
    TOON_TABLE,
)
from mapexplorer.gpu.sorting import sort_polygons


@kernel
def prepare_frame(registers: Int64, frame: Int64) -> None:
    """Compute the values of a frame from the registers."""
    control = registers[DISP3DCNT]
    frame[CONTROL] = control
    frame[ALPHA_REFERENCE] = registers[ALPHA_TEST_REF] & 31 if control & ALPHA_TEST else 0
    for i in range(32):
        frame[TONES + i] = color_of(registers[TOON_TABLE + i] & 0x7FFF)
    for i in range(33):
        density = registers[FOG_TABLE + max(i - 1, 0)] & 0x7F
        next_density = registers[FOG_TABLE + min(i, 31)] & 0x7F
        frame[FOG_DENSITIES + i] = density | (next_density - density) << 32


@entry(
    registers=reads(np.int64),
    texture=reads(np.uint8),
    palette=reads(np.uint8),
    polygons=writes(np.int32, 2),
    count=int,
    manual=bool,
    corners=reads(np.int32, 2),
    order=writes(np.int32, 2),
    color=writes(np.int32),
    depth=writes(np.int32),
    attributes=writes(np.int32),
    stencil=writes(np.int32),
    frame=writes(np.int64),
    edges=writes(np.int64, 2),
    rows=writes(np.int32, 2),
    factors=writes(np.float64),
)
def render(
    registers: Int64,
    texture: Bytes,
    palette: Bytes,
    polygons: Int32,
    count: Int,
    manual: bool,
    corners: Int32,
    order: Int32,
    color: Int32,
    depth: Int32,
    attributes: Int32,
    stencil: Int32,
    frame: Int64,
    edges: Int64,
    rows: Int32,
    factors: Float64,
) -> None:
    """Sort, clear, draw, mark edges, fog, anti-alias. order[0, :count] is the drawing order afterwards."""
    prepare_frame(registers, frame)
    sort_polygons(polygons, count, manual, order)
    clear(registers, texture, color, depth, attributes)
    draw_polygons(
        polygons,
        order[0],
        count,
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
        HEIGHT,
    )
    control = registers[DISP3DCNT]
    if control & EDGE_MARKING:
        mark_edges(registers, color, depth, attributes)
    if control & FOG:
        apply_fog(registers, frame, color, depth, attributes, rows[SPAN_DEPTHS])
    if control & ANTI_ALIASING:
        anti_alias(color, attributes)

"""A frame from stored polygons: the stages of the rendering engine one after the other."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from formats.kernel import bare_kernel
from mapexplorer.gpu.antialias import anti_alias
from mapexplorer.gpu.clear import clear
from mapexplorer.gpu.edge_marking import mark_edges
from mapexplorer.gpu.fog import apply_fog
from mapexplorer.gpu.raster import draw_polygons, prepare_frame
from mapexplorer.gpu.registers import ANTI_ALIASING, DISP3DCNT, EDGE_MARKING, FOG
from mapexplorer.gpu.sorting import sort_polygons

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]
Float64 = npt.NDArray[np.float64]
Bytes = npt.NDArray[np.uint8]


@bare_kernel
def render(
    registers: Int64,
    texture: Bytes,
    palette: Bytes,
    polygons: Int32,
    count: int,
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
    ends: Int64,
    span: Int64,
) -> None:
    """Sort, clear, draw, mark edges, fog, anti-alias. order[0, :count] is the drawing order afterwards."""
    prepare_frame(registers, frame)
    sort_polygons(polygons, count, manual, order)
    clear(registers, texture, color, depth, attributes)
    draw_polygons(
        polygons, order[0], count, corners, frame, texture, palette, color, depth, attributes, stencil,
        edges, rows, factors, ends, span,
    )  # fmt: skip
    control = registers[DISP3DCNT]
    if control & EDGE_MARKING:
        mark_edges(registers, color, depth, attributes)
    if control & FOG:
        apply_fog(registers, frame, color, depth, attributes)
    if control & ANTI_ALIASING:
        anti_alias(color, attributes)

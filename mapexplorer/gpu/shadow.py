"""Shadow masks: the stencil that later shadow polygons are drawn through (GBATEK: DS 3D Shadow Polygons)."""

from __future__ import annotations

from formats.kernel import kernel
from mapexplorer.arrays import Int32
from mapexplorer.gpu.buffers import EDGES, LAYER, SPAN_DEPTHS, STENCIL_MASK_DRAWN
from mapexplorer.gpu.depth_compare import passes
from mapexplorer.gpu.integers import Int


@kernel
def begin_mask_span(stencil: Int32, y: Int) -> None:
    """Before a span of a shadow mask: clear the line's stencil unless the span before was one of a mask too."""
    if stencil[STENCIL_MASK_DRAWN] == 0:
        for x in range(256):
            stencil[256 * (y & 1) + x] = 0
    stencil[STENCIL_MASK_DRAWN] = 1


@kernel
def mask_pixels(
    rows: Int32,
    depth: Int32,
    attributes: Int32,
    stencil: Int32,
    pixel: Int,
    count: Int,
    front: bool,
    window: Int,
    stencil_at: Int,
    layered: bool,
) -> None:
    """Set the stencil where the mask fails the depth test: bit 0 in the topmost layer, bit 1 underneath."""
    for i in range(count):
        place = pixel + i
        attribute = attributes[place]
        z = rows[SPAN_DEPTHS, i]
        if not passes(z, depth[place], attribute, window, front):
            stencil[stencil_at + i] = 1
        if layered and attribute & EDGES != 0:
            place += LAYER
            if not passes(z, depth[place], attributes[place], window, front):
                stencil[stencil_at + i] |= 2

"""The clear plane and the rear-plane bitmap (GBATEK: DS 3D Rear-Plane)."""

from __future__ import annotations

import numpy as np

from formats.kernel import kernel
from mapexplorer.arrays import Bytes, Int32, Int64
from mapexplorer.gpu.buffers import FOGGED, OPAQUE_ID
from mapexplorer.gpu.integers import Int, color_of
from mapexplorer.gpu.registers import (
    CLEAR_COLOR,
    CLEAR_DEPTH,
    CLRIMAGE_OFFSET,
    DISP3DCNT,
    HEIGHT,
    PIXELS,
    REAR_BITMAP,
    WIDTH,
)


@kernel
def clear_depth(registers: Int64) -> Int:
    return (registers[CLEAR_DEPTH] & 0x7FFF) * 0x200 + 0x1FF


@kernel
def clear(registers: Int64, texture: Bytes, color: Int32, depth: Int32, attributes: Int32) -> None:
    """Fill the topmost layer."""
    plane = registers[CLEAR_COLOR]
    if registers[DISP3DCNT] & REAR_BITMAP == 0:
        color[:PIXELS] = np.int32(color_of(plane & 0x7FFF) | (plane >> 16 & 31) << 24)
        depth[:PIXELS] = np.int32(clear_depth(registers))
        attributes[:PIXELS] = np.int32(plane & (OPAQUE_ID | FOGGED))
        return
    offset = registers[CLRIMAGE_OFFSET]
    for y in range(HEIGHT):
        line = ((y + (offset >> 8)) & 255) << 9
        for x in range(WIDTH):
            at = line + (((x + offset) & 255) << 1)
            word = np.int64(texture[0x40000 + at]) | np.int64(texture[0x40001 + at]) << 8
            pixel = WIDTH * y + x
            color[pixel] = color_of(word & 0x7FFF) | (0x1F000000 if word & 0x8000 else 0)
            word = np.int64(texture[0x60000 + at]) | np.int64(texture[0x60001 + at]) << 8
            depth[pixel] = (word & 0x7FFF) * 0x200 + 0x1FF
            attributes[pixel] = plane & OPAQUE_ID | word & 0x8000

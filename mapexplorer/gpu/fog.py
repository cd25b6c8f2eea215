"""Fog (GBATEK: DS 3D Toon, Edge, Fog, Alpha-Blending, Anti-Aliasing)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from formats.kernel import kernel
from mapexplorer.gpu.buffers import EDGES, FOG_DENSITIES, FOGGED, LAYER
from mapexplorer.gpu.integers import Int, color_of
from mapexplorer.gpu.registers import (
    ANTI_ALIASING,
    DISP3DCNT,
    FOG_ALPHA_ONLY,
    FOG_COLOR,
    FOG_OFFSET,
    PIXELS,
)

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]


@kernel
def fog_density(frame: Int64, z: Int, offset: Int, shift: Int) -> Int:
    """Density 0..128 at a depth, interpolated between the entries of the table."""
    index = 0
    fraction = 0
    if z >= offset:
        distance = (((z - offset) >> 2) << shift) & 0xFFFFFFFF
        index = distance >> 17
        fraction = distance & 0x1FFFF
        if index >= 32:
            index = 32
            fraction = 0
    density = (frame[FOG_DENSITIES + index] * (0x20000 - fraction) + frame[FOG_DENSITIES + 1 + index] * fraction) >> 17
    return 128 if density >= 127 else density


@kernel
def fogged_color(color: Int, fog: Int, density: Int, alpha_only: bool) -> Int:
    rest = 128 - density
    alpha = ((fog >> 24) * density + (color >> 24) * rest) >> 7
    if alpha_only:
        return color & 0xFFFFFF | alpha << 24
    outer = ((fog & 0x3F003F) * density + (color & 0x3F003F) * rest) >> 7 & 0x3F003F
    inner = ((fog & 0x3F00) * density + (color & 0x3F00) * rest) >> 7 & 0x3F00
    return outer | inner | alpha << 24


@kernel
def apply_fog(registers: Int64, frame: Int64, color: Int32, depth: Int32, attributes: Int32) -> None:
    """Fog on the topmost layer, and underneath where the topmost layer has an edge."""
    control = registers[DISP3DCNT]
    alpha_only = control & FOG_ALPHA_ONLY != 0
    layered = control & ANTI_ALIASING != 0
    shift = control >> 8 & 15
    offset = (registers[FOG_OFFSET] & 0x7FFF) * 0x200
    fog = color_of(registers[FOG_COLOR] & 0x7FFF) | (registers[FOG_COLOR] >> 16 & 31) << 24
    for pixel in range(PIXELS):
        attribute = attributes[pixel]
        if attribute & FOGGED:
            density = fog_density(frame, depth[pixel], offset, shift)
            color[pixel] = fogged_color(color[pixel], fog, density, alpha_only)
        if layered and attribute & EDGES != 0 and attributes[pixel + LAYER] & FOGGED:
            density = fog_density(frame, depth[pixel + LAYER], offset, shift)
            color[pixel + LAYER] = fogged_color(color[pixel + LAYER], fog, density, alpha_only)

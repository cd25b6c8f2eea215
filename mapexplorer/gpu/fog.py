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
    WIDTH,
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
    """A colour of 6-bit channels and alpha with fog. All values fit in 32 bits, so that it becomes vector code."""
    rest = np.int32(128 - density)
    alpha = np.int32(np.int32(np.int32(fog >> 24) * density) + np.int32(np.int32(color >> 24) * rest)) >> 7
    outer = np.int32(np.int32(fog & 0x3F003F) * density) + np.int32(np.int32(color & 0x3F003F) * rest)
    inner = np.int32(np.int32(fog & 0x3F00) * density) + np.int32(np.int32(color & 0x3F00) * rest)
    mixed = np.int32(outer) >> 7 & 0x3F003F | np.int32(inner) >> 7 & 0x3F00
    return np.int32((color & 0xFFFFFF if alpha_only else mixed) | alpha << 24)


@kernel
def apply_fog(registers: Int64, frame: Int64, color: Int32, depth: Int32, attributes: Int32, densities: Int32) -> None:
    """Fog on the topmost layer, and underneath where the topmost layer has an edge. `densities` is scratch memory of
    WIDTH numbers."""
    control = registers[DISP3DCNT]
    alpha_only = control & FOG_ALPHA_ONLY != 0
    shift = control >> 8 & 15
    offset = (registers[FOG_OFFSET] & 0x7FFF) * 0x200
    fog = np.int32(color_of(registers[FOG_COLOR] & 0x7FFF) | (registers[FOG_COLOR] >> 16 & 31) << 24)
    for start in range(0, PIXELS, WIDTH):
        line = color[start : start + WIDTH]
        for x in range(WIDTH):
            fogged = attributes[start + x] & FOGGED
            densities[x] = fog_density(frame, depth[start + x], offset, shift) if fogged else 0
        for x in range(WIDTH):
            line[x] = fogged_color(line[x], fog, densities[x], alpha_only)
    if control & ANTI_ALIASING:
        for pixel in range(PIXELS):
            if attributes[pixel] & EDGES != 0 and attributes[pixel + LAYER] & FOGGED:
                density = np.int32(fog_density(frame, depth[pixel + LAYER], offset, shift))
                color[pixel + LAYER] = fogged_color(color[pixel + LAYER], fog, density, alpha_only)

"""Fog (GBATEK: DS 3D Toon, Edge, Fog, Alpha-Blending, Anti-Aliasing)."""

from __future__ import annotations

from typing import Final

import numpy as np

from formats.kernel import kernel
from mapexplorer.arrays import Int32, Int64
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

_END: Final = 32 << 17
"""The distance of the table's last entry; entries are 1 << 17 apart."""
_BLOCK: Final = 8


@kernel
def fog_distance(z: Int, offset: Int, shift: Int) -> Int:
    """The distance of a depth in the fog, 0..32 << 17. All values fit in 32 bits, so that it becomes vector code."""
    scaled = np.uint32(np.uint32(np.int32(max(np.int32(z - offset), np.int32(0))) >> 2) << shift)
    return np.int32(min(scaled, np.uint32(_END)))


@kernel
def fog_density(frame: Int64, distance: Int) -> Int:
    """Density 0..128 at a distance, interpolated between the entries of the table."""
    entry = frame[FOG_DENSITIES + (distance >> 17)]
    density = np.int32(np.int32(entry) + (np.int32(np.int32(entry >> 32) * (distance & 0x1FFFF)) >> 17))
    return np.int32(128) if density >= 127 else density


@kernel
def fogged_color(color: Int, fog: Int, density: Int, alpha_only: bool) -> Int:
    """A colour of 6-bit channels and alpha with fog: c + (f - c) * density / 128, two channels in one number. All
    values fit in 32 bits, so that it becomes vector code."""
    even = np.int32(color & 0x3F003F)
    odd = np.int32(color >> 8 & 0x1F003F)
    fog_even = np.int32(fog & 0x3F003F)
    fog_odd = np.int32(fog >> 8 & 0x1F003F)
    even = np.int32(np.int32(even << 7) + np.int32(np.int32(fog_even - even) * density)) >> 7 & 0x3F003F
    odd = np.int32(np.int32(odd << 7) + np.int32(np.int32(fog_odd - odd) * density)) >> 7 & 0x1F003F
    return np.int32(color & 0xFFFFFF | (odd & 0x1F0000) << 8 if alpha_only else even | odd << 8)


@kernel
def is_any(attributes: Int32, start: Int, count: Int, bits: Int) -> bool:
    """Whether one of `count` pixels from `start` on has one of the attribute bits."""
    combined = np.int32(0)
    for pixel in range(start, start + count):
        combined |= attributes[pixel]
    return bool(combined & bits)


@kernel
def fogged_edges(attributes: Int32, start: Int, pixels: Int32) -> Int:
    """The pixels of the line at `start` whose topmost layer has an edge over a layer with fog, into `pixels`; returns
    their number."""
    count = 0
    for block in range(start, start + WIDTH, _BLOCK):
        if is_any(attributes, block, _BLOCK, EDGES):
            for pixel in range(block, block + _BLOCK):
                pixels[count] = pixel
                has_edge = attributes[pixel] & EDGES != 0
                has_fog = attributes[pixel + LAYER] & FOGGED != 0
                count += 1 if has_edge & has_fog else 0
    return count


@kernel
def apply_fog(registers: Int64, frame: Int64, color: Int32, depth: Int32, attributes: Int32, scratch: Int32) -> None:
    """Fog on the topmost layer, and underneath where the topmost layer has an edge. `scratch`: at least WIDTH + 1
    numbers."""
    control = registers[DISP3DCNT]
    alpha_only = control & FOG_ALPHA_ONLY != 0
    shift = control >> 8 & 15
    offset = np.int32((registers[FOG_OFFSET] & 0x7FFF) * 0x200)
    fog = np.int32(color_of(registers[FOG_COLOR] & 0x7FFF) | (registers[FOG_COLOR] >> 16 & 31) << 24)
    for start in range(0, PIXELS, WIDTH):
        if is_any(attributes, start, WIDTH, FOGGED):
            line = color[start : start + WIDTH]
            for x in range(WIDTH):
                scratch[x] = fog_distance(depth[start + x], offset, shift)
            for x in range(WIDTH):
                scratch[x] = fog_density(frame, scratch[x])
            for x in range(WIDTH):
                density = scratch[x] if attributes[start + x] & FOGGED else np.int32(0)
                line[x] = fogged_color(line[x], fog, density, alpha_only)
        if control & ANTI_ALIASING:
            for place in range(fogged_edges(attributes, start, scratch)):
                pixel = np.int64(scratch[place]) + LAYER
                density = fog_density(frame, fog_distance(depth[pixel], offset, shift))
                color[pixel] = fogged_color(color[pixel], fog, density, alpha_only)

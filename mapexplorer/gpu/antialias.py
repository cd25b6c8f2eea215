"""Anti-aliasing (GBATEK: DS 3D Toon, Edge, Fog, Alpha-Blending, Anti-Aliasing)."""

from __future__ import annotations

from formats.kernel import kernel
from mapexplorer.arrays import Int32
from mapexplorer.gpu.buffers import EDGES, LAYER
from mapexplorer.gpu.registers import PIXELS


@kernel
def anti_alias(color: Int32, attributes: Int32) -> None:
    """Mix edge pixels with the layer underneath by their coverage."""
    for pixel in range(PIXELS):
        attribute = attributes[pixel]
        if attribute & EDGES == 0:
            continue
        coverage = attribute >> 8 & 31
        if coverage == 31:
            continue
        under = color[pixel + LAYER]
        if coverage == 0:
            color[pixel] = under
            continue
        top = color[pixel]
        part = coverage + 1
        rest = 32 - part
        mixed = top & 0xFFFFFF
        if under >> 24 > 0:
            outer = ((top & 0x3F003F) * part + (under & 0x3F003F) * rest) >> 5 & 0x3F003F
            inner = ((top & 0x3F00) * part + (under & 0x3F00) * rest) >> 5 & 0x3F00
            mixed = outer | inner
        color[pixel] = mixed | ((top >> 24) * part + (under >> 24) * rest) >> 5 << 24

"""Edge marking (GBATEK: DS 3D Toon, Edge, Fog, Alpha-Blending, Anti-Aliasing)."""

from __future__ import annotations

from formats.kernel import kernel
from mapexplorer.arrays import Int32, Int64
from mapexplorer.gpu.buffers import COVERAGE, EDGES
from mapexplorer.gpu.clear import clear_depth
from mapexplorer.gpu.integers import Flag, Int, color_of
from mapexplorer.gpu.registers import CLEAR_COLOR, EDGE_COLOR, HEIGHT, WIDTH


@kernel
def is_marked(attributes: Int32, depth: Int32, pixel: Int, x: Int, y: Int, border_id: Int, border_depth: Int) -> Flag:
    """Whether a direct neighbour has another polygon ID and is behind; outside the screen is the clear plane."""
    own = attributes[pixel] >> 24 & 63
    z = depth[pixel]
    border = own != border_id and z < border_depth
    if x > 0:
        if attributes[pixel - 1] >> 24 & 63 != own and z < depth[pixel - 1]:
            return True
    elif border:
        return True
    if x < WIDTH - 1:
        if attributes[pixel + 1] >> 24 & 63 != own and z < depth[pixel + 1]:
            return True
    elif border:
        return True
    if y > 0:
        if attributes[pixel - WIDTH] >> 24 & 63 != own and z < depth[pixel - WIDTH]:
            return True
    elif border:
        return True
    if y < HEIGHT - 1:
        return attributes[pixel + WIDTH] >> 24 & 63 != own and z < depth[pixel + WIDTH]
    return border


@kernel
def mark_edges(registers: Int64, color: Int32, depth: Int32, attributes: Int32) -> None:
    """Give edge pixels of the topmost layer the edge colour of their polygon ID, and half coverage."""
    border_id = registers[CLEAR_COLOR] >> 24 & 63
    border_depth = clear_depth(registers)
    for y in range(HEIGHT):
        for x in range(WIDTH):
            pixel = WIDTH * y + x
            attribute = attributes[pixel]
            if attribute & EDGES == 0:
                continue
            if is_marked(attributes, depth, pixel, x, y, border_id, border_depth):
                edge = color_of(registers[EDGE_COLOR + (attribute >> 27 & 7)] & 0x7FFF)
                color[pixel] = edge | color[pixel] & 0x1F000000
                attributes[pixel] = attribute & ~COVERAGE | 16 << 8

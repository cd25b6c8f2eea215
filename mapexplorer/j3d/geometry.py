"""Shapes as lists of vertices and triangles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from formats.j3d.shapes import MULTIPLE, J3dShape
from formats.j3d.vertices import POSITION, POSITION_MATRIX
from mapexplorer.arrays import Array


@dataclass(frozen=True, eq=False)
class JoinedShape:
    """A shape with its packets joined, vertices in stored order.

    draw_matrices: (n,) the draw matrix of each vertex. indices: attribute -> (n,) indices into that vertex array.
    triangles: (m, 3) vertices in GX order (front faces clockwise); lines: (k, 2); points: (p,).
    """

    draw_matrices: Array
    indices: dict[int, Array]
    triangles: Array
    lines: Array
    points: Array


def geometry(shape: J3dShape) -> JoinedShape:
    """The vertices and primitives of a shape. Quads, strips and fans become triangles, none of them dropped."""
    from mapexplorer.j3d.kernels import count_primitives, fill_primitives

    packets = shape.packets
    nothing = np.zeros((0, len(shape.attributes)), np.uint16)
    vertices = np.concatenate([packet.vertices for packet in packets] or [nothing])
    opcodes = np.concatenate([packet.opcodes for packet in packets] or [np.zeros(0, np.uint8)])
    counts = np.concatenate([packet.counts for packet in packets] or [np.zeros(0, np.uint16)])
    sizes = count_primitives(opcodes, counts)
    triangles, lines, points = (
        np.empty((sizes[0], 3), np.uint32),
        np.empty((sizes[1], 2), np.uint32),
        np.empty(sizes[2], np.uint32),
    )
    fill_primitives(opcodes, counts, triangles, lines, points)
    return JoinedShape(
        _draw_matrices(shape),
        {attribute: vertices[:, i] for i, attribute in enumerate(shape.attributes) if attribute >= POSITION},
        triangles,
        lines,
        points,
    )


def _draw_matrices(shape: J3dShape) -> Array:
    parts = [np.zeros(0, np.int64)]
    per_vertex = shape.matrix_type == MULTIPLE and POSITION_MATRIX in shape.attributes
    for packet, slots in zip(shape.packets, shape.slots(), strict=True):
        table = np.array(slots, np.int64)
        if per_vertex:
            parts.append(table[packet.vertices[:, shape.attributes.index(POSITION_MATRIX)] // 3])
        else:
            parts.append(np.full(len(packet.vertices), table[0]))
    return np.concatenate(parts)

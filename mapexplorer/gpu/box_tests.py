"""The test commands: BOX_TEST, VEC_TEST (GBATEK: DS 3D Tests). POS_TEST is the transformation of a vertex."""

from __future__ import annotations

import numpy as np

from formats.kernel import kernel
from mapexplorer.arrays import Int32, Int64
from mapexplorer.gpu.clipping import clip
from mapexplorer.gpu.integers import Int, signed
from mapexplorer.gpu.lighting import rotated
from mapexplorer.gpu.state import FIELDS
from mapexplorer.gpu.vertices import clip_component

# The low, high ends (0, 1) of x, y and z of every corner, and the corners of every face.
CORNER_ENDS = np.array(
    [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1], [1, 0, 1], [1, 1, 1]], np.int64
)
FACES = np.array([[0, 1, 2, 3], [4, 5, 6, 7], [0, 3, 4, 5], [1, 2, 7, 6], [0, 1, 6, 5], [2, 3, 4, 7]], np.int64)


@kernel
def box_is_visible(clip_matrix: Int32, box: Int64, clip_far: bool, lists: Int64) -> bool:
    """BOX_TEST: whether any face of a box (x, y, z, width, height, depth; signed 4.12) has a part in the view volume.

    `clip_far` is bit 12 of the active POLYGON_ATTR: a face that crosses the far plane counts only when it is set.
    """
    for face in range(6):
        for i in range(4):
            corner = FACES[face, i]
            x = signed(box[0] + CORNER_ENDS[corner, 0] * box[3], 16)
            y = signed(box[1] + CORNER_ENDS[corner, 1] * box[4], 16)
            z = signed(box[2] + CORNER_ENDS[corner, 2] * box[5], 16)
            for field in range(4):
                lists[0, i, field] = clip_component(clip_matrix, field, x, y, z)
            for field in range(4, FIELDS):
                lists[0, i, field] = 0
        if clip(lists, 0, 4, clip_far) > 0:
            return True
    return False


@kernel
def vector_component(normal: Int, matrix: Int32, column: Int) -> Int:
    """One component of VEC_TEST: signed 16 bits, the sign taken from bit 12."""
    x = signed(normal, 10)
    y = signed(normal >> 10, 10)
    z = signed(normal >> 20, 10)
    value = signed(rotated(x, y, z, matrix, column) >> 9, 16)
    return signed(value | 0xF000, 16) if value & 0x1000 else value

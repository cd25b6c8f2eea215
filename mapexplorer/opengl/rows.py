"""Materials and matrices as rows of 32-bit words, as the shaders read them from buffer textures.

A material row is 16 words:

    0 DIF_AMB, 1 SPE_EMI: the material's own fields, 0 where the global ones count
    2 flags: bits 0-3 own diffuse, ambient, specular, emission; 4 the area's colours do not replace them;
      5 textured; 6 a texture or palette is missing; 7 not shown; 12-15 light set slot
    3 POLYGON_ATTR   4 TEXIMAGE_PARAM   5 first texel in the texel buffer   6 a texture matrix is in use
    8-13 the texture matrix: m00 m01 m10 m11 m30 m31, fx32

A matrix row is 24 words: three columns of the position matrix (x, y, z, translation) as floats in units; three rows of
the vector matrix as fx32 integers, each followed by a word: the billboard kind, 1 for an identity vector matrix, the
position scale, fx32, which the positions of the vertices contain.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from formats.fixed import ONE
from formats.nitro import material as bits
from mapexplorer.arrays import Words
from mapexplorer.g3d.draw_list import SCREEN, UPRIGHT, DrawMatrix
from mapexplorer.g3d.material import ComposedMaterial
from mapexplorer.g3d.matrix import IDENTITY33

MATERIAL_WORDS: Final = 16
MATRIX: Final = np.dtype([("columns", "<f4", (3, 4)), ("vector", [("row", "<i4", 3), ("word", "<u4")], 3)])
MATRIX_WORDS: Final = MATRIX.itemsize // 4

OWN_DIFFUSE, OWN_AMBIENT, OWN_SPECULAR, OWN_EMISSION = 1, 2, 4, 8
OWN_ALL: Final = 15
KEEPS_COLORS: Final = 16
TEXTURED: Final = 32
MISSING: Final = 64
HIDDEN: Final = 128
LIGHT_SLOT_SHIFT: Final = 12

SCREEN_BILLBOARD: Final = 1
UPRIGHT_BILLBOARD: Final = 2
_BILLBOARDS: Final = {None: 0, SCREEN: SCREEN_BILLBOARD, UPRIGHT: UPRIGHT_BILLBOARD}


def own_fields(material: Any) -> int:
    """The OWN bits of a material file record."""
    flags = material.flags
    return (
        (OWN_DIFFUSE if flags & bits.DIFFUSE else 0)
        | (OWN_AMBIENT if flags & bits.AMBIENT else 0)
        | (OWN_SPECULAR if flags & bits.SPECULAR else 0)
        | (OWN_EMISSION if flags & bits.EMISSION else 0)
    )


def material_row(material: ComposedMaterial, flags: int, texel: int) -> Words:
    """The row of a material; `flags` without TEXTURED, `texel` is the first texel of its image in the texel buffer."""
    row = np.zeros(MATERIAL_WORDS, np.int64)
    row[0:2] = material.dif_amb, material.spe_emi
    row[2] = flags | (TEXTURED if material.texture is not None else 0)
    row[3:6] = material.polygon_attr, material.teximage_param, texel
    matrix = material.texture_matrix
    if matrix is not None and material.texgen == 1:
        row[6] = 1
        row[8:14] = matrix
    return row.astype(np.uint32)


def matrix_row(frame: DrawMatrix, scale: int) -> Words:
    """The row of a frame of a draw list under a position scale, fx32."""
    row = np.zeros(1, MATRIX)
    row["columns"] = np.array(frame.position, np.float64).reshape(4, 3).T / ONE
    row["vector"]["row"] = np.array(frame.vector, np.int64).reshape(3, 3)
    row["vector"]["word"] = _BILLBOARDS[frame.billboard], tuple(frame.vector) == IDENTITY33, scale
    return row.view(np.uint32)

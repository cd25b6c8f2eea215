"""The geometry commands of the DS: numbers, names (GBATEK) and parameter counts.

Two encodings exist of the same commands:

* packed: a word of four command bytes, executed low byte first, then the parameters of each in order, as display
  lists and the GX FIFO hold them (`display_list`);
* flat: for every command one word with its number, followed by its parameter words; no-operations dropped. This is
  the form that `mapexplorer.g3d` writes and `mapexplorer.gpu` executes.
"""

from __future__ import annotations

from typing import Final

NOP: Final = 0x00
MTX_MODE: Final = 0x10
MTX_PUSH: Final = 0x11
MTX_POP: Final = 0x12
MTX_STORE: Final = 0x13
MTX_RESTORE: Final = 0x14
MTX_IDENTITY: Final = 0x15
MTX_LOAD_4X4: Final = 0x16
MTX_LOAD_4X3: Final = 0x17
MTX_MULT_4X4: Final = 0x18
MTX_MULT_4X3: Final = 0x19
MTX_MULT_3X3: Final = 0x1A
MTX_SCALE: Final = 0x1B
MTX_TRANS: Final = 0x1C
COLOR: Final = 0x20
NORMAL: Final = 0x21
TEXCOORD: Final = 0x22
VTX_16: Final = 0x23
VTX_10: Final = 0x24
VTX_XY: Final = 0x25
VTX_XZ: Final = 0x26
VTX_YZ: Final = 0x27
VTX_DIFF: Final = 0x28
POLYGON_ATTR: Final = 0x29
TEXIMAGE_PARAM: Final = 0x2A
PLTT_BASE: Final = 0x2B
DIF_AMB: Final = 0x30
SPE_EMI: Final = 0x31
LIGHT_VECTOR: Final = 0x32
LIGHT_COLOR: Final = 0x33
SHININESS: Final = 0x34
BEGIN_VTXS: Final = 0x40
END_VTXS: Final = 0x41
SWAP_BUFFERS: Final = 0x50
VIEWPORT: Final = 0x60
BOX_TEST: Final = 0x70
POS_TEST: Final = 0x71
VEC_TEST: Final = 0x72

PARAMETERS: Final[dict[int, int]] = {
    NOP: 0,
    MTX_MODE: 1,
    MTX_PUSH: 0,
    MTX_POP: 1,
    MTX_STORE: 1,
    MTX_RESTORE: 1,
    MTX_IDENTITY: 0,
    MTX_LOAD_4X4: 16,
    MTX_LOAD_4X3: 12,
    MTX_MULT_4X4: 16,
    MTX_MULT_4X3: 12,
    MTX_MULT_3X3: 9,
    MTX_SCALE: 3,
    MTX_TRANS: 3,
    COLOR: 1,
    NORMAL: 1,
    TEXCOORD: 1,
    VTX_16: 2,
    VTX_10: 1,
    VTX_XY: 1,
    VTX_XZ: 1,
    VTX_YZ: 1,
    VTX_DIFF: 1,
    POLYGON_ATTR: 1,
    TEXIMAGE_PARAM: 1,
    PLTT_BASE: 1,
    DIF_AMB: 1,
    SPE_EMI: 1,
    LIGHT_VECTOR: 1,
    LIGHT_COLOR: 1,
    SHININESS: 32,
    BEGIN_VTXS: 1,
    END_VTXS: 0,
    SWAP_BUFFERS: 1,
    VIEWPORT: 1,
    BOX_TEST: 3,
    POS_TEST: 2,
    VEC_TEST: 1,
}
"""Parameter words of every command that exists."""

TRIANGLES: Final = 0
QUADS: Final = 1
TRIANGLE_STRIP: Final = 2
QUAD_STRIP: Final = 3

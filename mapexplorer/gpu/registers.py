"""The rendering registers of the 3D engine: their places in the register array and their bits (GBATEK names).

A register array is uint32 (88,): every entry holds the value that the program wrote to the register.
"""

from __future__ import annotations

from typing import Final

DISP3DCNT: Final = 0
ALPHA_TEST_REF: Final = 1
CLEAR_COLOR: Final = 2
CLEAR_DEPTH: Final = 3
CLRIMAGE_OFFSET: Final = 4
FOG_COLOR: Final = 5
FOG_OFFSET: Final = 6
DISP_1DOT_DEPTH: Final = 7
SWAP_BUFFERS_INIT: Final = 8
"""The parameter of the SWAP_BUFFERS before the first command; bit 1 selects W-buffering of the first frame."""
EDGE_COLOR: Final = 16
TOON_TABLE: Final = 24
FOG_TABLE: Final = 56
COUNT: Final = 88

TEXTURES: Final = 1 << 0
HIGHLIGHT: Final = 1 << 1
ALPHA_TEST: Final = 1 << 2
ALPHA_BLENDING: Final = 1 << 3
ANTI_ALIASING: Final = 1 << 4
EDGE_MARKING: Final = 1 << 5
FOG_ALPHA_ONLY: Final = 1 << 6
FOG: Final = 1 << 7
REAR_BITMAP: Final = 1 << 14
"""Bits of DISP3DCNT; bits 8-11 are the fog shift."""

TEXTURE_VRAM_SIZE: Final = 0x80000
PALETTE_VRAM_SIZE: Final = 0x20000
WIDTH: Final = 256
HEIGHT: Final = 192
PIXELS: Final = WIDTH * HEIGHT

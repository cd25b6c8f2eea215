"""The registers of a 2D engine: their places in the register array and their bits (GBATEK names).

A register array is int64 (COUNT,): every entry holds the value that the program wrote to the register, signed where the
register is.
"""

from __future__ import annotations

from typing import Final

DISPCNT: Final = 0
BG0CNT: Final = 1
"""BG0CNT to BG3CNT."""
BG0HOFS: Final = 5
BG0VOFS: Final = 6
"""BG0HOFS, BG0VOFS, and so on to BG3VOFS."""
BG2PA: Final = 13
"""BG2PA, PB, PC, PD (1/256), X, Y (1/256 pixel), and the same of BG3."""
WIN0V: Final = 25
"""WIN0V, WIN1V: the line where a window begins in bits 8-15, the one behind its last in bits 0-7."""
WININ: Final = 27
WINOUT: Final = 28
BLDCNT: Final = 29
BLDALPHA: Final = 30
COUNT: Final = 31

SHOWS_3D: Final = 1 << 3
"""DISPCNT: BG0 is the picture of the 3D engine. Bits 0-2 are the mode of the backgrounds."""
ONE_DIMENSIONAL: Final = 1 << 4
"""DISPCNT: tiles of a sprite follow one another; bits 20-21: a tile number counts 32, 64, 128 or 256 bytes."""
SHOWN: Final = 8
"""DISPCNT: BG0 to BG3 and the sprites are shown, from this bit on."""
WINDOW_SHOWN: Final = 13
"""DISPCNT: windows 0, 1 and that of the sprites are used, from this bit on."""

PRIORITY: Final = 3
COLORS_256: Final = 1 << 7
WRAPS: Final = 1 << 13
"""BGxCNT. Bits 2-5: tiles in steps of 0x4000; bits 8-12: map in steps of 0x800; bits 14-15: size."""

OBJ: Final = 4
BACKDROP: Final = 5
"""Layers 0 to 3 are the backgrounds; layer n is bit n of WININ, WINOUT and of the targets in BLDCNT."""
EFFECT: Final = 1 << 5
"""WININ, WINOUT: effects of BLDCNT apply."""
ALPHA_BLENDING: Final = 1
"""BLDCNT bits 6-7: the first targets (bits 0-5) are blended with the second ones (bits 8-13)."""

BACKGROUND_VRAM_SIZE: Final = 0x80000
OBJECT_VRAM_SIZE: Final = 0x40000
OBJECTS: Final = 128
"""Sprites in object attribute memory."""
OBJECT_PALETTE: Final = 256
"""The first colour of the sprites; the ones before are those of the backgrounds."""

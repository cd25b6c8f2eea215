"""The seven texture formats of the DS by number, as TEXIMAGE_PARAM names them; `formats.nds.texels` decodes them."""

from __future__ import annotations

from typing import Final

A3I5: Final = 1
COLORS_4: Final = 2
COLORS_16: Final = 3
COLORS_256: Final = 4
COMPRESSED_4X4: Final = 5
A5I3: Final = 6
DIRECT: Final = 7

BITS: Final = {A3I5: 8, COLORS_4: 2, COLORS_16: 4, COLORS_256: 8, COMPRESSED_4X4: 2, A5I3: 8, DIRECT: 16}
"""Bits per texel."""
COLORS: Final = {A3I5: 32, COLORS_4: 4, COLORS_16: 16, COLORS_256: 256, A5I3: 8}
"""Number of colours of each format with indices."""

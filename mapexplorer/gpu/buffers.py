"""The buffers of the rendering engine, the bits of their words, and the values that are constant during a frame.

Two layers of colour, depth and attributes are in int32 arrays of 2 * PIXELS entries, the topmost layer first. A
colour holds r, g, b (0..63) in bytes 0-2 and alpha (0..31) in byte 3. The layer underneath exists for anti-aliasing
only: it is written when anti-aliasing is on and is valid where the topmost layer has edge bits.
"""

from __future__ import annotations

from typing import Final

from mapexplorer.gpu.registers import PIXELS

LAYER: Final = PIXELS
"""Distance of a pixel underneath from the topmost one."""

# Bits of an attribute word
EDGES: Final = 0xF
LEFT_EDGE: Final = 1
RIGHT_EDGE: Final = 2
TOP_EDGE: Final = 4
BOTTOM_EDGE: Final = 8
BACK_FACING: Final = 0x10
COVERAGE: Final = 0x1F00
FOGGED: Final = 0x8000
TRANSLUCENT_PIXEL: Final = 0x400000
TRANSLUCENT_ID: Final = 0x7F0000
"""ID of the last translucent polygon and the translucent flag."""
OPAQUE_ID: Final = 0x3F000000

# Modes of POLYGON_ATTR (0 is modulation), and its bits
DECAL: Final = 1
TOON: Final = 2
SHADOW_MODE: Final = 3
UPDATE_DEPTH: Final = 0x800
DEPTH_EQUAL: Final = 0x4000

# `frame`, int64 (FRAME_SIZE,): what stays constant during a frame
CONTROL: Final = 0
"""DISP3DCNT."""
ALPHA_REFERENCE: Final = 1
TONES: Final = 2
"""The toon table as colours."""
FOG_DENSITIES: Final = TONES + 32
"""The fog table with its first entry doubled: in bits 0-31 the density, in bits 32-63 the signed difference of the next
one."""
FRAME_SIZE: Final = FOG_DENSITIES + 33

# `rows`, int32 (ROW_COUNT, 256): the pixels of the span that is being drawn, one array for each quantity
ROW_COUNT: Final = 8
SPAN_DEPTHS: Final = 0
"""Depth of every pixel of the span."""
POSITIONS: Final = 1
"""From here on only of the pixels that pass the depth test: position in the span,"""
TARGETS: Final = 2
"""place in the buffers (with the layer),"""
DEPTHS: Final = 3
"""depth,"""
SOURCES: Final = 4
"""colour and alpha,"""
TEXELS: Final = 5
"""texel colour and alpha; before that the texture coordinate s,"""
COORDINATES: Final = 6
"""the texture coordinate t,"""
TONE: Final = 7
"""the toon or highlight colour."""

# `stencil`, int32 (STENCIL_SIZE,): two rows of shadow bits, and whether the span drawn last was one of a shadow mask
STENCIL_MASK_DRAWN: Final = 512
STENCIL_SIZE: Final = 513

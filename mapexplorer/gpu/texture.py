"""Texture addressing and fetching for the pixels of a span (GBATEK: DS 3D Texture Attributes, Formats)."""

from __future__ import annotations

from formats.kernel import kernel
from formats.nds.texels import palette_color, stored_texel, vram_texel
from mapexplorer.arrays import Bytes, Int32
from mapexplorer.gpu.integers import Int, color_of
from mapexplorer.gpu.registers import PALETTE_VRAM_SIZE, TEXTURE_VRAM_SIZE

TEXTURE_MASK = TEXTURE_VRAM_SIZE - 1
PALETTE_MASK = PALETTE_VRAM_SIZE - 1


@kernel
def wrap_coordinates(values: Int32, count: Int, shift: Int, repeat: bool, mirror: bool) -> None:
    """Texture coordinates (12.4) of one axis to texels inside 0 <= texel < 1 << shift."""
    last = (1 << shift) - 1
    if not repeat:
        for i in range(count):
            values[i] = min(max(values[i] >> 4, 0), last)
    elif mirror:
        for i in range(count):
            value = values[i] >> 4
            # In every second repetition the bits are inverted, which counts the texels backward.
            values[i] = (value ^ -(value >> shift & 1)) & last
    else:
        for i in range(count):
            values[i] = values[i] >> 4 & last


@kernel
def fetch_texels(texture: Bytes, palette: Bytes, teximage: Int, pltt_base: Int, s: Int32, t: Int32, count: Int) -> None:
    """s[i] becomes texel (s[i], t[i]) as a colour with alpha."""
    form = (teximage >> 26) & 7
    shift = 3 + ((teximage >> 20) & 7)
    wrap_coordinates(s, count, shift, (teximage >> 16) & 1 != 0, (teximage >> 18) & 1 != 0)
    wrap_coordinates(t, count, 3 + ((teximage >> 23) & 7), (teximage >> 17) & 1 != 0, (teximage >> 19) & 1 != 0)
    address = (teximage & 0xFFFF) * 8
    base = pltt_base * (8 if form == 2 else 16)
    color0 = 0 if (teximage >> 29) & 1 else 31
    if form == 1:
        for i in range(count):
            index, alpha = stored_texel(texture, TEXTURE_MASK, 1, address, (t[i] << shift) + s[i])
            s[i] = color_of(palette_color(palette, PALETTE_MASK, base + 2 * index)) | alpha << 24
    elif form == 6:
        for i in range(count):
            index, alpha = stored_texel(texture, TEXTURE_MASK, 6, address, (t[i] << shift) + s[i])
            s[i] = color_of(palette_color(palette, PALETTE_MASK, base + 2 * index)) | alpha << 24
    elif form == 5 or form == 7:
        for i in range(count):
            color, alpha = vram_texel(texture, palette, form, address, base, 1 << shift, s[i], t[i], color0)
            s[i] = color_of(color) | alpha << 24
    else:
        for i in range(count):
            index, _ = stored_texel(texture, TEXTURE_MASK, form, address, (t[i] << shift) + s[i])
            alpha = color0 if index == 0 else 31
            s[i] = color_of(palette_color(palette, PALETTE_MASK, base + 2 * index)) | alpha << 24

"""The colour of pixels from vertex colour, texel, toon table and polygon alpha (GBATEK: DS 3D Texture Blending).

Colours hold 6-bit r, g, b in bytes 0-2 and 5-bit alpha in byte 3; rows of them are combined at once.
"""

from __future__ import annotations

from formats.kernel import kernel
from mapexplorer.arrays import Int32, Int64
from mapexplorer.gpu.buffers import CONTROL, DECAL, SHADOW_MODE, TONES, TOON
from mapexplorer.gpu.integers import Int
from mapexplorer.gpu.registers import HIGHLIGHT


@kernel
def apply_tone(frame: Int64, colors: Int32, tone: Int32, count: Int) -> None:
    """Toon: the vertex colour becomes the tone of its red. Highlight: it becomes grey, the tone is kept to be added."""
    highlight = frame[CONTROL] & HIGHLIGHT != 0
    for i in range(count):
        red = colors[i] & 63
        tone[i] = frame[TONES + (red >> 1)]
        colors[i] = red * 0x010101 if highlight else tone[i]


@kernel
def add_tone(colors: Int32, tone: Int32, count: Int) -> None:
    """Highlight: add the tone, at most 63 per channel."""
    for i in range(count):
        color = colors[i]
        red = min(63, (color & 63) + (tone[i] & 63))
        green = min(63, (color >> 8 & 63) + (tone[i] >> 8 & 63))
        blue = min(63, (color >> 16 & 63) + (tone[i] >> 16 & 63))
        colors[i] = color & 0x1F000000 | red | green << 8 | blue << 16


@kernel
def modulate(colors: Int32, texels: Int32, count: Int, alpha: Int) -> None:
    for i in range(count):
        v = colors[i]
        t = texels[i]
        red = (((t & 63) + 1) * ((v & 63) + 1) - 1) >> 6
        green = (((t >> 8 & 63) + 1) * ((v >> 8 & 63) + 1) - 1) >> 6
        blue = (((t >> 16 & 63) + 1) * ((v >> 16 & 63) + 1) - 1) >> 6
        opacity = (((t >> 24 & 31) + 1) * (alpha + 1) - 1) >> 5
        colors[i] = red | green << 8 | blue << 16 | opacity << 24


@kernel
def decal(colors: Int32, texels: Int32, count: Int, alpha: Int) -> None:
    for i in range(count):
        v = colors[i]
        t = texels[i]
        opacity = t >> 24 & 31
        if opacity == 31:
            mixed = t & 0xFFFFFF
        elif opacity == 0:
            mixed = v
        else:
            # Red and blue side by side: neither reaches the other's bits.
            outer = ((t & 0x3F003F) * opacity + (v & 0x3F003F) * (31 - opacity)) >> 5 & 0x3F003F
            inner = ((t & 0x3F00) * opacity + (v & 0x3F00) * (31 - opacity)) >> 5 & 0x3F00
            mixed = outer | inner
        colors[i] = mixed | alpha << 24


@kernel
def keeps_alpha(mode: Int, teximage: Int) -> bool:
    """Whether texels leave a pixel the alpha of its polygon: no transparent texels, or a mode that ignores them."""
    form = teximage >> 26 & 7
    return mode in (DECAL, SHADOW_MODE) or (2 <= form <= 4 and teximage >> 29 & 1 == 0)


@kernel
def combine(
    frame: Int64,
    mode: Int,
    alpha: Int,
    textured: bool,
    colors: Int32,
    texels: Int32,
    tone: Int32,
    count: Int,
) -> None:
    """colors[i] becomes the colour and alpha of a pixel from its vertex colour; `alpha` is the polygon's."""
    wireframe = alpha == 0
    if mode == TOON:
        apply_tone(frame, colors, tone, count)
    if textured and (mode in (DECAL, SHADOW_MODE)):
        decal(colors, texels, count, alpha)
    elif textured:
        modulate(colors, texels, count, alpha)
    elif not wireframe:
        for i in range(count):
            colors[i] |= alpha << 24
    if mode == TOON and frame[CONTROL] & HIGHLIGHT != 0:
        add_tone(colors, tone, count)
    if wireframe:
        for i in range(count):
            colors[i] = colors[i] & 0xFFFFFF | 0x1F000000

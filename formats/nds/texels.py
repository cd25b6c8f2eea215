"""The seven texel formats of the DS: fetching one texel, decoding and encoding whole images.

Rows go from the top, texels from the left. Colours are 15-bit words (`formats.nds.colors`), alpha is 0..31.

1 A3I5: byte of index (bits 0-4) and alpha (5-7); 2, 3, 4: indices of 2, 4, 8 bits, the first texel lowest;
5: blocks of 4x4 texels, row by row of blocks, a byte of four 2-bit texels for each row of a block, and for each block
a word of palette offset in 4 bytes (bits 0-13) and kind (14-15); 6 A5I3: index (0-2), alpha (3-7); 7: colour and,
in bit 15, opacity. The block words are in an area of their own: at half the offset in a file, in VRAM in the second
slot.

Source: GBATEK and the hardware's behaviour.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from formats.binary import require
from formats.kernel import entry, kernel, reads, writes
from formats.nds.texture_format import A3I5, A5I3, BITS, COLORS, COMPRESSED_4X4

_PALETTE_SIZE: Final = 0x20000
_TEXTURE_MASK: Final = 0x7FFFF
_PALETTE_MASK: Final = 0x1FFFF

Bytes = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint16]
Integer = int | np.int64
"""The number types of kernels; numba treats them alike."""


@kernel
def palette_color(palette: Bytes, mask: Integer, address: Integer) -> Integer:
    """The colour word at a byte address of palette memory; `mask` is the memory's size - 1."""
    word: Integer = np.int64(palette[address & mask]) | np.int64(palette[(address + 1) & mask]) << 8
    return word & 0x7FFF


@kernel
def blend_colors(first: Integer, second: Integer, part: Integer, other: Integer, shift: Integer) -> Integer:
    """(part * first + other * second) >> shift in each 5-bit channel."""
    red = (part * (first & 31) + other * (second & 31)) >> shift
    green = (part * (first >> 5 & 31) + other * (second >> 5 & 31)) >> shift
    blue = (part * (first >> 10 & 31) + other * (second >> 10 & 31)) >> shift
    return red | green << 5 | blue << 10


@kernel
def block_texel(palette: Bytes, mask: Integer, base: Integer, info: Integer, value: Integer) -> tuple[Integer, Integer]:
    """Colour and alpha of the 2-bit texel `value` in a 4x4 block with the word `info`; `base` is in bytes."""
    place = base + 4 * (info & 0x3FFF)
    kind = info >> 14
    if value < 2 or kind == 2 or (kind == 0 and value == 2):
        return palette_color(palette, mask, place + 2 * value), 31
    if value == 3 and kind < 2:
        return 0, 0
    first = palette_color(palette, mask, place)
    second = palette_color(palette, mask, place + 2)
    if kind == 1:
        return blend_colors(first, second, 1, 1, 1), 31
    if value == 2:
        return blend_colors(first, second, 5, 3, 3), 31
    return blend_colors(first, second, 3, 5, 3), 31


@kernel
def stored_texel(
    texels: Bytes, mask: Integer, form: Integer, address: Integer, place: Integer
) -> tuple[Integer, Integer]:
    """Index and alpha (0..31) of texel number `place` of an image of format 1, 2, 3, 4 or 6 at a byte address.

    `mask` is the memory's size - 1. The transparency of colour 0 is ignored.
    """
    if form == 2:
        return np.int64(texels[(address + (place >> 2)) & mask]) >> (2 * (place & 3)) & 3, 31
    if form == 3:
        return np.int64(texels[(address + (place >> 1)) & mask]) >> (4 * (place & 1)) & 15, 31
    value = np.int64(texels[(address + place) & mask])
    if form == 1:
        return value & 31, value >> 5 << 2 | value >> 6
    if form == 6:
        return value & 7, value >> 3
    return value, 31


@kernel
def plain_texel(
    texels: Bytes,
    mask: Integer,
    palette: Bytes,
    palette_mask: Integer,
    form: Integer,
    address: Integer,
    base: Integer,
    place: Integer,
    color0: Integer,
) -> tuple[Integer, Integer]:
    """Colour and alpha of texel number `place` of an image of any format but 5; `color0` is the alpha of index 0.

    `address` and `base` are byte addresses in memories of size mask + 1; `color0` is used by formats 2, 3, 4.
    """
    if form == 7:
        at = address + 2 * place
        word = np.int64(texels[at & mask]) | np.int64(texels[(at + 1) & mask]) << 8
        return word & 0x7FFF, 31 if word & 0x8000 else 0
    index, alpha = stored_texel(texels, mask, form, address, place)
    if index == 0 and 2 <= form <= 4:
        alpha = color0
    return palette_color(palette, palette_mask, base + 2 * index), alpha


@kernel
def vram_texel(
    texture: Bytes,
    palette: Bytes,
    form: Integer,
    address: Integer,
    base: Integer,
    width: Integer,
    s: Integer,
    t: Integer,
    color0: Integer,
) -> tuple[Integer, Integer]:
    """Colour and alpha of texel (s, t), already wrapped, as the hardware fetches it from texture and palette memory.

    `texture` has 0x80000 bytes, `palette` 0x20000; `address` and `base` are byte addresses; `color0` is the alpha of
    index 0 in formats 2, 3, 4. Texel bytes of format 5 in the second slot read as 0.
    """
    if form == 5:
        at = (address + (t & 0x3FC) * (width >> 2) + (s & 0x3FC) + (t & 3)) & _TEXTURE_MASK
        word = 0x20000 + ((at & 0x1FFFC) >> 1) + (0x10000 if at >= 0x40000 else 0)
        value = 0 if 0x20000 <= at < 0x40000 else np.int64(texture[at]) >> (2 * (s & 3)) & 3
        info = np.int64(texture[word]) | np.int64(texture[word + 1]) << 8
        return block_texel(palette, _PALETTE_MASK, base, info, value)
    return plain_texel(texture, _TEXTURE_MASK, palette, _PALETTE_MASK, form, address, base, t * width + s, color0)


def decode_rgba(
    form: int,
    width: int,
    height: int,
    texels: bytes,
    palette: npt.ArrayLike = (),
    *,
    color0_transparent: bool = False,
    indices: bytes = b"",
) -> Bytes:
    """An image as uint8 (height, width, 4) RGBA. `palette` are colour words; colours beyond its end are black."""
    colors, alphas = decode(
        form, width, height, texels, palette, color0_transparent=color0_transparent, indices=indices
    )
    rgba = np.empty((height, width, 4), np.uint8)
    _to_rgba(colors, alphas, rgba)
    return rgba


def decode(
    form: int,
    width: int,
    height: int,
    texels: bytes,
    palette: npt.ArrayLike = (),
    *,
    color0_transparent: bool = False,
    indices: bytes = b"",
) -> tuple[Words, Bytes]:
    """An image as colour words and alpha 0..31, both (height, width). Raises ValueError for data of the wrong size."""
    data, words = _checked(form, width, height, texels, indices)
    memory = np.zeros(_PALETTE_SIZE if form == COMPRESSED_4X4 else 512, np.uint8)
    stored = np.ascontiguousarray(palette, "<u2").view(np.uint8)[: len(memory)]
    memory[: len(stored)] = stored
    colors = np.empty((height, width), np.uint16)
    alphas = np.empty((height, width), np.uint8)
    _decode(data, words, memory, form, 0 if color0_transparent else 31, colors, alphas)
    return colors, alphas


def decode_indices(form: int, width: int, height: int, texels: bytes) -> tuple[Bytes, Bytes]:
    """Palette indices and alpha 0..31 of an image of format 1, 2, 3, 4 or 6, both (height, width).

    Alpha is that of the texels, 31 in formats without alpha.
    """
    require(form in COLORS, f"texel format {form} has no palette indices")
    data, _ = _checked(form, width, height, texels, b"")
    indices = np.empty((height, width), np.uint8)
    alphas = np.empty((height, width), np.uint8)
    _decode_indices(data, form, indices, alphas)
    return indices, alphas


def encode_indices(form: int, indices: npt.ArrayLike, alphas: npt.ArrayLike | None = None) -> bytes:
    """The texels of an image of format 1, 2, 3, 4 or 6 from palette indices (height, width).

    `alphas` (0..31) are used by formats 1 and 6; format 1 keeps the upper 3 bits. Raises ValueError for values that do
    not fit.
    """
    require(form in COLORS, f"texel format {form} has no palette indices")
    values = np.asarray(indices)
    if values.size and not (values.min() >= 0 and values.max() < COLORS[form]):
        raise ValueError(f"texel format {form} has indices 0..{COLORS[form] - 1}, not {values.min()}..{values.max()}")
    values = values.astype(np.uint8)
    if form in (A3I5, A5I3):
        opacity = _checked_alphas(values.shape, alphas)
        upper = opacity >> 2 << 5 if form == A3I5 else opacity << 3
        return bytes(values | upper.astype(np.uint8))
    bits = BITS[form]
    groups = values.reshape(-1, 8 // bits)
    packed = np.zeros(len(groups), np.uint8)
    for place in range(8 // bits):
        packed |= groups[:, place] << (bits * place)
    return packed.tobytes()


def encode_direct(colors: npt.ArrayLike, alphas: npt.ArrayLike | None = None) -> bytes:
    """The texels of a direct image (format 7) from colour words; alpha 16 and more is opaque."""
    words: Words = np.asarray(colors, np.uint16) & np.uint16(0x7FFF)
    words = words | (_checked_alphas(words.shape, alphas) >= 16).astype(np.uint16) << np.uint16(15)
    return words.astype("<u2").tobytes()


def _checked(form: int, width: int, height: int, texels: bytes, indices: bytes) -> tuple[Bytes, Bytes]:
    require(form in BITS, f"there is no texel format {form}")
    require(
        width >= 8 and height >= 8 and not width & (width - 1) and not height & (height - 1),
        f"a texture's size is 8, 16, ... 1024 texels, not {width} x {height}",
    )
    size = width * height * BITS[form] >> 3
    words = size >> 1 if form == COMPRESSED_4X4 else 0
    if len(texels) != size or len(indices) != words:
        sizes = f"{len(texels)} and {len(indices)}"
        raise ValueError(f"the image needs {size} bytes of texels and {words} of block words, not {sizes}")
    return np.frombuffer(texels, np.uint8), np.frombuffer(indices, np.uint8)


def _checked_alphas(shape: tuple[int, ...], alphas: npt.ArrayLike | None) -> Bytes:
    if alphas is None:
        return np.full(shape, 31, np.uint8)
    values = np.broadcast_to(np.asarray(alphas), shape)
    require(not values.size or (values.min() >= 0 and values.max() <= 31), "alpha is 0..31")
    return values.astype(np.uint8)


@entry(
    texels=reads(np.uint8),
    words=reads(np.uint8),
    palette=reads(np.uint8),
    form=int,
    color0=int,
    colors=writes(np.uint16, 2),
    alphas=writes(np.uint8, 2),
)
def _decode(texels: Bytes, words: Bytes, palette: Bytes, form: int, color0: int, colors: Words, alphas: Bytes) -> None:
    height, width = colors.shape
    mask = len(texels) - 1
    palette_mask = len(palette) - 1
    for t in range(height):
        for s in range(width):
            if form == 5:
                block = (t >> 2) * (width >> 2) + (s >> 2)
                info = words[2 * block] | words[2 * block + 1] << 8
                value = texels[4 * block + (t & 3)] >> (2 * (s & 3)) & 3
                color, alpha = block_texel(palette, palette_mask, 0, info, value)
            else:
                color, alpha = plain_texel(texels, mask, palette, palette_mask, form, 0, 0, t * width + s, color0)
            colors[t, s] = color
            alphas[t, s] = alpha


@entry(texels=reads(np.uint8), form=int, indices=writes(np.uint8, 2), alphas=writes(np.uint8, 2))
def _decode_indices(texels: Bytes, form: int, indices: Bytes, alphas: Bytes) -> None:
    height, width = indices.shape
    mask = len(texels) - 1
    for t in range(height):
        for s in range(width):
            index, alpha = stored_texel(texels, mask, form, 0, t * width + s)
            indices[t, s] = index
            alphas[t, s] = alpha


@entry(colors=reads(np.uint16, 2), alphas=reads(np.uint8, 2), rgba=writes(np.uint8, 3))
def _to_rgba(colors: Words, alphas: Bytes, rgba: Bytes) -> None:
    height, width = colors.shape
    for t in range(height):
        for s in range(width):
            color = np.int64(colors[t, s])
            for channel in range(3):
                value = color >> (5 * channel) & 31
                rgba[t, s, channel] = value << 3 | value >> 2
            alpha = np.int64(alphas[t, s])
            rgba[t, s, 3] = alpha << 3 | alpha >> 2

"""Textures as PNG pictures whose colour numbers are those of the texels, and back.

A picture of a format with a palette is a palette PNG: its numbers count, its colours are for looking. Formats 1 and 6,
whose texels have a colour and an alpha, have a PNG number for each value of the texel's byte. The direct format is a
true-colour PNG. The compressed format 5 has no picture: its blocks would not come back from their colours.
"""

from __future__ import annotations

import io
import struct
from string import hexdigits
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from formats.binary import require
from formats.nds import colors, texels
from formats.nds.texture_format import A3I5, A5I3, COLORS, DIRECT
from formats.nitro.tex0 import Palette, Texture
from mapexplorer.export.images import SIGNATURE, encode_indexed_png, encode_png

WITH_PICTURE: Final = frozenset({*COLORS, DIRECT})
"""The formats with a picture."""

_SIDE: Final = 16
"""The side of a square with every byte."""


def texture_png(texture: Texture, palette: Palette | None) -> bytes:
    """The picture of a texture of a format in `WITH_PICTURE`."""
    height, width = texture.height, texture.width
    if texture.format == DIRECT:
        none = np.zeros(0, np.uint16)
        return encode_png(texels.decode_rgba(DIRECT, width, height, texture.texels, none, color0_transparent=False))
    count = COLORS[texture.format]
    shown = _shown_colors(palette, count)
    if texture.format in (A3I5, A5I3):
        numbers = np.frombuffer(texture.texels, np.uint8).reshape(height, width)
        indices, alphas = texels.decode_indices(texture.format, _SIDE, _SIDE, bytes(range(_SIDE * _SIDE)))
        return encode_indexed_png(numbers, shown[indices.ravel()], colors.to_8_bits(alphas.ravel()))
    numbers, _ = texels.decode_indices(texture.format, width, height, texture.texels)
    alpha = np.zeros(1, np.uint8) if texture.color0_transparent else None
    return encode_indexed_png(numbers, shown, alpha)


def png_texels(data: bytes, form: int, width: int, height: int, palette: Palette | None) -> bytes:
    """The texels of a picture. Raises ValueError for a file that is no PNG, another size, a colour number that the
    format does not have, or, in a picture without numbers, a colour that the palette does not have."""
    from PIL import Image

    require(data.startswith(SIGNATURE) and len(data) >= 24, "this is no PNG picture")
    size = struct.unpack_from(">II", data, 16)
    require(size == (width, height), f"the picture has {size[0]} x {size[1]} pixels, the texture {width} x {height}")
    try:
        with Image.open(io.BytesIO(data), formats=("PNG",)) as image:
            if image.mode == "P" and form != DIRECT:
                return _from_numbers(np.asarray(image, np.uint8), form)
            pixels = np.asarray(image.convert("RGBA"), np.uint8)
    except (OSError, SyntaxError) as error:
        raise ValueError(f"the PNG picture is damaged ({error})") from None
    alphas = colors.to_5_bits(pixels[..., 3])
    words = _words(pixels)
    if form == DIRECT:
        return texels.encode_direct(words, alphas)
    return _from_colors(words, alphas, form, palette)


def _from_numbers(numbers: npt.NDArray[np.uint8], form: int) -> bytes:
    if form in (A3I5, A5I3):
        return numbers.tobytes()
    last = COLORS[form] - 1
    if numbers.max() > last:
        y, x = np.argwhere(numbers > last)[0].tolist()
        raise ValueError(f"pixel {x}, {y} has colour number {numbers[y, x]}, the last of this texture is {last}")
    return texels.encode_indices(form, numbers)


def _from_colors(
    words: npt.NDArray[np.uint16], alphas: npt.NDArray[np.uint8], form: int, palette: Palette | None
) -> bytes:
    known = (palette.colors if palette is not None else np.zeros(0, np.uint16))[: COLORS[form]] & 0x7FFF
    numbers = np.full(0x8000, -1, np.int16)
    numbers[known[::-1]] = np.arange(len(known), dtype=np.int16)[::-1]
    indices = numbers[words]
    indices[alphas == 0] = 0
    if (indices < 0).any():
        y, x = np.argwhere(indices < 0)[0].tolist()
        color = "#" + colors.to_rgb8(words[y, x]).tobytes().hex()
        raise ValueError(f"pixel {x}, {y} has the colour {color}, which its palette does not have")
    return texels.encode_indices(form, indices, alphas if form in (A3I5, A5I3) else None)


def _words(pixels: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint16]:
    five = colors.to_5_bits(pixels[..., :3]).astype(np.uint16)
    return (five[..., 0] | five[..., 1] << 5 | five[..., 2] << 10).astype(np.uint16)


def _shown_colors(palette: Palette | None, count: int) -> npt.NDArray[np.uint8]:
    """(count, 3) the colours of a palette; black where it ends, greys without one."""
    if palette is None:
        greys = np.linspace(0, 255, count).astype(np.uint8)
        return np.repeat(greys[:, None], 3, axis=1)
    own = colors.to_rgb8(palette.colors[:count])
    return np.pad(own, ((0, count - len(own)), (0, 0)))


def color_texts(words: npt.NDArray[np.uint16]) -> list[str] | None:
    """The colours of a palette as `#rrggbb`; None where bit 15 of one is set."""
    if (words >> 15).any():
        return None
    return [f"#{row.tobytes().hex()}" for row in colors.to_rgb8(words)]


def text_colors(texts: list[Any]) -> npt.NDArray[np.uint16]:
    """The colours in texts of `color_texts`. Raises ValueError whose argument is the index of another text."""
    for index, text in enumerate(texts):
        if not (isinstance(text, str) and len(text) == 7 and text[0] == "#" and set(text[1:]) <= set(hexdigits)):
            raise ValueError(index)
    components = bytes.fromhex("".join(texts).replace("#", ""))
    return _words(np.frombuffer(components, np.uint8).reshape(-1, 3))

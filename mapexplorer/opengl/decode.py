"""Textures as texels of the shaders: red, green and blue in 6 bits plus 1, alpha in 5 bits. This module does not use
OpenGL."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from formats.nds import texels
from formats.nitro.tex0 import Palette, Texture

_FIVE_BITS = np.arange(256) >> 3
_PLUS_ONE = (2 * _FIVE_BITS + np.minimum(_FIVE_BITS, 1) + 1).astype(np.uint8)
"""6 bits plus 1 of a channel of 8 bits."""

WHITE = np.array([[[64, 64, 64, 31]]], np.uint8)
"""A texel that changes no colour, (1, 1, 4)."""


def decoded(texture: Texture, palette: Palette | None, data: bytes | None = None) -> npt.NDArray[np.uint8]:
    """Texels (height, width, 4), cached; `data` replaces the texture's own texels."""
    return _decoded(texture, palette) if data is None else _decode(texture, palette, data)


@lru_cache(maxsize=4096)
def _decoded(texture: Texture, palette: Palette | None) -> npt.NDArray[np.uint8]:
    return _decode(texture, palette, texture.texels)


def _decode(texture: Texture, palette: Palette | None, data: bytes) -> npt.NDArray[np.uint8]:
    colors = texels.decode_rgba(
        texture.format,
        texture.width,
        texture.height,
        data,
        () if palette is None else palette.colors,
        color0_transparent=texture.color0_transparent,
        indices=texture.indices,
    )
    return np.concatenate([_PLUS_ONE[colors[..., :3]], colors[..., 3:] >> 3], axis=-1)

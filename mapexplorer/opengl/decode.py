"""Textures as RGBA bytes. This module does not use OpenGL."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from formats.nds import texels
from formats.nitro.tex0 import Palette, Texture


def decoded(texture: Texture, palette: Palette | None, data: bytes | None = None) -> npt.NDArray[np.uint8]:
    """RGBA bytes (height, width, 4), cached; `data` replaces the texture's own texels."""
    return _decoded(texture, palette) if data is None else _decode(texture, palette, data)


@lru_cache(maxsize=4096)
def _decoded(texture: Texture, palette: Palette | None) -> npt.NDArray[np.uint8]:
    return _decode(texture, palette, texture.texels)


def _decode(texture: Texture, palette: Palette | None, data: bytes) -> npt.NDArray[np.uint8]:
    return texels.decode_rgba(
        texture.format,
        texture.width,
        texture.height,
        data,
        () if palette is None else palette.colors,
        color0_transparent=texture.color0_transparent,
        indices=texture.indices,
    )

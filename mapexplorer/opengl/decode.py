"""Textures as RGBA bytes. No OpenGL here."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from formats.nds import texels
from formats.nitro.tex0 import Palette, Texture


def decoded(texture: Texture, palette: Palette | None, data: bytes | None = None) -> npt.NDArray[np.uint8]:
    """RGBA bytes (height, width, 4); `data` instead of the texture's own texels."""
    return texels.decode_rgba(
        texture.format,
        texture.width,
        texture.height,
        texture.texels if data is None else data,
        () if palette is None else palette.colors,
        color0_transparent=texture.color0_transparent,
        indices=texture.indices,
    )

"""DS textures as PNG files: palette pictures where the format has a palette, with what their alpha contains."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import takewhile
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from formats.nds import colors, texels
from formats.nds.texture_format import A3I5, A5I3, BITS, COLORS
from formats.nitro.tex0 import Palette, Tex0, Texture
from mapexplorer.export.images import encode_indexed_png, encode_png

OPAQUE: Final = 0
CUTOUT: Final = 1
TRANSLUCENT: Final = 2
"""What the alpha of an image contains: only 31, only 0 and 31, or something between."""


class EncodedTexture(NamedTuple):
    """An encoded texture: PNG bytes, size in texels, alpha class (OPAQUE, CUTOUT, TRANSLUCENT), and, if that is
    TRANSLUCENT, the `classes` of its texels, uint8 (height, width): OPAQUE, CUTOUT for clear ones, TRANSLUCENT."""

    png: bytes
    width: int
    height: int
    alpha: int
    classes: npt.NDArray[np.uint8] | None = None


def needs_palette(texture: Texture) -> bool:
    """Whether a texture cannot be shown without a palette (all formats but direct colour)."""
    return texture.format != 7


def usual_palettes(texture: str) -> tuple[str, ...]:
    """The names that the palette of a texture has in the game's files."""
    return f"{texture}_pl", texture, f"{texture[:13]}_pl"


def suggested_palette(texture: str, palettes: Sequence[str]) -> str | None:
    """The palette of those with these names that the name of a texture suggests: one with a usual name, else the first
    of those whose names begin most like it. Texture sets do not store which belong together."""
    usual = next((name for name in usual_palettes(texture) if name in palettes), None)
    return usual or max(palettes, key=lambda name: _common_start(texture, name), default=None)


def _common_start(a: str, b: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))


def own_palette(textures: Tex0, texture: Texture) -> Palette | None:
    """The palette of a set that a texture's name suggests."""
    name = suggested_palette(texture.name, [palette.name for palette in textures.palettes])
    return None if name is None else textures.palette(name)


def joined_sets(sets: Sequence[Tex0]) -> Tex0:
    """Several sets as one; for each name the first set that has it is used."""
    if len(sets) == 1:
        return sets[0]
    textures = {texture.name: texture for tex0 in reversed(sets) for texture in reversed(tex0.textures)}
    palettes = {palette.name: palette for tex0 in reversed(sets) for palette in reversed(tex0.palettes)}
    return Tex0(tuple(textures.values()), tuple(palettes.values()))


def picture(
    texture: Texture,
    palette: Palette | None,
    *,
    mirror_s: bool = False,
    mirror_t: bool = False,
    filtered: bool = False,
) -> EncodedTexture:
    """Encode a texture with a palette; `mirror_s` / `mirror_t` append a mirrored copy to the right / below. `filtered`:
    for viewers that filter textures; clear texels have the mean colour of those beside them, not one that nobody sees.

    Equal contents are encoded once per process.
    """
    words = b"" if palette is None else palette.colors.tobytes()
    return _picture(
        texture.format,
        texture.width,
        texture.height,
        texture.color0_transparent,
        texture.texels,
        texture.indices,
        words,
        mirror_s,
        mirror_t,
        filtered,
    )


@lru_cache(maxsize=16384)
def _picture(
    form: int,
    width: int,
    height: int,
    color0_transparent: bool,
    data: bytes,
    indices: bytes,
    words: bytes,
    mirror_s: bool,
    mirror_t: bool,
    filtered: bool,
) -> EncodedTexture:
    palette = np.frombuffer(words, np.uint16)
    if form not in COLORS:
        rgba = texels.decode_rgba(
            form, width, height, data, palette, color0_transparent=color0_transparent, indices=indices
        )
        alpha_class = _alpha_class(np.unique(rgba[..., 3]), 255)
        clear = rgba[..., 3] == 0
        if filtered and clear.any() and (edge := _beside(clear)).any():
            rgba[clear, :3] = rgba[edge, :3].mean(axis=0)
        rgba = _mirrored(rgba if alpha_class else rgba[..., :3], mirror_s, mirror_t)
        classes = _texel_classes(rgba[..., 3], 255) if alpha_class == TRANSLUCENT else None
        return EncodedTexture(encode_png(rgba), rgba.shape[1], rgba.shape[0], alpha_class, classes)
    numbers_of, alphas_of = _stored(form)
    stored = np.frombuffer(data, np.uint8)
    present = np.flatnonzero(np.bincount(stored, minlength=256))
    if form in (A3I5, A5I3):
        entries, opacity = numbers_of[present, 0], alphas_of[present, 0]
        ranks = np.zeros(256, np.uint8)
        ranks[present] = np.arange(len(present))
        numbers = ranks[stored].reshape(height, width)
        alpha_class = _alpha_class(opacity, 31)
    else:
        numbers = numbers_of.take(stored, axis=0).reshape(height, width)
        used = numbers_of[present]
        entries = np.arange(int(used.max()) + 1)
        opacity = np.full(len(entries), 31, np.uint8)
        alpha_class = CUTOUT if color0_transparent and not used.all() else OPAQUE
        if alpha_class:
            opacity[0] = 0
    table = np.zeros(int(entries.max()) + 1, np.uint16)
    table[: len(palette)] = palette[: len(table)]
    rgb = colors.to_rgb8(table[entries])
    if filtered and not opacity.all() and (edge := _beside(opacity[numbers] == 0)).any():
        rgb[opacity == 0] = rgb[numbers[edge]].mean(axis=0)
    numbers = _mirrored(numbers, mirror_s, mirror_t)
    transparency = colors.to_8_bits(opacity) if alpha_class else None
    png = encode_indexed_png(numbers, rgb, transparency)
    classes = _texel_classes(opacity, 31)[numbers] if alpha_class == TRANSLUCENT else None
    return EncodedTexture(png, numbers.shape[1], numbers.shape[0], alpha_class, classes)


def _beside(clear: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """The texels that are not clear with a clear one in the eight around them; a texture repeats."""
    height, width = clear.shape
    rows = clear | clear[np.arange(-1, height - 1)] | clear[np.arange(1 - height, 1)]
    beside: npt.NDArray[np.bool_] = rows | rows[:, np.arange(-1, width - 1)] | rows[:, np.arange(1 - width, 1)]
    return beside & ~clear


@cache
def _stored(form: int) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """The palette indices and alphas (0..31) of the texels in every byte of an image, both (256, texels in a byte)."""
    count = 256 * 8 // BITS[form]
    numbers, alphas = texels.decode_indices(form, 16, count // 16, bytes(range(256)))
    return numbers.reshape(256, -1), alphas.reshape(256, -1)


def _texel_classes(alphas: npt.NDArray[np.uint8], full: int) -> npt.NDArray[np.uint8]:
    return np.where(alphas == full, OPAQUE, np.where(alphas == 0, CUTOUT, TRANSLUCENT)).astype(np.uint8)


def _alpha_class(values: np.ndarray, full: int) -> int:
    if (values == full).all():
        return OPAQUE
    return CUTOUT if ((values == full) | (values == 0)).all() else TRANSLUCENT


def _mirrored(pixels: np.ndarray, s: bool, t: bool) -> np.ndarray:
    if s:
        pixels = np.concatenate([pixels, pixels[:, ::-1]], axis=1)
    if t:
        pixels = np.concatenate([pixels, pixels[::-1]], axis=0)
    return pixels

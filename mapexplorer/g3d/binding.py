"""Binding the names of a model's materials to the textures and palettes of a set.

The library walks the distinct names of the pairing lists once and patches every listed material; a name that the set
does not hold leaves its materials unbound (drawn untextured), unless a later set has it. Names match exactly.
Source: the NITRO-System G3D library.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from formats.fixed import ONE, div
from formats.nds.texture_format import COMPRESSED_4X4, DIRECT
from formats.nitro.model import Model
from formats.nitro.tex0 import Palette, Tex0, Texture


class Addresses(NamedTuple):
    """Where in texture and palette VRAM the areas of a set begin, in bytes."""

    images: int = 0
    compressed: int = 0
    palettes: int = 0


class Bound(NamedTuple):
    """What binding gives one material.

    `image_param` is ORed into TEXIMAGE_PARAM and `palette_base` becomes PLTT_BASE; both contain VRAM places only when
    addresses were given. `mag` is the texture's original size over the material's, fx32 (width, height).
    """

    texture: Texture | None = None
    palette: Palette | None = None
    image_param: int = 0
    palette_base: int = 0
    mag: tuple[int, int] = (ONE, ONE)


class TextureBinding(NamedTuple):
    """The outcome for a model: one entry per material (None: it takes no texture), and the names that no set holds."""

    materials: tuple[Bound | None, ...]
    missing_textures: tuple[str, ...] = ()
    missing_palettes: tuple[str, ...] = ()


_UNBOUND: Final = Bound()


def pictured(texture: Texture | None, palette: Palette | None) -> bool:
    """Whether a material's image is known: its texture and, where the format needs one, its palette were found."""
    return texture is not None and (palette is not None or texture.format == DIRECT)


def textured(model: Model) -> frozenset[int]:
    """The materials that name a texture."""
    return frozenset(index for pairing in model.texture_pairings for index in pairing.materials)


def lacking(model: Model, binding: TextureBinding) -> tuple[int, ...]:
    """The materials with a texture name whose image is not known; the console draws them without a texture."""
    named = textured(model)
    return tuple(
        [
            index
            for index, bound in enumerate(binding.materials)
            if index in named and (bound is None or not pictured(bound.texture, bound.palette))
        ]
    )


def bind(model: Model, *sets: Tex0, addresses: Addresses | None = None) -> TextureBinding:
    """Bind a model to the first of `sets` that holds each name.

    With `addresses`, those of every set's areas, the words carry VRAM addresses; without, they carry none (which saves
    laying the set out).
    """
    bound: list[Bound | None] = [None] * len(model.materials)
    missing_textures = []
    missing_palettes = []
    for pairing in model.texture_pairings:
        name, indices = pairing.name, [index for index in pairing.materials if index < len(bound)]
        holding = [(textures, texture) for textures in sets if (texture := textures.texture(name)) is not None]
        if not holding:
            missing_textures.append(name)
            for index in indices:
                bound[index] = bound[index] or _UNBOUND
            continue
        textures, texture = holding[0]
        param = texture.param(texture_address(textures, name, texture, addresses))
        for index in indices:
            material = model.materials[index]
            mag = (_ratio(texture.original_width, material.width), _ratio(texture.original_height, material.height))
            bound[index] = Bound(texture, None, param, 0, mag)
    for pairing in model.palette_pairings:
        name = pairing.name
        known = [(textures, palette) for textures in sets if (palette := textures.palette(name)) is not None]
        if not known:
            missing_palettes.append(name)
            continue
        textures, palette = known[0]
        base = 0 if addresses is None else palette_base(textures, name, palette, addresses)
        for index in pairing.materials:
            if index < len(bound):
                old = bound[index] or _UNBOUND
                bound[index] = Bound(old.texture, palette, old.image_param, base, old.mag)
    return TextureBinding(tuple(bound), tuple(missing_textures), tuple(missing_palettes))


def _ratio(bound: int, own: int) -> int:
    return ONE if bound == own or not own else div(bound, own)


def texture_address(textures: Tex0, name: str, texture: Texture, addresses: Addresses | None) -> int:
    """The byte address in texture VRAM of a texture of a set; 0 for a set without addresses."""
    if addresses is None:
        return 0
    index = textures.texture_index(name)
    assert index is not None
    start = addresses.compressed if texture.format == COMPRESSED_4X4 else addresses.images
    return start + textures.layout.texture_offsets[index]


def palette_base(textures: Tex0, name: str, palette: Palette, addresses: Addresses) -> int:
    """PLTT_BASE counts 16 bytes, but 8 for palettes of 4-colour textures; the palette's flag decides."""
    index = textures.palette_index(name)
    assert index is not None
    offset = textures.layout.palette_offsets[index] >> 3
    start = addresses.palettes >> 3
    return offset + start if palette.four_colors else (offset >> 1) + (start >> 1)

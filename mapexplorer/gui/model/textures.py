"""The textures of a set as the window shows them."""

from __future__ import annotations

from dataclasses import dataclass

from mapexplorer.export.texture_sets import named_on, pairs_of
from mapexplorer.export.textures import needs_palette, own_palette, picture
from mapexplorer.world.models.texture_sets import SetKey
from mapexplorer.world.world import FieldWorld


@dataclass(frozen=True, eq=False)
class ShownTexture:
    """A texture with a palette, decoded: PNG bytes, or None where it needs a palette that is missing."""

    index: int
    """Its number in the set."""
    name: str
    """Its name in the set."""
    palette: str
    """The name of the palette; empty: without one."""
    format: int
    """The texel format of the hardware."""
    width: int
    """Texels from left to right."""
    height: int
    """Texels from top to bottom."""
    used: bool
    """Whether a model of the place uses it."""
    png: bytes | None
    """The picture."""


def decode(
    world: FieldWorld, header: int, key: SetKey, palette: str | None = None, only: int | None = None
) -> list[ShownTexture]:
    """The textures of a set with the palettes that the place uses, or one texture with another palette."""
    textures = key.read(world)
    pairs = pairs_of(world, world.place(header), key)
    if only is not None:
        texture = textures.textures[only]
        pairs = [(texture, textures.palette(palette) if palette else own_palette(textures, texture))]
    used = {name for name, _ in named_on(world, world.place(header), key)}
    places = {texture.name: at for at, texture in enumerate(textures.textures)}
    return [
        ShownTexture(
            places[texture.name],
            texture.name,
            colors.name if colors is not None else "",
            texture.format,
            texture.width,
            texture.height,
            texture.name in used,
            None if needs_palette(texture) and colors is None else picture(texture, colors).png,
        )
        for texture, colors in pairs
    ]

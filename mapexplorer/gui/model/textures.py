"""The texture sets of a place, and which palette goes with which texture on it."""

from __future__ import annotations

from dataclasses import dataclass

from formats.binary import FormatError
from formats.nitro.model import Model
from formats.nitro.tex0 import Palette, Tex0, Texture
from mapexplorer.world.place import Place
from mapexplorer.world.world import World


@dataclass(frozen=True)
class SetKey:
    """A texture set: of terrain (map_tex_set) or of props (areabm_texset), and its number."""

    terrain: bool
    number: int

    @property
    def folder(self) -> str:
        """A name for a folder."""
        return f"{'map_tex_set' if self.terrain else 'areabm_texset'}_{self.number}"

    @property
    def title(self) -> str:
        """The archive and the number."""
        return f"{'map_tex_set' if self.terrain else 'areabm_texset'}[{self.number}]"

    def read(self, world: World) -> Tex0:
        """The set. Raises FormatError."""
        return (world.terrain_textures if self.terrain else world.prop_textures)(self.number).textures


def models_of(world: World, place: Place, key: SetKey) -> list[tuple[str, Model]]:
    """The models of a place that take their textures from a set, each once, with a title; props that are damaged are
    left out."""
    found: dict[tuple[str, int], tuple[str, Model]] = {}
    for cell in place.cells:
        if key.terrain:
            if place.terrain_set(cell).value == key.number and ("land", cell.land) not in found:
                found["land", cell.land] = f"land {cell.land}", world.land(cell.land).model.models[0]
        elif place.prop_set(cell).value == key.number:
            for prop in place.props(cell):
                if prop.model and ("prop", prop.model) not in found:
                    try:
                        model = world.prop_model(prop.model).models[0]
                    except FormatError:
                        continue
                    found["prop", prop.model] = f"model {prop.model} {model.name}", model
    return list(found.values())


def pairs_of(world: World, place: Place, key: SetKey) -> list[tuple[Texture, Palette | None]]:
    """Every texture of a set with every palette that a model of the place asks for with it.

    Textures that no model of the place asks for come with the palette of their own name (with or without `_pl`).
    """
    textures = key.read(world)
    wanted: dict[tuple[str, str | None], None] = {}
    for _, model in models_of(world, place, key):
        for index in range(len(model.materials)):
            name = model.texture_name(index)
            if name is not None:
                wanted[name, model.palette_name(index)] = None
    named = {name for name, _ in wanted}
    pairs: list[tuple[Texture, Palette | None]] = []
    for texture in textures.textures:
        palettes = [palette for name, palette in wanted if name == texture.name]
        if texture.name not in named:
            palettes = [own_palette(textures, texture)]
        for palette in palettes:
            pairs.append((texture, textures.palette(palette) if palette is not None else None))
    return pairs


def own_palette(textures: Tex0, texture: Texture) -> str | None:
    """The palette that a texture's name suggests; the first one where none does."""
    for name in (f"{texture.name}_pl", texture.name, f"{texture.name[:13]}_pl"):
        if textures.palette(name) is not None:
            return name
    return textures.palettes[0].name if textures.palettes else None


@dataclass(frozen=True, eq=False)
class Shown:
    """A texture with a palette, decoded: PNG bytes, or None where it needs a palette that is missing."""

    index: int
    name: str
    palette: str
    format: int
    width: int
    height: int
    png: bytes | None


def decode(world: World, header: int, key: SetKey, palette: str | None = None, only: int | None = None) -> list[Shown]:
    """The textures of a set with the palettes that the place asks for, or one texture with another palette."""
    from mapexplorer.export.textures import needs_palette, picture

    textures = key.read(world)
    pairs = pairs_of(world, world.place(header), key)
    if only is not None:
        texture = textures.textures[only]
        chosen = textures.palette(palette or own_palette(textures, texture) or "")
        pairs = [(texture, chosen)]
    places = {texture.name: at for at, texture in enumerate(textures.textures)}
    return [
        Shown(
            places[texture.name], texture.name, colors.name if colors is not None else "", texture.format,
            texture.width, texture.height,
            None if needs_palette(texture) and colors is None else picture(texture, colors).png,
        )
        for texture, colors in pairs
    ]  # fmt: skip

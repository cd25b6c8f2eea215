"""The texture sets of a place, and which palette goes with which texture on it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from formats.binary import FormatError
from formats.nitro.model import Model
from formats.nitro.tex0 import Palette, Tex0, Texture
from mapexplorer.export.files import safe_name, write_atomically
from mapexplorer.export.progress import Outcome, Progress
from mapexplorer.export.request import TexturesRequest
from mapexplorer.export.textures import needs_palette, picture
from mapexplorer.values import count
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.world import FieldWorld


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

    def read(self, world: FieldWorld) -> Tex0:
        """The set. Raises FormatError."""
        return (world.terrain_textures if self.terrain else world.prop_textures)(self.number).textures


def models_of(world: FieldWorld, place: FieldPlace, key: SetKey) -> list[tuple[str, Model]]:
    """The models of a place that take their textures from a set, each once, with a title; props that are damaged are
    left out."""
    found: dict[tuple[str, int], tuple[str, Model]] = {}
    for cell in place.cells:
        if key.terrain:
            if place.terrain_set(cell).value == key.number and ("land", cell.land) not in found:
                found["land", cell.land] = f"land {cell.land}", world.terrain_model(cell.land)
        elif place.prop_set(cell).value == key.number:
            for prop in place.props(cell):
                if prop.model and ("prop", prop.model) not in found:
                    try:
                        model = world.prop_model(prop.model).models[0]
                    except FormatError:
                        continue
                    found["prop", prop.model] = f"model {prop.model} {model.name}", model
    return list(found.values())


def pairs_of(world: FieldWorld, place: FieldPlace, key: SetKey) -> list[tuple[Texture, Palette | None]]:
    """Every texture of a set with every palette that a model of the place uses with it. Textures that no model of the
    place uses come with the palette of their own name (with or without `_pl`).
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


def write_textures(request: TexturesRequest, world: FieldWorld, progress: Progress) -> Outcome:
    """Run a `TexturesRequest`: write the textures of a place as PNG, a folder for each of its two sets."""
    place = world.place(request.place)
    files: list[Path] = []
    for key in (SetKey(True, place.terrain_set().value), SetKey(False, place.prop_set().value)):
        pairs = pairs_of(world, place, key)
        for number, (texture, palette) in enumerate(pairs):
            progress.report(number, len(pairs), texture.name)
            if needs_palette(texture) and palette is None:
                continue
            name = f"{texture.name}.{palette.name}" if palette is not None else texture.name
            file = request.output / key.folder / f"{safe_name(name)}.png"
            files.append(write_atomically(file, picture(texture, palette).png))
    return Outcome(count(len(files), "picture"), files)

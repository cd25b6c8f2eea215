"""The texture sets of a place, and which palette goes with which texture on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from formats.binary import FormatError
from formats.nitro.model import Model
from formats.nitro.tex0 import Palette, Tex0, Texture
from mapexplorer.export.files import unique_names, write_atomically
from mapexplorer.export.progress import Outcome, Progress
from mapexplorer.export.request import TexturesRequest
from mapexplorer.export.textures import needs_palette, picture
from mapexplorer.values import count
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.texture_sets import SetKey, models_on, read_model
from mapexplorer.world.world import FieldWorld


def models_of(world: FieldWorld, place: FieldPlace, key: SetKey) -> Iterator[Model]:
    """The models of a place that take their textures from a set, each once, without damaged ones."""
    for number in models_on(place, key):
        with suppress(FormatError):
            yield read_model(world, key, number)


def pairs_of(world: FieldWorld, place: FieldPlace, key: SetKey) -> list[tuple[Texture, Palette | None]]:
    """Every texture of a set with every palette that a model of the place uses with it. Textures that no model of the
    place uses come with the palette of their own name (with or without `_pl`).
    """
    textures = key.read(world)
    wanted: dict[tuple[str, str | None], None] = {}
    for model in models_of(world, place, key):
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
    return suggested_palette(texture.name, [palette.name for palette in textures.palettes])


def suggested_palette(texture: str, palettes: Sequence[str]) -> str | None:
    """The palette of those with these names that the name of a texture suggests; the first one where it suggests
    none."""
    for name in (f"{texture}_pl", texture, f"{texture[:13]}_pl"):
        if name in palettes:
            return name
    return palettes[0] if palettes else None


def write_textures(request: TexturesRequest, world: FieldWorld, progress: Progress) -> Outcome:
    """Run a `TexturesRequest`: write the textures of a place as PNG, a folder for each of its two sets."""
    place = world.place(request.place)
    files: list[Path] = []
    for key in (SetKey(True, place.terrain_set().value), SetKey(False, place.prop_set().value)):
        found = pairs_of(world, place, key)
        pairs = [(texture, palette) for texture, palette in found if palette is not None or not needs_palette(texture)]
        names = unique_names(
            [texture.name if palette is None else f"{texture.name}.{palette.name}" for texture, palette in pairs]
        )
        for number, ((texture, palette), name) in enumerate(zip(pairs, names, strict=True)):
            progress.report(number, len(pairs), texture.name)
            file = request.output / key.folder / f"{name}.png"
            files.append(write_atomically(file, picture(texture, palette).png))
    return Outcome(count(len(files), "picture"), files)

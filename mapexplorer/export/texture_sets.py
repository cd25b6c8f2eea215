"""The texture sets of a place, and which palette goes with which texture on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from formats.binary import FormatError
from formats.nitro.tex0 import Palette, Texture
from mapexplorer.catalogue.uses import maps_with
from mapexplorer.export.files import unique_names, write_atomically
from mapexplorer.export.request import TexturesRequest
from mapexplorer.export.textures import needs_palette, own_palette, picture
from mapexplorer.grouping import by_key
from mapexplorer.system.progress import Outcome, Progress
from mapexplorer.values import count
from mapexplorer.world.models.texture_sets import SetKey, models_on, read_model
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.world import FieldWorld


def pairs_of(world: FieldWorld, place: FieldPlace, key: SetKey) -> list[tuple[Texture, Palette | None]]:
    """Every texture of a set with every palette that a model of the place uses with it. Textures that no model of the
    place uses come with that which their name suggests."""
    textures = key.read(world)
    wanted = by_key(dict.fromkeys(named_on(world, place, key)))
    used = {name: [textures.palette(palette or "") for palette in palettes] for name, palettes in wanted.items()}
    return [
        (texture, palette)
        for texture in textures.textures
        for palette in used.get(texture.name) or [own_palette(textures, texture)]
    ]


def palettes_of(world: FieldWorld, key: SetKey) -> dict[str, Palette | None]:
    """Texture -> the palette that the first map gives it whose models use it, else that which its name suggests."""
    textures, places = key.read(world), maps_with(world, key.kind, key.number)
    pairs = [pair for header in places for pair in named_on(world, world.place(header), key)]
    used = {name: value for name, palette in reversed(pairs) if (value := textures.palette(palette or "")) is not None}
    return {texture.name: used.get(texture.name) or own_palette(textures, texture) for texture in textures.textures}


def named_on(world: FieldWorld, place: FieldPlace, key: SetKey) -> Iterator[tuple[str | None, str | None]]:
    """The names of textures and palettes of all materials of the models of a place that take them from a set, without
    damaged models."""
    for number in models_on(place, key):
        with suppress(FormatError):
            model = read_model(world, key, number)
            yield from ((model.texture_name(at), model.palette_name(at)) for at in range(len(model.materials)))


def write_textures(request: TexturesRequest, world: FieldWorld, progress: Progress) -> Outcome:
    """Run a `TexturesRequest`: write the textures of a place as PNG, a folder for each of its two sets."""
    place = world.place(request.place)
    files: list[Path] = []
    for key in (SetKey(True, place.terrain_set().value), SetKey(False, place.prop_set().value)):
        pairs = [pair for pair in pairs_of(world, place, key) if pair[1] is not None or not needs_palette(pair[0])]
        names = unique_names(
            [texture.name if palette is None else f"{texture.name}.{palette.name}" for texture, palette in pairs]
        )
        for number, ((texture, palette), name) in enumerate(zip(pairs, names, strict=True)):
            progress.report(number, len(pairs), texture.name)
            file = request.output / key.folder / f"{name}.png"
            files.append(write_atomically(file, picture(texture, palette).png))
    return Outcome(count(len(files), "picture"), files)

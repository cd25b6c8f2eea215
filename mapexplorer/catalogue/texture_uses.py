"""The models and materials that use the textures of a set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

from formats import nitro
from formats.binary import FormatError
from mapexplorer.catalogue.rules import REFERENCE
from mapexplorer.catalogue.uses import Use, WhereUsed, maps_with
from mapexplorer.world.models.texture_sets import SetKey, model_file, models_on, taken_textures
from mapexplorer.world.subject import ReferencePart, Subject, subject
from mapexplorer.world.world import FieldWorld

T = TypeVar("T")


@dataclass(frozen=True)
class MaterialUse:
    """A material with a texture: its model (a land or a prop, the number, the name), its name, that of its palette."""

    kind: str
    number: int
    model: str
    material: str
    palette: str | None


@dataclass(frozen=True, eq=False)
class TextureUses:
    """The uses of a texture of a set: the materials, by ascending numbers of their models; the headers whose maps have
    one of these models with this set; the models that could not be read."""

    materials: tuple[MaterialUse, ...]
    places: tuple[int, ...]
    damaged: tuple[str, ...]


def texture_uses(world: FieldWorld, key: SetKey, texture: str) -> TextureUses:
    """The uses of a texture by its name: by the models on the maps with its set, and by the props that the set's list
    names."""
    damaged: dict[str, None] = {}

    def read(part: Callable[..., Iterable[T]], *arguments: object) -> tuple[T, ...]:
        try:
            return tuple(part(*arguments))
        except FormatError as error:
            damaged[str(error)] = None
        return ()

    headers = maps_with(world, key.kind, key.number)
    on_maps = {header: read(lambda header: models_on(world.place(header), key), header) for header in headers}
    listed = () if key.terrain else read(lambda: filter(None, world.prop_list(key.number).models.tolist()))
    models = sorted({*listed, *chain.from_iterable(on_maps.values())})
    materials = [material for number in models for material in read(_materials, world, key, number, texture)]
    having = {material.number for material in materials}
    places = sorted(header for header, numbers in on_maps.items() if not having.isdisjoint(numbers))
    return TextureUses(tuple(materials), tuple(places), tuple(damaged))


def _materials(world: FieldWorld, key: SetKey, number: int, texture: str) -> Iterator[MaterialUse]:
    file = model_file(world, key, number) if texture in taken_textures(world, key, number) else None
    for model, materials in nitro.Nsbmd.read_material_names(file)[:1] if file is not None else ():
        for material, taken, palette in materials:
            if taken == texture:
                yield MaterialUse("land" if key.terrain else "prop", number, model, material, palette)


def texture_where_used(world: FieldWorld, used: Subject, name: str) -> WhereUsed:
    """The uses of a texture by the materials of models, which no store has."""
    which, number, _ = used.key
    in_models = texture_uses(world, SetKey(bool(which), number), name)
    parts = [
        (subject(use.kind, use.number), ReferencePart("material", name=use.material)) for use in in_models.materials
    ]
    uses = tuple(Use(user, used, "material", part, "", "", "", None, None, REFERENCE) for user, part in parts)
    return WhereUsed(
        used, name, uses, in_models.places, ("materials of models on maps with this set",), (), in_models.damaged
    )

"""The models and materials that use the textures of a set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from formats import nitro
from formats.binary import FormatError
from mapexplorer.catalogue.rules import REFERENCE
from mapexplorer.catalogue.uses import Use, WhereUsed, maps_with
from mapexplorer.world.models.texture_sets import SetKey, model_file, models_on, taken_textures
from mapexplorer.world.subject import ReferencePart, Subject, subject
from mapexplorer.world.world import FieldWorld


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
    on_maps: dict[int, tuple[int, ...]] = {}
    for header in maps_with(world, key.kind, key.number):
        try:
            on_maps[header] = models_on(world.place(header), key)
        except FormatError as error:
            damaged[str(error)] = None
    models = {number for numbers in on_maps.values() for number in numbers}
    if not key.terrain:
        try:
            models |= {number for number in world.prop_list(key.number).models.tolist() if number}
        except FormatError as error:
            damaged[str(error)] = None
    materials: list[MaterialUse] = []
    for number in sorted(models):
        try:
            if texture in taken_textures(world, key, number):
                materials += _materials(world, key, number, texture)
        except FormatError as error:
            damaged[str(error)] = None
    having = {material.number for material in materials}
    places = sorted(header for header, numbers in on_maps.items() if not having.isdisjoint(numbers))
    return TextureUses(tuple(materials), tuple(places), tuple(damaged))


def _materials(world: FieldWorld, key: SetKey, number: int, texture: str) -> Iterator[MaterialUse]:
    for model, materials in nitro.Nsbmd.read_material_names(model_file(world, key, number))[:1]:
        for material, taken, palette in materials:
            if taken == texture:
                yield MaterialUse("land" if key.terrain else "prop", number, model, material, palette)


def texture_where_used(world: FieldWorld, used: Subject, name: str) -> WhereUsed:
    """The uses of a texture by the materials of models, which no store has."""
    which, number, _ = used.key
    in_models = texture_uses(world, SetKey(bool(which), number), name)
    uses = tuple(
        Use(
            subject(material.kind, material.number),
            used,
            "material",
            ReferencePart("material", name=material.material),
            "",
            "",
            "",
            None,
            None,
            REFERENCE,
        )
        for material in in_models.materials
    )
    return WhereUsed(
        used, name, uses, in_models.places, ("materials of models on maps with this set",), (), in_models.damaged
    )

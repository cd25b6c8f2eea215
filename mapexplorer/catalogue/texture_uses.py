"""The models and materials that use the textures of a set, and the map through which a model is shown alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from formats import nitro
from formats.binary import FormatError
from mapexplorer.catalogue.rules import REFERENCE
from mapexplorer.catalogue.uses import Use, WhereUsed, maps_with
from mapexplorer.games import Role
from mapexplorer.world.models.texture_sets import SetKey, model_file, models_on, taken_textures
from mapexplorer.world.subject import ReferencePart, Subject, subject
from mapexplorer.world.world import FieldWorld


class ModelPlaces:
    """The map through which a prop's or a land's model is shown alone: whose textures it gets."""

    def __init__(self, world: FieldWorld) -> None:
        self._world = world

    def of(self, kind: str, number: int) -> int:
        """The first map that has the model; for one that no map places, the first map whose set has the most of its
        textures. Raises FormatError."""
        placed = self._first.get((kind, number))
        if placed is not None:
            return placed
        terrain = kind == "land"
        wanted = set(taken_textures(self._world, SetKey(terrain, 0), number))
        best, header = 0, 0
        for first, names in self._prop_sets if not terrain else self._terrain_sets:
            if len(wanted & names) > best:
                best, header = len(wanted & names), first
        return header

    @cached_property
    def _first(self) -> dict[tuple[str, int], int]:
        """Kind and number of a prop, a land or a set -> the first map that has it."""
        world = self._world
        first: dict[tuple[str, int], int] = {}
        for header in world.headers:
            place = world.place(header.id)
            numbers = [("land", cell.land) for cell in place.cells]
            for cell in place.cells:
                with suppress(FormatError):
                    props = world.land_sections(cell.land).read_props()
                    numbers += [("prop", model) for model in props["model"].tolist()]
            numbers += [("prop set", place.prop_set().value), ("terrain set", place.terrain_set().value)]
            for thing in numbers:
                first.setdefault(thing, header.id)
        return first

    @cached_property
    def _prop_sets(self) -> list[tuple[int, frozenset[str | None]]]:
        return self._sets(terrain=False)

    @cached_property
    def _terrain_sets(self) -> list[tuple[int, frozenset[str | None]]]:
        return self._sets(terrain=True)

    def _sets(self, *, terrain: bool) -> list[tuple[int, frozenset[str | None]]]:
        """Of each texture set of a map: the first header of these maps, and the names of the textures."""
        world = self._world
        sets: list[tuple[int, frozenset[str | None]]] = []
        for number in range(len(world.members(Role.TERRAIN_TEXTURES if terrain else Role.PROP_TEXTURES))):
            key = SetKey(terrain, number)
            header = self._first.get((key.kind, number))
            with suppress(FormatError):
                textures = key.read(world).textures
                if header is not None:
                    sets.append((header, frozenset(texture.name for texture in textures)))
        return sets


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

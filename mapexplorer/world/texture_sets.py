"""Texture sets, the models that take their textures from a set, and the materials that use a texture of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from formats.binary import FormatError
from formats.nitro.model import Model
from formats.nitro.tex0 import Tex0
from mapexplorer.games import Role

if TYPE_CHECKING:
    from mapexplorer.world.place import FieldPlace
    from mapexplorer.world.world import FieldWorld


@dataclass(frozen=True)
class SetKey:
    """A texture set: of terrain (map_tex_set) or of props (areabm_texset), and its number."""

    terrain: bool
    number: int

    @property
    def kind(self) -> str:
        """Its kind in `world.references`."""
        return "terrain set" if self.terrain else "prop set"

    @property
    def archive(self) -> str:
        """The archive that has it."""
        return "map_tex_set" if self.terrain else "areabm_texset"

    @property
    def folder(self) -> str:
        """A name for a folder."""
        return f"{self.archive}_{self.number}"

    @property
    def title(self) -> str:
        """The archive and the number."""
        return f"{self.archive}[{self.number}]"

    def read(self, world: FieldWorld) -> Tex0:
        """The set. Raises FormatError."""
        return (world.terrain_textures if self.terrain else world.prop_textures)(self.number).textures


def models_on(place: FieldPlace, key: SetKey) -> tuple[int, ...]:
    """The lands or props of a place that take their textures from a set, each once, in the order of the cells. The
    dummy box has its own textures."""
    if key.terrain:
        numbers = [cell.land for cell in place.cells if place.terrain_set(cell).value == key.number]
    else:
        cells = [cell for cell in place.cells if place.prop_set(cell).value == key.number]
        numbers = [prop.model for cell in cells for prop in place.props(cell) if prop.model]
    return tuple(dict.fromkeys(numbers))


def read_model(world: FieldWorld, key: SetKey, number: int) -> Model:
    """A land's or prop's model. Raises FormatError."""
    return world.terrain_model(number) if key.terrain else world.prop_model(number).models[0]


class PropPlaces:
    """The map through which a prop model is shown alone: whose textures it gets."""

    def __init__(self, world: FieldWorld) -> None:
        self._world = world

    def of(self, number: int) -> int:
        """The first map that has the model; for one that no map places, the first map whose prop set has the most of
        its textures. Raises FormatError."""
        placed = self._world.uses.places("prop", number)
        if placed:
            return placed[0]
        model = self._world.prop_model(number).models[0]
        wanted = {model.texture_name(index) for index in range(len(model.materials))}
        best, header = 0, 0
        for first, names in self._sets:
            if len(wanted & names) > best:
                best, header = len(wanted & names), first
        return header

    @cached_property
    def _sets(self) -> list[tuple[int, frozenset[str | None]]]:
        """Of each prop set of a map: the first header of these maps, and the names of the textures."""
        world = self._world
        found: list[tuple[int, frozenset[str | None]]] = []
        for number in range(len(world.members(Role.PROP_TEXTURES))):
            headers = world.uses.places("prop set", number)
            with suppress(FormatError):
                textures = SetKey(False, number).read(world).textures
                if headers:
                    found.append((headers[0], frozenset(texture.name for texture in textures)))
        return found


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
    for header in world.uses.places(key.kind, key.number):
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
    found: list[MaterialUse] = []
    for number in sorted(models):
        try:
            found += _materials(world, key, number, texture)
        except FormatError as error:
            damaged[str(error)] = None
    having = {one.number for one in found}
    places = sorted(header for header, numbers in on_maps.items() if not having.isdisjoint(numbers))
    return TextureUses(tuple(found), tuple(places), tuple(damaged))


def _materials(world: FieldWorld, key: SetKey, number: int, texture: str) -> Iterator[MaterialUse]:
    model, kind = read_model(world, key, number), "land" if key.terrain else "prop"
    for index, material in enumerate(model.materials):
        if model.texture_name(index) == texture:
            yield MaterialUse(kind, number, model.name, material.name, model.palette_name(index))

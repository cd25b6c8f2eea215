"""The map through which a model is shown alone."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from operator import itemgetter

from formats.binary import FormatError
from formats.remembered import remembered
from mapexplorer.games import Role
from mapexplorer.world.models.texture_sets import SetKey, taken_textures
from mapexplorer.world.sources.readable import readable_area
from mapexplorer.world.world import FieldWorld


class ModelPlaces:
    """The map through which a prop's or a land's model is shown alone: whose textures it gets."""

    def __init__(self, world: FieldWorld) -> None:
        self._world = world

    def is_placed(self, kind: str, number: int) -> bool:
        """Whether a map has the model."""
        return (kind, number) in self._first

    def of(self, kind: str, number: int) -> int:
        """The first map that has the model; for one that no map places, the first map whose set has the most of its
        textures. Raises FormatError."""
        placed = self._first.get((kind, number))
        if placed is not None:
            return placed
        terrain = kind == "land"
        wanted = set(taken_textures(self._world, SetKey(terrain, 0), number))
        common = [(len(wanted & names), first) for first, names in self._sets(terrain=terrain)]
        most, header = max(common, key=itemgetter(0), default=(0, 0))
        return header if most else 0

    @cached_property
    def _first(self) -> dict[tuple[str, int], int]:
        """Kind and number of a prop, a land or a set -> the first map that has it."""
        world = self._world
        first: dict[tuple[str, int], int] = {}
        for header in world.headers:
            cells = world.cells(header.matrix, header.id).values()
            lands = {cell.land for cell in cells if cell.header == header.id}
            for land in [land for land in lands if ("land", land) not in first]:
                first["land", land] = header.id
                with suppress(FormatError):
                    for model in world.land_sections(land).read_props()["model"].tolist():
                        first.setdefault(("prop", model), header.id)
            area = readable_area(world, header.area)
            first.setdefault(("prop set", area.prop_set), header.id)
            first.setdefault(("terrain set", area.terrain_set), header.id)
        return first

    @remembered
    def _sets(self, *, terrain: bool) -> list[tuple[int, frozenset[str]]]:
        """Of each texture set of a map: the first header of these maps, and the names of the textures."""
        sets: list[tuple[int, frozenset[str]]] = []
        for number in range(len(self._world.members(Role.TERRAIN_TEXTURES if terrain else Role.PROP_TEXTURES))):
            key = SetKey(terrain, number)
            header = self._first.get((key.kind, number))
            if header is not None:
                with suppress(FormatError):
                    sets.append((header, frozenset(texture.name for texture in key.read(self._world).textures)))
        return sets

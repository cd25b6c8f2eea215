"""The map through which a model is shown alone."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from operator import itemgetter

from formats.binary import FormatError
from formats.nitro.nsbtx import Nsbtx
from formats.remembered import remembered
from mapexplorer.games import Role
from mapexplorer.world.models.texture_sets import SetKey, taken_textures
from mapexplorer.world.sources.readable import readable_area
from mapexplorer.world.world import FieldWorld


class ModelPlaces:
    """The map through which a prop's or a land's model is shown alone: whose textures it gets."""

    def __init__(self, world: FieldWorld) -> None:
        self._world = world

    def first(self, kind: str, number: int) -> int | None:
        """The first map that has a model, if any has it."""
        return (self._lands if kind == "land" else self._props).get(number)

    def of(self, kind: str, number: int) -> int:
        """The first map that has the model; for one that no map places, the first map whose set has the most of its
        textures. Raises FormatError."""
        placed = self.first(kind, number)
        if placed is not None:
            return placed
        terrain = kind == "land"
        wanted = set(taken_textures(self._world, SetKey(terrain, 0), number))
        common = [(len(wanted & names), first) for first, names in self._sets(terrain=terrain)]
        most, header = max(common, key=itemgetter(0), default=(0, 0))
        return header if most else 0

    @cached_property
    def _lands(self) -> dict[int, int]:
        """Land -> the first map that has it."""
        first: dict[int, int] = {}
        for header in self._world.headers:
            for land in {
                cell.land for cell in self._world.cells(header.matrix, header.id).values() if cell.header == header.id
            }:
                first.setdefault(land, header.id)
        return first

    @cached_property
    def _props(self) -> dict[int, int]:
        """Prop -> the first map that has it."""
        first: dict[int, int] = {}
        for land, header in self._lands.items():
            with suppress(FormatError):
                for model in self._world.land_sections(land).read_props()["model"].tolist():
                    first.setdefault(model, header)
        return first

    @remembered
    def _sets(self, *, terrain: bool) -> list[tuple[int, frozenset[str]]]:
        """Of each texture set of a map: the first map that has it, and the names of the textures."""
        first: dict[int, int] = {}
        for header in self._world.headers:
            area = readable_area(self._world, header.area)
            first.setdefault(area.terrain_set if terrain else area.prop_set, header.id)
        files = self._world.members(Role.TERRAIN_TEXTURES if terrain else Role.PROP_TEXTURES)
        sets: list[tuple[int, frozenset[str]]] = []
        for number in [number for number in range(len(files)) if number in first]:
            with suppress(FormatError):
                sets.append((first[number], frozenset(Nsbtx.read_names(files.reader(number)))))
        return sets

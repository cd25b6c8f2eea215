"""The two ROMs that are compared: which members belong together, which maps use them, and names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, TypeVar

from formats.binary import FormatError, Reader
from mapexplorer.caching import shared_property
from mapexplorer.catalogue.kinds import STORED
from mapexplorer.catalogue.uses import maps_with
from mapexplorer.compare.change import Change, ChangeAction, ChangedKind, Key
from mapexplorer.compare.fields import FieldChange, differences
from mapexplorer.errors import RomError
from mapexplorer.gameplay.script_names import ScriptNames
from mapexplorer.games import Role
from mapexplorer.grouping import by_key
from mapexplorer.world.sources.damage import read_or
from mapexplorer.world.world import FieldWorld

T = TypeVar("T")

_NAMED_MEMBERS = {
    "area": Role.AREA_DATA,
    "matrix": Role.MAP_MATRIX,
    "events": Role.ZONE_EVENT,
    "message_bank": Role.MESSAGES,
    "scripts": Role.SCRIPTS,
    "wild_encounters": Role.ENCOUNTERS,
}
"""Field of a header -> the archive that it names a member of."""


@dataclass(frozen=True, eq=False)
class Side:
    """One of the ROMs."""

    world: FieldWorld

    @shared_property
    def names(self) -> ScriptNames:
        """The names of numbers by their meaning (`games.script_tables.Argument`)."""
        return ScriptNames(self.world, None)

    def places(self, kind: str, number: int) -> tuple[int, ...]:
        """The headers that use a thing of a kind of `world.references.references`; none where a file that all
        references need is damaged."""
        return read_or((), maps_with, self.world, kind, number)

    @shared_property
    def header_numbers(self) -> dict[str, int]:
        """Internal name -> header, for the names that only one header has."""
        return _only((header.internal_name, header.id) for header in self.world.headers)

    @shared_property
    def model_numbers(self) -> dict[str, int]:
        """Name -> prop model, for the names that only one model has."""
        numbers = range(len(self.world.archive(Role.BUILD_MODEL) or ()))
        return _only((name, number) for number in numbers if (name := model_name(self, number)))


@dataclass(frozen=True, eq=False)
class Sides:
    """The first and the second ROM."""

    before: Side
    after: Side

    @property
    def same_game(self) -> bool:
        """Whether members with equal numbers are the same thing."""
        return self.before.world.game.name == self.after.world.game.name

    def header_pairs(self) -> Iterator[tuple[int | None, int | None]]:
        """The headers that are the same map: those with one number; in different games those with one internal
        name."""
        before, after = self.before.world.headers, self.after.world.headers
        if self.same_game:
            yield from zip_longest(range(len(before)), range(len(after)))
            return
        there = self.after.header_numbers
        for name, number in self.before.header_numbers.items():
            yield number, there.get(name)
        for name, number in there.items():
            if name not in self.before.header_numbers:
                yield None, number

    def member_pairs(self, role: Role) -> list[tuple[int | None, int | None]]:
        """The members of an archive that are the same thing: those with one number; in different games prop models
        with one name, and what the same maps name, directly or through matrix cells and areas."""
        if self.same_game or role in _NUMBERED:
            before, after = (range(len(side.world.archive(role) or ())) for side in (self.before, self.after))
            return list(zip_longest(before, after))
        if role is Role.BUILD_MODEL:
            there = self.after.model_numbers
            return [(i, there[name]) for name, i in self.before.model_numbers.items() if name in there]
        return sorted(self._linked.get(role, ()))

    @shared_property
    def _linked(self) -> dict[Role, dict[tuple[int, int], None]]:
        pairs: dict[Role, dict[tuple[int, int], None]] = {}
        old, new = self.before.world, self.after.world
        for i, j in self.header_pairs():
            if i is None or j is None:
                continue
            for field, role in _NAMED_MEMBERS.items():
                numbers = getattr(old.headers[i], field), getattr(new.headers[j], field)
                if all(
                    number < len(world.archive(role) or ()) for world, number in zip((old, new), numbers, strict=True)
                ):
                    pairs.setdefault(role, {})[numbers] = None
        for role, kind in (
            (Role.PROP_TEXTURES, "prop_set"),
            (Role.AREA_BUILD, "prop_set"),
            (Role.TERRAIN_TEXTURES, "terrain_set"),
            (Role.AREA_LIGHT, "light_set"),
        ):
            for i, j in pairs.get(Role.AREA_DATA, ()):
                numbers = getattr(old.area(i), kind), getattr(new.area(j), kind)
                pairs.setdefault(role, {})[numbers] = None
        for i, j in pairs.get(Role.MAP_MATRIX, ()):
            here, there = old.matrix(i), new.matrix(j)
            if here.land.shape == there.land.shape:
                lands = zip(here.land.ravel().tolist(), there.land.ravel().tolist(), strict=True)
                exist = len(old.members(Role.LAND_DATA)), len(new.members(Role.LAND_DATA))
                kept = {pair: None for pair in lands if pair[0] < exist[0] and pair[1] < exist[1]}
                pairs.setdefault(Role.LAND_DATA, {}).update(kept)
        return pairs

    def maps(self, role: Role, before: int | None, after: int | None) -> tuple[int, ...]:
        """The headers of the second ROM that use a member, or used it in the first one."""
        kind = STORED.get(role)
        if kind is None:
            return ()
        here = () if before is None else self.before.places(kind.name, before)
        there = () if after is None else self.after.places(kind.name, after)
        return tuple(sorted(self.mapped(here) | set(there)))

    def members(self, role: Role, before: int, after: int, read: Callable[[Reader], T]) -> tuple[T, T]:
        """Two members of an archive as values. Raises FormatError."""
        return self.before.world.member(role, before, read), self.after.world.member(role, after, read)

    def mapped(self, headers: Iterable[int]) -> set[int]:
        """Headers of the first ROM as headers of the second one, without those that it does not have."""
        return {self.headers[header] for header in headers if header in self.headers}

    @shared_property
    def headers(self) -> dict[int, int]:
        """Header of the first ROM -> the same one in the second."""
        return {i: j for i, j in self.header_pairs() if i is not None and j is not None}

    def changed(
        self,
        kind: ChangedKind,
        key: Key,
        field: str,
        before: object,
        after: object,
        *,
        meaning: str = "",
        name: str = "",
        headers: tuple[int, ...] = (),
        action: ChangeAction = ChangeAction.CHANGED,
    ) -> Change:
        """A changed field; `meaning`: what its values are numbers of, for their names."""
        was, now = (
            side.names.name(meaning, value) if meaning and isinstance(value, int) else ""
            for side, value in ((self.before, before), (self.after, after))
        )
        return Change(kind, action, key, name, field, before, after, was, now, headers)

    def field_changes(
        self,
        kind: ChangedKind,
        key: Key,
        fields: Iterable[FieldChange],
        *,
        name: str = "",
        headers: tuple[int, ...] = (),
        meanings: dict[str, str] | None = None,
    ) -> Iterator[Change]:
        """The differences of a value as changes of a thing; `meanings`: last name in a path -> what the numbers there
        mean."""
        for field in fields:
            last = next((part for part in reversed(field.path) if isinstance(part, str)), "")
            meaning = (meanings or {}).get(last, "")
            yield self.changed(
                kind, key, field.field, field.before, field.after, meaning=meaning, name=name, headers=headers
            )


def by_fields(
    kind: ChangedKind,
    read: Callable[[Side, int], Any],
    *,
    role: Role | None = None,
    name: Callable[[Sides, int], str] = lambda sides, after: "",
    meanings: dict[str, str] | None = None,
) -> Callable[[Sides, int, int], Iterator[Change]]:
    """The comparison of two members that `read` reads, field by field. `role`: their archive, if the maps that use them
    are named; `name` names the second one; `meanings`: see `Sides.field_changes`. It raises FormatError."""

    def changes(sides: Sides, before: int, after: int) -> Iterator[Change]:
        fields = differences(read(sides.before, before), read(sides.after, after))
        headers = () if role is None else sides.maps(role, before, after)
        yield from sides.field_changes(
            kind, (before,), fields, name=name(sides, after), headers=headers, meanings=meanings
        )

    return changes


_NUMBERED = (Role.SPECIES, Role.ITEMS, Role.TRAINERS, Role.TRAINER_PARTIES)
"""Archives whose members have one number in all games."""


def _only(names: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Name -> number, without the names that several numbers have."""
    return {name: numbers[0] for name, numbers in by_key(names).items() if len(numbers) == 1}


def model_name(side: Side, number: int) -> str:
    """The name of a prop model, empty for one that cannot be read."""
    from formats.nitro.nsbmd import Nsbmd

    try:
        return Nsbmd.read_names(side.world.members(Role.BUILD_MODEL).reader(number))[0]
    except (FormatError, RomError, IndexError):
        return ""

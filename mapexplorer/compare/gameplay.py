"""The differences between texts, wild encounters, trainers, items and species."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from formats.field.item_data import ItemData
from formats.field.message import MessageBank
from formats.field.species_data import SpeciesData
from formats.field.trainer import Trainer
from formats.field.trainer_party import TrainerParty
from formats.field.wild_encounters import WildEncounters
from mapexplorer.compare.alignment import aligned
from mapexplorer.compare.change import Action, Change, Kind
from mapexplorer.compare.fields import FieldChange, differences
from mapexplorer.compare.sides import Sides
from mapexplorer.gameplay.encounters import (
    CARTRIDGES,
    EncounterConditions,
    WaterMethod,
    WildSlot,
    by_species,
    grass_slots,
    water_slots,
)
from mapexplorer.games import Role
from mapexplorer.games.tables import Tables

_SPECIES_LISTS: Final = {"swarm": "species", "day": "species", "night": "species", "radar": "species"}


def text_changes(sides: Sides, before: int, after: int) -> Iterator[Change]:
    """What differs between two message banks. Raises FormatError."""
    one, other = (
        side.world.member(Role.MESSAGES, number, MessageBank.from_bytes)
        for side, number in ((sides.before, before), (sides.after, after))
    )
    maps = sides.maps(Role.MESSAGES, before, after)
    for i, j in aligned(one.messages, other.messages):
        if j is None and i is not None:
            yield Change(Kind.TEXT, Action.REMOVED, (before, i), "", "", one[i], None, headers=maps)
        elif i is None and j is not None:
            yield Change(Kind.TEXT, Action.ADDED, (before, j), "", "", None, other[j], headers=maps)
        elif i is not None and j is not None and one[i] != other[j]:
            yield Change(Kind.TEXT, Action.CHANGED, (before, i), "", "text", one[i], other[j], headers=maps)
    if one.seed != other.seed:
        yield sides.changed(Kind.TEXT, (before,), "seed", one.seed, other.seed, headers=maps)


def encounter_changes(sides: Sides, before: int, after: int) -> Iterator[Change]:
    """What differs between two encounter files: the chance and the levels of each species, and the other fields. Raises
    FormatError."""
    one, other = (
        side.world.member(Role.ENCOUNTERS, number, WildEncounters.from_bytes)
        for side, number in ((sides.before, before), (sides.after, after))
    )
    maps = sides.maps(Role.ENCOUNTERS, before, after)
    tables = sides.before.world.game.tables
    found = list(differences(one, other))
    for part, slots in _SLOTS.items():
        was, now = slots(one, tables), slots(other, tables)
        if was and now:
            changes = list(_chances(sides, before, part, maps, was, now))
            yield from changes
            told = {change.key[-1] for change in changes}
            slots_told = {one.number for one in (*was, *now) if one.species in told}
            found = [field for field in found if not _in_slots(field, part, slots_told)]
    meanings = {"species": "species", **_SPECIES_LISTS, **dict.fromkeys(CARTRIDGES, "species")}
    yield from sides.field_changes(Kind.ENCOUNTER, (before,), found, headers=maps, meanings=meanings)


def _in_slots(found: FieldChange, part: str, slots: set[int]) -> bool:
    """Whether a difference is in some slots of a part of an encounter file; that of a whole part is in its slots."""
    first, *rest = found.path
    numbers = [one for one in rest if isinstance(one, int)]
    return first == part and bool(slots) and (not rest or (bool(numbers) and numbers[0] in slots))


def _grass(encounters: WildEncounters, tables: Tables) -> tuple[WildSlot, ...]:
    """The slots of the grass at the time that has no list of its own."""
    time = next(time for time in tables.times_of_day if not tables.encounters.lists[time.name])
    return grass_slots(encounters, tables, EncounterConditions(time.first * 3600))


def _water(method: WaterMethod, encounters: WildEncounters, tables: Tables) -> tuple[WildSlot, ...]:
    return water_slots(encounters, tables, method)


_SLOTS: Final[dict[str, Callable[[WildEncounters, Tables], tuple[WildSlot, ...]]]] = {
    "grass": _grass,
    **{method.replace(" ", "_"): partial(_water, method) for method in WaterMethod},
}
"""Field of an encounter file -> its slots."""


def _chances(sides: Sides, member: int, part: str, maps: tuple[int, ...], before: Any, after: Any) -> Iterator[Change]:
    """The species whose chance or levels differ. Without such a species the slots still may differ."""
    old, new = ({one.species: one for one in by_species(slots)} for slots in (before, after))
    for species in sorted({*old, *new}):
        name = sides.after.names.name("species", species)
        was, now = old.get(species), new.get(species)
        chances = was.percent if was else 0, now.percent if now else 0
        key = member, part, species
        if chances[0] != chances[1]:
            yield Change(Kind.ENCOUNTER, Action.CHANGED, key, name, f"{part} percent", *chances, headers=maps)
        if was and now:
            levels = (was.lowest, was.highest), (now.lowest, now.highest)
            if levels[0] != levels[1]:
                yield Change(Kind.ENCOUNTER, Action.CHANGED, key, name, f"{part} levels", *levels, headers=maps)


def trainer_changes(sides: Sides, before: int, after: int) -> Iterator[Change]:
    """What differs between two trainers, without their parties. Raises FormatError."""
    one, other = (
        side.world.member(Role.TRAINERS, number, Trainer.from_bytes)
        for side, number in ((sides.before, before), (sides.after, after))
    )
    meanings = {"items": "item", "trainer_class": "trainer class"}
    yield from sides.field_changes(
        Kind.TRAINER, (before,), differences(one, other), name=sides.after.names.name("trainer", after),
        meanings=meanings,
    )  # fmt: skip


def party_changes(sides: Sides, before: int, after: int) -> Iterator[Change]:
    """What differs between the parties of two trainers. Raises FormatError."""
    parties = []
    for side, number in ((sides.before, before), (sides.after, after)):
        record = side.world.member(Role.TRAINERS, number, Trainer.from_bytes)
        read = partial(TrainerParty.from_bytes, form=record.party_form)
        parties.append(side.world.member(Role.TRAINER_PARTIES, number, read))
    meanings = {"species": "species", "item": "item", "moves": "move"}
    yield from sides.field_changes(
        Kind.TRAINER, (before,), differences(*parties), name=sides.after.names.name("trainer", after),
        meanings=meanings,
    )  # fmt: skip


def item_changes(sides: Sides, before: int, after: int) -> Iterator[Change]:
    """What differs between two records of items, with the name of the first item that has the record. Raises
    FormatError."""
    one, other = (
        side.world.member(Role.ITEMS, number, ItemData.from_bytes)
        for side, number in ((sides.before, before), (sides.after, after))
    )
    files = sides.after.world.game.tables.icons.items
    item = next((number for number, file in enumerate(files) if file.data == after), 0)
    name = sides.after.names.name("item", item)
    yield from sides.field_changes(Kind.ITEM, (before,), differences(one, other), name=name)


def species_changes(sides: Sides, before: int, after: int) -> Iterator[Change]:
    """What differs between two species. Raises FormatError."""
    one, other = (
        side.world.member(Role.SPECIES, number, SpeciesData.from_bytes)
        for side, number in ((sides.before, before), (sides.after, after))
    )
    name = sides.after.names.name("species", after)
    meanings = {"items": "item", "held_items": "item"}
    yield from sides.field_changes(Kind.SPECIES, (before,), differences(one, other), name=name, meanings=meanings)

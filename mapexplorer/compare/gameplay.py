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
from mapexplorer.compare.change import Change, ChangeAction, ChangedKind, differing
from mapexplorer.compare.fields import FieldChange, differences
from mapexplorer.compare.sides import Side, Sides, by_fields
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
    old, new = sides.members(Role.MESSAGES, before, after, MessageBank.from_bytes)
    maps = sides.maps(Role.MESSAGES, before, after)
    for i, j in aligned(old.messages, new.messages):
        was, now = None if i is None else old[i], None if j is None else new[j]
        if was != now:
            action = ChangeAction.of(was, now)
            key = before, i if i is not None else j or 0
            field = "text" if action is ChangeAction.CHANGED else ""
            yield Change(ChangedKind.TEXT, action, key, "", field, was, now, headers=maps)
    yield from differing(ChangedKind.TEXT, (before,), ("seed", old.seed, new.seed), headers=maps)


def encounter_changes(sides: Sides, before: int, after: int) -> Iterator[Change]:
    """What differs between two encounter files: the chance and the levels of each species, and the other fields. Raises
    FormatError."""
    old, new = sides.members(Role.ENCOUNTERS, before, after, WildEncounters.from_bytes)
    maps = sides.maps(Role.ENCOUNTERS, before, after)
    tables = sides.before.world.game.tables
    fields = list(differences(old, new))
    for part, slots in _SLOTS.items():
        was, now = slots(old, tables), slots(new, tables)
        if was and now:
            changes = list(_chances(sides, before, part, maps, was, now))
            yield from changes
            told = {change.key[-1] for change in changes}
            slots_told = {slot.number for slot in (*was, *now) if slot.species in told}
            fields = [field for field in fields if not _in_slots(field, part, slots_told)]
    meanings = {"species": "species", **_SPECIES_LISTS, **dict.fromkeys(CARTRIDGES, "species")}
    yield from sides.field_changes(ChangedKind.ENCOUNTER, (before,), fields, headers=maps, meanings=meanings)


def _in_slots(field: FieldChange, part: str, slots: set[int]) -> bool:
    """Whether a difference is in some slots of a part of an encounter file; that of a whole part is in its slots."""
    first, *rest = field.path
    numbers = [part for part in rest if isinstance(part, int)]
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
    old, new = ({slot.species: slot for slot in by_species(slots)} for slots in (before, after))
    for species in sorted({*old, *new}):
        name = sides.after.names.name("species", species)
        was, now = old.get(species), new.get(species)
        fields: list[tuple[str, Any, Any]] = [(f"{part} percent", was.percent if was else 0, now.percent if now else 0)]
        if was and now:
            fields.append((f"{part} levels", (was.lowest, was.highest), (now.lowest, now.highest)))
        yield from differing(ChangedKind.ENCOUNTER, (member, part, species), *fields, name=name, headers=maps)


def _trainer(side: Side, number: int) -> Trainer:
    return side.world.member(Role.TRAINERS, number, Trainer.from_bytes)


def _party(side: Side, number: int) -> TrainerParty:
    read = partial(TrainerParty.from_bytes, form=_trainer(side, number).party_form)
    return side.world.member(Role.TRAINER_PARTIES, number, read)


def _trainer_name(sides: Sides, number: int) -> str:
    return sides.after.names.name("trainer", number)


def _item_name(sides: Sides, record: int) -> str:
    """The name of the first item that has a record."""
    files = sides.after.world.game.tables.icons.items
    item = next((number for number, file in enumerate(files) if file.data == record), 0)
    return sides.after.names.name("item", item)


trainer_changes = by_fields(
    ChangedKind.TRAINER, _trainer, name=_trainer_name, meanings={"items": "item", "trainer_class": "trainer class"}
)
"""What differs between two trainers, without their parties."""

party_changes = by_fields(
    ChangedKind.TRAINER, _party, name=_trainer_name, meanings={"species": "species", "item": "item", "moves": "move"}
)
"""What differs between the parties of two trainers."""

item_changes = by_fields(
    ChangedKind.ITEM, lambda side, number: side.world.member(Role.ITEMS, number, ItemData.from_bytes), name=_item_name
)
"""What differs between two records of items."""

species_changes = by_fields(
    ChangedKind.SPECIES,
    lambda side, number: side.world.member(Role.SPECIES, number, SpeciesData.from_bytes),
    name=lambda sides, number: sides.after.names.name("species", number),
    meanings={"items": "item", "held_items": "item"},
)
"""What differs between two species."""

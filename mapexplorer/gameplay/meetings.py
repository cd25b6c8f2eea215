"""The wild encounters of a map by condition: the lists of the grass and of the water, and each way to meet a
species."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from mapexplorer.gameplay.encounters import (
    CARTRIDGES,
    EncounterConditions,
    MapEncounters,
    SlotSource,
    SpeciesChance,
    WaterMethod,
    WildSlot,
    by_species,
    grass_slots,
    grass_times,
    listed_slots,
    map_encounters,
    water_encounters,
    water_slots,
)
from mapexplorer.gameplay.saved_encounters import SavedMeeting
from mapexplorer.world import FieldWorld
from mapexplorer.world.headers.header import Header

GRASS = "grass"
ALWAYS = "always"
ROAMING = "roaming"
_SPECIAL = (SlotSource.SWARM, SlotSource.SECOND_SLOT, SlotSource.RADAR)
_CARTRIDGE_TITLES: Final = dict(zip(CARTRIDGES, ("Ruby", "Sapphire", "Emerald", "FireRed", "LeafGreen"), strict=True))


class GrassList(NamedTuple):
    """The species in the grass at a time (`morning`, `day`, `night`) under some conditions."""

    time: str
    conditions: EncounterConditions
    slots: tuple[WildSlot, ...]

    @property
    def condition(self) -> str:
        """The condition beside the time: `swarm`, `Poké Radar` or a cartridge in the second slot; empty without one."""
        if self.conditions.swarm:
            return SlotSource.SWARM
        if self.conditions.cartridge:
            return f"{_CARTRIDGE_TITLES[self.conditions.cartridge]} cartridge"
        return SlotSource.RADAR if self.conditions.radar else ""


class WaterList(NamedTuple):
    """The species on the water by a method, whose rate is the chance of a bite or of a meeting in percent."""

    method: WaterMethod
    rate: int
    slots: tuple[WildSlot, ...]


@dataclass(frozen=True)
class EncounterFacts:
    """The encounters of a header; the lists of the grass are those without other conditions by time, then those with
    a swarm, the Poké Radar and a cartridge each, where they are possible and change something."""

    world: FieldWorld
    here: MapEncounters
    grass: tuple[GrassList, ...]
    water: tuple[WaterList, ...]
    saved: tuple[SavedMeeting, ...] = ()
    """What a saved game decides."""

    @property
    def header(self) -> Header:
        """The map header."""
        return self.world.headers[self.here.header]


def find_encounters(world: FieldWorld, header: int) -> EncounterFacts:
    """The encounters of a map. Raises FormatError, RomError."""
    here = map_encounters(world, header)
    if here.encounters is None:
        return EncounterFacts(world, here, (), ())
    tables, encounters = world.game.tables, here.encounters
    plain = {time: EncounterConditions(second) for time, second in grass_times(tables).items()}
    lists = [GrassList(time, at, grass_slots(encounters, tables, at)) for time, at in plain.items()]
    for conditions in _special(here):
        for usual in lists[: len(plain)]:
            at = replace(conditions, second=usual.conditions.second)
            slots = grass_slots(encounters, tables, at)
            if [slot.species for slot in slots] != [slot.species for slot in usual.slots]:
                lists.append(GrassList(usual.time, at, slots))
    water = [
        WaterList(method, water_encounters(encounters, method).rate, water_slots(encounters, tables, method))
        for method in WaterMethod
    ]
    return EncounterFacts(
        world,
        here,
        tuple(listed for listed in lists if listed.slots),
        tuple(by_method for by_method in water if by_method.slots),
    )


def _special(here: MapEncounters) -> Iterator[EncounterConditions]:
    if here.can_swarm:
        yield EncounterConditions(swarm=True)
    yield EncounterConditions(radar=True)
    for cartridge in CARTRIDGES:
        yield EncounterConditions(cartridge=cartridge)


class Meeting(NamedTuple):
    """A species under one condition, without those that other conditions add: how it is met (`grass`, `surf` ...),
    when (`always`, `morning`, `swarm`, `ruby` ...), its chance in percent (None: no fixed one), the levels."""

    how: str
    when: str
    species: int
    percent: int | None
    lowest: int | None = None
    highest: int | None = None


def levels_text(met: Meeting | SpeciesChance) -> str:
    """The levels of a meeting: `3`, `2-3`, or nothing."""
    if met.lowest is None:
        return ""
    return str(met.lowest) if met.lowest == met.highest else f"{met.lowest}-{met.highest}"


def meetings(facts: EncounterFacts) -> list[Meeting]:
    """The species of a map by condition."""
    usual = [slots_of_time for slots_of_time in facts.grass if not slots_of_time.condition]
    different = len({tuple(slot.species for slot in slots_of_time.slots) for slots_of_time in usual}) > 1
    of_time = facts.world.game.tables.encounters.replaced["time"] if different else ()
    met: list[Meeting] = []
    for slots_of_time in usual[:1]:
        met += _meetings(GRASS, ALWAYS, (slot for slot in slots_of_time.slots if slot.number not in of_time))
    for slots_of_time in usual:
        met += _meetings(GRASS, slots_of_time.time, (slot for slot in slots_of_time.slots if slot.number in of_time))
    for slots_of_time in facts.grass:
        if slots_of_time.condition:
            met += _meetings(
                GRASS, slots_of_time.condition, (slot for slot in slots_of_time.slots if slot.source in _SPECIAL)
            )
    for water in facts.water:
        met += _meetings(water.method, ALWAYS, water.slots)
    for which, species in facts.here.lists.items():
        slots = listed_slots(which, species, facts.world.game.tables)
        met += _meetings(which, ALWAYS, slots) or [Meeting(which, ALWAYS, kind, None) for kind in species]
    met += [Meeting(ROAMING, ALWAYS, roamer.species, None, roamer.level, roamer.level) for roamer in facts.here.roamers]
    return list(dict.fromkeys(met))


def _meetings(how: str, when: str, slots: Iterable[WildSlot]) -> list[Meeting]:
    chances = sorted(by_species(slots), key=lambda chance: (-chance.percent, chance.species))
    return [Meeting(how, when, *chance) for chance in chances]

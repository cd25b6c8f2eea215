"""Wild encounters: the slots of each file, and the lists of places."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from formats.field.wild_encounters import WildEncounters
from mapexplorer.catalogue.source import Row, Rows, Source
from mapexplorer.gameplay.encounters import (
    CARTRIDGES,
    EncounterConditions,
    PlaceList,
    SlotSource,
    WaterMethod,
    WildSlot,
    grass_slots,
    grass_times,
    listed_slots,
    map_encounters,
    unown_letters,
    water_encounters,
    water_slots,
)
from mapexplorer.games import Role

GRASS: Final = "grass"


def fill_encounters(source: Source) -> Iterator[tuple[str, Rows]]:
    """The tables of wild encounters."""
    world, tables = source.world, source.world.game.tables
    files = list(
        source.each(
            source.members(Role.ENCOUNTERS),
            lambda one: world.member(Role.ENCOUNTERS, one, WildEncounters.from_bytes),
        )
    )
    yield (
        "encounters",
        (
            (
                number,
                one.grass_rate,
                *(water_encounters(one, method).rate for method in WaterMethod),
                unown_letters(one, tables),
            )
            for number, one in files
        ),
    )
    yield "encounter_slot", (row for number, one in files for row in _slots(source, number, one))
    lists = set(tables.encounters.lists.values())
    yield "encounter_time", ((time, time if time in lists else SlotSource.FILE) for time in grass_times(tables))
    here = [found for _, found in source.each(range(len(world.headers)), partial(map_encounters, world))]
    yield (
        "place_species",
        (
            row
            for one in here
            for which, species in one.lists.items()
            for row in _listed(source, one.header, which, species)
        ),
    )
    yield "roamer", ((one.header, roamer.species, roamer.level) for one in here for roamer in one.roamers)
    yield "swarm", ((one.header,) for one in here if one.can_swarm)


def _listed(source: Source, header: int, which: PlaceList, species: tuple[int, ...]) -> Iterator[Row]:
    """The species of a list of a place; chances and levels only where they are fixed."""
    slots = listed_slots(which, species, source.world.game.tables)
    for slot in slots:
        yield header, which, slot.number, slot.species, slot.percent, slot.lowest, slot.highest
    if not slots:
        for number, one in enumerate(species):
            yield header, which, number, one, None, None, None


def _slots(source: Source, member: int, encounters: WildEncounters) -> Iterator[Row]:
    """The slots of the file and, by list, those that replace them under a condition."""
    tables = source.world.game.tables
    lists = set(tables.encounters.lists.values())
    times = grass_times(tables)
    usual = next(second for time, second in times.items() if time not in lists)
    conditions = {time: EncounterConditions(second) for time, second in times.items() if time in lists}
    conditions |= {"swarm": EncounterConditions(usual, swarm=True), "radar": EncounterConditions(usual, radar=True)}
    conditions |= {one: EncounterConditions(usual, cartridge=one) for one in CARTRIDGES}
    for slot in grass_slots(encounters, tables, EncounterConditions(usual)):
        yield _slot(member, GRASS, SlotSource.FILE, slot)
    for name, condition in conditions.items():
        for slot in grass_slots(encounters, tables, condition):
            if slot.source is not SlotSource.FILE:
                yield _slot(member, GRASS, name, slot)
    for method in WaterMethod:
        for slot in water_slots(encounters, tables, method):
            yield _slot(member, method, SlotSource.FILE, slot)


def _slot(member: int, method: str, of_list: str, slot: WildSlot) -> Row:
    return member, method, of_list, slot.number, slot.percent, slot.species, slot.lowest, slot.highest

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
            lambda number: world.member(Role.ENCOUNTERS, number, WildEncounters.from_bytes),
        )
    )
    yield (
        "encounters",
        (
            (
                number,
                encounters.grass_rate,
                *(water_encounters(encounters, method).rate for method in WaterMethod),
                unown_letters(encounters, tables),
            )
            for number, encounters in files
        ),
    )
    yield "encounter_slot", (row for number, encounters in files for row in _slots(source, number, encounters))
    lists = set(tables.encounters.lists.values())
    yield "encounter_time", ((time, time if time in lists else SlotSource.FILE) for time in grass_times(tables))
    here = [on_map for _, on_map in source.each(range(len(world.headers)), partial(map_encounters, world))]
    yield (
        "place_species",
        (
            row
            for on_map in here
            for which, species in on_map.lists.items()
            for row in _listed(source, on_map.header, which, species)
        ),
    )
    yield "roamer", ((on_map.header, roamer.species, roamer.level) for on_map in here for roamer in on_map.roamers)
    yield "swarm", ((on_map.header,) for on_map in here if on_map.can_swarm)


def _listed(source: Source, header: int, which: PlaceList, species: tuple[int, ...]) -> Iterator[Row]:
    """The species of a list of a place; chances and levels only where they are fixed."""
    slots = listed_slots(which, species, source.world.game.tables)
    for slot in slots:
        yield header, which, slot.number, slot.species, slot.percent, slot.lowest, slot.highest
    if not slots:
        for number, listed in enumerate(species):
            yield header, which, number, listed, None, None, None


def _slots(source: Source, member: int, encounters: WildEncounters) -> Iterator[Row]:
    """The slots of the file and, by list, those that replace them under a condition."""
    tables = source.world.game.tables
    lists = set(tables.encounters.lists.values())
    times = grass_times(tables)
    usual = next(second for time, second in times.items() if time not in lists)
    conditions = {time: EncounterConditions(second) for time, second in times.items() if time in lists}
    conditions |= {"swarm": EncounterConditions(usual, swarm=True), "radar": EncounterConditions(usual, radar=True)}
    conditions |= {cartridge: EncounterConditions(usual, cartridge=cartridge) for cartridge in CARTRIDGES}
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

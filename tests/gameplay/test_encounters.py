"""Wild encounters: every list of the vectors, and what belongs to a map."""

from __future__ import annotations

import struct

import pytest

from formats.field import WildEncounters
from mapexplorer.gameplay.encounters import (
    EncounterConditions,
    PlaceList,
    SlotSource,
    WaterMethod,
    by_species,
    grass_slots,
    grass_times,
    listed_slots,
    map_encounters,
    unown_letters,
    water_slots,
)
from mapexplorer.gameplay.meetings import ALWAYS, GRASS, find_encounters, meetings
from mapexplorer.games import Role
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.inspector.places.species import find_species
from mapexplorer.world import FieldWorld
from tests.conftest import Cases

TABLES = PLATINUM.tables
SECONDS = {"morning": 5 * 3600, "day": 12 * 3600, "night": 23 * 3600}
COMBEE, FEEBAS, MUNCHLAX, UNOWN = 415, 349, 446, 201


def read(world: FieldWorld, member: int) -> WildEncounters:
    return world.member(Role.ENCOUNTERS, member, WildEncounters.from_bytes)


def test_every_list_of_the_vectors(real: FieldWorld, cases: Cases) -> None:
    for case in cases("encounter_chances"):
        encounters = read(real, case["member"])
        if not case["grass"]:
            assert grass_slots(encounters, TABLES) == ()
        for time, swarm, radar, cartridge, wanted in case["grass"]:
            at = EncounterConditions(SECONDS[time], bool(swarm), bool(radar), cartridge)
            assert [list(one) for one in by_species(grass_slots(encounters, TABLES, at))] == wanted
        for method, wanted in case["water"].items():
            slots = water_slots(encounters, TABLES, WaterMethod(method if method == "surf" else f"{method} rod"))
            assert [list(one) for one in by_species(slots)] == wanted


@pytest.mark.parametrize("hour", range(24))
def test_the_list_of_an_hour(real: FieldWorld, hour: int) -> None:
    encounters = map_encounters(real, 342).encounters
    assert encounters is not None
    slots = grass_slots(encounters, TABLES, EncounterConditions(hour * 3600))
    time = "morning" if 4 <= hour < 10 else "day" if 10 <= hour < 20 else "night"
    wanted = {"morning": [slot.species for slot in encounters.grass[2:4]], "day": [*encounters.day]}
    assert [slot.species for slot in slots[2:4]] == wanted.get(time, [*encounters.night])
    assert {slot.source for slot in slots[2:4]} == {SlotSource.FILE if time == "morning" else SlotSource(time)}


def test_the_chances_of_all_slots_are_a_hundred_percent() -> None:
    assert {kind: sum(chances) for kind, chances in TABLES.encounters.chances.items()} == dict.fromkeys(
        ("grass", "surf", "old rod", "good rod", "super rod"), 100
    )
    assert sum(TABLES.encounters.honey_tree_chances) == 100
    assert sum(TABLES.encounters.common_trees) == sum(TABLES.encounters.munchlax_trees) == 100
    assert list(grass_times(TABLES)) == ["morning", "day", "night"]


def test_the_levels_of_a_slot() -> None:
    data = bytearray(424)
    data[0] = 10
    data[4] = 0xFF  # the game reads one signed byte
    data[5] = 1
    data[0xCC] = 10
    data[0xD0:0xD2] = bytes((3, 9))  # highest below lowest
    encounters = WildEncounters.from_bytes(bytes(data))
    assert grass_slots(encounters, TABLES)[0][3:5] == (-1, -1)
    assert water_slots(encounters, TABLES, WaterMethod.SURF)[0][3:5] == (3, 9)
    assert water_slots(encounters, TABLES, WaterMethod.OLD_ROD) == ()


def test_maps_with_lists_of_their_own(real: FieldWorld) -> None:
    route = map_encounters(real, 347)
    assert route.lists[PlaceList.HONEY_COMMON][0] == COMBEE
    assert set(route.lists[PlaceList.HONEY_RARE]) == {MUNCHLAX} and len(route.lists) == 3
    assert [len(one) for one in map_encounters(real, 287).lists.values()] == [16]
    assert set(map_encounters(real, 504).lists) == {PlaceList.GREAT_MARSH, PlaceList.GREAT_MARSH_NATIONAL}
    town = map_encounters(real, 411)
    assert (town.member is None, town.encounters is None, town.lists) == (
        town.encounters is None,
        real.headers[411].wild_encounters == 0xFFFF,
        {},
    )
    assert map_encounters(real, 342).can_swarm and not map_encounters(real, 345).can_swarm


def words(data: bytes, offset: int, count: int, step: int = 4) -> set[int]:
    return {struct.unpack_from("<I", data, offset + step * at)[0] for at in range(count)}


def stored_species(world: FieldWorld, header: int) -> set[int]:
    """The species of a header by the offsets of the fact sheet, of every sort."""
    known, extras = TABLES.encounters, world.rom.archive("arc/encdata_ex.narc")
    members = [0] if header == known.feebas_header else []
    members += [2, 3, 4] if header in known.honey_tree_headers else []
    members += [8] if header == known.trophy_garden_header else []
    members += [9, 10] if header in known.great_marsh_headers else []
    found = set().union(*(words(extras[member], 0, len(extras[member]) // 4) for member in members))
    found |= {481, 488, 144, 145, 146} if header in known.roamer_headers else set()
    number = world.headers[header].wild_encounters
    if number == 0xFFFF:
        return found
    data = bytes(world.rom.archive("fielddata/encountdata/pl_enc_data.narc")[number])
    if any(words(data, 0, 1)):
        found |= words(data, 8, 12, 8) | words(data, 0x6C, 8) | words(data, 0xA4, 10)
        found |= words(data, 0x64, 2) if header in known.swarm_headers else set()
    for rate in (0xCC, 0x124, 0x150, 0x17C):
        found |= words(data, rate + 8, 5, 8) if any(words(data, rate, 1)) else set()
    return found - {0}


def test_the_species_of_every_map_are_those_of_its_files(real: FieldWorld) -> None:
    for header in real.headers:
        found = {one.species for one in meetings(find_encounters(real, header.id))}
        assert found == stored_species(real, header.id), header


def test_feebas_is_met_on_its_tiles(real: FieldWorld) -> None:
    ((header, found),) = find_species(real, FEEBAS).places
    assert header.internal_name == "D05R0113"
    assert [tuple(one) for one in found] == [("Feebas tiles", ALWAYS, FEEBAS, 50, 10, 20)]


def test_the_maps_of_a_species_have_it(real: FieldWorld) -> None:
    assert {header.id for header, _ in find_species(real, COMBEE).places} == set(TABLES.encounters.honey_tree_headers)


def test_roamers_and_the_chances_of_honey_trees(real: FieldWorld) -> None:
    route, garden = map_encounters(real, 347), map_encounters(real, 287)
    assert [one.species for one in route.roamers] == [481, 488, 146, 145, 144] and garden.roamers == ()
    found = by_species(listed_slots(PlaceList.HONEY_RARE, route.lists[PlaceList.HONEY_RARE], TABLES))
    assert found == ((MUNCHLAX, 100, 5, 15),)
    assert listed_slots(PlaceList.TROPHY_GARDEN, garden.lists[PlaceList.TROPHY_GARDEN], TABLES) == ()


def test_unown_by_table(real: FieldWorld) -> None:
    letters = set()
    for header, _ in find_species(real, UNOWN).places:
        encounters = map_encounters(real, header.id).encounters
        assert encounters is not None
        letters.add(unown_letters(encounters, TABLES))
    assert {"F", "R", "I", "E", "N", "D"} <= letters
    encounters = map_encounters(real, 342).encounters
    assert encounters is not None and unown_letters(encounters, TABLES) == ""


def test_what_is_always_there_and_what_comes_with_the_time_add_up(real: FieldWorld) -> None:
    for header in real.headers:
        facts = find_encounters(real, header.id)
        grass = [one for one in meetings(facts) if one.how == GRASS]
        for usual in facts.grass:
            if usual.condition or not grass:
                continue
            here = [one for one in grass if one.when in (ALWAYS, usual.time)]
            assert sum(one.percent or 0 for one in here) == 100, header
            assert {one.species for one in here} == {slot.species for slot in usual.slots}


def test_a_world_without_encounters(demo: FieldWorld) -> None:
    facts = find_encounters(demo, 4)
    assert facts.here.encounters is None and facts.grass == facts.water == () and not meetings(facts)

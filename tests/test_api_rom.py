"""The public Python names on the real ROMs, against vectors and the bytes of the program."""

from __future__ import annotations

import struct
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import mapexplorer
from mapexplorer import api
from mapexplorer.gameplay.items import BerryTree, PlacedItem, ScriptItem, SoldItem
from mapexplorer.world.subject import subject
from tests.conftest import Cases


@pytest.fixture(scope="module")
def rom(rom_path: Path) -> api.World:
    return mapexplorer.World(rom_path)


SNOW = {
    "C09": {5: 356, 11: 10}, "L03": {5: 9, 6: 357}, "R216": {5: 1, 6: 356, 7: 9}, "R217": {7: 366},
    "D05R0104": {6: 366}, "D05R0105": {6: 366},
}  # fmt: skip
"""Internal name -> weather -> days, of the maps with snow (5 to 7, 21) or hail (11): by hand from the table."""


def test_it_snows_where_the_table_of_the_year_says(rom: api.World) -> None:
    table = rom.underlying.yearly_weather
    assert table is not None and table.why.offset is not None
    start, program = table.why.offset, rom.rom.arm9()
    snowing = {}
    for header in rom.headers:
        place = rom.place(header.id)
        if 32 <= header.weather <= 36:
            days = [program[start + 5 * day + header.weather - 32] for day in range(366)]
        else:
            days = [header.weather] * 366
        found = {weather.id: number for weather, number in place.weather().items()}
        assert found == Counter(days), header
        assert [place.weather(day).id for day in (0, 59, 200, 365)] == [days[day] for day in (0, 59, 200, 365)]
        if {5, 6, 7, 11, 21}.intersection(found):
            snowing[header.internal_name] = found
    assert snowing == SNOW


def test_trainers_are_those_of_the_vectors(rom: api.World, cases: Cases) -> None:
    for row in cases("trainers"):
        found = rom.trainers[row["trainer"]]
        assert found.number == row["trainer"] and list(found.record.items) == row["items"]
        assert [
            {"species": one.stored.species, "level": one.stored.level, "pid": one.personality, "nature": one.nature}
            for one in found.party
        ] == [{key: one[key] for key in ("species", "level", "pid", "nature")} for one in row["party"]]
        for one, expected in zip(found.party, row["party"], strict=True):
            assert one.stored.moves == (tuple(expected["moves"]) if "moves" in expected else None)
            assert one.stored.item == expected.get("item")
    assert len(rom.trainers) == 928


def test_items_of_maps_and_what_gives_them(rom: api.World, cases: Cases) -> None:
    """Each row of the vectors is on the maps of its header, or on those whose scripts are in its file; and the scripts
    that hand over an item are its uses. There is no more than that but of entries that the vectors leave out."""
    known = {
        (row["member"], entry)
        for row in cases("script_effects")
        for entry, effects in enumerate(row["entries"])
        if effects is not None
    }
    placed: dict[int, Counter[tuple[Any, ...]]] = {header.id: Counter() for header in rom.headers}
    scripted: dict[int, Counter[tuple[Any, ...]]] = {}
    sources = cases("xref_items")
    keys = {row["key"] for row in sources}
    for row in sources:
        given = set()
        for kind, *rest in row["rows"]:
            if kind in ("floor", "hidden", "berry"):
                placed[rest[0]][kind, row["key"], *rest[1:]] += 1
            elif kind in ("script", "add", "mart", "exchange"):
                scripted.setdefault(rest[0], Counter())[kind, row["key"], *rest[1:]] += 1
                given |= {(rest[0], rest[1])} if kind in ("script", "add") else set()
        uses = rom.uses(subject("item", row["key"])).uses
        found = {use.user.key for use in uses if use.how == "given by"}
        assert given <= found and known.isdisjoint(found - given), row["key"]
    for header in rom.headers[::5]:
        here: Counter[tuple[Any, ...]] = Counter()
        for one in rom.place(header.id).items():
            match one:
                case PlacedItem():
                    here[one.how.value, one.item, one.x, one.z, one.count, one.flag] += 1
                case BerryTree():
                    here["berry", one.item, one.x, one.z, one.berries, one.patch] += 1
                case ScriptItem():
                    here[one.how.value, one.item, one.entry, one.count] += 1
                case SoldItem():
                    here[one.shop.value, one.item, one.entry, one.number] += 1
        expected = placed[header.id] + scripted.get(header.scripts, Counter())
        assert expected <= here, header
        more = [key for key in here - expected if key[1] in keys]
        assert not any(key[0] in ("floor", "hidden", "berry") or (header.scripts, key[2]) in known for key in more), (
            header
        )


def test_a_clone_belongs_to_another_map(rom: api.World) -> None:
    """A clone has script 0xFFFF, and the header that it belongs to where others have their flag."""
    count = 0
    for header in rom.headers:
        events = rom.rom.archive(rom.underlying.game.path("zone_event"))[header.events]
        (backgrounds,) = struct.unpack_from("<I", events, 0)
        first = 4 + 20 * backgrounds
        (objects,) = struct.unpack_from("<I", events, first)
        records = [struct.unpack_from("<HHHHHHh3HhhHHi", events, first + 4 + 32 * index) for index in range(objects)]
        if not any(record[5] == 0xFFFF for record in records):
            continue
        for record, person in zip(records, rom.place(header.id).people("new"), strict=True):
            assert person.tile == (record[12], record[13])
            flag = 0 if person.hidden_by is None else person.hidden_by.flag
            if record[5] == 0xFFFF:
                assert person.clone_of is not None and (person.clone_of[0].id, flag) == (record[4], 0)
                count += 1
            else:
                assert (person.clone_of, flag) == (None, record[4])
    assert count == 47


def test_species_are_fought_where_scripts_say(rom: api.World, cases: Cases) -> None:
    wild: dict[int, set[tuple[int, int]]] = {}
    for row in cases("script_effects"):
        for entry, effects in enumerate(row["entries"]):
            for species, _ in (effects or {}).get("wild", ()):
                wild.setdefault(species, set()).add((row["member"], entry))
    assert 487 in wild  # Giratina
    for species, scripts in wild.items():
        found = {use.user.key for use in rom.uses(f"species:{species}").uses if use.how == "fought in"}
        assert species < 0 or scripts <= found, species


def test_a_part_of_a_word_names_no_map(rom: api.World) -> None:
    for name in ("go", "header", "flag", "Route 23"):
        with pytest.raises(mapexplorer.PlaceError):
            rom.place(name)
    with pytest.raises(mapexplorer.PlaceError) as raised:
        rom.place("Mt. Coronet")
    assert set(map(type, raised.value.candidates)) == {type(rom.headers[0])}
    assert {one.location_name for one in raised.value.candidates} == {"Mt. Coronet"}


def test_what_is_not_known_of_a_game_is_said(rom_path: Path) -> None:
    """Nothing is known about trainers, items, encounters and scripts of Diamond."""
    diamond = mapexplorer.World(rom_path.with_name("diamond-field.nds"))
    place = diamond.place("T01")
    for call in (lambda: diamond.trainers, place.encounters, place.items, place.scripts):
        with pytest.raises(mapexplorer.RomError, match="Nothing is known about"):
            call()
    with pytest.raises(mapexplorer.RomError, match="The names of species are not known"):
        diamond.things("species")
    flag = diamond.uses("flag:402")
    assert "scripts" in flag.not_known and "scripts" not in flag.asked
    hidden = next(one.hidden_by for one in place.people() if one.hidden_by is not None)
    assert not hidden.known and hidden.users == ()

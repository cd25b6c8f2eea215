"""Rows of lists: events, wild Pokémon, and the search over names."""

from __future__ import annotations

from pathlib import Path

import pytest

from mapexplorer.catalogue.resolve import ALL, find_thing
from mapexplorer.catalogue.search import get
from mapexplorer.catalogue.store import open_store
from mapexplorer.gameplay.meetings import find_encounters
from mapexplorer.inspector.describe import describe
from mapexplorer.inspector.facts import ListedThing
from mapexplorer.inspector.places.encounters import listed_encounters
from mapexplorer.inspector.places.listed_events import listed_events
from mapexplorer.inspector.places.map_events import find_events
from mapexplorer.inspector.things.found import find_tile, listed_names
from mapexplorer.world import FieldWorld
from mapexplorer.world.subject import Subject, subject


@pytest.fixture(scope="module")
def demo() -> FieldWorld:
    return FieldWorld.open("demo")


@pytest.fixture(scope="module")
def real(rom_path: Path) -> FieldWorld:
    return FieldWorld.open(rom_path)


def events_of(world: FieldWorld, name: str) -> dict[str, tuple[ListedThing, ...]]:
    header = world.place(name).header.id
    groups = listed_events(world, find_events(world, header))
    return {group.title: group.rows for group in groups}


def test_events_are_listed_by_what_they_are(real: FieldWorld) -> None:
    groups = events_of(real, "R205A")
    assert {title: len(things) for title, things in groups.items()} == {
        "People and things": 20,
        "Items": 5,
        "Berry and honey trees": 5,
        "Signs": 4,
        "Warps": 3,
        "Triggers": 2,
    }
    hiker = groups["People and things"][0]
    assert hiker.title == "Hiker Daniel" and hiker.side == "210, 637" and "sees 4 tiles" in hiker.lines
    assert all("sign" in one.title.lower() for one in groups["Signs"])
    ball = groups["Items"][0]
    assert (ball.shown, ball.title, ball.lines[0]) == (subject("item", 14), "Heal Ball", "on the floor")
    assert not any("found" in line for line in ball.lines)
    assert groups["Berry and honey trees"][-1].title == "Honey tree"
    assert groups["Triggers"][0].lines[-1] == "runs while variable 0x4089 (valley_windworks_state) is 0"


def test_who_is_absent_is_faint_and_says_why(real: FieldWorld) -> None:
    [barry] = [one for one in events_of(real, "T02")["People and things"] if one.title.startswith("Barry")]
    assert barry.faint
    assert barry.lines[-1].startswith("absent: hidden while flag 407 hide_sandgem_town_rival is set: ")


def test_wild_pokemon_are_listed_by_condition(demo: FieldWorld) -> None:
    groups = listed_encounters(find_encounters(demo, demo.place("F01").header.id))
    by_title = {group.title: group for group in groups}
    night = by_title["Grass, night (20-4 h)"]
    assert [(one.subject, one.side) for one in night.rows] == [
        (subject("species", 1), "40 %"),
        (subject("species", 2), "40 %"),
        (subject("species", 5), "20 %"),
    ]
    assert not night.collapsed and all(group.collapsed for group in groups if "Poké Radar" in group.title)


def test_rows_lead_to_what_was_found(demo: FieldWorld) -> None:
    store, bank = open_store(demo.rom), demo.place("T01").header.message_bank
    names = ("item:1", f"text:{bank}/0", "map:4", "file:fielddata/maptable/mapname.bin")
    found = [one for name in names if (one := get(store, find_thing(demo, name, ALL).subject)) is not None]
    groups = {group.title: group.rows for group in listed_names(store, found)}
    assert [group[0].subject for group in groups.values()] == [
        subject("item", 1),
        subject("text", bank, 0),
        subject("header", 4),
        Subject("file", ("fielddata/maptable/mapname.bin",)),
    ]
    (text,) = groups["Texts"]
    messages = demo.messages(bank)
    assert (
        messages is not None
        and text.title == f"“{' '.join(messages.messages[0].split())}”"
        and text.side == f"{bank}/0"
    )


def test_users_are_subjects(real: FieldWorld) -> None:
    """Facts lead to what uses a thing: an entry of a script file to the script of a map, or to the shared one."""

    def leads(kind: str, number: int) -> dict[str, Subject | None]:
        (section,) = [
            one for one in describe(real, 411, subject(kind, number)).sections if one.title.startswith("Uses")
        ]
        return {fact.value: fact.link for fact in section.rows}

    flag, item, species = leads("flag", 407), leads("item", 17), leads("species", 133)
    sandgem, band = real.place("T02").header.id, real.game.tables.script_numbers.band(9600)
    assert band is not None
    assert flag == {
        "T02": subject("object", sandgem, 3),
        f"file:{band.member}#0": subject("script", 0, 9600),
        "T02#2": subject("script", sandgem, 2),
    }
    assert item["C01@142,766"] == subject("object", real.place("C01").header.id, 32)
    assert item["Leader Roark"] == subject("trainer", 246) and item["step 1"] is None
    assert species["D23R0101"] == subject("header", real.place("D23R0101").header.id)


def test_a_tile_is_named(demo: FieldWorld) -> None:
    found = find_tile(demo, " t01 @ 13,33 ")
    assert found is not None and (found[0].internal_name, *found[1:]) == ("T01", 13, 33)
    assert find_tile(demo, "at no place@1,2") is None and find_tile(demo, "T01") is None

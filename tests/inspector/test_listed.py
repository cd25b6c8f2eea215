"""Rows of lists: events, wild Pokémon, and the search over names."""

from __future__ import annotations

from pathlib import Path

import pytest

from mapexplorer.inspector.encounters import find_encounters
from mapexplorer.inspector.kept_names import name_index
from mapexplorer.inspector.listed import ListedGroup, ListedThing
from mapexplorer.inspector.listed_encounters import listed_encounters
from mapexplorer.inspector.listed_events import listed_events
from mapexplorer.inspector.map_events import events_json, find_events, indexed_users
from mapexplorer.inspector.name_index import Entry, NameIndex, Use
from mapexplorer.inspector.name_search import NameSearch, find_tile, listed_names
from mapexplorer.inspector.subject import subject
from mapexplorer.inspector.use_links import UseLinks
from mapexplorer.world import FieldWorld
from mapexplorer.world.save import fresh_save


@pytest.fixture(scope="module")
def demo() -> FieldWorld:
    return FieldWorld.open("demo")


@pytest.fixture(scope="module")
def real(rom_path: Path) -> FieldWorld:
    return FieldWorld.open(rom_path)


def events_of(world: FieldWorld, name: str) -> dict[str, tuple[ListedThing, ...]]:
    header = world.place(name).header.id
    groups = listed_events(world, find_events(world, header), fresh_save(world.game))
    return {group.title: group.things for group in groups}


def test_events_are_listed_by_what_they_are(real: FieldWorld) -> None:
    groups = events_of(real, "R205A")
    assert {title: len(things) for title, things in groups.items()} == {
        "People and things": 20, "Items": 5, "Berry and honey trees": 5, "Signs": 4, "Warps": 3, "Triggers": 2
    }  # fmt: skip
    hiker = groups["People and things"][0]
    assert hiker.title == "Hiker Daniel" and hiker.side == "210, 637" and "sees 4 tiles" in hiker.lines
    assert all("sign" in one.title.lower() for one in groups["Signs"])
    ball = groups["Items"][0]
    assert (ball.shown, ball.title, ball.lines[0]) == (subject("item", 14), "Heal Ball", "on the floor")
    assert not any("found" in line for line in ball.lines)
    assert groups["Berry and honey trees"][-1].title == "Honey tree"
    assert groups["Triggers"][0].lines[-1] == "runs while variable valley_windworks_state is 0"


def test_who_is_absent_is_faint_and_says_why(real: FieldWorld) -> None:
    [barry] = [one for one in events_of(real, "T02")["People and things"] if one.title.startswith("Barry")]
    assert barry.faint
    assert barry.lines[-1].startswith("absent: hidden while flag 407 hide_sandgem_town_rival is set: ")


def test_the_index_knows_the_users_of_flags(demo: FieldWorld) -> None:
    for header in demo.headers:
        by_files = find_events(demo, header.id)
        by_index = find_events(demo, header.id, users=indexed_users(name_index(demo.rom)))
        assert events_json(by_files) == events_json(by_index)


def test_wild_pokemon_are_listed_by_condition(demo: FieldWorld) -> None:
    groups = listed_encounters(find_encounters(demo, demo.place("F01").header.id))
    by_title = {group.title: group for group in groups}
    night = by_title["Grass, night (20-4 h)"]
    assert [(one.subject, one.side) for one in night.things] == [
        (subject("species", 1), "40 %"), (subject("species", 2), "40 %"), (subject("species", 5), "20 %")
    ]  # fmt: skip
    assert not night.shut and all(group.shut for group in groups if "Poké Radar" in group.title)


def entries() -> list[Entry]:
    here = (Use("floor", "T01@1,2"),)
    return [
        Entry("item", (1,), "Moon Stone", "", here), Entry("item", (2,), "Sun Stone"), Entry("map", (0,), "Town (T01)"),
        Entry("weather", (5,), "snowing", "", (Use("every day", "T01"),)), Entry("text", (3, 4), "a stone's throw"),
    ]  # fmt: skip


def test_the_search_while_typing() -> None:
    search = NameSearch(NameIndex.of(entries()))

    def names(text: str, **settings: str) -> list[str]:
        return [one.name for one in search.find(text, 5, **settings)]

    assert names("stone") == ["Sun Stone", "Moon Stone", "a stone's throw"]
    assert names("stone", kind="item") == ["Sun Stone", "Moon Stone"]
    assert names("", kind="item", user="T01") == ["Moon Stone"] and names("", user="T0") == []
    assert names("moonstoen") == ["Moon Stone"] and names("", kind="item") == ["Moon Stone", "Sun Stone"]
    assert names("item:2") == ["Sun Stone"] and names("weather:snow", kind="map") == ["Town (T01)"]
    assert len(search.find("stone", 1)) == 2, "the best of each kind"


def test_the_search_finds_what_the_index_finds(real: FieldWorld) -> None:
    index = name_index(real.rom)
    for words in ("moon stone", "pikachu", "wow what was that"):
        best = index.best(words.split(), 1000)
        assert set(best) == set(index.find(words.split())), words


def test_rows_lead_to_what_was_found() -> None:
    groups = {group.title: group for group in listed_names(entries())}
    assert groups["Items"].things[0].subject == subject("item", 1)
    assert groups["Texts"] == ListedGroup(
        "Texts", (ListedThing(subject("text", 3, 4), "“a stone's throw”", (), "3/4"),)
    )
    assert groups["Maps"].things[0].subject == subject("header", 0)


def test_users_are_subjects(real: FieldWorld) -> None:
    links = UseLinks(real)

    def lead(at: str) -> object:
        return links.subject(Use("", at))

    header = real.place("T02").header.id
    assert lead("T02") == subject("header", header) and lead("T02#7") == subject("script", header, 7)
    assert lead("trainer:9") == subject("trainer", 9) and lead("step 3") is None and lead("8000 coins") is None
    assert lead("T02@165,843") == subject("object", header, 5), "the sign that stands there"
    band = real.game.tables.script_numbers.bands[0]
    assert lead(f"file:{band.member}#4") == subject("script", 0, band.first + 4)
    assert lead("file:404") == subject("scripts", 404)


def test_a_tile_is_named(demo: FieldWorld) -> None:
    found = find_tile(demo, " t01 @ 13,33 ")
    assert found is not None and (found[0].internal_name, *found[1:]) == ("T01", 13, 33)
    assert find_tile(demo, "at no place@1,2") is None and find_tile(demo, "T01") is None

"""The events of maps with their texts and flags, and what is known of a tile."""

from __future__ import annotations

from pathlib import Path

import pytest

from mapexplorer.gameplay.activation import Cause
from mapexplorer.inspector.describe import describe
from mapexplorer.inspector.places.map_events import HidingFlag, events_json, events_lines, find_events
from mapexplorer.inspector.places.tile import ask, tile_facts
from mapexplorer.world import FieldWorld
from mapexplorer.world.direction import NORTH
from mapexplorer.world.events.transition import arrive
from mapexplorer.world.opening import open_rom
from mapexplorer.world.save import fresh_save
from mapexplorer.world.sources.readable import readable_original
from mapexplorer.world.subject import subject


@pytest.fixture(scope="module")
def real(rom_path: Path) -> FieldWorld:
    """The world of the real ROM."""
    return FieldWorld(open_rom(rom_path))


@pytest.fixture(scope="module")
def demo() -> FieldWorld:
    """The demo world."""
    return FieldWorld.open("demo")


def test_what_a_sign_of_the_demo_world_says(demo: FieldWorld) -> None:
    found = find_events(demo, demo.place("T01").header.id)
    sign = next(event for event in found.events if event.kind == "sign" and event.tile == (13, 33))
    assert " ".join(sign.texts[0].split()) == "Millbrook Where the brook turns the wheel"
    assert f'  "{" ".join(sign.texts[0].split())}"' in events_lines(found)
    warp = next(event for event in found.events if event.kind == "warp")
    assert warp.leads_to is not None
    assert warp.leads_to[0].internal_name == "T01R0101"


def test_which_flag_hides_a_person_and_who_clears_it(real: FieldWorld) -> None:
    found = find_events(real, real.place("T01").header.id)
    assert found.damaged == ()
    rival = next(event for event in found.events if event.kind == "object" and event.index == 2)
    assert rival.hidden_by is not None
    assert (rival.hidden_by.flag, rival.hidden_by.name) == (372, "hide_twinleaf_town_rival")
    second = subject("scripts", real.place("T01").header.scripts, 1)
    assert (second, "cleared by") in [(use.user, use.how) for use in rival.hidden_by.users]
    trigger = next(event for event in found.events if event.kind == "trigger" and event.script == 2)
    assert trigger.need is not None
    assert trigger.need.name == "twinleaf_town_rival_trigger_state"


def test_a_clone_belongs_to_another_map_and_has_no_hidden_flag(real: FieldWorld) -> None:
    route = real.place("R201").header
    found = find_events(real, real.place("T01").header.id)
    signpost = next(event for event in found.events if (event.kind, event.index) == ("object", 7))
    assert signpost.clone_of == (route, 3) and signpost.hidden_by is None
    assert f"clone of object 3 of {route.title}" in "\n".join(events_lines(found))
    [row] = [one for one in events_json(found)["events"] if (one["kind"], one["index"]) == ("object", 7)]
    assert row["hidden_by"] is None and (row["clone_of"]["header"], row["clone_of"]["object"]) == (route.id, 3)
    facts = {
        fact.name: fact for section in describe(real, 411, subject("object", 411, 7)).sections for fact in section.rows
    }
    assert facts["Clone of"].link == subject("object", route.id, 3) and "Hidden by flag" not in facts


def test_every_clone_has_one_original_that_looks_alike(real: FieldWorld) -> None:
    clones = 0
    for header in real.headers:
        events = real.events(header.id)
        for record in events.objects if events is not None else ():
            original = readable_original(real, record)
            assert (original is not None) == (record["script"] == 0xFFFF)
            if original is not None:
                there = real.events(original[0])
                assert there is not None and original[1] is not None
                same = there.objects[original[1]]
                assert [same[key] for key in ("local_id", "graphics")] == [
                    record[key] for key in ("local_id", "graphics")
                ]
                clones += 1
    assert clones == 47


def test_who_changes_a_flag_is_not_known_where_scripts_are_not() -> None:
    """No script is asked in a game whose scripts are not known."""
    hidden = HidingFlag(402, "", (), known=False)
    assert hidden.text == "hidden while flag 402 is set: which scripts change it is not known"
    assert HidingFlag(402, "", ()).text.endswith("no use in scripts")


def test_placeholders_and_items_have_names(real: FieldWorld) -> None:
    """The names that the script of an event fills in; the item that a script number means."""
    found = find_events(real, real.place("T07R0201").header.id)
    texts = [text for event in found.events for text in event.texts]
    assert any("{player}" in text for text in texts) and not any("{slot" in text for text in texts)
    meanings = {event.meaning for event in find_events(real, real.place("R202").header.id).events}
    assert {"item on the floor 0: Potion", "hidden item 161: Stardust", "trainer 1 Tristan, single battle"} <= meanings


def test_who_is_absent(real: FieldWorld) -> None:
    header = real.place("T07R0201").header.id
    absent = [event.index for event in find_events(real, header).events if event.absent]
    entered = arrive(real, header, fresh_save(real.game)).save
    after = [event.index for event in find_events(real, header, entered).events if event.absent]
    assert absent == [15, 16] and after == [index for index in range(17) if index not in (1, 14)]


def test_a_trainer_says_its_messages(real: FieldWorld) -> None:
    found = find_events(real, real.place("R202").header.id)
    trainers = [event for event in found.events if event.meaning.startswith("trainer ")]
    assert trainers
    assert all(event.texts for event in trainers)


def test_events_of_all_maps_can_be_read(demo: FieldWorld) -> None:
    for header in demo.headers:
        assert find_events(demo, header.id).damaged == ()


def test_the_tile_of_a_sign(demo: FieldWorld) -> None:
    facts = ask(demo, demo.place("T01"), 17, 37)
    assert [run.cause for _, faces, run in facts.runs if faces is NORTH] == [Cause.BACKGROUND_EVENT]
    assert any(fact.name == "A facing north" and "script 101" in fact.value for fact in tile_facts(facts))


def test_a_tile_without_land(demo: FieldWorld) -> None:
    facts = ask(demo, demo.place("T01"), -3, -4)
    assert (facts.runs, facts.meetings) == ((), ())


def test_a_trigger_and_the_grass(real: FieldWorld) -> None:
    place = real.place("T01")
    assert [run.script for title, _, run in ask(real, place, 105, 876).runs if title == "Step"] == [2]
    route = real.place("R201")
    x, z = next(
        (cell.x * 32 + x, cell.z * 32 + z)
        for cell in route.cells
        for z, row in enumerate(route.terrain.attributes(cell) & 0xFF)
        for x, behaviour in enumerate(row.tolist())
        if behaviour == 2
    )
    met = ask(real, route, x, z).meetings
    assert {one.how for one in met} == {"grass"}
    assert 396 in {one.species for one in met}  # Starly


def test_each_way_to_stand_has_words_of_its_own(rom_path: Path) -> None:
    world = FieldWorld.open(rom_path)
    words: dict[int, str] = {}
    for header in range(len(world.headers)):
        events = world.events(header)
        for index, record in enumerate(events.objects if events is not None else ()):
            number = int(record["movement_type"])
            if number in (0, 14, 15) and number not in words:
                facts = [
                    fact
                    for part in describe(world, header, subject("object", header, index)).sections
                    for fact in part.rows
                    if fact.name == "Movement"
                ]
                words[number] = facts[0].meaning
        if len(words) == 3:
            break
    assert len(words) == len(set(words.values())) == 3

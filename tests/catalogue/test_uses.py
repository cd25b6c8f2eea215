"""Where things are used: the words of it, on which days a weather is where, and what was not asked."""

from __future__ import annotations

import pytest

from formats.field.program_tables import YEARLY_WEATHER_DAYS
from mapexplorer.catalogue.uses import where_used
from mapexplorer.catalogue.wording import told
from mapexplorer.games import Role
from mapexplorer.inspector.things.uses import answer, find_where_used, where_used_json
from mapexplorer.world import FieldWorld
from mapexplorer.world.sources.weather_maps import weather_maps
from mapexplorer.world.subject import subject


def test_all_maps_where_it_snows(real: FieldWorld) -> None:
    """Of all days and maps by brute force, not by the columns of the table."""
    snow = {number for number, one in real.game.tables.weathers.items() if "snow" in f"{one.name} {one.visual}"}
    expected = {
        header.id
        for header in real.headers
        for day in range(YEARLY_WEATHER_DAYS)
        if real.weather(header, day).value in snow
    }
    found = find_where_used(real, "weather:snow")
    assert {header for one in found for header in one.places} == expected
    # Three of them have the weather itself in their header; the table of the year decides the others.
    names = {real.headers[number].internal_name for number in expected}
    assert names == {"C09", "D05R0104", "D05R0105", "L03", "R216", "R217"}


def test_the_days_of_a_weather(real: FieldWorld) -> None:
    for weather in real.game.tables.weathers:
        for number, days in weather_maps(real, weather):
            header = real.headers[number]
            assert days == sum(real.weather(header, day).value == weather for day in range(YEARLY_WEATHER_DAYS))
    # The part has the days, then the flag that ends the weather on entering.
    found = {weather: find_where_used(real, f"weather:{weather}") for weather in (5, 14, 16)}
    until = {
        weather: {use.part.key[1:] for used in several for use in used.uses if use.part is not None}
        for weather, several in found.items()
    }
    assert until == {5: {()}, 14: {(2427,)}, 16: {(2426,)}}


@pytest.mark.parametrize(
    ("text", "how", "at"),
    [
        ("species:pikachu", "grass", "D23R0101"),
        ("moon stone", "hidden", "R211A@347,517"),
        ("trainer:246", "trainer", "C03GYM0101#1"),
        ("flag:401", "cleared by", "C07#15"),
        ("variable:0x4077", "set by", "C01#2"),
        ("variable:0x4077", "trigger", "C01@188,757"),
        ("music:SEQ_TOWN01_D", "by day", "T01R0101"),
        ("weather:7", "on 9 days of a leap year", "R216"),
    ],
)
def test_uses_that_no_reference_has(real: FieldWorld, text: str, how: str, at: str) -> None:
    (found,) = find_where_used(real, text)
    assert (how, at) in {row[:2] for row in told(found.uses)}
    name = at.split("@")[0].split("#")[0]
    assert name in {real.headers[number].internal_name for number in found.places}


def test_the_room_of_a_use_is_named(real: FieldWorld) -> None:
    """In JSON the location stays a key of its own."""
    (found,) = find_where_used(real, "species:Porygon")
    assert ("given at level 25 by", "C07R0701#1", "Veilstone City, Northeast House") in told(found.uses)
    assert {"how": "given at level 25 by", "at": "C07R0701#1", "location": "Veilstone City"} in (
        where_used_json(real, found)["uses"]
    )


def test_the_texts_of_scripts_that_all_maps_share(real: FieldWorld) -> None:
    """Of a bank that no header names, the numbers of the scripts that say its texts."""
    (found,) = find_where_used(real, "messages:369")
    assert [row[:2] for row in told(found.uses)] == [("scripts from 7000 (item balls):", "file:arm9")]


def test_references_of_the_demo_world(demo: FieldWorld) -> None:
    (found,) = find_where_used(demo, "prop:5")
    plain = where_used_json(demo, found)
    assert plain["kind"] == "prop" and plain["numbers"] == [5]
    assert {use["kind"] for use in plain["used_by"]} <= {"land", "prop_set"} and plain["uses"] == []
    assert plain["known"] is True and plain["asked"] == ["the field data"] and plain["not_known"] == []


def test_a_texture_by_its_name_is_that_of_all_sets(real: FieldWorld) -> None:
    found = find_where_used(real, "texture:tree04_2")
    sets = {one.used.key[1]: one for one in found}
    assert {one.name for one in found} == {"tree04_2"} and len(sets) == len(found)
    named = {
        number
        for number in range(len(real.rom.archive(real.path(Role.TERRAIN_TEXTURES))))
        if real.terrain_textures(number).textures.texture("tree04_2") is not None
    }
    assert set(sets) == named
    assert "T01" in {real.headers[number].internal_name for number in sets[6].places}


def test_the_props_that_use_a_texture(demo: FieldWorld) -> None:
    """By the files: the materials of all props of the set's list."""
    textures = demo.prop_textures(0).textures.textures
    compared = 0
    for index, texture in enumerate(textures):
        (found,) = find_where_used(demo, f"texture:0/0/{index}")
        expected = [
            (subject("prop", number), material.name)
            for number in sorted(set(demo.prop_list(0).models.tolist()) - {0})
            for model in demo.prop_model(number).models[:1]
            for at, material in enumerate(model.materials)
            if model.texture_name(at) == texture.name
        ]
        assert [(use.user, use.part.name) for use in found.uses if use.part is not None] == expected
        compared += len(expected)
    assert compared


def test_an_answer_without_uses_says_what_was_asked(real: FieldWorld, demo: FieldWorld) -> None:
    found = where_used(real, subject("variable", 0x7FFF))
    assert found.known and not found.uses and found.places == found.not_known == found.damaged == ()
    assert found.asked == ("events", "initial scripts", "scripts", "arguments of script commands")
    assert where_used(demo, subject("land", 10_000)).asked == ("the field data",)


def test_variables_of_running_scripts_are_not_followed(real: FieldWorld) -> None:
    """Nearly every script has them, which says nothing; that nothing uses them would be wrong."""
    (found,) = find_where_used(real, "VAR_RESULT")
    assert not found.known and not found.uses and not found.asked
    assert answer(found) == "it is not known what uses it" and where_used_json(real, found)["known"] is False

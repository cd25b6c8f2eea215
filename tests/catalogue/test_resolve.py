"""How users name things: what a text means, and what is said of one that means nothing or several things."""

from __future__ import annotations

import pytest

from mapexplorer.catalogue.kinds import HEADER, SPECIES
from mapexplorer.catalogue.resolve import ALL, find_thing, find_things, find_with_maps
from mapexplorer.errors import PlaceError
from mapexplorer.world import FieldWorld


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("pikachu", "species:25"),
        ("species:PIKACHU", "species:25"),
        ("species:25", "species:25"),
        ("moon stone", "item:81"),
        ("T01", "map:411"),
        ("411", "map:411"),
        ("map:twinleaf", "map:411"),
        ("header:411", "map:411"),
        ("jubilife city pokecenter 1f", "map:6"),
        ("prop:t1_h01", "prop:22"),
        ("prop:22", "prop:22"),
        ("prop-set:3", "prop-set:3"),
        ("prop set:3", "prop-set:3"),
        ("SEQ_TOWN01_D", "music:1004"),
        ("flag:0x191", "flag:401"),
        ("hide_veilstone_crasher_wake", "flag:401"),
        ("snowing", "weather:5"),
        ("object-graphics:youngster", "object-graphics:4"),
        ("thunderbolt", "move:85"),
        ("texture:1/6/51", "texture:1/6/51"),
        ("file:arealight", "file:data/arealight.narc"),
        ("file:data/arealight.narc#1", "file:data/arealight.narc#1"),
        ("file:3", "file:fielddata/script/scr_seq.narc#3"),
        ("T01#7", "script:411/7"),
        ("script:Twinleaf Town#7", "script:411/7"),
        ("script:2018", "script:2018"),
        ("ITEM_POTION", "item:17"),
        ("flag:FLAG_HIDE_ROUTE_201_RIVAL", "flag:370"),
        ("species_pikachu", "species:25"),
        ("TRAINER_LEADER_ROARK", "trainer:246"),
        ("TRAINER_RIVAL_ROUTE_203_PIPLUP", "trainer:247"),
        ("VAR_MAP_LOCAL_0x00", "variable:16384"),
        ("VAR_RESULT", "variable:32780"),
        ("MAP_005", "land:5"),
        ("MOVE_THUNDERBOLT", "move:85"),
        ("MAP_HEADER_ROUTE_201", "map:342"),
        ("map:MAP_HEADER_ROUTE_201", "map:342"),
        ("MAP_HEADER_ROUTE_201#1", "script:342/1"),
        ("messages:TEXT_BANK_TWINLEAF_TOWN", "messages:554"),
        ("OBJ_EVENT_GFX_NINJA_BOY", "object-graphics:1"),
        ("HIDDEN_ITEM_FLAGS_START", "flag:730"),
        ("object-graphics:OBJ_EVENT_GFX_NINJA_BOY", "object-graphics:1"),
        ("OBJ_EVENT_GFX_VAR_0", "object-graphics:101"),
    ],
)
def test_the_names_of_things(real: FieldWorld, text: str, address: str) -> None:
    thing = find_thing(real, text, ALL)
    assert thing.address == address
    again = find_thing(real, thing.address, ALL)
    assert again.subject == thing.subject


@pytest.mark.parametrize(
    ("text", "sentence", "candidates"),
    [
        ("trainer:Roark", "'trainer:Roark' could mean any of 2 things:", ("trainer:246 Roark", "trainer:858 Roark")),
        ("blizzard", "'blizzard' could mean any of 2 things:", ("move:59 Blizzard", "weather:7 blizzard")),
        ("species:-1", "There is no species -1; this ROM has 496, from 0 to 495.", ()),
        ("messages:9999", "There is no text bank 9999; this ROM has 724, from 0 to 723.", ()),
        ("scripts:1/2", "A script file has 1 number, as in scripts:1.", ()),
        ("events:1/2", "An event file has 1 number, as in events:1.", ()),
        ("prop-set:1/2", "A prop set has 1 number, as in prop-set:1.", ()),
        ("terrain-animation:99", "There is no terrain animation 99; this ROM has 52, from 0 to 51.", ()),
        ("species:9999", "There is no species 9999; this ROM has 496, from 0 to 495.", ()),
        ("Pikachoo", "There is no thing called 'Pikachoo'; did you mean one of these?", ("species:25 PIKACHU",)),
        ("land:666", "There is no land 666; this ROM has 666, from 0 to 665.", ()),
        ("qqqqqq", "There is no thing called 'qqqqqq'.", ()),
        ("species:pikapi", "There is no species called 'pikapi'; did you mean one of these?", ("species:25 PIKACHU",)),
        ("script:T01", "'T01' is no script: name one of a map, as in script:T01#1, or the number of a shared one.", ()),
        ("texture:5", "A texture has 3 numbers, as in texture:1/1/1.", ()),
        ("texture:2/0/0", "The first number of a texture is 0 in a prop set, 1 in a terrain set.", ()),
        ("item:FLAG_HAS_POKEDEX", "There is no item called 'FLAG_HAS_POKEDEX'.", ()),
        ("location:999", "There is no location 999; this ROM has 126, from 0 to 125.", ()),
        ("weather:99", "There is no weather 99; this ROM has 31, from 0 to 30.", ()),
        ("shop:999", "There is no shop 999; this ROM has 33, from 0 to 32.", ()),
        ("camera:99", "There is no camera 99; this ROM has 17, from 0 to 16.", ()),
        ("texture:1/6/5000", "There is no texture 5000; terrain set 6 has 78, from 0 to 77.", ()),
        ("text:3/9999", "There is no text 9999; text bank 3 has 96, from 0 to 95.", ()),
        ("script:T01#99", "There is no entry 98; script file 1052 has 9, from 0 to 8.", ()),
        ("file:data/arealight.narc#9", "There is no member 9; data/arealight.narc has 4, from 0 to 3.", ()),
    ],
)
def test_unknown_and_ambiguous_names(real: FieldWorld, text: str, sentence: str, candidates: tuple[str, ...]) -> None:
    with pytest.raises(PlaceError) as caught:
        find_thing(real, text, ALL)
    assert str(caught.value) == sentence
    shown = [str(one) for one in caught.value.candidates]
    assert set(candidates) <= set(shown) and bool(candidates) == bool(shown)


def test_a_location_that_is_not_there(real: FieldWorld) -> None:
    assert len(find_with_maps(real, "location:Jubilife City", (HEADER, SPECIES))) == 20
    with pytest.raises(PlaceError, match="There is no place called 'location:Nowhere'"):
        find_with_maps(real, "location:Nowhere", (HEADER, SPECIES))


def test_suggested_maps_are_in_the_order_of_candidates(real: FieldWorld) -> None:
    """Towns, outdoors, buildings, rooms, what is unused: also where a room is the nearest name."""
    for text in ("Snowpoint Gymm", "Jubilfeee Ctiy", "Mount Coronet", "T0"):
        with pytest.raises(PlaceError) as caught:
            find_thing(real, text, ALL)
        maps = [one.subject.key[0] for one in caught.value.candidates if one.subject.kind == HEADER]
        assert len(maps) > 1 and maps == sorted(maps, key=lambda number: real.headers[number].order), text


def test_a_thing_of_another_kind_than_is_taken(real: FieldWorld) -> None:
    with pytest.raises(PlaceError, match="'item' is not possible; possible here: map, species"):
        find_thing(real, "item:81", (HEADER, SPECIES))


def test_constants_of_other_data_name_nothing(demo: FieldWorld) -> None:
    """The demo world has maps, lands, texts and trainers of its own, but the flags of the game."""
    assert find_thing(demo, "FLAG_HAS_POKEDEX", ALL).address == "flag:144"
    for text in ("MAP_HEADER_ROUTE_201", "MAP_005", "TRAINER_YOUNGSTER_TRISTAN", "TEXT_BANK_DIPLOMA"):
        with pytest.raises(PlaceError, match=f"There is no thing called '{text}'"):
            find_thing(demo, text, ALL)


def test_the_demo_world_has_things(demo: FieldWorld) -> None:
    assert find_thing(demo, "Millbrook", ALL).address == "map:4"
    prop = find_thing(demo, "prop:5", ALL)
    assert prop.name and find_thing(demo, f"prop:{prop.name}", ALL) == prop


def test_a_word_for_several_weathers(real: FieldWorld) -> None:
    assert [one.subject.key for one in find_things(real, "weather:snow", ALL)] == [(5,), (6,), (7,), (21,)]
    assert [one.subject.key for one in find_things(real, "weather:fog", ALL)] == [(14,)]
    assert [one.subject.key for one in find_things(real, "weather:5", ALL)] == [(5,)]


def test_a_texture_of_several_sets(real: FieldWorld) -> None:
    found = find_things(real, "texture:TREE04_2", ALL)
    assert len(found) > 1 and {one.name for one in found} == {"tree04_2"}
    with pytest.raises(PlaceError, match="could mean any of"):
        find_thing(real, "texture:tree04_2", ALL)


@pytest.mark.parametrize("name", ["script:T01#999", "script:T01#0"])
def test_a_script_that_its_file_does_not_have_is_refused(demo: FieldWorld, name: str) -> None:
    with pytest.raises(PlaceError):
        find_thing(demo, name, ALL)

"""The search: what it finds by names and texts, in which order, and where it says that things are used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mapexplorer.catalogue.database import Store
from mapexplorer.catalogue.kinds import SPECIES
from mapexplorer.catalogue.search import NamedThing, best, find, get, grouped
from mapexplorer.catalogue.uses import used_by
from mapexplorer.catalogue.wording import told
from mapexplorer.inspector.things.found import found_text
from mapexplorer.world import FieldWorld
from mapexplorer.world.subject import Subject, subject

HandMade = Callable[..., Store]


def items(*names: str) -> list[tuple[Any, ...]]:
    return [("item", str(number), name, "", None) for number, name in enumerate(names)]


def one_of(found: NamedThing | None) -> NamedThing:
    assert found is not None
    return found


@pytest.mark.parametrize("words", [True, False], ids=["index of words", "none"])
def test_best_names_come_first(hand_made: HandMade, words: bool) -> None:
    names = ("Moon Ball", "Big Moon", "Moon", "Moonstone", "Honeymoon", "Moon Stone", "Stone")
    store = hand_made(items(*names), words=words)
    found = [one.name for one in find(store, ["moon"])]
    assert found == ["Moon", "Moon Ball", "Moonstone", "Moon Stone", "Big Moon", "Honeymoon"]
    assert [one.name for one in find(store, ["stone", "MOON"])] == ["Moon Stone", "Moonstone"]
    assert [one.name for one in find(store, ["item:6"])] == ["Stone"]
    assert find(store, ["moon"], "header") == find(store, [" "]) == []


@pytest.mark.parametrize("words", [True, False], ids=["index of words", "none"])
def test_case_and_accents_do_not_matter(hand_made: HandMade, words: bool) -> None:
    store = hand_made(
        [("item", "4", "Poké Ball", "", "poke ball")], [("object", "7/0", "item", "4", "floor", 7)], words
    )
    assert [found_text(store, one) for one in find(store, ["POKE"])] == ["4 Poké Ball: floor M7"]
    assert find(store, ["poké", "ball"]) == find(store, ["poke"])


@pytest.mark.parametrize("words", [True, False], ids=["index of words", "none"])
def test_signs_are_letters(hand_made: HandMade, words: bool) -> None:
    """The signs of SQLite's patterns and quotes mean nothing else than themselves."""
    store = hand_made(items("100% Juice", "1000 Juices", 'the "Moon"', "snake_case", "snakeXcase", r"a\b"), words=words)

    def names(*wanted: str) -> list[str]:
        return [one.name for one in find(store, wanted)]

    assert names("100%") == ["100% Juice"] and names("e_c") == ["snake_case"]
    assert names('"moon"') == ['the "Moon"'] and names("\\") == [r"a\b"]
    assert names("'") == names("moon", "OR", "juice") == names("moo*") == []


def test_the_demo_world_has_names(demo_store: Store) -> None:
    (first, *_) = find(demo_store, ["T01"], "header")
    assert first.subject == subject("header", 4)
    said = [use for one in find(demo_store, ["e"], "text") for use in told(used_by(demo_store, one.subject))]
    assert any(how == "said by" and at.startswith("T01#") for how, at, _ in said)


def test_where_a_species_lives(store: Store) -> None:
    (found, *_) = find(store, ["pikachu"])
    assert found.subject == subject(SPECIES, 25)
    wild = {use.location for use in used_by(store, found.subject) if use.user.kind == "header"}
    assert wild == {"Trophy Garden"}


def test_where_an_item_comes_from(store: Store) -> None:
    (found, *_) = find(store, ["moon", "stone"])
    assert (found.subject.kind, found.name) == ("item", "Moon Stone")
    assert ("hidden", "Mt. Coronet") in {(use.how, use.location) for use in used_by(store, found.subject)}


def test_which_flag_hides_a_person_and_who_sets_it(store: Store) -> None:
    flag, *_ = find(store, ["hide_twinleaf_town_rival"], "flag")
    uses = told(used_by(store, flag.subject))
    assert ("hides object 2 of", "T01", "Twinleaf Town") in uses
    assert ("cleared by", "T01#2", "Twinleaf Town") in uses
    assert get(store, flag.subject) == flag
    assert get(store, subject("flag", 99999)) is None


def test_who_says_a_text(store: Store) -> None:
    said = [told(used_by(store, one.subject)) for one in find(store, ["pikachu: pikaah!"], "text")]
    (first, *_) = filter(None, said)
    assert first[0][1] == "R222R0101#3"


def test_trainers_maps_music_and_files(store: Store) -> None:
    volkner = find(store, ["volkner"], "trainer")[0]
    assert volkner.about == "Leader"
    by_scripts = [use for use in used_by(store, volkner.subject) if use.user.kind == "scripts"]
    assert told(by_scripts) == [("trainer", "C08GYM0103#4", "Sunyshore City, Gym Room 3")]
    assert find(store, ["twinleaf", "town"], "header")[0].title == "map:411 Twinleaf Town"
    (music, *_) = find(store, ["seq_town01_d"], "music")
    assert any(at == "T01" for _, at, _ in told(used_by(store, music.subject)))
    assert [one.about for one in find(store, ["pl_msg.narc"], "file")] == ["pl_msg: location names and texts"]
    assert next(iter(grouped(find(store, ["pikachu"])))) == SPECIES


def test_models_and_textures_have_names(demo: FieldWorld, demo_store: Store) -> None:
    for number in (1, 5):
        model = demo.prop_model(number).models[0].name
        one = one_of(get(demo_store, subject("prop", number)))
        assert one.name == model and find(demo_store, [f"prop:{number}"]) == [one]
    textures = demo.terrain_textures(1).textures.textures
    found = [one_of(get(demo_store, subject("texture", 1, 1, at))) for at in range(len(textures))]
    assert [one.name for one in found] == [one.name for one in textures]


def test_the_scripts_that_set_and_read_a_variable(store: Store) -> None:
    uses = told(used_by(store, one_of(get(store, subject("variable", 0x4077))).subject))
    assert {how for how, *_ in uses} >= {"set by", "read by", "trigger"}
    assert ("set by", "C01#2") in {(how, at) for how, at, _ in uses}


# --- while typing


def test_the_search_while_typing(hand_made: HandMade) -> None:
    things = [
        ("item", "1", "Moon Stone", "", None),
        ("item", "2", "Sun Stone", "", None),
        ("header", "0", "Town (T01)", "", None),
        ("weather", "5", "snowing", "", None),
        ("text", "3/4", "a stone's throw", "", None),
    ]
    edges = [("object", "0/1", "item", "1", "floor", 0), ("header", "0", "weather", "5", "weather", 0)]
    store = hand_made(things, edges)

    def names(text: str, **settings: Any) -> list[str]:
        return [one.name for one in best(store, text, 5, **settings)]

    assert names("stone") == ["Sun Stone", "Moon Stone", "a stone's throw"]
    assert names("stone", kind="item") == ["Sun Stone", "Moon Stone"]
    assert names("", kind="item", header=0) == ["Moon Stone"] and names("", header=1) == []
    assert names("", kind="item") == ["Moon Stone", "Sun Stone"] and names("") == []
    assert names("moonstoen") == ["Moon Stone"]
    assert names("item:2") == ["Sun Stone"] and names("weather:snow", kind="header") == ["Town (T01)"]
    assert len(best(store, "stone", 1)) == 2, "the best of each kind"


def test_the_search_while_typing_finds_what_find_does(store: Store) -> None:
    for words in ("moon stone", "pikachu", "wow what was that"):
        typed, found = best(store, words, 1000), find(store, words.split())
        assert {one.subject for one in typed} == {one.subject for one in found} != set(), words


@pytest.mark.parametrize("phrase", ["jubilife mart", "volkner", "pikachu", "tm26 earthquake", "route 201"])
def test_typing_finds_the_best_things_first(store: Store, phrase: str) -> None:
    """For each prefix that begins with a letter more: the first thing of each kind is one that no other thing of the
    kind beats, of all that have the words."""
    for end in range(3, len(phrase) + 1):
        shown = {one.subject.kind: one for one in reversed(best(store, phrase[:end], 10))}
        for kind, things in grouped(find(store, phrase[:end].split())).items():
            assert len(shown[kind].name) == len(things[0].name), (phrase[:end], kind)


def test_a_name_alone_is_an_address() -> None:
    one = NamedThing(Subject("file", ("a/b.narc",)), "a/b.narc", "")
    assert (one.address, one.numbers, one.title) == ("file:a/b.narc", (), "file:a/b.narc")
    assert NamedThing(subject("prop set", 3), "", "").title == "prop-set:3"
    assert NamedThing(subject("script", 0, 2018), "x", "").title == "script:2018 x"

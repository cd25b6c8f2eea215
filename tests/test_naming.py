"""What a text means among names: the rule of all verbs."""

from __future__ import annotations

import pytest

from mapexplorer.naming import (
    EQUAL,
    NO_MATCH,
    WORDS,
    comparable_name,
    is_short_for,
    matching,
    slips,
    suggestions,
)

BEGINNING = 1
NAMES = (
    "Moon Stone",
    "Moon Ball",
    "Poké Ball",
    "Fuego Stone",
    "CITY_POKECENTER_1F",
    "CITY_POKECENTER_B1F",
    "Route 230",
)


@pytest.mark.parametrize(
    ("text", "rank", "found"),
    [
        ("moon stone", EQUAL, ["Moon Stone"]),
        ("MOONSTONE", EQUAL, ["Moon Stone"]),
        ("moon, stone!", EQUAL, ["Moon Stone"]),
        ("poke ball", EQUAL, ["Poké Ball"]),
        ("city poke center 1f", EQUAL, ["CITY_POKECENTER_1F"]),
        ("moon", BEGINNING, ["Moon Stone", "Moon Ball"]),
        ("fuego", BEGINNING, ["Fuego Stone"]),
        ("route", BEGINNING, ["Route 230"]),
        ("stone moon", WORDS, ["Moon Stone"]),
        ("stone", WORDS, ["Moon Stone", "Fuego Stone"]),
        ("pokecenter b1f", WORDS, ["CITY_POKECENTER_B1F"]),
        ("1f", WORDS, ["CITY_POKECENTER_1F"]),
        ("moo", NO_MATCH, []),
        ("go", NO_MATCH, []),
        ("ton", NO_MATCH, []),
        ("route 23", NO_MATCH, []),
        ("230", NO_MATCH, []),
        ("moon stome", NO_MATCH, []),
        ("moon stones", NO_MATCH, []),
        ("moon ball x", NO_MATCH, []),
        ("", NO_MATCH, []),
        ("?!", NO_MATCH, []),
        ("a\udcffb", NO_MATCH, []),
    ],
)
def test_what_a_text_means(text: str, rank: int, found: list[str]) -> None:
    assert matching(text, NAMES) == (rank, found)


def test_a_name_of_digits_alone_is_found_whole() -> None:
    assert matching("25", ["25", "25 b"]) == (EQUAL, ["25"])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("go", ["Fuego Stone"]),  # contains it
        ("route 23", ["Route 230"]),
        ("moon stome", ["Moon Stone"]),  # is written nearly so
        ("pokecenter 2f", ["CITY_POKECENTER_1F", "CITY_POKECENTER_B1F"]),
        ("a b", []),
        ("2.3", []),
        ("", []),
        ("qqqqqq", []),
    ],
)
def test_what_is_suggested_for_a_text_that_means_nothing(text: str, found: list[str]) -> None:
    assert suggestions(text, NAMES) == found


def test_the_letters_of_a_ligature() -> None:
    assert comparable_name("₧₦ Trainer") == comparable_name("PKMN Trainer") == "pkmn trainer"
    assert matching("pkmn breeder", ["₧₦ Breeder", "PKMN Trainer"]) == (EQUAL, ["₧₦ Breeder"])


@pytest.mark.parametrize(
    ("typed", "word", "whole", "beginning"),
    [
        ("gym", "gym", 0, 0),
        ("gim", "gym", 1, 1),
        ("snopoi", "snowpoint", 3, 1),
        ("kaitlni", "kaitlin", 1, 1),
        ("", "a", 1, 0),
    ],
)
def test_slips_of_the_finger(typed: str, word: str, whole: int, beginning: int) -> None:
    *_, last = row = slips(typed, word, 9)
    assert (last, min(row)) == (whole, beginning) and len(row) == len(word) + 1
    assert min(slips("xxxxxxxx", word, 1)) > 1


def test_short_forms() -> None:
    assert is_short_for("mt", "mount") and is_short_for("rt", "route") and is_short_for("prof", "professor")
    assert not is_short_for("ro", "route") and not is_short_for("route", "route") and not is_short_for("mt", "mit")

"""`--constants`, constants in place of names, and the names in a map header, of the real ROM."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.mark.parametrize(
    ("arguments", "constants"),
    [
        (("show", "TRAINER_LEADER_ROARK"), ("TRAINER_CLASS_LEADER_ROARK", "SPECIES_GEODUDE", "MOVE_STEALTH_ROCK")),
        (("show", "flag:370"), ("FLAG_HIDE_ROUTE_201_RIVAL\n",)),
        (("show", "R201", "--save", "entered"), ("VAR_OBJ_GFX_ID_0",)),
        (("events", "R201"), ("while flag 370 FLAG_HIDE_ROUTE_201_RIVAL is set", "OBJ_EVENT_GFX_POKEMON_BREEDER_M")),
        (("script", "R201#1"), ("SetVarFromValue 0x4020 (VAR_OBJ_GFX_ID_0), 97",)),
        (("script", "R203#6"), ("trainer: 247 (TRAINER_RIVAL_ROUTE_203_PIPLUP)",)),
        (("where-used", "species:Pikachu"), ("species:25 SPECIES_PIKACHU",)),
        (("encounters", "R201"), ("SPECIES_STARLY", "SPECIES_NIDORAN_F")),
        (("encounters", "Starly"), ("SPECIES_STARLY: ",)),
        (("find", "cedric", "--kind", "trainer"), ("247 TRAINER_RIVAL_ROUTE_203_PIPLUP",)),
        (("find", "MAP_HEADER_ROUTE_201"), ("342 MAP_HEADER_ROUTE_201",)),
        (
            ("table", "trainers", "--csv"),
            ("\n2,TRAINER_YOUNGSTER_LOGAN,TRAINER_CLASS_YOUNGSTER,1,412,SPECIES_BURMY,5,",),
        ),
    ],
)
def test_constants_are_shown_when_they_are_asked_for(
    cli: Callable[..., Any], rom_path: Path, arguments: tuple[str, ...], constants: tuple[str, ...]
) -> None:
    verb, *others = arguments
    shown, plain = (cli(verb, rom_path, *others, *option) for option in (("--constants",), ()))
    assert (shown.status, plain.status) == (0, 0)
    for constant in constants:
        assert constant in shown.out and constant not in plain.out


def test_the_numbers_are_the_same(cli: Callable[..., Any], rom_path: Path) -> None:
    """Only names are others in JSON."""
    shown, plain = (
        json.loads(cli("encounters", rom_path, "R201", "--json", *option).out) for option in (("--constants",), ())
    )
    assert shown.keys() == plain.keys() and shown != plain
    numbers = [[[one["species"] for one in row["species"]] for row in found["grass"]] for found in (shown, plain)]
    assert numbers[0] == numbers[1] != []


@pytest.mark.parametrize(("words", "found"), [("TRAINER_RIVAL_ROUTE_203_PIPLUP", "Cedric"), ("item_potion", "Potion")])
def test_find_takes_a_constant(cli: Callable[..., Any], rom_path: Path, words: str, found: str) -> None:
    [one] = json.loads(cli("find", rom_path, words, "--json").out)["found"]
    assert one["name"] == found


def test_a_thing_has_its_constant(cli: Callable[..., Any], rom_path: Path) -> None:
    for thing, constant in (
        ("flag:1606", "FLAG_DEFEATED_TRAINER_LEADER_ROARK"),
        ("variable:0x800c", "VAR_RESULT"),
        ("item:17", "ITEM_POTION"),
        ("species:25", "SPECIES_PIKACHU"),
        ("move:85", "MOVE_THUNDERBOLT"),
        ("trainer:246", "TRAINER_LEADER_ROARK"),
        ("messages:554", "TEXT_BANK_TWINLEAF_TOWN"),
        ("land:5", "MAP_005"),
        ("object-graphics:1", "OBJ_EVENT_GFX_NINJA_BOY"),
    ):
        sections = json.loads(cli("show", rom_path, thing, "--json").out)["sections"]
        facts = [fact for section in sections for fact in section["facts"]]
        assert {"name": "Constant", "value": constant, "meaning": "in the decompilation"} in facts


def test_a_flag_says_what_its_range_means(cli: Callable[..., Any], rom_path: Path) -> None:
    for flag, meanings in (
        (1360 + 246, ["trainer 246 Roark beaten"]),
        (730 + 201, ["hidden item 201: Odd Keystone, taken"]),
        (40, ["of the map: cut trees, smashed rocks and moved boulders; cleared when another map is entered"]),
        (2800, ["of the day: cleared when the date changes"]),
        (370, []),
    ):
        facts = json.loads(cli("show", rom_path, f"flag:{flag}", "--json").out)["sections"][0]["facts"]
        assert [fact["value"] for fact in facts if fact["name"] == "Meaning"] == meanings


def test_a_game_without_constants_says_so(cli: Callable[..., Any], rom_path: Path) -> None:
    diamond = rom_path.with_name("diamond-field.nds")
    for arguments in (("show", diamond, "T01"), ("find", diamond, "twinleaf"), ("events", diamond, "T01")):
        ran = cli(*arguments, "--constants")
        assert (ran.status, ran.out) == (1, "")
        assert ran.err == "No constants of Pokémon Diamond and Pearl are known.\n"
    assert cli("show", diamond, "ITEM_POTION").err.startswith("There is no thing called 'ITEM_POTION'")


def test_the_names_of_a_route(cli: Callable[..., Any], rom_path: Path) -> None:
    """Route 209: what the decompilation writes for it."""
    shown = json.loads(cli("show", rom_path, "Route 209", "--json").out)
    named = {field: fact.get("meaning") for field, fact in shown["named_fields"].items()}
    assert named["symbolic_name"] == "MAP_HEADER_ROUTE_209" and named["message_bank"] == "pl_msg: TEXT_BANK_ROUTE_209"
    assert (named["label_text"], named["map_type"], named["label_window"]) == ("Route 209", "outdoors", "route")
    assert (named["weather"], named["camera_type"], named["battle_background"]) == ("clear", "default", "plain")
    assert named["events"] == "zone_event: 33 people, 3 warps, 8 signs, 0 triggers"
    assert {field for field in shown["fields"] if field not in shown["named_fields"]} == set()
    text = cli("show", rom_path, "Route 209").out
    for fact in shown["named_fields"].values():
        words = f" ({fact['meaning']})" if "meaning" in fact else ""
        assert any(
            line.startswith(fact["name"] + "  ") and f"  {fact['value']}{words}" in line for line in text.splitlines()
        ), fact

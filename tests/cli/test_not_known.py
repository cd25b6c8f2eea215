"""What verbs answer about games of which a part is not known: the fact, and never an empty answer without a word."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

WHOLLY = (
    "table {} trainers",
    "table {} items",
    "table {} shops",
    "table {} static",
    "table {} trades",
    "table {} encounters",
    "table {} flags --free",
    "table {} variables --free",
    "encounters {} species:1",
    "encounters {} 3",
    "where-used {} file:3",
)
"""Commands that have no answer."""

NO_USE_KNOWN = (
    ("species:25", {"wild encounters", "trainers", "scripts"}),
    ("item:17", {"scripts", "trainers", "items"}),
    ("trainer:5", {"scripts"}),
    ("move:57", {"trainers", "scripts", "machines that teach moves", "learnsets and move tutors"}),
    ("shop:1", {"items"}),
    ("text:5/0", {"trainers", "scripts"}),
)
"""Things, and what may use them."""


@pytest.mark.parametrize(
    ("file", "title"),
    [("diamond-field.nds", "Diamond and Pearl"), ("heartgold-field.nds", "HeartGold and SoulSilver")],
)
def test_what_is_not_known_is_said(cli: Callable[..., Any], rom_path: Path, file: str, title: str) -> None:
    rom = rom_path.with_name(file)
    for command in WHOLLY:
        ran = cli(*command.format(rom).split())
        assert ran.status == 1 and not ran.out, command
        assert ran.err.startswith("Nothing is known about ") and ran.err.endswith(f" in Pokémon {title}.\n"), command
    assert cli("show", rom, "species:25").err == f"Nothing is known about species in Pokémon {title}.\n"
    for thing, topics in NO_USE_KNOWN:
        text, plain = cli("where-used", rom, thing), cli("where-used", rom, thing, "--json")
        (found,) = json.loads(plain.out)["things"]
        assert text.status == plain.status == 1 and text.out.startswith("it is not known what uses it; "), thing
        assert (found["known"], found["asked"], set(found["not_known"])) == (False, [], topics), thing
    ran = cli("find", rom, "potion", "--kind", "item")
    assert ran.status == 1 and "not searched, because their names are not known in this game: item\n" in ran.err
    assert json.loads(cli("find", rom, "potion", "--kind", "item", "--json").out)["not_known"] == ["item"]
    ran = cli("find", rom, "town")
    assert ran.status == 0 and "not known in this game: species, item, trainer, move, flag" in ran.err
    ran = cli("database", rom, "--query", "SELECT count(*) FROM encounter")
    assert ran.status == 0 and "lack it: scripts, wild encounters, trainers, items\n" in ran.err


def test_what_is_known_in_part_is_answered(cli: Callable[..., Any], rom_path: Path) -> None:
    rom = rom_path.with_name("diamond-field.nds")
    for thing, asked in (("flag:402", "events"), ("variable:0x4077", "events"), ("music:1004", "the music of maps")):
        text, plain = cli("where-used", rom, thing), cli("where-used", rom, thing, "--json")
        (found,) = json.loads(plain.out)["things"]
        assert text.status == 0 and "not known in this game, so uses there are missing: " in text.out, thing
        assert found["known"] and asked in found["asked"] and "scripts" in found["not_known"] and found["uses"], thing
    ran = cli("where-used", rom, "flag:300")
    assert ran.status == 0 and ran.out.startswith("no use in events; not known in this game: "), ran
    ran = cli("table", rom, "flags", "T01")  # the rival at the door
    assert ran.status == 0 and "T01 object 2" in ran.out and "rows lack it: scripts, trainers" in ran.err


def test_of_a_known_game_all_is_known(cli: Callable[..., Any], rom_path: Path) -> None:
    for words in ("find demo mirror", "database demo --query SELECT", "table demo flags T01"):
        ran = cli(*(f"{one} 1" if one == "SELECT" else one for one in words.split()))
        assert ran.status == 0 and "not known" not in ran.out + ran.err
    ran = cli("where-used", rom_path, "flag:109")
    assert ran.status == 0 and ran.out.startswith("no use in events, "), ran
    assert "scripts" in ran.out and "not known" not in ran.out

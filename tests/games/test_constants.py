"""The constants of the decompilation: complete, each for one number, and those of the names that the ROM has itself."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import pytest

from mapexplorer.games import DEFAULT, GAMES, NameBank
from mapexplorer.world import FieldWorld

CONSTANTS = DEFAULT.constants

NUMBERS = {
    "SPECIES_PIKACHU": ("species", 25),
    "ITEM_POTION": ("item", 17),
    "MOVE_POUND": ("move", 1),
    "FLAG_HIDE_ROUTE_201_RIVAL": ("flag", 370),
    "FLAG_DEFEATED_TRAINER_LEADER_ROARK": ("flag", 1360 + 246),
    "VAR_MAP_LOCAL_0x00": ("variable", 0x4000),
    "VAR_RESULT": ("variable", 0x800C),
    "VAR_0x800C": ("variable", 0x800C),
    "TRAINER_LEADER_ROARK": ("trainer", 246),
    "MAP_HEADER_ROUTE_201": ("header", 342),
    "TEXT_BANK_SPECIES_NAME": ("messages", 412),
    "MAP_665": ("land", 665),
    "ABILITY_LEVITATE": ("ability", 26),
    "OBJ_EVENT_GFX_INVISIBLE": ("object graphics", 0x2000),
    "MOVEMENT_ACTION_END": ("movement action", 254),
    "MAX_ITEMS": ("item", 468),
    "UG_GOOD_NONE": ("ug goods", 0),
}


@pytest.mark.parametrize(("name", "number"), NUMBERS.items())
def test_numbers_of_constants(name: str, number: tuple[str, int]) -> None:
    assert CONSTANTS.number(name) == CONSTANTS.number(f" {name.lower()} ") == number


def test_a_number_has_its_usual_name() -> None:
    assert CONSTANTS.name("flag", 730) == "FLAG_OBTAINED_HIDDEN_VALLEY_WINDWORKS_OUTSIDE_MAX_ELIXIR"
    assert CONSTANTS.name("variable", 0x800C) == "VAR_RESULT"
    assert CONSTANTS.name("item", 468) == CONSTANTS.name("music", 1000) == CONSTANTS.name("species", -1) == ""
    assert CONSTANTS.number("FLAG_NONE") is None


def test_the_other_tables_have_the_same_names() -> None:
    names, headers = DEFAULT.tables.save_names, DEFAULT.tables.headers.symbolic_names
    for flag, name in names.flags.items():
        assert CONSTANTS.name("flag", flag).removeprefix("FLAG_").lower() == name
    for variable, name in names.variables.items():
        assert CONSTANTS.name("variable", variable).removeprefix("VAR_").lower() == name
    assert len(names.flags) > 1000 and len(names.variables) > 200
    assert [CONSTANTS.number(f"MAP_HEADER_{name}") for name in headers] == [("header", n) for n in range(593)]


@pytest.mark.parametrize(
    ("kind", "bank", "others"),
    [
        ("species", NameBank.SPECIES, set()),
        ("item", NameBank.ITEMS, {"ITEM_X_DEFENSE"}),
        ("move", NameBank.MOVES, set()),
        ("ability", NameBank.ABILITIES, set()),
        ("trainer", NameBank.TRAINERS, {"TRAINER_RIVAL"}),
    ],
)
def test_the_rom_has_these_names(rom_path: Path, kind: str, bank: NameBank, others: set[str]) -> None:
    """A name of the ROM has the letters of the constant's end, but for dummies and those of `others`: the data call the
    rival Cedric."""
    stored = FieldWorld.open(rom_path).names(bank)
    assert stored is not None

    def letters(text: str) -> str:
        plain = text.removeprefix("{packed}").upper().replace("É", "E").replace("&", "AND")
        return "".join(one for one in plain if one.isalnum())

    rows = [(CONSTANTS.name(kind, number), text) for number, text in enumerate(stored.messages)]
    different = [name for name, text in rows if letters(text) not in letters(name)]
    assert all(name for name, _ in rows) and len(rows) > 100
    assert {name for name in different if not name.startswith(tuple(others))} <= {
        name for name, _ in rows if "DUMMY" in name or "UNUSED" in name
    }


def test_each_constant_is_one_number() -> None:
    table = json.loads((resources.files("mapexplorer.data") / "platinum" / "constants.json").read_text("utf-8"))
    usual = [
        f"{prefix}{name}"
        for runs in table["kinds"].values()
        for prefix, _, lines in runs
        for name in " ".join(lines).split()
    ]
    every = [*usual, *table["other names"], *(f"MAP_HEADER_{name}" for name in DEFAULT.tables.headers.symbolic_names)]
    assert len({name.upper() for name in every}) == len(every) == len(CONSTANTS) == 9742


def test_other_games_have_no_constants() -> None:
    for game in GAMES[1:]:
        assert not game.constants and game.constants.number("ITEM_POTION") is None


def test_constants_hold_for_the_data_that_they_are_of() -> None:
    """Headers of another ROM and text banks of a Japanese release are others; flags are those of the program."""

    def of(kind: str, number: int) -> list[bool]:
        return [bool(DEFAULT.constant(kind, number, code)) for code in ("CPUE", "CPUJ", "MXDE")]

    assert of("header", 342) == of("trainer", 1) == of("land", 5) == [True, True, False]
    assert of("messages", 412) == [True, False, False]
    assert of("flag", 144) == of("species", 25) == [True, True, True]
    assert DEFAULT.constant_subject("MAP_HEADER_ROUTE_201", "MXDE") is None

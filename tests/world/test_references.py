"""The references of encounters, trainers, trades, items and scripts, against the vectors and the bytes of the ROM."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

import pytest

from mapexplorer.games import Role
from mapexplorer.world import FieldWorld
from mapexplorer.world.references.references import REFERENCES, ReferencePart, known
from tests.conftest import Cases

HIDDEN_ITEMS = 959352
"""Where the table of hidden items of the American release is in the program: 257 records of 8 bytes."""

TYPED = {
    30: {0: "flag"}, 31: {0: "flag"}, 32: {0: "flag"}, 44: {0: "text"}, 47: {0: "text"}, 54: {0: "text"},
    123: {0: "item"}, 124: {0: "item"}, 126: {0: "item"}, 150: {0: "species", 2: "item"}, 151: {0: "species"},
    153: {1: "move"}, 190: {0: "header"}, 229: {0: "trainer", 1: "trainer"}, 292: {0: "species"}, 550: {0: "trade"},
    73: {0: "music"}, 78: {0: "music"}, 466: {0: "accessory"}, 307: {0: "poketch app"},
}  # fmt: skip
"""Command -> argument -> what it is a number of, from the fact sheet; numbers from 0x4000 on are variables, but
of those in `STORED`."""

STORED = (30, 31, 32, 44, 47, 54, 78, 550)
ZERO_IS_NONE = ("species", "item", "move", "trainer", "music")

EFFECTS = {
    "item": {"give": "give", "add_item": "add item", "take": "take"},
    "trainer": {"trainer": "trainer", "partner": "partner"},
    "species": {"wild": "wild", "pokemon": "pokemon", "egg": "egg"},
}


def found(world: FieldWorld, user: str, used: str, file: Role | None, number: int) -> list[tuple[int, ReferencePart]]:
    """What the references of a kind in a file hold."""
    return [
        (one, where or ReferencePart(""))
        for reference in REFERENCES
        if (reference.user, reference.used, reference.file) == (user, used, file)
        for one, where in reference.found(world, number)
    ]


def paths(world: FieldWorld, user: str, used: str, file: Role | None, number: int) -> dict[Any, int]:
    """The path of each field -> its number."""
    return {where.path: one for one, where in found(world, user, used, file, number)}


def test_encounters(real: FieldWorld, cases: Cases) -> None:
    water = {"surf": "surf", "old": "old_rod", "good": "good_rod", "super": "super_rod"}
    rows = cases("encounters")
    for row in rows:
        expected: dict[tuple[Any, ...], int] = {}
        if row["grass_rate"]:
            expected |= {("grass", slot, "species"): one for slot, (_, one) in enumerate(row["grass"])}
            expected |= {
                (by, slot): one for by in ("day", "night", "swarm", "radar") for slot, one in enumerate(row[by])
            }
            for game, pair in row["dual_slot"].items():
                expected |= {("dual_slot", game, slot): one for slot, one in enumerate(pair)}
        for name, field in water.items():
            rate, slots = row[name]
            if rate:
                expected |= {(field, "slots", slot, "species"): one for slot, (*_, one) in enumerate(slots)}
        held = paths(real, "encounters", "species", Role.ENCOUNTERS, row["member"])
        assert held == {path: one for path, one in expected.items() if one}
    assert len(rows) > 100


def test_trainers(real: FieldWorld, cases: Cases) -> None:
    for row in cases("trainers"):
        trainer, party = row["trainer"], list(enumerate(row["party"]))
        assert paths(real, "trainer", "trainer class", Role.TRAINERS, trainer) == {("trainer_class",): row["class"]}
        items = {("items", slot): item for slot, item in enumerate(row["items"]) if item}
        assert paths(real, "trainer", "item", Role.TRAINERS, trainer) == items
        species = {("pokemon", slot, "species"): one["species"] for slot, one in party if one["species"]}
        assert paths(real, "trainer", "species", Role.TRAINER_PARTIES, trainer) == species
        held = {("pokemon", slot, "item"): one["item"] for slot, one in party if one.get("item")}
        assert paths(real, "trainer", "item", Role.TRAINER_PARTIES, trainer) == held
        moves = {
            ("pokemon", slot, "moves", index): move
            for slot, one in party
            for index, move in enumerate(one.get("moves", ()))
            if move
        }
        assert paths(real, "trainer", "move", Role.TRAINER_PARTIES, trainer) == moves


def test_trades_and_held_items(real: FieldWorld) -> None:
    for number, data in enumerate(real.members(Role.TRADES)):
        words = struct.unpack("<20I", data)
        species = {("species",): words[0], ("wanted_species",): words[19]}
        assert paths(real, "trade", "species", Role.TRADES, number) == species
        assert paths(real, "trade", "item", Role.TRADES, number) == {("item",): words[15]}
    for number, data in enumerate(real.members(Role.SPECIES)):
        items = {("held_items", slot): item for slot, item in enumerate(struct.unpack_from("<2H", data, 12)) if item}
        assert paths(real, "species", "item", Role.SPECIES, number) == items


def test_items_of_the_program(real: FieldWorld, cases: Cases) -> None:
    rows = list(struct.iter_unpack("<HBBHH", real.rom.arm9()[HIDDEN_ITEMS : HIDDEN_ITEMS + 8 * 257]))
    assert list(known(real, "hidden item") or ()) == list(range(257))
    for number, (item, *_) in enumerate(rows):
        assert [one for one, _ in found(real, "hidden item", "item", None, number)] == [item]
    marts = {how: set() for how in ("common mart", "mart")}
    for row in cases("xref_items"):
        for how, *where in row["rows"]:
            if how in marts:
                marts[how].add((row["key"], where[-1]))
    common = {
        one for row in known(real, "common mart") or () for one, _ in found(real, "common mart", "item", None, row)
    }
    assert {item for item, _ in marts["common mart"]} <= common and len(common) == 19
    for item, mart in marts["mart"]:
        assert item in [one for one, _ in found(real, "special mart", "item", None, mart)]
    assert len(known(real, "special mart") or ()) == 20


def test_the_typed_arguments_of_script_commands(real: FieldWorld, cases: Cases) -> None:
    checked = 0
    kinds = sorted({kind for arguments in TYPED.values() for kind in arguments.values()})
    for row in cases("scripts"):
        expected: dict[str, set[tuple[int, int, int]]] = {kind: set() for kind in kinds}
        for offset, command, *arguments in row["commands"]:
            for index, kind in TYPED.get(command, {}).items():
                number = arguments[index]
                if (number < 0x4000 or command in STORED) and (number or kind not in ZERO_IS_NONE):
                    expected[kind].add((offset, index, number))
        names = {real.game.tables.script_commands.names[command].name for command in TYPED}
        for kind in kinds:
            held = {
                (*where.key, one)
                for one, where in found(real, "scripts", kind, Role.SCRIPTS, row["member"])
                if where.kind == "command" and where.name in names
            }
            assert held == expected[kind], (row["member"], kind)
            checked += len(held)
    assert checked > 4000


@pytest.mark.parametrize("kind", EFFECTS)
def test_what_scripts_hand_over_and_fight(real: FieldWorld, cases: Cases, kind: str) -> None:
    def first(values: list[Any]) -> Iterator[int]:
        return (value[0] if isinstance(value, list) else value for value in values)

    count = 0
    for row in cases("script_effects"):
        known_entries = {entry for entry, effects in enumerate(row["entries"]) if effects is not None}
        expected = {
            (entry, name, number)
            for entry in known_entries
            for effect, name in EFFECTS[kind].items()
            for number in first(row["entries"][entry].get(effect, []))
            if number not in (-1, 0)
        }
        held = {
            (where.key[0], where.name, one)
            for one, where in found(real, "scripts", kind, Role.SCRIPTS, row["member"])
            if where.kind == "entry" and where.key[0] in known_entries
        }
        assert held == expected, row["member"]
        count += len(held)
    assert count > {"item": 100, "trainer": 60, "species": 10}[kind]


def test_candidates_are_all_numbers_that_a_variable_may_carry(real: FieldWorld) -> None:
    """What is not asked in full has nothing beyond its candidates and the stored arguments."""
    rows = [one for one in REFERENCES if one.candidates is not None]
    assert [one.used for one in rows] == ["item", "trainer", "species"]
    for member in range(len(real.members(Role.SCRIPTS))):
        for reference in rows:
            assert reference.candidates is not None
            numbers = {one for one, _ in reference.candidates(real, member)}
            typed = found(real, "scripts", reference.used, Role.SCRIPTS, member)
            stored = {one for one, where in typed if where.kind == "command"}
            assert {one for one, _ in reference.found(real, member)} <= numbers | stored, (member, reference.used)

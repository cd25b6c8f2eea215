"""Listings of scripts: names, texts, labels, what is reached, where reading stops."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import pytest

from formats import FormatError
from formats.field.script import Command, MovementList, ScriptFile, Target, Unknown
from mapexplorer.errors import PlaceError
from mapexplorer.gameplay.script_listing import (
    CommandLine,
    IdiomLine,
    Listing,
    MovementLine,
    UnknownLine,
    entry_texts,
    joined_lines,
    list_script,
)
from mapexplorer.gameplay.script_names import ScriptNames
from mapexplorer.gameplay.text_slots import TextSlots
from mapexplorer.games import Role
from mapexplorer.games.script_tables import Idiom
from mapexplorer.inspector.script.script_lines import line_text
from mapexplorer.inspector.script.script_listing import InitScriptFacts, ScriptFacts, ask, script_json
from mapexplorer.inspector.script.script_text import script_text
from mapexplorer.world import FieldWorld
from mapexplorer.world.events.script_effects import EffectsReader
from mapexplorer.world.events.script_files import locate_script, script_bank, script_files

BANK = 557
"""The texts of the player's house."""


def listed(world: FieldWorld, *items: Command | MovementList | Unknown, entry: int | None = None) -> Listing:
    file = ScriptFile((Target(0), Target(len(items) - 1)), items)
    names = ScriptNames(world, BANK)
    return list_script(file, world.game.tables.script_commands, names, None if entry is None else [entry])


def words(listing: Listing) -> list[tuple[str, list[tuple[str, str]]]]:
    return [
        (line.name, [(argument.kind, argument.words) for argument in line.arguments])
        for line in listing.lines
        if isinstance(line, CommandLine)
    ]


def test_numbers_have_names(real: FieldWorld) -> None:
    found = listed(
        real,
        Command(123, (17, 1, 0x800C)),
        Command(123, (0x8004, 0x4000, 0x800C)),
        Command(30, (107,)),
        Command(76, (25, 0)),
        Command(229, (1, 1)),
        Command(190, (411, 0, 116, 885, 1)),
        Command(20, (2016,)),
        Command(94, (255, Target(8))),
        MovementList(((0, 1), (12, 3), (254, 0))),
    )
    assert words(found) == [
        ("AddItem", [("item", "Potion"), ("", ""), ("variable", "result")]),
        ("AddItem", [("variable", ""), ("variable", ""), ("variable", "result")]),
        ("SetFlag", [("flag", "received_super_rod")]),
        ("PlayCry", [("species", "PIKACHU"), ("", "")]),
        ("StartTrainerBattle", [("trainer", "Tristan"), ("trainer", "Tristan")]),
        ("Warp", [("header", "Twinleaf Town"), ("", ""), ("", ""), ("", ""), ("direction", "south")]),
        ("CallCommonScript", [("script", "receive item 0x8004, count 0x8005 (no line feed)")]),
        ("ApplyMovement", [("object", "player"), ("label", "")]),
    ]
    movement = found.lines[-1]
    assert isinstance(movement, MovementLine) and found.labels == {movement.offset}
    assert movement.steps == ((0, "face north", 1), (12, "walk normal north", 3), (254, "", 0))


def test_placeholders_are_what_the_script_fills_in(real: FieldWorld) -> None:
    player, rival, message, end = Command(205, (0,)), Command(206, (1,)), Command(44, (0,)), Command(2)
    (text,) = [rows[0][1] for name, rows in words(listed(real, player, rival, message, end)) if name == "Message"]
    assert text.startswith("Mom: {player}!\r{rival} already left.")
    (text,) = [rows[0][1] for name, rows in words(listed(real, rival, message, end)) if name == "Message"]
    assert "{slot 0}!\r{rival}" in text
    (text,) = [rows[0][1] for name, rows in words(listed(real, player, end, message, end)) if name == "Message"]
    assert "{slot 0}!\r{slot 1}" in text
    assert words(listed(real, Command(44, (255,)))) == [("Message", [("text", "")])]


def test_placeholders_follow_the_paths_that_lead_to_a_text(real: FieldWorld) -> None:
    player, rival, message, end = Command(205, (0,)), Command(206, (0,)), Command(44, (0,)), Command(2)
    jump = Command(28, (1, Target(4)))
    (text,) = [
        rows[0][1] for name, rows in words(listed(real, player, jump, rival, end, message, end)) if name == "Message"
    ]
    assert text.startswith("Mom: {player}!"), "the rival's name is on no path to it"
    (text,) = [
        rows[0][1]
        for name, rows in words(listed(real, player, jump, rival, Command(0), message, end))
        if name == "Message"
    ]
    assert text.startswith("Mom: {slot 0}!"), "two paths, two names"


def test_idioms_are_one_line(real: FieldWorld) -> None:
    commands = real.game.tables.script_commands
    speech = tuple(Command(*one) for one in ((73, (1500,)), (96,), (104,), (44, (0,)), (49,), (52,), (97,), (2,)))
    room = Command(125, (17, 1, 0x800C)), Command(17, (0x800C, 0)), Command(28, (1, Target(0)))
    other_room = Command(125, (17, 1, 0x800D)), Command(17, (0x800C, 0)), Command(28, (1, Target(0)))
    check = Command(32, (107,)), Command(29, (1, Target(0)))
    whole = listed(real, *speech, *room, *other_room, *check, Command(2))
    joined = joined_lines(whole, commands)
    assert [one.idiom for one in joined if isinstance(one, IdiomLine)] == [
        Idiom.SPEAK,
        Idiom.ROOM,
        Idiom.COMPARISON,
        Idiom.FLAG,
    ]
    assert [line_text(one, commands) for one in joined][1:5] == [
        "if the bag has no room for 17 (Potion) x 1: go to -> A",
        "CanFitItem 17 (Potion), 1, 0x800D (last_talked)",
        "if 0x800C (result) = 0: go to -> A",
        "if flag 107 (received_super_rod) is set: call -> A",
    ]
    lines = [line for one in joined for line in (one.commands if isinstance(one, IdiomLine) else (one,))]
    assert tuple(lines) == whole.lines, "nothing is lost"


def test_an_idiom_that_something_jumps_into_stays_apart(real: FieldWorld) -> None:
    compare, jump = Command(17, (0x4050, 1)), Command(28, (1, Target(1)))
    whole = listed(real, compare, jump, Command(2))
    assert joined_lines(whole, real.game.tables.script_commands) == whole.lines


def test_sounds_have_the_names_of_the_sound_archive(real: FieldWorld) -> None:
    names = real.sequence_names
    assert words(listed(real, Command(80, (1004,)), Command(73, (1500,)))) == [
        ("PlayMusic", [("sound", names[1004])]),
        ("PlaySE", [("sound", names[1500])]),
    ]
    assert names[1004] and names[1500]


def test_what_entries_lead_to_and_where_reading_stops(real: FieldWorld) -> None:
    items = (Command(22, (Target(2),)), Command(2), Command(28, (1, Target(4))), Unknown(b"\xff\xff"), Command(2))
    whole = listed(real, *items)
    offsets = [line.offset for line in whole.lines]
    assert [offset in whole.reached for offset in offsets] == [True, False, True, True, True]
    assert whole.entries == {offsets[0]: (0,), offsets[4]: (1,)}
    assert isinstance(whole.lines[3], UnknownLine) and whole.lines[3].data == b"\xff\xff"
    assert [line.offset for line in listed(real, *items, entry=0).lines] == [offsets[i] for i in (0, 2, 3, 4)]
    assert [line.offset for line in listed(real, *items, entry=1).lines] == offsets[4:]


def test_a_wild_jump_is_said_to_be_one(real: FieldWorld) -> None:
    jumps = Command(28, (1, Target(2, 1))), Command(28, (1, Target(3, 500))), Command(2)
    found = [rows[1] for name, rows in words(listed(real, *jumps)) if name == "GoToIf"]
    assert found == [("label", "no command begins there")] * 2


def test_every_script_of_the_game_is_listed(real: FieldWorld) -> None:
    """Every command has a name, every argument one in its table; what entries do not lead to is the dead code."""
    commands = unreached = files = 0
    for member, file in script_files(real):
        listing = list_script(file, real.game.tables.script_commands, ScriptNames(real, None))
        assert len(listing.lines) == len(file.items)
        for line in listing.lines:
            if isinstance(line, CommandLine):
                commands += 1
                unreached += line.offset not in listing.reached
                assert line.name and all(argument.name for argument in line.arguments), (member, line)
        files += 1
    assert (files, commands, commands - unreached) == (575, 57983, 55776)


@pytest.mark.parametrize("seed", range(4))
def test_damaged_scripts_are_listed_as_far_as_they_can_be_read(real: FieldWorld, seed: int) -> None:
    """Every byte is in one line, unknown commands and wild jumps included, and paths through them end."""
    chance = random.Random(seed)
    commands = real.game.tables.script_commands
    archive = real.rom.archive(real.path(Role.SCRIPTS))
    members = [member for member, _ in script_files(real) if len(archive[member]) < 3000]
    unknown = read = 0
    for member in chance.sample(members, 40):
        data = bytearray(archive[member])
        for _ in range(4):
            data[chance.randrange(len(data) // 3, len(data))] = chance.choice(
                (0, 3, 22, 26, 94, 0xFF, chance.randrange(256))
            )
        try:
            file = ScriptFile.from_bytes(bytes(data))
        except FormatError:
            continue
        read += 1
        listing = list_script(file, commands, ScriptNames(real, BANK))
        assert len(listing.lines) == len(file.items)
        for line in joined_lines(listing, commands):
            assert line_text(line, commands)
        unknown += sum(isinstance(line, UnknownLine) for line in listing.lines)
        reader, slots = EffectsReader(file, commands), TextSlots(file, commands)
        for entry in range(len(file.entries)):
            texts = reader.effects(entry, 2000).numbers("text")
            assert set(entry_texts(file, entry, texts, ScriptNames(real, BANK), slots)) == set(texts)
    assert read > 20 and unknown


def test_bands_and_banks(real: FieldWorld) -> None:
    town = real.place("T01").header
    for number, member, entry, bank in (
        (1, town.scripts, 0, town.message_bank),
        (2000, 211, 0, 213),
        (2016, 211, 16, 213),
        (3004, 1114, 4, 213),
        (8201, 408, 201, 380),
        (10490, 499, 0, 541),
    ):
        place = locate_script(real, town.id, number)
        assert place is not None and (place.member, place.entry, place.bank) == (member, entry, bank)
    assert locate_script(real, town.id, 0) is None is locate_script(real, town.id, 0xFFFF)
    assert script_bank(real, town.scripts) == town.message_bank and script_bank(real, 404) == 369
    for code, bank in (("CPUJ", None), ("HACK", 369)):
        world: Any = SimpleNamespace(game=real.game, rom=SimpleNamespace(code=code), headers=())
        assert script_bank(world, 404) == bank


@pytest.mark.parametrize(
    "name", ["T01#0", "T01#65535", "T01#999", "file:9999", "file:4#500", "file:3#0", "Atlantis", "#999"]
)
def test_a_script_that_does_not_exist_is_a_place_error(demo: FieldWorld, name: str) -> None:
    with pytest.raises(PlaceError):
        ask(demo, name)


def test_a_map_a_script_of_it_and_a_file(demo: FieldWorld) -> None:
    whole, one, file = (ask(demo, key)[0] for key in ("millbrook", "T01#101", "file:3"))
    assert isinstance(whole, ScriptFacts) and isinstance(one, ScriptFacts) and isinstance(file, InitScriptFacts)
    assert set(whole.effects) == set(range(200)) and set(one.effects) == {100}
    assert {run.script for run in whole.runs} == {1, 2, 3, 4, 50, 100, 101, 102, 103, 200}
    assert [run.index for run in one.runs] == [1]
    text = script_text(demo, one)
    assert "script 101:" in text and '"News: sun on the hill' in text and "common: 2000" in text
    assert "background event 1 if facing north" in text
    assert "while 0x406D is 2" in script_text(demo, file)
    assert script_json(file)["initial_scripts"][0] == {"type": 2, "script": 50}
    assert [line["command"] for line in script_json(one)["lines"]] == [
        "DrawSignpostInstantMessage",
        "CallCommonScript",
        "End",
    ]

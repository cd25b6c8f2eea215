"""Flags and variables of a save, texts, music and moves: what has a name and a number, but no record of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mapexplorer.errors import check_number
from mapexplorer.gameplay.flags import flag_meaning, flag_name
from mapexplorer.gameplay.names import name
from mapexplorer.gameplay.script_names import readable
from mapexplorer.games import NameBank
from mapexplorer.inspector.facts import Described, Describers, Fact, section
from mapexplorer.inspector.script.script_meaning import script_meaning
from mapexplorer.inspector.things.common import Context
from mapexplorer.world import FieldWorld
from mapexplorer.world.headers.header_names import sequence_name
from mapexplorer.world.save import fresh_save
from mapexplorer.world.subject import subject

_NEIGHBOURS = 30
"""The texts of a bank that are shown before and after one of them."""


def describe_flag(context: Context, flag: int) -> Described:
    """A flag of a save."""
    states = [flag in save.flags for save in (fresh_save(context.world.game), context.save)]
    words = ["set" if state else "clear" for state in states]
    title = flag_name(context.tables.save_names, flag) or f"Flag {flag}"
    sections = (section("Flag", Fact("Flag", str(flag)), *_of_save(flag_words(context.world, flag), words)),)
    return title, f"flag {flag}", sections, None


def _of_save(meant: str, states: Sequence[str]) -> list[Fact]:
    """What a flag or variable is about, its state in a new game and in the save, if there is one."""
    facts = [Fact("Meaning", meant)] if meant else []
    facts.append(Fact("In a new game", states[0]))
    return facts if states[-1] == states[0] else [*facts, Fact("Now", states[-1], "as you chose")]


def flag_words(world: FieldWorld, flag: int) -> str:
    """What a flag is about by the range that it is in: `trainer 246 Roark beaten`, empty for one of an event."""
    names = world.game.tables.save_names
    match flag_meaning(names, flag):
        case "trainer", int(number):
            return " ".join(filter(None, ("trainer", str(number), name(world, NameBank.TRAINERS, number), "beaten")))
        case "hidden item", int(number):
            return f"{script_meaning(world, world.game.tables.script_numbers.hidden_items[number])}, taken"
        case "first arrival", int(number) if number < len(world.headers):
            return f"first arrival on {world.headers[number].title}"
    return next((meaning for numbers, _, meaning in reversed(names.flag_ranges) if flag in numbers), "")


def variable_words(world: FieldWorld, number: int) -> str:
    """What a variable is about by the range that it is in."""
    ranges = world.game.tables.save_names.variable_ranges
    return next((meaning for numbers, meaning in ranges if number in numbers), "")


MEANINGS: Final = {"flag": flag_words, "variable": variable_words}
"""What the flags and variables of a save are about."""


def describe_variable(context: Context, number: int) -> Described:
    """A variable of a save."""
    saves = (fresh_save(context.world.game), context.save)
    values = [str(save.variables.get(number, 0)) for save in saves]
    facts = (Fact("Variable", str(number), f"0x{number:X}"), *_of_save(variable_words(context.world, number), values))
    title = context.tables.save_names.variables.get(number, "") or f"Variable 0x{number:X}"
    return title, f"variable {number}", (section("Variable", *facts),), None


def describe_text(context: Context, bank: int, number: int) -> Described:
    """A text, and those around it in its bank."""
    texts = context.world.messages(bank)
    messages = texts.messages if texts is not None else ()
    check_number("text", number, range(len(messages)), f"text bank {bank}")
    text = section(
        "Text",
        Fact("Bank", str(bank), f"{len(messages)} texts", link=subject("messages", bank)),
        Fact("Text", str(number)),
        Fact("", readable(messages[number])),
    )
    others = (
        Fact(str(other), " ".join(readable(messages[other]).split()), link=subject("text", bank, other))
        for other in range(max(0, number - _NEIGHBOURS), min(len(messages), number + _NEIGHBOURS + 1))
        if other != number
    )
    return f"Text {number} of bank {bank}", "message bank", (text, section("In the same bank", *others)), None


def describe_music(context: Context, number: int) -> Described:
    """A sequence: music or a sound."""
    known = sequence_name(context.world, number)
    title, about = context.tables.music.titles.get(number, ("", ""))
    facts = (Fact("Sequence", str(number), known), *([Fact("Title", title, about)] if title else []))
    return title or known or f"Sequence {number}", "music", (section("Music", *facts),), None


def describe_move(context: Context, number: int) -> Described:
    """A move of a Pokémon."""
    title = name(context.world, NameBank.MOVES, number) or f"Move {number}"
    return title, f"move {number}", (section("Move", Fact("Move", str(number))),), None


DESCRIBERS: Final[Describers] = {
    "flag": describe_flag,
    "variable": describe_variable,
    "text": describe_text,
    "music": describe_music,
    "move": describe_move,
}

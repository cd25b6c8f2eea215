"""Flags and variables of a save, texts, music and moves: what has a name and a number, but no record of its own."""

from __future__ import annotations

from typing import Final

from mapexplorer.errors import PlaceError
from mapexplorer.gameplay.flags import flag_meaning, flag_name
from mapexplorer.gameplay.names import name
from mapexplorer.gameplay.script_names import readable
from mapexplorer.games import NameBank
from mapexplorer.inspector.common import Context
from mapexplorer.inspector.facts import Description, Fact, Section
from mapexplorer.inspector.script_meaning import script_meaning
from mapexplorer.world import FieldWorld
from mapexplorer.world.header_names import sequence_name
from mapexplorer.world.save import fresh_save
from mapexplorer.world.subject import Subject, subject

_NEIGHBOURS = 30
"""The texts of a bank that are shown before and after one of them."""


def describe_flag(context: Context, chosen: Subject) -> Description:
    """A flag of a save."""
    (flag,) = chosen.key
    fresh = flag in fresh_save(context.world.game).flags
    names, meant = context.tables.save_names, flag_words(context.world, flag)
    facts = [Fact("Flag", str(flag)), *([Fact("Meaning", meant)] if meant else [])]
    facts.append(Fact("In a new game", "set" if fresh else "clear"))
    if context.save is not None and (flag in context.save.flags) != fresh:
        facts.append(Fact("Now", "clear" if fresh else "set", "as you chose"))
    title = flag_name(names, flag) or f"Flag {flag}"
    return Description(chosen, title, f"flag {flag}", (Section("Flag", tuple(facts)),))


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


def describe_variable(context: Context, chosen: Subject) -> Description:
    """A variable of a save."""
    (number,) = chosen.key
    fresh = fresh_save(context.world.game).variables.get(number, 0)
    names, meant = context.tables.save_names, variable_words(context.world, number)
    facts = [Fact("Variable", str(number), f"0x{number:X}"), *([Fact("Meaning", meant)] if meant else [])]
    facts.append(Fact("In a new game", str(fresh)))
    if context.save is not None and context.save.variables.get(number, 0) != fresh:
        facts.append(Fact("Now", str(context.save.variables.get(number, 0)), "as you chose"))
    title = names.variables.get(number, "") or f"Variable 0x{number:X}"
    return Description(chosen, title, f"variable {number}", (Section("Variable", tuple(facts)),))


def describe_text(context: Context, chosen: Subject) -> Description:
    """A text, and those around it in its bank."""
    bank, number = chosen.key
    texts = context.world.messages(bank)
    messages = texts.messages if texts is not None else ()
    if number >= len(messages):
        raise PlaceError(f"Message bank {bank} has no text {number}; it has {len(messages)}, counted from 0.")
    facts = (
        Fact("Bank", str(bank), f"{len(messages)} texts", None, subject("messages", bank)),
        Fact("Text", str(number)),
        Fact("", readable(messages[number])),
    )
    around = range(max(0, number - _NEIGHBOURS), min(len(messages), number + _NEIGHBOURS + 1))
    others = tuple(
        Fact(str(one), " ".join(readable(messages[one]).split()), "", None, subject("text", bank, one))
        for one in around
        if one != number
    )
    sections = (Section("Text", facts), Section("In the same bank", others))
    return Description(chosen, f"Text {number} of bank {bank}", "message bank", sections)


def describe_music(context: Context, chosen: Subject) -> Description:
    """A sequence: music or a sound."""
    (number,) = chosen.key
    known = sequence_name(context.world, number)
    title, about = context.tables.music.titles.get(number, ("", ""))
    facts = (Fact("Sequence", str(number), known), *([Fact("Title", title, about)] if title else []))
    return Description(chosen, title or known or f"Sequence {number}", "music", (Section("Music", facts),))


def describe_move(context: Context, chosen: Subject) -> Description:
    """A move of a Pokémon."""
    (number,) = chosen.key
    title = name(context.world, NameBank.MOVES, number) or f"Move {number}"
    return Description(chosen, title, f"move {number}", (Section("Move", (Fact("Move", str(number)),)),))


DESCRIBERS = {
    "flag": describe_flag,
    "variable": describe_variable,
    "text": describe_text,
    "music": describe_music,
    "move": describe_move,
}

"""The lines of a script listing as text."""

from __future__ import annotations

from typing import Final

from mapexplorer.gameplay.script_listing import (
    LABEL,
    VARIABLE,
    CommandLine,
    IdiomLine,
    Line,
    ListedArgument,
    MovementLine,
)
from mapexplorer.gameplay.text_slots import TEXT
from mapexplorer.games.script_tables import Idiom, ScriptCommands

_BREAKS: Final = {10: "\\n", 13: "\\r", 12: "\\f"}
"""The line, paragraph and page breaks of a text as the listing writes them."""

_SIGNS: Final = ("<", "=", ">", "<=", ">=", "<>")
"""The conditions of jumps in the order of their numbers."""

_OF_FLAGS: Final = {0: "clear", 1: "set", 4: "set", 5: "clear"}
"""Condition -> the state of a flag with which it holds; with the others a jump is always or never taken."""


_ROOM: Final = {("=", "0"): "no room", ("=", "1"): "room", ("<>", "0"): "room", ("<>", "1"): "no room"}
"""The comparison with the result of the question for room -> what it means."""


def line_text(line: Line | IdiomLine, commands: ScriptCommands) -> str:
    """A line of a listing as text."""
    if isinstance(line, IdiomLine):
        return _idiom_text(line, commands)
    if isinstance(line, CommandLine):
        name = line.name or f"command {line.number}"
        return " ".join([name, ", ".join(_argument_text(one) for one in line.arguments)])
    if isinstance(line, MovementLine):
        steps = [f"{name or f'action {action}'} x{count}" for action, name, count in line.steps[:-1]]
        return "movement: " + ", ".join(steps)
    return f"reading stops at unknown bytes: {line.data.hex(' ')}"


def _idiom_text(line: IdiomLine, commands: ScriptCommands) -> str:
    first, *others = ([_argument_text(one) for one in command.arguments] for command in line.commands)
    last = line.commands[-1]
    if line.idiom is Idiom.SPEAK:
        said = next(one for command in line.commands for one in command.arguments if one.kind == TEXT)
        return f"speak {_argument_text(said)} with sound {first[0]}; then end"
    condition = last.arguments[0].number
    jump = f"{'call' if last.number == commands.call_on_condition else 'go to'} {others[-1][-1]}"
    sign = _SIGNS[condition] if condition < len(_SIGNS) else f"condition {condition}"
    if line.idiom is Idiom.FLAG:
        return f"if {first[0]} is {_OF_FLAGS.get(condition, f'({sign})')}: {jump}"
    if line.idiom is Idiom.ROOM:
        room = _ROOM.get((sign, others[0][1]), f"({sign} {others[0][1]}) room")
        return f"if the bag has {room} for {first[0]} x {first[1]}: {jump}"
    return f"if {first[0]} {sign} {first[1]}: {jump}"


def _argument_text(argument: ListedArgument) -> str:
    if argument.kind == LABEL:
        return f"-> {argument.number:X}" + (f" ({argument.words})" if argument.words else "")
    if argument.kind == TEXT:
        return f"{argument.number} {quoted(argument.words)}"
    number = number_text(argument.number) if argument.kind == VARIABLE else str(argument.number)
    what = "flag " if argument.kind == "flag" else ""
    return f"{what}{number} ({argument.words})" if argument.words else f"{what}{number}"


def quoted(text: str) -> str:
    """A text of the game in one line."""
    return f'"{text.translate(_BREAKS)}"'


def number_text(variable: int) -> str:
    """The number of a variable as text."""
    return f"0x{variable:X}"

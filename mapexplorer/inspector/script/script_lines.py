"""The lines of a script listing as text, in parts with links."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Final, NamedTuple

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
from mapexplorer.world.subject import Subject


class PartRole(StrEnum):
    """The kind of a part of a text."""

    PLAIN = ""
    COMMAND = "command"
    """The name of a command, or a word that stands for several commands."""
    NUMBER = "number"
    NAME = "name"
    """The name of a number."""
    MESSAGE = "message"
    """A text of the game."""
    OFFSET = "offset"
    HEADING = "heading"


class LinePart(NamedTuple):
    """A part of a line; `target`: the thing that it leads to, or the byte offset of a line of the same listing."""

    text: str
    role: PartRole = PartRole.PLAIN
    target: Subject | int | None = None


Parts = tuple[LinePart, ...]


def plain_text(parts: Iterable[LinePart]) -> str:
    """Parts as plain text."""
    return "".join(part.text for part in parts)


def joined(groups: Iterable[Parts]) -> Parts:
    """Groups of parts with commas between them."""
    return tuple(part for group in groups for part in (LinePart(", "), *group))[1:]


_BREAKS: Final = {10: "\\n", 13: "\\r", 12: "\\f"}
"""The line, paragraph and page breaks of a text as the listing writes them."""

_SIGNS: Final = ("<", "=", ">", "<=", ">=", "<>")
"""The conditions of jumps in the order of their numbers."""

_OF_FLAGS: Final = {0: "clear", 1: "set", 4: "set", 5: "clear"}
"""Condition -> the state of a flag with which it holds; with the others a jump is always or never taken."""


_ROOM: Final = {("=", "0"): "no room", ("=", "1"): "room", ("<>", "0"): "room", ("<>", "1"): "no room"}
"""The comparison with the result of the question for room -> what it means."""


_DONE: Final = {
    "north": "up",
    "south": "down",
    "west": "left",
    "east": "right",
    "walk": "walks",
    "run": "runs",
    "jump": "jumps",
    "face": "faces",
    "bow": "bows",
    "warp": "warps",
    "delay": "waits",
    "set": "becomes",
    "emote": "shows",
    "reveal": "reveals",
    "give": "gives",
    "receive": "receives",
    "pause": "pauses",
    "resume": "resumes",
    "lock": "locks its",
    "unlock": "unlocks its",
    "dir": "direction",
    "spot": "the spot",
    "normal": "",
    "player": "",
    "pokecenter": "",
    "nurse": "",
}
"""Word of the name of a movement action -> what somebody does, as in `walks down`."""


GoalOf = Callable[[str, int], Subject | None]
"""Gives the thing that a number with a meaning leads to; None for a plain number."""


def line_text(line: Line | IdiomLine, commands: ScriptCommands) -> str:
    """A line of a listing as plain text."""
    return plain_text(line_parts(line, commands, lambda *_: None))


def line_parts(line: Line | IdiomLine, commands: ScriptCommands, goal_of: GoalOf) -> Parts:
    """A line of a listing with links."""
    if isinstance(line, IdiomLine):
        return tuple(_idiom_parts(line, commands, goal_of))
    if isinstance(line, CommandLine):
        name = LinePart(f"{line.name or f'command {line.number}'} ", PartRole.COMMAND)
        return name, *joined([_argument_parts(argument, goal_of) for argument in line.arguments])
    if isinstance(line, MovementLine):
        steps = [f"{name or f'action {action}'} x{count}" for action, name, count in line.steps[:-1]]
        return LinePart("movement: ", PartRole.COMMAND), LinePart(", ".join(steps))
    return (LinePart(f"reading stops at unknown bytes: {line.data.hex(' ')}"),)


def movement_words(line: MovementLine) -> str:
    """What somebody does who gets a movement list: `walks down 3, waits 8 ticks`."""
    return ", ".join(_step_words(name or f"action {action}", count) for action, name, count in line.steps[:-1])


def _step_words(name: str, count: int) -> str:
    first, *others = (_DONE.get(word, word) for word in name.split())
    if first == _DONE["delay"]:
        return f"{first} {int(others[0]) * count} ticks"
    return " ".join(filter(None, (first, *others, str(count) if count > 1 else "")))


def _idiom_parts(line: IdiomLine, commands: ScriptCommands, goal_of: GoalOf) -> Iterable[LinePart]:
    first, *others = (
        [_argument_parts(argument, goal_of) for argument in command.arguments] for command in line.commands
    )
    last = line.commands[-1]
    if line.idiom is Idiom.SPEAK:
        said = next(argument for command in line.commands for argument in command.arguments if argument.kind == TEXT)
        yield LinePart("speak ", PartRole.COMMAND)
        yield from (*_argument_parts(said, goal_of), LinePart(" with sound "), *first[0], LinePart("; then end"))
        return
    condition = last.arguments[0].number
    jump = "call " if last.number == commands.call_on_condition else "go to "
    sign = _SIGNS[condition] if condition < len(_SIGNS) else f"condition {condition}"
    yield LinePart("if ", PartRole.COMMAND)
    if line.idiom is Idiom.FLAG:
        yield from (*first[0], LinePart(f" is {_OF_FLAGS.get(condition, f'({sign})')}: "))
    elif line.idiom is Idiom.ROOM:
        asked = plain_text(others[0][1])
        room = _ROOM.get((sign, asked), f"({sign} {asked}) room")
        yield from (LinePart(f"the bag has {room} for "), *first[0], LinePart(" x "), *first[1], LinePart(": "))
    else:
        yield from (*first[0], LinePart(f" {sign} "), *first[1], LinePart(": "))
    yield LinePart(jump, PartRole.COMMAND)
    yield from others[-1][-1]


def _argument_parts(argument: ListedArgument, goal_of: GoalOf) -> Parts:
    if argument.kind == LABEL:
        problem = (LinePart(f" ({argument.words})"),) if argument.words else ()
        return LinePart(f"-> {argument.number:X}", PartRole.NUMBER, None if problem else argument.number), *problem
    goal = goal_of(argument.kind, argument.number)
    if argument.kind == TEXT:
        return LinePart(f"{argument.number} ", PartRole.NUMBER), LinePart(
            quoted(argument.words), PartRole.MESSAGE, goal
        )
    number = f"0x{argument.number:X}" if argument.kind == VARIABLE else str(argument.number)
    what = (LinePart("flag "),) if argument.kind == "flag" else ()
    if not argument.words:
        return *what, LinePart(number, PartRole.NUMBER, goal)
    return *what, LinePart(f"{number} ", PartRole.NUMBER, goal), LinePart(f"({argument.words})", PartRole.NAME, goal)


def quoted(text: str) -> str:
    """A text of the game in one line."""
    return f'"{text.translate(_BREAKS)}"'

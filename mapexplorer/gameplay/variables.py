"""What depends on a variable of the save: the scripts that set, change and read it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from formats.field.script import Command, ScriptFile
from mapexplorer.games.script_tables import (
    FIRST_SCRIPT_VARIABLE,
    FIRST_VARIABLE,
    Access,
    Argument,
    ScriptCommands,
)

_ACCESSES: Final = {Access.WRITE: "set", Access.CHANGE: "changed", Access.READ: "read", Access.VALUE: "read"}
_SAVED: Final = range(FIRST_VARIABLE, FIRST_SCRIPT_VARIABLE)


@dataclass(frozen=True)
class VariableUses:
    """(member of the script archive, item) of the commands that set, change and read a variable, whether something runs
    them or not."""

    set: list[tuple[int, int]] = field(default_factory=list)
    changed: list[tuple[int, int]] = field(default_factory=list)
    read: list[tuple[int, int]] = field(default_factory=list)


def variable_uses(files: Iterable[tuple[int, ScriptFile]], commands: ScriptCommands) -> dict[int, VariableUses]:
    """Saved variable -> its uses, ascending, in (member, file) of script files."""
    found: dict[int, VariableUses] = {}
    for member, file in files:
        for at, item in enumerate(file.items):
            if not isinstance(item, Command):
                continue
            if not any(isinstance(value, int) and value in _SAVED for value in item.arguments):
                continue
            for _, value, about in numbers_of(item, commands):
                if value in _SAVED and about.access in _ACCESSES:
                    places = getattr(found.setdefault(value, VariableUses()), _ACCESSES[about.access])
                    if places[-1:] != [(member, at)]:
                        places.append((member, at))
    return dict(sorted(found.items()))


def numbers_of(command: Command, commands: ScriptCommands) -> Iterator[tuple[int, int, Argument]]:
    """(index, number, what is known about it) of the arguments of a command that are no targets."""
    name = commands.name(command.number)
    abouts = name.arguments_for(command.arguments[0]) if name is not None and command.arguments else ()
    for index, (value, about) in enumerate(zip(command.arguments, abouts, strict=False)):
        if isinstance(value, int):
            yield index, value, about

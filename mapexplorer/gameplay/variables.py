"""What depends on a variable of the save: the scripts that set, change and read it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from formats.field.script import Command, ScriptFile
from mapexplorer.games.script_tables import (
    FIRST_SCRIPT_VARIABLE,
    FIRST_VARIABLE,
    Access,
    Argument,
    ScriptCommands,
)

SET: Final = "set by"
_USES: Final = {Access.WRITE: SET, Access.CHANGE: "changed by", Access.READ: "read by", Access.VALUE: "read by"}
"""What a command does with a variable -> how the variable is used."""
_SAVED: Final = range(FIRST_VARIABLE, FIRST_SCRIPT_VARIABLE)


VariableUse = tuple[int, str, int, int]
"""A saved variable, how it is used, the member of the script archive, the item."""


def variable_uses(files: Iterable[tuple[int, ScriptFile]], commands: ScriptCommands) -> Iterator[VariableUse]:
    """The uses of saved variables by the commands of (member, file) of script files, whether something runs them or
    not."""
    for member, file in files:
        for at, item in enumerate(file.items):
            if isinstance(item, Command) and any(value in _SAVED for value in item.arguments if isinstance(value, int)):
                numbers = [(value, _USES.get(about.access)) for _, value, about in numbers_of(item, commands)]
                for value, how in dict.fromkeys(numbers):
                    if how is not None and value in _SAVED:
                        yield value, how, member, at


def numbers_of(command: Command, commands: ScriptCommands) -> Iterator[tuple[int, int, Argument]]:
    """(index, number, what is known about it) of the arguments of a command that are no targets."""
    name = commands.name(command.number)
    abouts = name.arguments_for(command.arguments[0]) if name is not None and command.arguments else ()
    for index, (value, about) in enumerate(zip(command.arguments, abouts, strict=False)):
        if isinstance(value, int):
            yield index, value, about

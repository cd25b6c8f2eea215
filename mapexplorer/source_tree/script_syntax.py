"""The words of a script as text: names of commands and movement actions, directives, labels.

; a comment, to the end of the line
    .entry script_1              where script 1 begins; one line for each script of the file
    .end_of_entries              the mark behind the table of entries
script_1:                        a label
    Message 3                    a command with its arguments; variables are written 0x4000
    GoToIf 1, script_1_label_1   a label as an argument; label+2 is the byte 2 behind it
    .movement                    a movement list: actions with their counts up to EndMovement
    WalkNormalNorth 2
    EndMovement
    .bytes 00 ff                 bytes without a known meaning
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final

from formats.field.script_commands import CommandSet
from mapexplorer.games.script_tables import ScriptCommands

ENTRY: Final = ".entry"
END_OF_ENTRIES: Final = ".end_of_entries"
MOVEMENT: Final = ".movement"
UNALIGNED: Final = "unaligned"
END_OF_MOVEMENT: Final = ".end_of_movement"
BYTES: Final = ".bytes"
UNPADDED: Final = ".unpadded"
END_MOVEMENT: Final = "EndMovement"
COMMENT: Final = ";"

_OTHER_COMMAND: Final = re.compile(r"Command_(\d{1,5})")
_OTHER_ACTION: Final = re.compile(r"Action_(\d{1,5})")


class ScriptWords:
    """The names of the commands and movement actions of a game, each of which means one number."""

    def __init__(self, tables: ScriptCommands, commands: CommandSet) -> None:
        self.tables = tables
        self.commands = commands

    def command(self, number: int) -> str:
        """The name of a command."""
        known = self.tables.name(number)
        return known.name if known is not None and known.name else f"Command_{number}"

    def action(self, number: int) -> str:
        """The name of a movement action."""
        if number == self.commands.movement_end:
            return END_MOVEMENT
        return self._action_names.get(number, f"Action_{number}")

    def command_number(self, name: str) -> int | None:
        """The number of a command by name, None for an unknown one."""
        return _number(name, self.command_numbers, _OTHER_COMMAND)

    def action_number(self, name: str) -> int | None:
        """The number of a movement action by name, None for an unknown one."""
        return _number(name, self.action_numbers, _OTHER_ACTION)

    @cached_property
    def command_numbers(self) -> dict[str, int]:
        """Name -> number of the commands."""
        return {self.command(number): number for number in reversed(range(len(self.commands)))}

    @cached_property
    def action_numbers(self) -> dict[str, int]:
        """Name -> number of the movement actions."""
        return {name: number for number, name in self._action_names.items()} | {
            END_MOVEMENT: self.commands.movement_end
        }

    @cached_property
    def _action_names(self) -> dict[int, str]:
        """Number -> name of the actions whose name no other one has: its words without spaces."""
        names = ["".join(map(str.capitalize, words.split())) for words in self.tables.movement_actions]
        return {number: name for number, name in enumerate(names) if name and names.count(name) == 1}


def _number(name: str, known: dict[str, int], other: re.Pattern[str]) -> int | None:
    if name in known:
        return known[name]
    match = other.fullmatch(name)
    return int(match[1]) if match else None

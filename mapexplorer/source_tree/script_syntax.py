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


class NumberedNames:
    """Names, each of which means one number; a number without a name is `KIND_NUMBER`."""

    def __init__(self, names: dict[int, str], kind: str) -> None:
        self._names = names
        self._kind = kind
        self.numbers = {name: number for number, name in reversed(names.items())}
        """Name -> number; of equal names that of the first one."""

    def name(self, number: int) -> str:
        """The name of a number."""
        return self._names.get(number, f"{self._kind}_{number}")

    def number(self, name: str) -> int | None:
        """The number of a name, None for an unknown one."""
        other = re.fullmatch(rf"{self._kind}_([0-9]{{1,5}})", name)
        return self.numbers.get(name, None if other is None else int(other[1]))


class ScriptWords:
    """The names of the commands and movement actions of a game; those of actions that several have are left out."""

    def __init__(self, tables: ScriptCommands, commands: CommandSet) -> None:
        self.tables = tables
        self.commands = commands
        known = [tables.name(number) for number in range(len(commands))]
        names = {number: (name and name.name) or f"Command_{number}" for number, name in enumerate(known)}
        self.command = NumberedNames(names, "Command")
        words = ["".join(map(str.capitalize, action.split())) for action in tables.movement_actions]
        actions = {number: name for number, name in enumerate(words) if name and words.count(name) == 1}
        self.action = NumberedNames({commands.movement_end: END_MOVEMENT} | actions, "Action")

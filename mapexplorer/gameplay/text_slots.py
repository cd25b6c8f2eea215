"""What the placeholders of the texts of a script stand for: `{player}` for slot 0 behind BufferPlayerName."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from formats.field.script import Command, ScriptFile
from formats.field.script_commands import PLATINUM, CommandSet
from mapexplorer.games.script_tables import ScriptCommands

TEXT: Final = "text"
_SLOT: Final = "text slot"
_SEVERAL: Final = ""
"""Stands for a slot that is filled differently on different paths."""

_WORD: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z]|$)|[A-Z][a-z0-9]*")

Slots = Mapping[int, str]
"""Slot -> what it is filled with; a slot that nothing or several things are written into is absent."""


class TextSlots:
    """The slots at each item of a script file, over all paths that lead to it; dead code begins without slots."""

    def __init__(self, file: ScriptFile, names: ScriptCommands, commands: CommandSet = PLATINUM) -> None:
        self._file = file
        self._names = names
        self._commands = commands
        self._at: list[dict[int, str] | None] = [None] * len(file.items)
        self._follow([entry.item for entry in file.entries if entry.offset == 0])
        for item in range(len(file.items)):
            if self._at[item] is None:
                self._follow([item])

    def at(self, item: int) -> Slots:
        """The slots before an item is executed."""
        return merged([self._at[item] or {}])

    def of_text(self, text: int, items: Collection[int]) -> Slots:
        """The slots of a text of the script's bank where one of `items` shows it; where none names it, those of all
        `items` that show a text."""
        showing = [item for item in items if self._shown(item) is not None]
        named = [item for item in showing if self._shown(item) == text]
        return merged(self._at[item] or {} for item in named or showing)

    def _shown(self, item: int) -> int | None:
        """The stored number of the text that an item shows, None where it shows none."""
        command = self._file.items[item]
        if not isinstance(command, Command):
            return None
        rule = next((rule for rule in self._names.effects.get(command.number, ()) if rule.effect == TEXT), None)
        argument = command.arguments[rule.arguments[0]] if rule is not None else None
        return argument if isinstance(argument, int) else None

    def _follow(self, starts: Sequence[int]) -> None:
        """Give the slots of starts on to what follows, until nothing changes. A slot changes twice at most."""
        following = self._file.following(commands=self._commands)
        waiting = [item for item in starts if item < len(self._at)]
        for item in waiting:
            self._at[item] = self._at[item] or {}
        while waiting:
            item = waiting.pop()
            command = self._file.items[item]
            if not isinstance(command, Command):
                continue
            after = {**(self._at[item] or {}), **filled(command, self._names)}
            for target in following[item]:
                if self._receive(target, after):
                    waiting.append(target)

    def _receive(self, item: int, slots: Slots) -> bool:
        """Merge the slots of one path into those of an item; whether they changed."""
        known = self._at[item]
        if known is None:
            self._at[item] = dict(slots)
            return True
        return _merge(known, slots)


def filled(command: Command, names: ScriptCommands) -> dict[int, str]:
    """The slot that a `Buffer...` command fills, and with what: `{item}`."""
    known = names.name(command.number)
    slot = command.arguments[0] if command.arguments else None
    if known is None or not known.name.startswith("Buffer") or not isinstance(slot, int):
        return {}
    if not known.arguments or known.arguments[0].meaning != _SLOT:
        return {}
    words = [word.lower() for word in _WORD.findall(known.name.removeprefix("Buffer")) if word != "Name"]
    return {slot: f"{{{' '.join(words)}}}"}


def merged(several: Iterable[Slots]) -> Slots:
    """The slots of a text that several commands show."""
    merged_slots: dict[int, str] = {}
    for slots in several:
        _merge(merged_slots, slots)
    return {slot: words for slot, words in merged_slots.items() if words != _SEVERAL}


def _merge(known: dict[int, str], slots: Slots) -> bool:
    """Merge slots into `known`; whether it changed."""
    changed = False
    for slot, words in slots.items():
        merged = words if known.get(slot, words) == words else _SEVERAL
        if known.get(slot) != merged:
            known[slot] = merged
            changed = True
    return changed

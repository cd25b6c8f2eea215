"""A script as lines of named commands and arguments, as values; the text of them is made in `inspector`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from formats.field.script import Command, MovementList, ScriptFile, Target
from formats.field.script_commands import PLATINUM, CommandSet
from mapexplorer.gameplay.script_names import ScriptNames
from mapexplorer.games.script_tables import FIRST_VARIABLE, Access, Argument, ScriptCommands

TEXT: Final = "text"
LABEL: Final = "label"
VARIABLE: Final = "variable"
_NOWHERE: Final = "no command begins there"
_SLOT: Final = "text slot"
_WORD: Final = re.compile(r"[A-Z][a-z0-9]*")


@dataclass(frozen=True)
class ListedArgument:
    """An argument: its name, its kind (`item`, `flag`, `text`, `variable`, `label` ...; empty: a plain number), the
    stored number (of a label: the byte offset of its target), and its name or text (empty: none is known; of a label:
    why it cannot be followed)."""

    name: str
    kind: str
    number: int
    words: str = ""


@dataclass(frozen=True)
class CommandLine:
    """A command: byte offset, number, name (empty: unknown), arguments."""

    offset: int
    number: int
    name: str
    arguments: tuple[ListedArgument, ...]


@dataclass(frozen=True)
class MovementLine:
    """A movement list: byte offset, and (action, its name, count) of every step."""

    offset: int
    steps: tuple[tuple[int, str, int], ...]


@dataclass(frozen=True)
class UnknownLine:
    """Bytes without a known meaning: reading stops here."""

    offset: int
    data: bytes


Line = CommandLine | MovementLine | UnknownLine


@dataclass(frozen=True)
class Listing:
    """The lines of a script file in file order; `entries`: byte offset of a line -> the entries that lead to it;
    `labels`: the offsets that commands name; `reached`: the offsets that the listed entries lead to."""

    lines: tuple[Line, ...]
    entries: Mapping[int, tuple[int, ...]]
    labels: frozenset[int]
    reached: frozenset[int]


def list_script(
    file: ScriptFile,
    commands: ScriptCommands,
    names: ScriptNames,
    entries: Sequence[int] | None = None,
    command_set: CommandSet = PLATINUM,
) -> Listing:
    """The lines of a file, or of what `entries` lead to. Raises IndexError for an entry that does not exist."""
    offsets = file.offsets(commands=command_set)
    starts = file.entries if entries is None else [file.entries[entry] for entry in entries]
    reached = file.reached(starts, commands=command_set)
    leads: dict[int, tuple[int, ...]] = {}
    for entry, target in enumerate(file.entries):
        at = offsets[target.item] + target.offset
        leads[at] = (*leads.get(at, ()), entry)
    writer = _Writer(file, offsets, commands, names, command_set)
    shown = range(len(file.items)) if entries is None else sorted(reached)
    lines = tuple(writer.lines(shown))
    return Listing(lines, leads, frozenset(writer.labels), frozenset(offsets[item] for item in reached))


def entries_by_item(file: ScriptFile) -> dict[int, tuple[int, ...]]:
    """Item of a file -> the entries that lead to it, ascending; without those that none leads to."""
    found: dict[int, list[int]] = {}
    for entry, target in enumerate(file.entries):
        for item in file.reached([target]):
            found.setdefault(item, []).append(entry)
    return {item: tuple(entries) for item, entries in found.items()}


class _Writer:
    """Makes the lines of a file. `labels` collects the offsets of the targets."""

    def __init__(
        self,
        file: ScriptFile,
        offsets: tuple[int, ...],
        commands: ScriptCommands,
        names: ScriptNames,
        command_set: CommandSet,
    ) -> None:
        self.labels: set[int] = set()
        self._file = file
        self._offsets = offsets
        self._commands = commands
        self._names = names
        self._command_set = command_set
        self._slots: dict[int, str] = {}

    def lines(self, items: Sequence[int]) -> Iterator[Line]:
        for item in items:
            offset, value = self._offsets[item], self._file.items[item]
            if isinstance(value, Command):
                yield self._command(offset, value)
            elif isinstance(value, MovementList):
                steps = [(action, self._names.name("movement action", action), count) for action, count in value.steps]
                yield MovementLine(offset, tuple(steps))
            else:
                yield UnknownLine(offset, value.data)

    def _command(self, offset: int, command: Command) -> CommandLine:
        known = self._commands.name(command.number)
        first = command.arguments[0] if command.arguments else None
        abouts = known.arguments_for(first) if known is not None else ()
        arguments = tuple(
            self._argument(value, abouts[index] if index < len(abouts) else Argument(Access.NUMBER, f"a{index}"))
            for index, value in enumerate(command.arguments)
        )
        name = known.name if known is not None else ""
        self._fill_slots(command, name, abouts)
        return CommandLine(offset, command.number, name, arguments)

    def _argument(self, value: int | Target, about: Argument) -> ListedArgument:
        if isinstance(value, Target):
            at = self._offsets[value.item] + value.offset
            self.labels.add(at)
            exists = value.offset == 0 and value.item < len(self._file.items)
            return ListedArgument(about.name, LABEL, at, "" if exists else _NOWHERE)
        is_variable = about.access in (Access.READ, Access.WRITE, Access.CHANGE)
        if is_variable or (about.access is Access.VALUE and value >= FIRST_VARIABLE):
            return ListedArgument(about.name, VARIABLE, value, self._names.name(VARIABLE, value))
        if about.meaning == TEXT:
            return ListedArgument(about.name, TEXT, value, self._names.text(value, self._slots) or "")
        return ListedArgument(about.name, about.meaning, value, self._names.name(about.meaning, value))

    def _fill_slots(self, command: Command, name: str, abouts: Sequence[Argument]) -> None:
        """Remember what a `Buffer...` command writes into a slot for the texts that follow it, up to a command without
        a successor."""
        if command.number in self._command_set.no_return:
            self._slots = {}
        elif name.startswith("Buffer") and abouts and abouts[0].meaning == _SLOT:
            words = [word.lower() for word in _WORD.findall(name.removeprefix("Buffer")) if word != "Name"]
            slot = command.arguments[0]
            if isinstance(slot, int):
                self._slots[slot] = " ".join(words)

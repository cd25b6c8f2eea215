"""A script as lines of named commands and arguments, as values; the text of them is made in `inspector`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from formats.field.script import Command, MovementList, ScriptFile, Target
from formats.field.script_commands import PLATINUM, CommandSet
from mapexplorer.gameplay.script_names import ScriptNames
from mapexplorer.gameplay.text_slots import TEXT, TextSlots
from mapexplorer.games.script_tables import FIRST_VARIABLE, Access, Argument, Idiom, ScriptCommands
from mapexplorer.grouping import by_key

LABEL: Final = "label"
VARIABLE: Final = "variable"
_NOWHERE: Final = "no command begins there"


class ListedArgument(NamedTuple):
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
class IdiomLine:
    """Commands in a row that mean one thing."""

    idiom: Idiom
    commands: tuple[CommandLine, ...]

    @property
    def offset(self) -> int:
        """The byte offset of the first command."""
        return self.commands[0].offset


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
    names: ScriptNames | None,
    entries: Sequence[int] | None = None,
    command_set: CommandSet = PLATINUM,
) -> Listing:
    """The lines of a file, or of what `entries` lead to; without `names`, numbers have no words. Raises IndexError for
    an entry that does not exist."""
    offsets = file.offsets(commands=command_set)
    if entries is None:
        reached = set(file.entries_by_item(commands=command_set))
    else:
        reached = file.reached([file.entries[entry] for entry in entries], commands=command_set)
    entered = by_key((offsets[target.item] + target.offset, entry) for entry, target in enumerate(file.entries))
    leads = {at: tuple(numbers) for at, numbers in entered.items()}
    writer = _ListingWriter(file, offsets, commands, names, command_set)
    shown = range(len(file.items)) if entries is None else sorted(reached)
    lines = tuple(writer.lines(shown))
    return Listing(lines, leads, frozenset(writer.labels), frozenset(offsets[item] for item in reached))


def joined_lines(listing: Listing, commands: ScriptCommands) -> tuple[Line | IdiomLine, ...]:
    """The lines of a listing with the idioms as one line each; commands that an entry or another command leads to begin
    a line of their own. The longest idiom is taken."""
    lengths = sorted({len(numbers) for numbers in commands.idioms}, reverse=True)
    lines: list[Line | IdiomLine] = []
    at = 0
    while at < len(listing.lines):
        joined = next(filter(None, (_idiom(listing, commands, at, length) for length in lengths)), None)
        lines.append(listing.lines[at] if joined is None else joined)
        at += 1 if joined is None else len(joined.commands)
    return tuple(lines)


def _idiom(listing: Listing, commands: ScriptCommands, at: int, length: int) -> IdiomLine | None:
    """The idiom of so many commands from a line on; None for another sequence."""
    lines = listing.lines[at : at + length]
    row = tuple([line for line in lines if isinstance(line, CommandLine)])
    idiom = commands.idioms.get(tuple([line.number for line in row])) if len(row) == length else None
    inner = {line.offset for line in row[1:]}
    one_run = len({line.offset in listing.reached for line in row}) == 1
    if idiom is None or not one_run or not inner.isdisjoint(listing.labels | set(listing.entries)):
        return None
    if idiom is Idiom.ROOM and row[0].arguments[-1].number != row[1].arguments[0].number:
        return None
    return IdiomLine(idiom, row)


def entry_texts(
    file: ScriptFile, entry: int, texts: Iterable[int], names: ScriptNames, slots: TextSlots
) -> dict[int, str]:
    """Number -> text, of the texts that an entry shows; empty for those that do not exist."""
    items = file.reached([file.entries[entry]])
    return {text: names.text(text, slots.of_text(text, items)) or "" for text in texts}


class _ListingWriter:
    """Makes the lines of a file. `labels` collects the offsets of the targets."""

    def __init__(
        self,
        file: ScriptFile,
        offsets: tuple[int, ...],
        commands: ScriptCommands,
        names: ScriptNames | None,
        command_set: CommandSet,
    ) -> None:
        self.labels: set[int] = set()
        self._file = file
        self._offsets = offsets
        self._commands = commands
        self._names = names
        self._command_set = command_set

    @cached_property
    def _slots(self) -> TextSlots:
        return TextSlots(self._file, self._commands, self._command_set)

    def lines(self, items: Sequence[int]) -> Iterator[Line]:
        for item in items:
            offset, value = self._offsets[item], self._file.items[item]
            if isinstance(value, Command):
                yield self._command(offset, item, value)
            elif isinstance(value, MovementList):
                steps = [(action, self._name("movement action", action), count) for action, count in value.steps]
                yield MovementLine(offset, tuple(steps))
            else:
                yield UnknownLine(offset, value.data)

    def _command(self, offset: int, item: int, command: Command) -> CommandLine:
        known = self._commands.name(command.number)
        first = command.arguments[0] if command.arguments else None
        abouts = known.arguments_for(first) if known is not None else ()
        arguments = [
            self._argument(item, value, abouts[index] if index < len(abouts) else Argument(Access.NUMBER, f"a{index}"))
            for index, value in enumerate(command.arguments)
        ]
        name = known.name if known is not None else ""
        return CommandLine(offset, command.number, name, tuple(arguments))

    def _argument(self, item: int, value: int | Target, about: Argument) -> ListedArgument:
        if isinstance(value, Target):
            at = self._offsets[value.item] + value.offset
            self.labels.add(at)
            exists = value.offset == 0 and value.item < len(self._file.items)
            return ListedArgument(about.name, LABEL, at, "" if exists else _NOWHERE)
        is_variable = about.access in (Access.READ, Access.WRITE, Access.CHANGE)
        if is_variable or (about.access is Access.VALUE and value >= FIRST_VARIABLE):
            return ListedArgument(about.name, VARIABLE, value, self._name(VARIABLE, value))
        if about.meaning == TEXT:
            names = self._names
            text = names.text(value, self._slots.at(item)) if names is not None and names.has_texts else None
            return ListedArgument(about.name, TEXT, value, text or "")
        return ListedArgument(about.name, about.meaning, value, self._name(about.meaning, value))

    def _name(self, meaning: str, number: int) -> str:
        return self._names.name(meaning, number) if self._names is not None else ""

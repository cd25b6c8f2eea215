"""Script files (members of scr_seq.narc): the scripts of a map, or scripts that all maps share.

A table of entries (s32, relative to the end of the word) leads to the scripts; it ends with 0xFD13, in a few files with
the first script. After it commands (u16 number, then the arguments without padding) and movement lists (u16 action, u16
count each, ended by action 254, at a multiple of 4) follow in any order. Targets of jumps are relative to the end of
their word.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush

from formats.binary import Buffer, Declared, Notes, Reader, pad, require
from formats.field.record import opened, write_record
from formats.field.script_commands import PLATINUM, ArgumentLayout, CommandSet
from formats.field.script_disassembly import Disassembly
from formats.remembered import remembered

END_MARK = 0xFD13
_STEP = struct.Struct("<HH")
_ENTRY = struct.Struct("<i")


@dataclass(frozen=True)
class Target:
    """A place in a script file: byte `offset` of item `item`; the number of items is the place after the last one. In a
    file of the game the offset is 0."""

    item: int
    offset: int = 0


@dataclass(frozen=True)
class Command:
    """A command: its number and its arguments, unsigned numbers or targets."""

    number: int
    arguments: tuple[int | Target, ...] = ()

    @property
    def targets(self) -> list[int]:
        """The items of the file that it names."""
        return [argument.item for argument in self.arguments if isinstance(argument, Target) and argument.offset == 0]


@dataclass(frozen=True)
class MovementList:
    """Movement actions with their counts; the last one is the action that ends a list, except where another list
    follows that a command names. `aligned`: it begins at a multiple of 4, after zero bytes where they are needed; so
    does each one of the game."""

    steps: tuple[tuple[int, int], ...]
    aligned: bool = True


@dataclass(frozen=True)
class Unknown:
    """Bytes that are neither commands, movement nor padding."""

    data: bytes


Item = Command | MovementList | Unknown


@dataclass(frozen=True, eq=False)
class ScriptFile:
    """A script file: where each entry leads to, and its contents in file order, whether something runs them or not.

    `end_mark`: the table of entries ends with 0xFD13. `padded`: zero bytes follow up to a multiple of 4, as in each
    file of the game.
    """

    entries: tuple[Target, ...]
    items: tuple[Item, ...]
    end_mark: bool = True
    padded: bool = True

    @classmethod
    def from_bytes(cls, data: Buffer, *, commands: CommandSet = PLATINUM, notes: Notes | None = None) -> ScriptFile:
        """Read a script file with the commands of a game. Raises FormatError for a table of entries without its end or
        with an entry outside the file.

        Places where commands cannot be followed (an unknown command, a jump out of the file) are notes.
        """
        reader, entries, end_mark, start, disassembly = _disassembled(data, commands)
        body = bytes(reader.data)
        for at, why in disassembly.stops.items():
            reader.note(notes, max(at, 0), f"the script cannot be followed here: {why}")
        placed, end, padded = _arranged(body, start, disassembly)
        offsets = [*(offset for offset, _ in placed), end]

        def target(at: int) -> Target:
            index = max(0, bisect_right(offsets, at) - 1)
            return Target(index, at - offsets[index])

        reader.declare(
            (("entry", index), 4 * index, 4, target, "offset in the file, computed from a distance")
            for index, target in enumerate(entries)
        )
        reader.declare([(("end mark",), start - 2, 2, END_MARK, "U16")] * end_mark)
        reader.declare(_declared(offset, item, disassembly) for offset, item in placed if not isinstance(item, Unknown))
        items = [_command(*disassembly.code[offset], target) if item is None else item for offset, item in placed]
        return cls(tuple(map(target, entries)), tuple(items), end_mark, padded)

    def to_bytes(self, *, commands: CommandSet = PLATINUM) -> bytes:
        """The file. Raises ValueError for an unknown command, a wrong number of arguments, a number that its field
        cannot hold, a target that does not exist, or entries that lead out of the file."""
        require(self.entries or self.end_mark, "a script file has entries or an end mark")
        offsets = self.offsets(commands=commands)
        data = bytearray()
        for entry in self.entries:
            data += write_record(_ENTRY, entry, _distance(offsets, entry, len(data) + 4))
        if self.end_mark:
            data += END_MARK.to_bytes(2, "little")
        for offset, item in zip(offsets, self.items, strict=False):
            data += bytes(offset - len(data))
            if isinstance(item, Command):
                data += _command_bytes(item, offset, offsets, commands)
            elif isinstance(item, MovementList):
                data += b"".join([write_record(_STEP, item, *step) for step in item.steps])
            else:
                data += item.data
        whole = pad(bytes(data)) if self.padded else bytes(data)
        for number, entry in enumerate(self.entries):
            require(0 <= offsets[entry.item] + entry.offset < len(whole), f"entry {number} leads out of the file")
        return whole

    def reached(self, starts: Iterable[Target], *, commands: CommandSet = PLATINUM) -> set[int]:
        """The items that starts lead to, movement lists included."""
        following = self.following(commands=commands)
        reached = {start.item for start in starts if start.offset == 0 and start.item < len(self.items)}
        waiting = list(reached)
        while waiting:
            for item in following[waiting.pop()]:
                if item not in reached:
                    reached.add(item)
                    waiting.append(item)
        return reached

    @remembered
    def entries_by_item(self, *, commands: CommandSet = PLATINUM) -> dict[int, tuple[int, ...]]:
        """Item -> the entries that lead to it, ascending; without those that none leads to."""
        following = self.following(commands=commands)
        masks = [0] * len(self.items)  # of the entries that lead to an item, a bit each
        waiting: list[int] = []
        for entry, target in enumerate(self.entries):
            if target.offset == 0 and target.item < len(self.items):
                masks[target.item] |= 1 << entry
                heappush(waiting, target.item)
        while waiting:
            item = heappop(waiting)  # in file order, most items are visited once
            for successor in following[item]:
                if masks[item] & ~masks[successor]:
                    masks[successor] |= masks[item]
                    heappush(waiting, successor)
        entries = {
            mask: tuple([entry for entry in range(mask.bit_length()) if mask >> entry & 1]) for mask in set(masks)
        }
        return {item: entries[mask] for item, mask in enumerate(masks) if mask}

    @remembered
    def following(self, *, commands: CommandSet = PLATINUM) -> tuple[list[int], ...]:
        """The items that each item leads to: those that a command names, then the next one."""
        count = len(self.items)
        following: list[list[int]] = []
        for at, item in enumerate(self.items):
            successors = item.targets if isinstance(item, Command) else []
            if isinstance(item, Command) and item.number not in commands.no_return:
                successors.append(at + 1)
            following.append([successor for successor in successors if successor < count])
        return tuple(following)

    @remembered
    def offsets(self, *, commands: CommandSet = PLATINUM) -> tuple[int, ...]:
        """The byte offset of every item, then that after the last one. Raises ValueError for an unknown command."""
        return tuple(self._offsets(commands))

    def _offsets(self, commands: CommandSet) -> Iterator[int]:
        at = 4 * len(self.entries) + (2 if self.end_mark else 0)
        for item in self.items:
            if isinstance(item, MovementList) and item.aligned:
                at += -at % 4
            yield at
            if isinstance(item, Command):
                at += 2 + _known_layout(item, commands).form.size
            else:
                at += 4 * len(item.steps) if isinstance(item, MovementList) else len(item.data)
        yield at


def read_commands(
    data: Buffer, *, commands: CommandSet = PLATINUM
) -> Mapping[int, tuple[int, tuple[int, ...], ArgumentLayout]]:
    """Byte offset -> number, arguments (targets as byte offsets) and layout of the commands of a script file, in any
    order. It takes half the time of `ScriptFile.from_bytes`. Raises FormatError like it."""
    return _disassembled(data, commands)[-1].code


def _disassembled(data: Buffer, commands: CommandSet) -> tuple[Reader, list[int], bool, int, Disassembly]:
    """The reader of a file, its entries, whether they end with a mark, and where; its contents."""
    reader = opened(data, "script file")
    body = bytes(reader.data)
    entries, end_mark, start = _read_entries(reader, body)
    disassembly = Disassembly(body, start, commands)
    disassembly.follow(entries)
    disassembly.find_rest()
    return reader, entries, end_mark, start, disassembly


def _read_entries(reader: Reader, data: bytes) -> tuple[list[int], bool, int]:
    """The offsets in the table of entries, whether its end mark is there, and where it ends."""
    entries: list[int] = []
    at = 0
    first = len(data) + 1
    while at < first:
        if data[at : at + 2] == END_MARK.to_bytes(2, "little"):
            return entries, True, at + 2
        target = at + 4 + reader.s32(at)
        if not 0 <= target < len(data):
            reader.named(f"entry {len(entries)}").fail(at, "a script in the file", f"byte {target} of {len(data)}")
        entries.append(target)
        first = min(first, target)
        at += 4
    return entries, False, at


def _arranged(
    data: bytes, start: int, disassembly: Disassembly
) -> tuple[list[tuple[int, MovementList | Unknown | None]], int, bool]:
    """The offset of each item with the item (None: a command), where the last one ends, and whether padding follows."""
    placed: list[tuple[int, MovementList | Unknown | None]] = []
    at = start
    for offset in sorted([*disassembly.code, *disassembly.steps]):
        if offset < at:
            continue  # a further step of a list
        command = disassembly.code.get(offset)
        if at < offset and (command is not None or offset != at + -at % 4 or any(data[at:offset])):
            placed.append((at, Unknown(data[at:offset])))
        if command is not None:
            placed.append((offset, None))
            at = offset + 2 + command[2].form.size
        else:
            steps = disassembly.movement_list(offset)
            placed.append((offset, MovementList(steps, offset % 4 == 0)))
            at = offset + 4 * len(steps)
    if len(data) == at + -at % 4 and not any(data[at:]):
        return placed, at, True
    if at < len(data):
        placed.append((at, Unknown(data[at:])))
    return placed, len(data), len(data) % 4 == 0


def _declared(offset: int, item: MovementList | None, disassembly: Disassembly) -> Declared:
    """A movement list or a command (None) as a field."""
    if isinstance(item, MovementList):
        return ("movement",), offset, 4 * len(item.steps), item.steps, "actions and how often"
    number, arguments, kind = disassembly.code[offset]
    return (
        ("command",),
        offset,
        2 + kind.form.size,
        (number, *arguments),
        "number and arguments" + ", targets computed from distances" * bool(kind.targets),
    )


def _command(
    number: int, arguments: tuple[int, ...], layout: ArgumentLayout, target: Callable[[int], Target]
) -> Command:
    """A command whose arguments have offsets as targets."""
    values: list[int | Target] = list(arguments)
    for index, _, _ in layout.targets:
        values[index] = target(arguments[index])
    return Command(number, tuple(values))


def _known_layout(command: Command, commands: CommandSet) -> ArgumentLayout:
    """The layout of a command. Raises ValueError for an unknown one."""
    first = command.arguments[0] if command.arguments else None
    layout = commands.layout(command.number, first if isinstance(first, int) else 0)
    if layout is None:
        raise ValueError(f"there is no command {command.number}")
    return layout


def _layout(command: Command, commands: CommandSet) -> ArgumentLayout:
    """The layout of a command. Raises ValueError for an unknown one and for other arguments than it has."""
    layout = _known_layout(command, commands)
    targets = [index for index, _, _ in layout.targets]
    given = [index for index, value in enumerate(command.arguments) if isinstance(value, Target)]
    if len(command.arguments) != len(layout.kinds) or targets != given:
        raise ValueError(
            f"command {command.number} has {len(layout.kinds)} arguments, with targets at {targets}; "
            f"{len(command.arguments)} were given, with targets at {given}"
        )
    return layout


def _command_bytes(command: Command, offset: int, offsets: tuple[int, ...], commands: CommandSet) -> bytes:
    layout = _layout(command, commands)
    ends = {index: offset + 2 + end for index, end, _ in layout.targets}
    values = [
        _distance(offsets, value, ends[index]) if isinstance(value, Target) else value
        for index, value in enumerate(command.arguments)
    ]
    return command.number.to_bytes(2, "little") + write_record(layout.form, command, *values)


def _distance(offsets: tuple[int, ...], target: Target, end: int) -> int:
    """The value of the word of a target that ends at byte `end`."""
    if not 0 <= target.item < len(offsets):
        raise ValueError(f"a target names item {target.item} of {len(offsets) - 1}")
    return offsets[target.item] + target.offset - end

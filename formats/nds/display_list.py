"""Converts display lists of the DS geometry engine between packed (in files and for DMA) and flat.

Both forms are described in `formats.nds.gx`. Flat lists are uint32 arrays: command number, then its parameters, and
so on, without no-operations. A flat list does not contain the positions of no-operations; the NITRO converter places
them by one rule, which `pack` follows: a word of command bytes that ends in a command without parameters is followed by
a word of four no-operations, unused bytes of the last word are no-operations, and one word of them ends the list.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from formats.binary import Buffer, Reader, frozen, require
from formats.kernel import entry, reads, writes
from formats.nds import gx

Words = npt.NDArray[np.uint32]
Places = npt.NDArray[np.int64]

_PARAMETERS: Final = np.full(256, -1, np.int8)
for _command, _count in gx.PARAMETERS.items():
    _PARAMETERS[_command] = _count


def unpack(packed: Buffer) -> Words:
    """The flat form of a packed list, as a read-only uint32 array. Raises FormatError as `unpack_lists`."""
    reader = Reader.of(packed)
    return unpack_lists(reader, [("", 0, len(reader))])[0][0]


def unpack_lists(reader: Reader, lists: Sequence[tuple[str, int, int]]) -> list[tuple[Words, Words | None]]:
    """The flat form of packed lists and their slots of no-operations, as read-only uint32 arrays; None for the slots
    where they are those that `pack` uses by default. `lists` are the name, offset and size of each in `reader`.

    Raises FormatError for a list outside the reader, a size that is no multiple of 4, a command that does not exist and
    parameters cut off.
    """
    for name, offset, size in lists:
        if offset < 0 or offset + size > len(reader) or size % 4:
            cut = reader.view(offset, size, name, "a display list")
            cut.fail(size, "a display list of whole words", f"{size} bytes")
    data = reader.data
    reader.declare(
        ((name or "display list",), offset, size, bytes(data[offset : offset + size]), "packed geometry commands")
        for name, offset, size in lists
    )
    words = np.frombuffer(b"".join([data[offset : offset + size] for _, offset, size in lists]), "<u4")
    bounds = [0, *itertools.accumulate([size >> 2 for _, _, size in lists])]
    measured = np.empty((len(lists), 2), np.int64)
    failed, place = _measure(words, np.array(bounds, np.int64), measured)
    if failed >= 0:
        damaged = reader.view(*lists[failed][1:], lists[failed][0], "a display list")
        start = bounds[failed]
        if place < 0:
            damaged.fail(4 * (-place - start), "the parameters of a geometry command", "the end of the list")
        damaged.fail(4 * (place - 1 - start), "geometry commands", f"0x{words[place - 1]:08X}")
    flat = np.empty(measured[-1, 0] if lists else 0, np.uint32)
    _unpack(words, flat)
    flat.flags.writeable = False
    result: list[tuple[Words, Words | None]] = []
    first = 0
    for number, (end, usual) in enumerate(measured.tolist()):
        nops = None if usual else _nops(words[bounds[number] : bounds[number + 1]])
        result.append((flat[first:end], nops))
        first = end
    return result


def _nops(words: Words) -> Words:
    slots = np.empty(4 * len(words), np.uint32)
    return frozen(slots[: _nop_slots(words, slots)], np.uint32)


def pack(flat: npt.ArrayLike, nops: npt.NDArray[Any] | None = None) -> bytes:
    """The packed form of a flat list.

    `nops` are the slots (four in each word of command bytes, counted through the list) that hold no-operations;
    None: where the NITRO converter puts them. Raises ValueError when `flat` is not a flat list.
    """
    words = np.ascontiguousarray(flat, np.uint32)
    slots = _CANONICAL if nops is None else np.ascontiguousarray(nops, np.uint32)
    size = _packed_size(words, slots, nops is None)
    require(size >= 0, "a flat list needs existing command numbers, each followed by all its parameters")
    packed = np.empty(size, np.uint32)
    _pack(words, slots, nops is None, packed)
    return packed.astype("<u4", copy=False).tobytes()


_CANONICAL: Final = np.empty(0, np.uint32)


_FIRST: Final = 0
_FULL: Final = 1
_FULL_WITHOUT_PARAMETERS: Final = 2
_PARTIAL: Final = 3
_EMPTY: Final = 4
_LAST: Final = 5
"""What the word of command bytes before was, in a list whose no-operations are where the NITRO converter puts them:
none, four commands, four of which the last has no parameters, fewer commands, the four no-operations after a command
without parameters, the four that end a list."""


@entry(words=reads(np.uint32), bounds=reads(np.int64), measured=writes(np.int64, 2), returns=(int, int))
def _measure(words: Words, bounds: Places, measured: Places) -> tuple[int, int]:
    """Where the flat form of each list ends, one behind the other, and whether its no-operations are where `pack` puts
    them by default; returns (-1, 0), or the number of a list with an error and the position after the word of a bad
    command, or minus the position of the cut."""
    place = 0
    total = 0
    for number in range(len(measured)):
        end = bounds[number + 1]
        before = _FIRST
        usual = True
        while place < end:
            commands = words[place]
            place += 1
            start = place
            present = 0
            count = 0
            for slot in range(4):
                command = commands & np.uint32(0xFF)
                if command:
                    count = _PARAMETERS[command]
                    if count < 0:
                        return number, start
                    place += count
                    total += 1 + count
                    usual = usual and present == slot
                    present += 1
                commands >>= np.uint32(8)
            if place > end:
                return number, -start
            if present == 0:
                usual = usual and before < _EMPTY
                before = _EMPTY if before == _FULL_WITHOUT_PARAMETERS else _LAST
            else:
                usual = usual and before in (_FIRST, _FULL, _EMPTY)
                before = _PARTIAL if present < 4 else _FULL if count else _FULL_WITHOUT_PARAMETERS
        measured[number, 0] = total
        measured[number, 1] = usual and before >= _EMPTY
    return -1, 0


@entry(words=reads(np.uint32), flat=writes(np.uint32))
def _unpack(words: Words, flat: Words) -> None:
    """Unpack lists that were measured."""
    place = 0
    out = 0
    while place < len(words):
        commands = words[place]
        place += 1
        while commands:
            command = commands & np.uint32(0xFF)
            commands >>= np.uint32(8)
            if command:
                flat[out] = command
                out += 1
                for _ in range(_PARAMETERS[command]):
                    flat[out] = words[place]
                    out += 1
                    place += 1


@entry(words=reads(np.uint32), slots=writes(np.uint32), returns=int)
def _nop_slots(words: Words, slots: Words) -> int:
    """Write the slots of the no-operations; returns how many there are."""
    count = 0
    slot = 0
    place = 0
    while place < len(words):
        commands = words[place]
        place += 1
        for _ in range(4):
            command = commands & np.uint32(0xFF)
            commands >>= np.uint32(8)
            if command:
                place += _PARAMETERS[command]
            else:
                slots[count] = slot
                count += 1
            slot += 1
    return count


@entry(words=reads(np.uint32), nops=reads(np.uint32), canonical=bool, returns=int)
def _packed_size(words: Words, nops: Words, canonical: bool) -> int:
    """Words of the packed form, or -1 when `words` is no flat list."""
    place = 0
    slot = 0
    parameters = 0
    nop = 0
    ended = False
    while place < len(words):
        command = words[place]
        if command == 0 or command > 255 or _PARAMETERS[command] < 0:
            return -1
        count = _PARAMETERS[command]
        while nop < len(nops) and nops[nop] == slot:
            nop += 1
            slot += 1
        slot += 1
        ended = canonical and slot % 4 == 0 and count == 0
        if ended:
            slot += 4
        parameters += count
        place += 1 + count
    if place > len(words):
        return -1
    if canonical:
        slot = (slot + 3) // 4 * 4 + (0 if ended else 4)
    else:
        slot += len(nops) - nop
    return parameters + (slot + 3) // 4


@entry(words=reads(np.uint32), nops=reads(np.uint32), canonical=bool, packed=writes(np.uint32))
def _pack(words: Words, nops: Words, canonical: bool, packed: Words) -> None:
    for word in range(len(packed)):
        packed[word] = 0
    place = 0
    out = 0
    head = 0
    slot = 0
    nop = 0
    while place < len(words):
        command = words[place]
        count = _PARAMETERS[command]
        while nop < len(nops) and nops[nop] == slot:
            nop += 1
            if slot % 4 == 0:
                head = out
                out += 1
            slot += 1
        if slot % 4 == 0:
            head = out
            out += 1
        packed[head] |= command << np.uint32(slot % 4 * 8)
        slot += 1
        for parameter in range(count):
            packed[out] = words[place + 1 + parameter]
            out += 1
        if canonical and slot % 4 == 0 and count == 0:
            out += 1
            slot += 4
        place += 1 + count

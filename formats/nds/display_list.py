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

from formats.binary import Buffer, Reader, frozen
from formats.kernel import entry, kernel, reads, writes
from formats.nds import gx

Words = npt.NDArray[np.uint32]
Places = npt.NDArray[np.int64]

_PARAMETERS: Final = np.full(256, -1, np.int8)
for _command, _count in gx.PARAMETERS.items():
    _PARAMETERS[_command] = _count


def unpack(packed: Buffer) -> Words:
    """The flat form of a packed list, as a read-only uint32 array. Raises FormatError as `unpack_lists`."""
    return unpack_lists([Reader.of(packed)])[0][0]


def unpack_lists(lists: Sequence[Reader]) -> list[tuple[Words, Words | None]]:
    """The flat form of packed lists and their slots of no-operations, as read-only uint32 arrays; None for the slots
    where they are those that `pack` uses by default.

    Raises FormatError for a size that is no multiple of 4, a command that does not exist and parameters cut off.
    """
    for reader in lists:
        if len(reader) % 4:
            reader.fail(len(reader), "a display list of whole words", f"{len(reader)} bytes")
    words = np.frombuffer(b"".join([reader.data for reader in lists]), "<u4")
    bounds = np.cumsum([0, *[len(reader) >> 2 for reader in lists]], dtype=np.int64)
    flat_bounds = np.zeros(len(bounds), np.int64)
    failed, place = _measure(words, bounds, flat_bounds)
    if failed >= 0:
        start = int(bounds[failed])
        if place < 0:
            lists[failed].fail(4 * (-place - start), "the parameters of a geometry command", "the end of the list")
        lists[failed].fail(4 * (place - 1 - start), "geometry commands", f"0x{words[place - 1]:08X}")
    flat = np.empty(flat_bounds[-1], np.uint32)
    usual = np.empty(len(lists), np.uint8)
    _unpack(words, bounds, flat, np.empty(len(words), np.uint32), _CANONICAL, usual)
    flat.flags.writeable = False
    commands = [flat[start:end] for start, end in itertools.pairwise(flat_bounds.tolist())]
    packed = itertools.pairwise(bounds.tolist())
    nops = [
        None if each else _nops(words[start:end]) for each, (start, end) in zip(usual.tolist(), packed, strict=True)
    ]
    return list(zip(commands, nops, strict=True))


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
    size = _size_of_packed(words, slots, nops is None)
    if size < 0:
        raise ValueError("a flat list needs existing command numbers, each followed by all its parameters")
    packed = np.empty(size, np.uint32)
    _packed(words, slots, nops is None, packed)
    return packed.astype("<u4", copy=False).tobytes()


_CANONICAL: Final = np.empty(0, np.uint32)


@entry(words=reads(np.uint32), bounds=reads(np.int64), flat_bounds=writes(np.int64), returns=(int, int))
def _measure(words: Words, bounds: Places, flat_bounds: Places) -> tuple[int, int]:
    """Where the flat forms of lists end, one behind the other; returns (-1, 0), or the number of a list with an error
    and the position after the word of a bad command, or minus the position of the cut."""
    place = 0
    total = 0
    for number in range(len(bounds) - 1):
        end = bounds[number + 1]
        while place < end:
            commands = words[place]
            place += 1
            start = place
            while commands:
                command = commands & np.uint32(0xFF)
                commands >>= np.uint32(8)
                if command:
                    count = _PARAMETERS[command]
                    if count < 0:
                        return number, start
                    place += count
                    total += 1 + count
            if place > end:
                return number, -start
        flat_bounds[number + 1] = total
    return -1, 0


@entry(
    words=reads(np.uint32),
    bounds=reads(np.int64),
    flat=writes(np.uint32),
    again=writes(np.uint32),
    canonical=reads(np.uint32),
    usual=writes(np.uint8),
)
def _unpack(words: Words, bounds: Places, flat: Words, again: Words, canonical: Words, usual: Any) -> None:
    """Unpack lists; `usual` tells for each whether packing it again, into `again`, gives the same words."""
    place = 0
    out = 0
    for number in range(len(usual)):
        first = place
        first_out = out
        while place < bounds[number + 1]:
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
        unpacked = flat[first_out:out]
        usual[number] = _packed_size(unpacked, canonical, True) == place - first
        if usual[number]:
            _pack(unpacked, canonical, True, again[first:place])
            for word in range(first, place):
                if again[word] != words[word]:
                    usual[number] = 0


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
def _size_of_packed(words: Words, nops: Words, canonical: bool) -> int:
    return _packed_size(words, nops, canonical)


@entry(words=reads(np.uint32), nops=reads(np.uint32), canonical=bool, packed=writes(np.uint32))
def _packed(words: Words, nops: Words, canonical: bool, packed: Words) -> None:
    _pack(words, nops, canonical, packed)


@kernel
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


@kernel
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

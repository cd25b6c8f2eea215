"""The name dictionary of NITRO G3D files: fixed-size data under 16-byte names, searched by a Patricia tree.

    +0 u8 revision (0)   +1 u8 count   +2 u16 total size   +4 u16 tree offset (8)   +6 u16 entry offset
    +8 tree nodes (count + 1): u8 reference bit, u8 left, u8 right, u8 entry
    entries: u16 unit, u16 name offset (both counted from here), data[count][unit], names[count][16]

Indices elsewhere refer to the order of the entries. The tree depends only on the names and their order and is rebuilt
on writing. Source: the NITRO-System G3D library.
"""

from __future__ import annotations

import functools
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from formats.binary import FormatError, Notes, Reader, require, write_name

_HEADER: Final = struct.Struct("<BBHHH")
_ENTRIES: Final = struct.Struct("<HH")
NAME_SIZE: Final = 16


@dataclass(frozen=True, eq=False)
class Dictionary:
    """The contents of a dictionary: names (latin-1, zero padding stripped) and one datum of `unit` bytes for each, one
    after the other in `table`.

    `data_offset` is where the first datum is and `end` where the dictionary ends, in the reader it was read from.
    """

    names: tuple[str, ...]
    unit: int
    table: bytes
    data_offset: int
    end: int

    def __len__(self) -> int:
        return len(self.names)

    def offsets(self) -> tuple[int, ...]:
        """The data as u32, for dictionaries of offsets (unit 4)."""
        return struct.unpack(f"<{len(self.names)}I", self.table)

    @property
    def data(self) -> tuple[bytes, ...]:
        """The datum of each name."""
        return tuple([self.table[place : place + self.unit] for place in range(0, len(self.table), self.unit)])


def read_dictionary(reader: Reader, offset: int, unit: int, *, notes: Notes | None = None) -> Dictionary:
    """Read the dictionary at `offset`, whose data must have `unit` bytes.

    A tree that differs from the one its names demand, duplicate names and unusual offsets are noted.
    Raises FormatError when the dictionary exceeds the reader or has another unit.
    """
    revision, count, total, tree, entries = reader.unpack(
        _HEADER, offset, "a name dictionary", ("revision", "entries", "size", "tree_offset", "data_offset")
    )
    found_unit, name_offset = reader.unpack(
        _ENTRIES, offset + entries, "a dictionary's entries", ("unit", "names_offset")
    )
    reader.check(found_unit == unit, offset + entries, f"dictionary data of {unit} bytes", found_unit)
    first = offset + entries + _ENTRIES.size
    table = reader.bytes(first, unit * count, "dictionary data")
    names_at = offset + entries + name_offset
    raw = reader.bytes(names_at, NAME_SIZE * count, "dictionary names")
    end = offset + total
    reader.check(
        total >= entries + name_offset + NAME_SIZE * count,
        offset + 2,
        f"a dictionary of at least {entries + name_offset + NAME_SIZE * count} bytes",
        total,
    )
    reader.need(offset, total, "a name dictionary")
    names = tuple(map(_decode_name, struct.unpack(f"{NAME_SIZE}s" * count, raw)))
    if notes is not None:
        reader.tolerate(
            (revision, tree, entries, name_offset) == (0, 8, 8 + 4 * (count + 1), 4 + unit * count),
            notes,
            offset,
            "a name dictionary has an unusual revision or layout",
        )
        try:
            reader.tolerate(
                reader.bytes(offset + 8, 4 * (count + 1), "a dictionary's tree") == build_tree(tuple(names)),
                notes,
                offset + 8,
                "the search tree of a name dictionary does not match its names",
            )
        except ValueError as error:
            if isinstance(error, FormatError):
                raise
            reader.note(notes, names_at, str(error))
    return Dictionary(names, unit, table, first, end)


@functools.lru_cache(8192)
def _decode_name(name: bytes) -> str:
    """A name of 16 bytes. Models share many names, which are kept once."""
    return name.rstrip(b"\0").decode("latin-1")


def write_dictionary(names: Sequence[str], unit: int, data: Sequence[bytes]) -> bytes:
    """The bytes of a dictionary of `data`, each of `unit` bytes, under `names`.

    Raises ValueError for more than 255 entries, names that occur twice or do not fit 16 latin-1 characters.
    """
    count = len(names)
    require(count <= 255, f"a name dictionary holds at most 255 entries, not {count}")
    require(
        len(data) == count and not any(len(datum) != unit for datum in data),
        f"a name dictionary of {count} names needs as many data of {unit} bytes",
    )
    entries = 8 + 4 * (count + 1)
    total = entries + 4 + (unit + NAME_SIZE) * count
    require(total <= 0xFFFF, f"a name dictionary has at most 65535 bytes, not {total}")
    return b"".join(
        [
            _HEADER.pack(0, count, total, 8, entries),
            build_tree(tuple(names)),
            _ENTRIES.pack(unit, 4 + unit * count),
            *data,
            *[write_name(name, NAME_SIZE) for name in names],
        ]
    )


def write_offsets(names: Sequence[str], sizes: Iterable[int], start: int) -> bytes:
    """The bytes of a dictionary whose data are the u32 offsets of records of these sizes, one behind the other from
    `start`."""
    return write_dictionary(names, 4, [struct.pack("<I", offset) for offset in accumulate(sizes, initial=start)][:-1])


def dictionary_size(count: int, unit: int) -> int:
    """Bytes of a dictionary with `count` entries of `unit` bytes."""
    return 16 + 4 * count + (unit + NAME_SIZE) * count


@functools.lru_cache(maxsize=4096)  # the dictionaries of a game have few different ones, which are read and written
def build_tree(names: tuple[str, ...]) -> bytes:
    """The Patricia tree of `names` in their order: count + 1 nodes of 4 bytes, root first, the others in preorder.

    Bit i of a name is bit i & 7 of byte i >> 3; bit 127 is the root's. Raises ValueError for a name that occurs twice
    and for a sixteenth character above 127, which a tree cannot represent.
    """
    keys = [int.from_bytes(write_name(name, NAME_SIZE), "little") for name in names]
    require(not keys or not max(keys) >> 127, "the sixteenth character of a name is at most 127")
    bits, left, right = [127], [0], [0]
    for index, key in enumerate(keys):
        node = _descend(bits, left, right, key, -1)[1]
        differing = (key ^ (keys[node - 1] if node else 0)).bit_length() - 1
        if differing < 0:
            require(not node, f"the name {names[index]!r} occurs twice in one dictionary")
            differing = 0  # the empty name equals the root's zeros
        parent, node = _descend(bits, left, right, key, differing)
        new = index + 1
        own_right = key >> differing & 1
        bits.append(differing)
        left.append(node if own_right else new)
        right.append(new if own_right else node)
        if parent and key >> bits[parent] & 1:
            right[parent] = new
        else:
            left[parent] = new
    return _serialise(bits, left, right)


def _descend(bits: list[int], left: list[int], right: list[int], key: int, stop: int) -> tuple[int, int]:
    """Descend by the bits of `key` to an up-link or a node of at most bit `stop`; returns that node and its parent."""
    parent, node = 0, left[0]
    while bits[parent] > bits[node] > stop:
        parent, node = node, right[node] if key >> bits[node] & 1 else left[node]
    return parent, node


def _serialise(bits: list[int], left: list[int], right: list[int]) -> bytes:
    number = {0: 0}
    order = []
    pending = [(0, left[0])]
    while pending:
        parent, node = pending.pop()
        if bits[node] < bits[parent]:
            number[node] = len(number)
            order.append(node)
            pending.append((node, right[node]))
            pending.append((node, left[node]))
    nodes = bytearray([127, number[left[0]], 0, 0])
    for node in order:
        nodes += bytes([bits[node], number[left[node]], number[right[node]], node - 1])
    return bytes(nodes)

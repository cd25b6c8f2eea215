"""The NRes container of the Iron3D engine: one model, or an archive of models, materials and textures.

A 16-byte header, payloads, and a directory of 64-byte entries that ends at the end of the file. The directory's sort
indices form a look-up table: entry `i` holds the number of the entry that is `i`-th by name, ignoring ASCII case.

The layout is known from the fparkan project's specification and from independent readers of the retail archives.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

import numpy as np

from formats.binary import Buffer, FormatError, Notes, Reader
from formats.parkan import text

MAGIC = b"NRes"
VERSION = 0x100
HEADER_SIZE = 16
ENTRY_SIZE = 64
NAME_SIZE = 36
ALIGNMENT = 8

_HEADER = struct.Struct("<4sIiI")
_ENTRY = struct.Struct("<5I36sII")


@dataclass(frozen=True, eq=False)
class Entry:
    """One resource: `type_id` is a small integer inside a model and a FourCC in an archive.

    `attr1` is usually the element count, `attr3` the element stride, the meaning of `attr2` depends on the type.
    `name` holds at most 35 bytes; characters after a NUL in it are ignored by the game.
    """

    type_id: int
    attr1: int
    attr2: int
    attr3: int
    name: str
    payload: bytes

    @property
    def kind(self) -> str:
        """The type as a FourCC if it is one, else as `Res<number>`."""
        code = self.type_id.to_bytes(4, "little")
        return code.decode("ascii") if all(0x20 <= byte < 0x7F for byte in code) else f"Res{self.type_id}"


@dataclass(frozen=True, eq=False)
class PayloadLayout:
    """The order of the payloads in an unusual file, as entry numbers, and the bytes between them.

    `gaps` has one item more than `order`: the unindexed bytes before each payload, and those before the directory.
    """

    order: tuple[int, ...]
    gaps: tuple[bytes, ...]


@dataclass(frozen=True, eq=False)
class NRes:
    """A container: its entries in directory order, and its layout where that is not the canonical one.

    Canonical (`layout` is None): payloads follow the header in entry order, each padded with zeros to 8 bytes.
    """

    entries: tuple[Entry, ...]
    layout: PayloadLayout | None = None

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None, strict: bool = False) -> NRes:
        """Read a container.

        Gaps, misaligned payloads and non-zero padding are kept and noted. A sort index table that is not the order of
        the names is noted and not kept; with `strict` it raises FormatError.
        """
        return read_container(Reader.of(data, "NRes"), notes=notes, strict=strict)[0]

    def to_bytes(self) -> bytes:
        layout = self.layout or canonical_layout([len(entry.payload) for entry in self.entries])
        if sorted(layout.order) != list(range(len(self.entries))) or len(layout.gaps) != len(self.entries) + 1:
            raise FormatError("NRes", 0, f"a layout of {len(self.entries)} entries", f"one of {len(layout.order)}")
        body = bytearray(HEADER_SIZE)
        offsets = [0] * len(self.entries)
        for number, gap in zip(layout.order, layout.gaps, strict=False):
            body += gap
            offsets[number] = len(body)
            body += self.entries[number].payload
        body += layout.gaps[-1]
        total = len(body) + ENTRY_SIZE * len(self.entries)
        if total > 0xFFFFFFFF:
            raise FormatError("NRes", 12, "a container below 4 GiB", f"{total} bytes")
        order = sort_indices([entry.name for entry in self.entries])
        for entry, offset, index in zip(self.entries, offsets, order, strict=True):
            numbers = (entry.type_id, entry.attr1, entry.attr2, entry.attr3)
            if not all(0 <= number <= 0xFFFFFFFF for number in numbers):
                raise FormatError("NRes", 0, "a type and attributes of 32 bits", str(numbers))
            path = f"NRes > {entry.kind}"
            name = text.fixed(entry.name, NAME_SIZE, path)
            if b"\0" not in name:
                raise FormatError(path, 20, f"a name of at most {NAME_SIZE - 1} bytes", repr(entry.name))
            size = len(entry.payload)
            body += _ENTRY.pack(entry.type_id, entry.attr1, entry.attr2, size, entry.attr3, name, offset, index)
        _HEADER.pack_into(body, 0, MAGIC, VERSION, len(self.entries), total)
        return bytes(body)


def _sort_key(name: str) -> bytes:
    return text.encode(text.shown(name), "NRes > name").lower()


def sort_indices(names: list[str]) -> list[int]:
    """Entry numbers in the order of their names: ASCII case ignored, equal names in entry order."""
    keys = [_sort_key(name) for name in names]
    return sorted(range(len(names)), key=keys.__getitem__)


def canonical_layout(sizes: list[int]) -> PayloadLayout:
    """Payloads in entry order, each padded with zeros to a multiple of 8 bytes."""
    padding = [b"\0" * (-size % ALIGNMENT) for size in sizes]
    return PayloadLayout(tuple(range(len(sizes))), (b"", *padding))


def read_container(
    reader: Reader, *, notes: Notes | None = None, strict: bool = False
) -> tuple[NRes, tuple[Reader, ...]]:
    """A container and a reader of each entry's payload."""
    reader.expect(0, MAGIC)
    _, version, count, total = reader.unpack(_HEADER, 0, "the NRes header")
    reader.check(version == VERSION, 4, f"NRes version 0x{VERSION:X}", f"0x{version:X}")
    reader.check(count >= 0, 8, "an entry count of at least 0", count)
    reader.check(total == len(reader), 12, f"a total size of {len(reader)} bytes, that of the file", total)
    directory = total - ENTRY_SIZE * count
    reader.check(
        directory >= HEADER_SIZE, 8, f"at most {(total - HEADER_SIZE) // ENTRY_SIZE} entries in {total} bytes", count
    )

    entries: list[Entry] = []
    payloads: list[Reader] = []
    offsets: list[int] = []
    indices: list[int] = []
    for number in range(count):
        at = directory + ENTRY_SIZE * number
        type_id, attr1, attr2, size, attr3, raw_name, offset, index = reader.unpack(_ENTRY, at)
        if offset < HEADER_SIZE or offset + size > directory:
            wanted = f"a payload of entry {number} between bytes {HEADER_SIZE} and {directory}"
            reader.fail(at + 56, wanted, f"{size} bytes from {offset}")
        reader.check(b"\0" in raw_name, at + 20, f"a name that ends within {NAME_SIZE} bytes", repr(raw_name))
        name = text.decode(raw_name.rstrip(b"\0"))
        reader.tolerate("\0" not in name, notes, at + 20, f"the name of entry {number} has bytes after its end")
        entry = Entry(type_id, attr1, attr2, attr3, name, reader.bytes(offset, size))
        entries.append(entry)
        payloads.append(reader.view(offset, size, f"{entry.kind}[{number}] {text.shown(name)}".rstrip()))
        offsets.append(offset)
        indices.append(index)

    expected = sort_indices([entry.name for entry in entries])
    if indices != expected:
        wrong = next(number for number in range(count) if indices[number] != expected[number])
        at = directory + ENTRY_SIZE * wrong + 60
        if strict:
            reader.fail(at, f"sort index {expected[wrong]} (the order of the names)", indices[wrong])
        reader.note(notes, at, f"sort index {indices[wrong]} is not the order of the names: {expected[wrong]}")
    layout = _read_layout(reader, offsets, [len(entry.payload) for entry in entries], directory, notes)
    return NRes(tuple(entries), layout), tuple(payloads)


def _read_layout(
    reader: Reader, offsets: list[int], sizes: list[int], directory: int, notes: Notes | None
) -> PayloadLayout | None:
    order = sorted(range(len(offsets)), key=lambda number: (offsets[number], sizes[number] > 0, number))
    end = HEADER_SIZE
    last = -1
    gaps: list[bytes] = []
    expressible = True
    for number in order:
        if offsets[number] < end:
            if sizes[number]:
                at = directory + ENTRY_SIZE * number + 56
                reader.fail(at, f"a payload of entry {number} apart from that of entry {last}", offsets[number])
            expressible = False
            gaps.append(b"")
            continue
        gaps.append(reader.bytes(end, offsets[number] - end))
        end = offsets[number] + sizes[number]
        last = number
    gaps.append(reader.bytes(end, directory - end))

    if order == list(range(len(offsets))) and tuple(gaps) == canonical_layout(sizes).gaps:
        return None
    canonical = HEADER_SIZE + np.cumsum([0, *(size + -size % ALIGNMENT for size in sizes)], dtype=np.int64)
    if offsets == canonical[:-1].tolist() and directory == canonical[-1] and not any(map(any, gaps)):
        return None
    misaligned = [number for number in order if offsets[number] % ALIGNMENT]
    if misaligned:
        reader.note(notes, offsets[misaligned[0]], f"{len(misaligned)} payloads do not begin on 8 bytes")
    reader.tolerate(not any(map(any, gaps)), notes, HEADER_SIZE, "bytes between the payloads are not zero")
    reader.tolerate(
        expressible, notes, directory, "an empty entry points into another payload; it is written before the next"
    )
    reader.note(notes, HEADER_SIZE, "the payloads are not in entry order on 8-byte boundaries")
    return PayloadLayout(tuple(order), tuple(gaps))

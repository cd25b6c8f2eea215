"""What all J3D files share: the 32-byte header, the list of sections and the name tables.

All numbers are big-endian. Source: the byte-matching decompilations of the J3D library (zeldaret/tww, doldecomp/mkdd).
"""

from __future__ import annotations

from formats.binary import Buffer, Notes
from formats.j3d.big_endian import BigEndianReader

HEADER_SIZE = 0x20
LONGEST_NAME = 255

_OTHER_KINDS = {
    "bmd1": "the oldest model version, which the J3D library itself refuses",
    "bmt3": "a table of materials without a model",
    "bca1": "a joint animation with one value per frame",
    "btk1": "a texture matrix animation",
    "btp1": "a texture pattern animation",
    "brk1": "a TEV register animation",
    "bpk1": "a material colour animation",
    "bpa1": "a material colour animation with one value per frame",
    "bva1": "a visibility animation",
    "blk1": "a cluster animation",
    "bla1": "a cluster animation with one value per frame",
}


def read_sections(
    data: Buffer, kinds: dict[str, str], notes: Notes | None = None
) -> tuple[str, bytes, dict[str, BigEndianReader]]:
    """The kind of the file (`bmd3`), the 16 bytes that identify the tool (`SVR3` and 0xFF in official models), and the
    sections by tag; each section's reader starts at its tag, from which its offsets count.

    `kinds` maps the accepted kinds to their magics (`{"bmd3": "J3D2"}`). Raises FormatError for another or byte-swapped
    kind (by name), for a section outside the file and for a tag that appears twice.
    """
    reader = BigEndianReader.of(data)
    magic = reader.bytes(0, 8, "J3D magic")
    _check_magic(reader, magic, kinds)
    size, count = reader.u32(8), reader.u32(12)
    kind, tool = magic[4:].decode("latin-1"), reader.bytes(16, 16, "J3D header")
    reader.check(size <= len(reader), 8, f"a file of {size} bytes", f"{len(reader)} bytes")
    reader.tolerate(size == len(reader), notes, 8, f"the header gives {size} bytes, the file has {len(reader)}")
    sections: dict[str, BigEndianReader] = {}
    offset = HEADER_SIZE
    for _ in range(count):
        tag = reader.bytes(offset, 4, "section tag").decode("latin-1")
        length = reader.u32(offset + 4)
        reader.check(length >= 8, offset + 4, "a section of 8 or more bytes", length)
        reader.check(tag not in sections, offset, "each section once", f"a second {tag!r}")
        sections[tag] = reader.view(offset, length, tag)
        offset += length
    reader.tolerate(offset >= len(reader), notes, offset, f"{len(reader) - offset} bytes follow the last section")
    return kind, tool, sections


def _check_magic(reader: BigEndianReader, magic: bytes, kinds: dict[str, str]) -> None:
    kind = magic[4:].decode("latin-1")
    if magic[:4].decode("latin-1") == kinds.get(kind):
        return
    expected = " or ".join(family + name for name, family in kinds.items())
    reader.check(
        magic[:4] not in (b"1D3J", b"2D3J"),
        0,
        expected,
        f"{magic!r}, the byte-swapped (little-endian) variant, which is not supported",
    )
    if magic[:4] in (b"J3D1", b"J3D2") and kind in _OTHER_KINDS:
        reader.fail(0, expected, f"{magic.decode('latin-1')}, {_OTHER_KINDS[kind]}, which is not supported")
    reader.fail(0, expected, repr(magic))


def name_hash(name: bytes) -> int:
    """The 16-bit hash that name tables store: `hash * 3 + signed byte` over the bytes."""
    value = 0
    for byte in name:
        value = (value * 3 + (byte - 256 if byte > 127 else byte)) & 0xFFFF
    return value


def read_names(section: BigEndianReader, offset: int, notes: Notes | None = None) -> tuple[str, ...]:
    """The name table at `offset` of a section: Shift-JIS strings.

    A wrong hash or an undecodable name is noted. Raises FormatError for a name outside the section or without an end
    within 255 bytes.
    """
    names = []
    wrong: list[int] = []
    known: dict[int, tuple[str, int]] = {}
    for i in range(section.u16(offset)):
        entry = offset + 4 + 4 * i
        stored, start = section.u16(entry), offset + section.u16(entry + 2)
        if start not in known:
            known[start] = _read_name(section, start, notes)
        name, value = known[start]
        names.append(name)
        if value != stored:
            wrong.append(i)
    if wrong:
        sentence = f"{len(wrong)} names have another hash than in the table, the first is name {wrong[0]}"
        section.note(notes, offset + 4 + 4 * wrong[0], sentence)
    return tuple(names)


def _read_name(section: BigEndianReader, start: int, notes: Notes | None) -> tuple[str, int]:
    """A name and its hash."""
    section.need(start, 1, "a name")
    window = bytes(section.data[start : start + LONGEST_NAME + 1])
    end = window.find(b"\0")
    section.check(end >= 0, start, f"a name that ends within {LONGEST_NAME} bytes", "no end")
    raw = window[:end]
    try:
        return raw.decode("cp932"), name_hash(raw)
    except UnicodeDecodeError:
        section.note(notes, start, "a name is not Shift-JIS")
        return raw.decode("latin-1"), name_hash(raw)


def name_of(names: tuple[str, ...], index: int, what: str) -> str:
    """The name of record `index`, or `what` and the number when the table is shorter."""
    return names[index] if index < len(names) else f"{what}{index}"

"""The containers of NITRO files: a magic number, a version and tagged blocks.

    0x00 char[4] magic   0x04 u16 0xFEFF   0x06 u16 version   0x08 u32 file size   0x0C u16 header size (16)
    0x0E u16 block count   0x10 blocks, each char[4] tag, u32 size, contents

In G3D files a table of block offsets (u32[]) lies before the blocks. In G2D files the blocks follow one another, and
magic number and tags are spelled backwards. Source: the NITRO-System G3D and G2D libraries.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from formats.binary import Buffer, FormatError, Notes, Reader, fitting, pad

_HEADER: Final = struct.Struct("<4sHHIHH")
_BLOCK: Final = struct.Struct("<4sI")
BYTE_ORDER: Final = 0xFEFF
BLOCK_HEADER: Final = 8
"""Bytes of a block before its contents; offsets inside blocks count from the block's tag."""


@dataclass(frozen=True, eq=False)
class Container:
    """A file's magic (`BMD0`), version and blocks: tag and a reader of the whole block, its 8-byte header included."""

    magic: str
    version: int
    blocks: tuple[tuple[str, Reader], ...]

    def block(self, index: int, tag: str) -> Reader:
        """Block `index`. Raises FormatError when it is absent or has another tag."""
        if index >= len(self.blocks):
            raise FormatError(self.magic, 0x0E, f"a {tag} block", f"{len(self.blocks)} blocks")
        stored, reader = self.blocks[index]
        reader.check(stored == tag, 0, f"a {tag} block", f"{stored!r}")
        return reader


def read_container(
    data: Buffer, magic: str | None = None, *, most: int = 0xFFFF, notes: Notes | None = None
) -> Container:
    """Read the container and make a reader of each block.

    Blocks must be inside the file, in ascending order without overlapping. Bytes after the file size are noted.
    Raises FormatError, also when `magic` is given and differs, and for more blocks than `most`.
    """
    reader = Reader.of(data)
    stored, version, size, count = _read_header(reader, magic, most, notes)
    reader.check(stored[:3].isalnum() and stored[3:] == b"0", 0, "the magic number of a NITRO file", f"{stored!r}")
    reader.need(_HEADER.size, 4 * count, "block offsets")
    blocks = []
    end = _HEADER.size + 4 * count
    for index in range(count):
        place = _HEADER.size + 4 * index
        offset = reader.u32(place, "offset of a block")
        reader.check(offset >= end, place, f"a block offset of at least {end}", offset)
        name, block = _read_block(reader, offset, size)
        blocks.append((name, block))
        reader.tolerate(offset == end, notes, end, f"{offset - end} unused bytes before the {name} block")
        end = offset + len(block)
    reader.tolerate(end == size, notes, end, f"{size - end} unused bytes after the last block")
    return Container(stored.decode(), version, tuple(blocks))


def read_chain(data: Buffer, magic: str, *, most: int = 0xFFFF, notes: Notes | None = None) -> Container:
    """Read a container without a table of offsets, as G2D files are. Raises FormatError, also for more blocks than
    `most`."""
    reader = Reader.of(data)
    _, version, size, count = _read_header(reader, magic, most, notes)
    blocks = []
    end = _HEADER.size
    for _ in range(count):
        blocks.append(_read_block(reader, end, size))
        end += len(blocks[-1][1])
    reader.tolerate(end == size, notes, end, f"{size - end} unused bytes after the last block")
    return Container(magic, version, tuple(blocks))


def _read_header(reader: Reader, magic: str | None, most: int, notes: Notes | None) -> tuple[bytes, int, int, int]:
    """Magic number, version, file size and number of blocks."""
    stored, order, version, size, header_size, count = reader.unpack(
        _HEADER, 0, "a NITRO header", ("magic", "byte_order", "version", "file_size", "header_size", "blocks")
    )
    if magic is not None and stored != magic.encode():
        reader.fail(0, f"{magic!r}", f"{stored!r}")
    reader.check(order == BYTE_ORDER, 4, f"byte order 0x{BYTE_ORDER:X}", f"0x{order:X}")
    reader.check(header_size == _HEADER.size, 12, "a header of 16 bytes", header_size)
    reader.check(count <= most, 14, "one block" if most == 1 else "one or two blocks", count)
    reader.check(size <= len(reader), 8, f"at most {len(reader)} bytes", f"a file size of {size}")
    reader.tolerate(size >= len(reader), notes, size, f"{len(reader) - size} bytes follow the end of the file")
    return stored, version, size, count


def _read_block(reader: Reader, offset: int, end: int) -> tuple[str, Reader]:
    """Tag and bytes of the block at `offset`, which must lie before `end`."""
    tag, size = reader.unpack(_BLOCK, offset, "a block header", ("tag", "size"))
    reader.check(
        size >= BLOCK_HEADER and offset + size <= end, offset + 4, f"a block of 8 to {end - offset} bytes", size
    )
    name = tag.decode("latin-1")
    return name, reader.view(offset, size, name)


def write_container(magic: str, version: int, blocks: Sequence[tuple[str, bytes]]) -> bytes:
    """The bytes of a file. `blocks` are tags and contents (what follows the 8-byte block header)."""
    parts = []
    offsets = []
    end = _HEADER.size + 4 * len(blocks)
    for tag, contents in blocks:
        block = pad(_BLOCK.pack(tag.encode("latin-1"), BLOCK_HEADER + len(pad(contents))) + contents)
        offsets.append(end)
        parts.append(block)
        end += len(block)
    header = _HEADER.pack(magic.encode("latin-1"), BYTE_ORDER, version, end, _HEADER.size, len(blocks))
    return b"".join([header, struct.pack(f"<{len(offsets)}I", *offsets), *parts])


def write_chain(magic: str, version: int, blocks: Sequence[tuple[str, bytes]]) -> bytes:
    """The bytes of a file without a table of offsets. `blocks` are tags and contents."""
    with fitting("the header of a NITRO file"):
        parts = [
            _BLOCK.pack(tag.encode("latin-1"), BLOCK_HEADER + len(contents)) + contents for tag, contents in blocks
        ]
        size = _HEADER.size + sum(len(part) for part in parts)
        header = _HEADER.pack(magic.encode("latin-1"), BYTE_ORDER, version, size, _HEADER.size, len(blocks))
    return b"".join([header, *parts])

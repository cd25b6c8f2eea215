"""The names of the sequences in a sound archive (SDAT): the first list of its SYMB block. The sounds are not read.

The header has the offset of the block at 0x10; the block has the offsets of its lists from byte 8 on, all offsets count
from the block's first byte, and a name ends with a zero byte (GBATEK, "DS Sound Files - SDAT").
"""

from __future__ import annotations

from formats.binary import Buffer, Reader

_BLOCK_AT = 0x10
_SEQUENCES = 8
"""The offset of the list of sequences, the first one."""


def sound_names(data: Buffer) -> tuple[str | None, ...]:
    """The names of the sequences by number, None where there is none. Raises FormatError, also for names that are
    together longer than the block."""
    reader = Reader.of(data).named("sound archive")
    reader.expect(0, b"SDAT")
    offset, size = reader.u32(_BLOCK_AT), reader.u32(_BLOCK_AT + 4)
    block = reader.view(offset, size, "SYMB")
    block.expect(0, b"SYMB")
    start = block.u32(_SEQUENCES)
    table = block.array(start + 4, "<u4", block.u32(start), "offsets of names")
    contents = bytes(block.data)
    names: list[str | None] = []
    remaining = len(contents)
    for index, place in enumerate(table.tolist()):
        if not place:
            names.append(None)
            continue
        end = contents.find(b"\0", place)
        block.check(end >= 0, start + 4 + 4 * index, "a name that ends with a zero byte", f"offset {place}")
        remaining -= end - place
        block.check(remaining >= 0, start + 4 + 4 * index, "names that fit the block", f"{end - place} bytes")
        names.append(contents[place:end].decode("latin-1"))
    return tuple(names)

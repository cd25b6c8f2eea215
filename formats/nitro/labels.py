"""What ends the G2D files of cells and animations: names (block LABL) and a word of extensions (block UEXT).

LABL: an offset (u32) for each name, counted from the first name, then the names, each with a zero. The number of names
is not stored: it is the only one for which as many names as offsets remain.
"""

from __future__ import annotations

import struct
from itertools import accumulate
from typing import Final

import numpy as np

from formats.binary import Notes, Reader, require
from formats.nitro.container import BLOCK_HEADER, Container

_UEXT: Final = struct.Struct("<I")


def read_labels(container: Container, notes: Notes | None) -> tuple[tuple[str, ...] | None, int | None]:
    """The names and the word of extensions behind the first block of a file, None where absent. Raises FormatError."""
    labels, extension = None, None
    for tag, block in container.blocks[1:]:
        if tag == "LBAL" and labels is None and extension is None:
            labels = _read_names(block)
        elif tag == "TXEU" and extension is None:
            (extension,) = block.unpack(_UEXT, BLOCK_HEADER, "a UEXT block")
            block.tolerate(
                len(block) <= BLOCK_HEADER + _UEXT.size,
                notes,
                BLOCK_HEADER + _UEXT.size,
                "bytes follow the word of extensions",
            )
        else:
            block.fail(0, "a LBAL block, then a TXEU block", tag)
    return labels, extension


def write_labels(labels: tuple[str, ...] | None, extension: int | None) -> list[tuple[str, bytes]]:
    """Tags and contents of the blocks. Raises ValueError for values that do not fit."""
    blocks = []
    if labels is not None:
        require(not any("\0" in name for name in labels), "a name has a zero character")
        try:
            names = [name.encode("latin-1") + b"\0" for name in labels]
        except UnicodeEncodeError as error:
            raise ValueError(f"a name has characters outside Latin-1: {error}") from None
        offsets = [*accumulate(map(len, names), initial=0)]
        blocks.append(("LBAL", struct.pack(f"<{len(names)}I", *offsets[:-1]) + b"".join(names)))
    if extension is not None:
        try:
            blocks.append(("TXEU", _UEXT.pack(extension)))
        except struct.error as error:
            raise ValueError(f"the word of extensions does not fit: {error}") from None
    return blocks


def _read_names(block: Reader) -> tuple[str, ...]:
    data = np.frombuffer(block.data, np.uint8)[BLOCK_HEADER:]
    zeros = np.cumsum(np.append(data == 0, False)[::-1])[::-1]  # from each byte to the end
    counts = np.arange(len(data) // 4 + 1)
    count = int(np.argmax(zeros[4 * counts] <= counts))
    names = bytes(data[4 * count :]).split(b"\0")
    offset = 0
    if len(names) != count + 1 or names.pop():
        block.fail(BLOCK_HEADER, "as many offsets as names that end with a zero", f"{count} offsets")
    for index, name in enumerate(names):
        if block.u32(BLOCK_HEADER + 4 * index) != offset:
            block.fail(BLOCK_HEADER + 4 * index, f"the offset {offset}", block.u32(BLOCK_HEADER + 4 * index))
        offset += len(name) + 1
    return tuple(name.decode("latin-1") for name in names)

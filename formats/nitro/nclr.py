"""NCLR, palettes (magic RLCN; block PLTT, and PCMP if only some palettes are stored).

PLTT: u32 depth (3: palettes of 16 colours, 4: of 256), u32 extended palettes, u32 size in bytes, u32 offset of the
colours from the block's contents (16), colours. PCMP: u16 count, u16 0xBEEF, u32 offset of the numbers (8), u16
numbers. Source: the NITRO-System G2D library.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from formats.binary import Buffer, Notes, Reader, fitting, require
from formats.nitro.container import BLOCK_HEADER, read_chain, write_chain
from formats.nitro.ncgr import DEPTHS

_PLTT: Final = struct.Struct("<IIII")
_PCMP: Final = struct.Struct("<HHI")
_FILLER: Final = 0xBEEF
_FULL: Final = 0x200


@dataclass(frozen=True, eq=False)
class Nclr:
    """Colours (BGR555) for pixels of `depth` bits, a read-only uint16 array of consecutive palettes.

    `extended`: they are for the extended palettes of the hardware. `numbers`: the numbers of the stored palettes, None
    for all from 0 on. `counts_missing`: the size field holds 512 minus the number of bytes, as some converters wrote
    it.
    """

    depth: int
    extended: bool
    colors: npt.NDArray[np.uint16]
    numbers: npt.NDArray[np.uint16] | None = None
    counts_missing: bool = False
    version: int = 0x0100

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> Nclr:
        """Read a file. Raises FormatError."""
        container = read_chain(data, "RLCN", most=2, notes=notes)
        block = container.block(0, "TTLP")
        depth, extended, size, offset = block.unpack(_PLTT, BLOCK_HEADER, "a PLTT header")
        block.check(depth in DEPTHS, 8, "a depth of 3 or 4", depth)
        block.check(extended <= 1, 12, "0 or 1 for extended palettes", extended)
        block.check(offset == _PLTT.size, 20, f"colours at {_PLTT.size}", offset)
        stored = len(block) - BLOCK_HEADER - offset
        block.check(
            stored % 2 == 0 and size in (stored, _FULL - stored),
            16,
            f"{stored} or {_FULL - stored} bytes of colours",
            size,
        )
        colors = block.array(BLOCK_HEADER + offset, "<u2", stored // 2, "colours")
        numbers = None
        if len(container.blocks) > 1:
            numbers = _read_numbers(container.block(1, "PMCP"), notes)
        return cls(DEPTHS[depth], bool(extended), colors, numbers, size != stored, container.version)

    def to_bytes(self) -> bytes:
        """The file as bytes. Raises ValueError for values that do not fit."""
        depth = next((number for number, bits in DEPTHS.items() if bits == self.depth), None)
        if depth is None:
            raise ValueError(f"palettes are for pixels of 4 or 8 bits, not {self.depth}")
        colors = np.asarray(self.colors).astype("<u2").tobytes()
        size = _FULL - len(colors) if self.counts_missing else len(colors)
        require(
            size >= 0 and (not self.counts_missing or size != len(colors)),
            f"a size field cannot hold what {len(colors)} bytes of colours lack",
        )
        with fitting("a palette file"):
            blocks = [("TTLP", _PLTT.pack(depth, self.extended, size, _PLTT.size) + colors)]
            if self.numbers is not None:
                header = _PCMP.pack(len(self.numbers), _FILLER, _PCMP.size)
                blocks.append(("PMCP", header + np.asarray(self.numbers).astype("<u2").tobytes()))
        return write_chain("RLCN", self.version, blocks)


def _read_numbers(block: Reader, notes: Notes | None) -> npt.NDArray[np.uint16]:
    count, filler, offset = block.unpack(_PCMP, BLOCK_HEADER, "a PCMP header")
    block.check(offset == _PCMP.size, 12, f"palette numbers at {_PCMP.size}", offset)
    numbers = block.array(BLOCK_HEADER + offset, "<u2", count, "palette numbers")
    block.tolerate(
        filler == _FILLER and len(block) <= BLOCK_HEADER + offset + 2 * count,
        notes,
        10,
        "the padding is another, or bytes follow the palette numbers",
    )
    return numbers

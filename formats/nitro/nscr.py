"""NSCR, the map of a background (magic RCSN; block SCRN).

SCRN: u16 width and height in pixels, u16 colours, u16 kind, u32 size in bytes, entries: a byte per tile in affine maps,
otherwise a word of tile number, flips and palette (GBATEK). Source: the NITRO-System G2D library.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from formats.binary import Buffer, Notes, fitting, require
from formats.nds.tiles import TILE
from formats.nitro.container import BLOCK_HEADER, read_chain, write_chain

_SCRN: Final = struct.Struct("<HHHHI")
TEXT, AFFINE, EXTENDED_AFFINE = 0, 1, 2
"""Kinds of background."""
_DTYPES: Final = {TEXT: "<u2", AFFINE: "u1", EXTENDED_AFFINE: "<u2"}


@dataclass(frozen=True, eq=False)
class Nscr:
    """A map of `width` x `height` pixels. `colors`: 0 palettes of 16 colours, 1 one of 256, 2 extended palettes of 256.
    `kind`: TEXT, AFFINE or EXTENDED_AFFINE. `entries`: read-only, in the order of the hardware (see `grid`)."""

    width: int
    height: int
    colors: int
    kind: int
    entries: npt.NDArray[Any]
    version: int = 0x0100

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> Nscr:
        """Read a file. Raises FormatError."""
        container = read_chain(data, "RCSN", most=1, notes=notes)
        block = container.block(0, "NRCS")
        width, height, colors, kind, size = block.unpack(_SCRN, BLOCK_HEADER, "a SCRN header")
        block.check(kind in _DTYPES, 14, "a background of kind 0 to 2", kind)
        count = size // np.dtype(_DTYPES[kind]).itemsize
        block.check(count * np.dtype(_DTYPES[kind]).itemsize == size, 16, "an even number of bytes", size)
        entries = block.array(BLOCK_HEADER + _SCRN.size, _DTYPES[kind], count, "map entries")
        block.tolerate(
            count == (width // TILE) * (height // TILE) and len(block) <= BLOCK_HEADER + _SCRN.size + size,
            notes,
            16,
            f"{size} bytes are not the entries of {width} x {height} pixels, or others follow",
        )
        return cls(width, height, colors, kind, entries, container.version)

    def to_bytes(self) -> bytes:
        """The file as bytes. Raises ValueError for values that do not fit."""
        require(self.kind in _DTYPES, f"there is no background of kind {self.kind}")
        if self.entries.dtype != np.dtype(_DTYPES[self.kind]):
            raise ValueError(f"the entries of this map are {_DTYPES[self.kind]}, not {self.entries.dtype}")
        entries = self.entries.tobytes()
        with fitting("a map"):
            header = _SCRN.pack(self.width, self.height, self.colors, self.kind, len(entries))
        return write_chain("RCSN", self.version, [("NRCS", header + entries)])

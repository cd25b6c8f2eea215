"""NCGR, pictures of tiles (magic RGCN; block CHAR, and CPOS if the picture is a part of a larger one).

CHAR: u16 height and width in tiles (0xFFFF: none), u32 depth (3: 4 bits, 4: 8 bits), u32 mapping of sprites, u32 flags,
u32 size in bytes, u32 offset of the pixels from the block's contents (24), pixels. Source: the NITRO-System G2D
library.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from formats.binary import Buffer, Notes, fitting, require
from formats.nds import tiles
from formats.nitro.container import BLOCK_HEADER, read_chain, write_chain

_CHAR: Final = struct.Struct("<HHIIIII")
_CPOS: Final = struct.Struct("<HHHH")
_NO_SIZE: Final = 0xFFFF
_LINES: Final = 1 << 0
_TRANSFERRED: Final = 1 << 8
DEPTHS: Final = {3: 4, 4: 8}
"""Depth as stored in files -> bits per pixel."""


@dataclass(frozen=True, eq=False)
class Ncgr:
    """Pixels as colour numbers."""

    depth: int
    """Bits of a pixel, 4 or 8."""
    size: tuple[int, int] | None
    """Width and height in tiles, None if the file has none."""
    mapping: int
    """The mapping of sprite tiles, as bits 4 and 20-21 of DISPCNT."""
    lines: bool
    """The pixels are the rows of the whole picture, else a sequence of 8 x 8 tiles."""
    transferred: bool
    """Cells copy their tiles to VRAM when they are shown."""
    data: bytes
    """The pixels as stored."""
    part: tuple[int, int, int, int] | None = None
    """Left, top, width and height in tiles of this picture within a larger one."""
    version: int = 0x0101
    """The version in the file header."""

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> Ncgr:
        """Read a file. Raises FormatError."""
        container = read_chain(data, "RGCN", most=2, notes=notes)
        block = container.block(0, "RAHC")
        height, width, depth, mapping, flags, size, offset = block.unpack(_CHAR, BLOCK_HEADER, "a CHAR header")
        block.check(depth in DEPTHS, 12, "a depth of 3 or 4", depth)
        block.check(flags & ~(_LINES | _TRANSFERRED) == 0, 20, "flags of bits 0 and 8", f"0x{flags:X}")
        block.check(
            (width == _NO_SIZE) == (height == _NO_SIZE), 8, "a width and a height, or neither", f"{width} and {height}"
        )
        block.check(offset == _CHAR.size, 28, f"pixels at {_CHAR.size}", offset)
        pixels = block.bytes(BLOCK_HEADER + offset, size, "pixels")
        block.tolerate(
            len(block) <= BLOCK_HEADER + offset + size, notes, BLOCK_HEADER + offset + size, "bytes follow the pixels"
        )
        known = None if width == _NO_SIZE else (width, height)
        block.tolerate(
            known is None or width * height * 8 * DEPTHS[depth] == size,
            notes,
            24,
            f"{size} bytes of pixels are not {width} x {height} tiles",
        )
        part = None
        if len(container.blocks) > 1:
            part = container.block(1, "SOPC").unpack(_CPOS, BLOCK_HEADER, "a CPOS block")
            container.blocks[1][1].tolerate(
                len(container.blocks[1][1]) <= BLOCK_HEADER + _CPOS.size,
                notes,
                BLOCK_HEADER + _CPOS.size,
                "bytes follow the position",
            )
        bits = (bool(flags & _LINES), bool(flags & _TRANSFERRED))
        return cls(DEPTHS[depth], known, mapping, *bits, pixels, part, container.version)

    def to_bytes(self) -> bytes:
        """The file as bytes. Raises ValueError for values that do not fit."""
        depth = next((number for number, bits in DEPTHS.items() if bits == self.depth), None)
        if depth is None:
            raise ValueError(f"pixels have 4 or 8 bits, not {self.depth}")
        require(
            self.size is None or _NO_SIZE not in self.size, f"a picture is less than {_NO_SIZE} tiles wide and high"
        )
        width, height = (_NO_SIZE, _NO_SIZE) if self.size is None else self.size
        flags = self.lines * _LINES | self.transferred * _TRANSFERRED
        with fitting("a picture of tiles"):
            header = _CHAR.pack(height, width, depth, self.mapping, flags, len(self.data), _CHAR.size)
            blocks = [("RAHC", header + self.data)]
            if self.part is not None:
                blocks.append(("SOPC", _CPOS.pack(*self.part)))
        return write_chain("RGCN", self.version, blocks)

    def tiles(self) -> npt.NDArray[np.uint8]:
        """The tiles as colour numbers, uint8 (n, 8, 8). A picture of `lines` is divided into tiles, row by row.

        Raises ValueError for a picture of lines without a size, or with fewer pixels than its size.
        """
        if not self.lines:
            return tiles.decode(self.data, self.depth)
        if self.size is None:
            raise ValueError("a picture of lines needs its width in tiles")
        width, height = self.size
        pixels = tiles.unpack(self.data, self.depth)
        require(
            len(pixels) >= 64 * width * height,
            f"{len(self.data)} bytes of pixels are less than {width} x {height} tiles",
        )
        rows = pixels[: 64 * width * height].reshape(height, 8, width, 8)
        return np.ascontiguousarray(rows.swapaxes(1, 2)).reshape(-1, 8, 8)

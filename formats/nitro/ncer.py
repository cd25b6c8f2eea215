"""NCER, cells (magic RECN; blocks CEBK, LABL, UEXT): groups of sprites that are drawn together.

CEBK: u16 cells, u16 1 if cells have bounds, u32 offset of the cells (24), u32 mapping of tiles, u32 offset of the
transfers or 0, u32[2] 0. Cell: u16 sprites, u16 attribute, u32 offset of its sprites from the end of the cells, and the
bounds: s16 right, bottom, left, top. Transfers: u32 largest size, u32 offset (8), then u32 offset and size for each
cell. The other offsets count from the start of the block's contents. Source: the NITRO-System G2D library.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from formats.binary import Buffer, Notes, fitting, pad, require
from formats.nds.objects import OBJECT
from formats.nitro.container import BLOCK_HEADER, read_chain, write_chain
from formats.nitro.labels import read_labels, write_labels

_CEBK: Final = struct.Struct("<HHIIIII")
_CELL: Final = struct.Struct("<HHI")
_BOUNDS: Final = struct.Struct("<hhhh")
_TRANSFERS: Final = struct.Struct("<II")
TRANSFER: Final = np.dtype([("offset", "<u4"), ("size", "<u4")])
"""The range of a cell's tiles in the NCGR, in bytes."""

Bounds = tuple[int, int, int, int]


@dataclass(frozen=True, eq=False)
class CellData:
    """Sprites relative to the cell's origin, dtype `formats.nds.objects.OBJECT`, front to back.

    `attribute`: bits 0-5 are the radius of the cell in units of 4 pixels, bit 11 is set if it has bounds. `bounds`:
    right, bottom, left, top.
    """

    objects: npt.NDArray[Any]
    attribute: int
    bounds: Bounds | None

    @property
    def radius(self) -> int:
        """The largest distance of the sprites from the origin in pixels."""
        return 4 * (self.attribute & 63)


@dataclass(frozen=True, eq=False)
class Transfers:
    """The tiles that each cell copies to VRAM when it is shown, dtype TRANSFER; `largest`: the largest size in
    bytes."""

    largest: int
    cells: npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Ncer:
    """Cells. `mapping` 0 to 3: tile numbers of sprites are in units of 32, 64, 128 or 256 bytes; 4: 2D mapping."""

    cells: tuple[CellData, ...]
    mapping: int
    transfers: Transfers | None = None
    labels: tuple[str, ...] | None = None
    extension: int | None = None
    version: int = 0x0100

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> Ncer:
        """Read a file. Raises FormatError."""
        container = read_chain(data, "RECN", notes=notes)
        block = container.block(0, "KBEC")
        count, bounded, offset, mapping, transfers, *rest = block.unpack(_CEBK, BLOCK_HEADER, "a CEBK header")
        block.check(bounded <= 1, 10, "0 or 1 for bounds", bounded)
        block.check(offset == _CEBK.size, 12, f"cells at {_CEBK.size}", offset)
        block.check(not any(rest), 24, "0 in fields of the program", rest)
        size = _CELL.size + _BOUNDS.size * bounded
        start = BLOCK_HEADER + offset
        objects = start + size * count
        block.need(start, size * count, "cells")
        cells = []
        end = 0
        for place in range(start, objects, size):
            number, attribute, at = block.unpack(_CELL, place)
            block.check(at == end, place + 4, f"sprites at {end}", at)
            bounds = block.unpack(_BOUNDS, place + _CELL.size) if bounded else None
            sprites = block.array(objects + at, OBJECT, number, "sprites of a cell")
            cells.append(CellData(sprites, attribute, (bounds[0], bounds[1], bounds[2], bounds[3]) if bounds else None))
            end += OBJECT.itemsize * number
        end += objects + -(objects + end) % 4
        moved = None
        if transfers:
            block.check(BLOCK_HEADER + transfers == end, 20, f"transfers at {end - BLOCK_HEADER}", transfers)
            largest, first = block.unpack(_TRANSFERS, end, "transfers")
            block.check(first == _TRANSFERS.size, end + 4, f"transfers at {_TRANSFERS.size}", first)
            moved = Transfers(largest, block.array(end + first, TRANSFER, count, "transfers"))
            end += first + TRANSFER.itemsize * count
        block.tolerate(end == len(block), notes, min(end, len(block)), f"the cells end at {end} of {len(block)} bytes")
        labels, extension = read_labels(container, notes)
        return cls(tuple(cells), mapping, moved, labels, extension, container.version)

    def to_bytes(self) -> bytes:
        """The file as bytes. Raises ValueError for values that do not fit."""
        bounded = any(cell.bounds is not None for cell in self.cells)
        require(
            not bounded or all(cell.bounds is not None for cell in self.cells), "either all cells have bounds or none"
        )
        records, objects = [], b""
        with fitting("a file of cells"):
            for cell in self.cells:
                if cell.objects.dtype != OBJECT:
                    raise ValueError(f"sprites of a cell are {OBJECT}, not {cell.objects.dtype}")
                records.append(_CELL.pack(len(cell.objects), cell.attribute, len(objects)))
                if cell.bounds is not None:
                    records.append(_BOUNDS.pack(*cell.bounds))
                objects += cell.objects.tobytes()
            body = pad(b"".join(records) + objects)
            transfers = 0
            if self.transfers is not None:
                require(
                    len(self.transfers.cells) == len(self.cells) and self.transfers.cells.dtype == TRANSFER,
                    "there is one transfer for each cell",
                )
                transfers = _CEBK.size + len(body)
                body += _TRANSFERS.pack(self.transfers.largest, _TRANSFERS.size) + self.transfers.cells.tobytes()
            header = _CEBK.pack(len(self.cells), bounded, _CEBK.size, self.mapping, transfers, 0, 0)
        return write_chain("RECN", self.version, [("KBEC", header + body), *write_labels(self.labels, self.extension)])

"""Map matrices (map_matrix.narc): the grid of cells that makes up a map.

Corrections to the public description of the format: byte 0 is the **width** and byte 1 the height (29 matrices are not
square and prove it); the sections do not begin at offset 6 but right after the name prefix, at 5 + its length, and
follow each other unaligned; the altitude (8 units a step) shifts only a cell's terrain model, neither its props nor its
height plates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from formats.binary import Buffer, Notes, Reader, require
from formats.field.record import note_rest, opened, write_table

EMPTY_CELL = 0xFFFF
"""The land data id of a cell without land."""

PREFIX_BUFFER = 16
"""Size in bytes of the game's buffer for the name prefix."""


@dataclass(frozen=True, eq=False)
class MapMatrix:
    """`land`, `headers` and `altitudes` have the shape (height, width): rows grow south, columns east.

    `headers` and `altitudes` are sections that a file may leave out; without `headers` every cell belongs to the
    map header through which the matrix was entered. `prefix` names the models in the asset pipeline; the game does
    not use it.
    """

    prefix: str
    headers: npt.NDArray[np.uint16] | None
    altitudes: npt.NDArray[np.uint8] | None
    land: npt.NDArray[np.uint16]

    @property
    def width(self) -> int:
        """Cells from west to east."""
        return int(self.land.shape[1])

    @property
    def height(self) -> int:
        """Cells from north to south."""
        return int(self.land.shape[0])

    def cells_of(self, header: int) -> npt.NDArray[np.bool_]:
        """Which cells have land and belong to a map header; without a header section all with land."""
        mine: npt.NDArray[np.bool_] = self.land != EMPTY_CELL
        return mine if self.headers is None else mine & (self.headers == header)

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> MapMatrix:
        """Read a matrix. Raises FormatError."""
        reader = opened(data, "map matrix")
        width, height = reader.u8(0, "width"), reader.u8(1, "height")
        has_headers, has_altitudes = _flag(reader, 2, "has headers"), _flag(reader, 3, "has altitudes")
        length = reader.u8(4, "length of the prefix")
        reader.tolerate(
            length <= PREFIX_BUFFER,
            notes,
            4,
            f"the name prefix of {length} bytes is longer than the game's buffer of 16",
        )
        prefix = reader.bytes(5, length, "the name prefix").decode("latin-1")
        offset = 5 + length
        headers = altitudes = None
        if has_headers:
            headers = _grid(reader, offset, "<u2", width, height, "map header ids")
            offset += headers.nbytes
        if has_altitudes:
            altitudes = _grid(reader, offset, "u1", width, height, "altitudes")
            offset += altitudes.nbytes
        land = _grid(reader, offset, "<u2", width, height, "land data ids")
        note_rest(reader, offset + land.nbytes, notes)
        return cls(prefix, headers, altitudes, land)

    def to_bytes(self) -> bytes:
        """The file. Raises ValueError when grids differ in shape or a value does not fit its field."""
        prefix = self.prefix.encode("latin-1")
        require(
            self.land.ndim == 2 and max(self.land.shape) <= 255 and len(prefix) <= 255,
            "a map matrix has at most 255 x 255 cells and a prefix of 255 bytes",
        )
        head = bytes((self.width, self.height, self.headers is not None, self.altitudes is not None, len(prefix)))
        parts = [head, prefix]
        for grid, dtype, what in (
            (self.headers, "<u2", "map header ids"),
            (self.altitudes, "u1", "altitudes"),
            (self.land, "<u2", "land data ids"),
        ):
            if grid is not None:
                require(
                    grid.shape == self.land.shape, f"the {what} of a map matrix do not have the shape {self.land.shape}"
                )
                parts.append(write_table(grid, dtype, what))
        return b"".join(parts)


def _flag(reader: Reader, offset: int, what: str) -> bool:
    value = reader.u8(offset, what)
    reader.check(value <= 1, offset, "0 or 1", value)
    return value == 1


def _grid(reader: Reader, offset: int, dtype: str, width: int, height: int, what: str) -> npt.NDArray[Any]:
    return reader.array(offset, dtype, width * height, what).reshape(height, width)

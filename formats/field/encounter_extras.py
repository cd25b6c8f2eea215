"""Members of encdata_ex.narc: the encounters of Feebas, honey trees, the Trophy Garden and the Great Marsh."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np
import numpy.typing as npt

from formats.binary import Buffer, Notes
from formats.field.field_types import Counted, Rest
from formats.field.layout import Record
from formats.field.record import opened

TILE = np.dtype([("x", "<u2"), ("z", "<u2")])


@dataclass(frozen=True, eq=False)
class SpeciesList(Record, title="species list"):
    """Species (uint32) in slot order: of Feebas, of a group of honey trees, of the days of a place."""

    species: Annotated[npt.NDArray[np.uint32], Rest("<u4")]


@dataclass(frozen=True, eq=False)
class FeebasTiles(Record, title="Feebas tiles"):
    """The water tiles where Feebas can be: `counts` (uint32) tiles of each part of the lake, then the `tiles` (uint16),
    x + z * the matrix' width in tiles."""

    counts: Annotated[npt.NDArray[np.uint32], Counted("I", "<u4")]
    tiles: Annotated[npt.NDArray[np.uint16], Rest("<u2")]

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> Self:
        """Read the tiles. Raises FormatError."""
        reader = opened(data, cls.record_title)
        value = super().from_bytes(reader, notes=notes)
        total = int(value.counts.sum(dtype=np.uint64))
        reader.tolerate(
            total == len(value.tiles), notes, 0, f"the counts add up to {total}, and there are {len(value.tiles)} tiles"
        )
        return value


@dataclass(frozen=True, eq=False)
class LookoutTiles(Record, title="lookout tiles"):
    """The tiles of the Great Marsh that its lookout shows."""

    tiles: Annotated[npt.NDArray[np.void], Rest(TILE)]

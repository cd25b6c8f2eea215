"""The floors of the Distortion World (tw_arc.narc[0]): the file of each map header and where its land lies.

The land of all floors is in one space: the offset is that of a floor's north-west corner, x and z in tiles, y in tiles
of 16 units.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from formats.binary import Buffer, Notes
from formats.field.record import note_rest, opened, write_table

FLOOR = np.dtype([("header", "<u4"), ("file", "<u2"), ("x", "<i2"), ("y", "<i2"), ("z", "<i2")])
"""A map header, the number of its file (member `file` + 1 of the archive) and its offset."""


@dataclass(frozen=True, eq=False)
class DistortionFloorList:
    """`floors`: records of FLOOR, in file order."""

    floors: npt.NDArray[np.void]

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> DistortionFloorList:
        """Read the list. Raises FormatError."""
        reader = opened(data, "floor list")
        floors = reader.array(4, FLOOR, reader.s32(0), "floors")
        note_rest(reader, 4 + floors.nbytes, notes)
        return cls(floors)

    def to_bytes(self) -> bytes:
        """The file. Raises ValueError for an array of another dtype."""
        return struct.pack("<i", len(self.floors)) + write_table(self.floors, FLOOR, "floors")

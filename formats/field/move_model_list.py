"""move_model_list.narc: the object graphics that the game preloads when a map is entered.

The member number is byte 1 of the map header. The headers count in the archive in area_move_model (75 members); the
archive in mm_list (16 members) has the same format.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from formats.binary import Buffer, Notes, pad, require
from formats.field.record import note_rest, opened, write_table

END = 0xFFFF


@dataclass(frozen=True, eq=False)
class MoveModelList:
    """Object graphics ids (uint16) in file order; the file ends them with 0xFFFF and pads to four bytes."""

    graphics: npt.NDArray[np.uint16]

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> MoveModelList:
        """Read a list. Raises FormatError when its end mark is missing."""
        reader = opened(data, "move model list")
        words = reader.array(0, "<u2", len(reader) // 2)
        ends = np.flatnonzero(words == END)
        reader.check(len(ends), len(reader), "the end mark 0xFFFF", "the end of the file")
        count = int(ends[0])
        used = 2 * count + 2
        padding = -used % 4
        reader.tolerate(
            len(reader) >= used + padding and not any(reader.data[used : used + padding]),
            notes,
            used,
            "the padding after the end mark is not two zero bytes",
        )
        note_rest(reader, used + padding, notes)
        return cls(words[:count])

    def to_bytes(self) -> bytes:
        """The file. Raises ValueError for an id that is the end mark."""
        require(not np.any(self.graphics == END), "0xFFFF ends the list and cannot be one of its ids")
        return pad(write_table(self.graphics, "<u2", "object graphics ids") + b"\xff\xff")

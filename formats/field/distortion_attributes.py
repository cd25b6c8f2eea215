"""Terrain attributes of a platform of the Distortion World (tw_arc_attr.narc): one word per tile.

The words are those of `terrain_attribute`. The platform record gives the length of a row.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from formats.binary import Buffer, Notes
from formats.field.record import note_rest, opened, write_table


@dataclass(frozen=True, eq=False)
class DistortionAttributes:
    """`words` (uint16), row by row."""

    words: npt.NDArray[np.uint16]

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> DistortionAttributes:
        """Read the words; never raises for bytes."""
        reader = opened(data, "platform attributes")
        words = reader.array(0, "<u2", len(reader) // 2, "attribute words")
        note_rest(reader, words.nbytes, notes)
        return cls(words)

    def to_bytes(self) -> bytes:
        """The file. Raises ValueError for an array of another dtype."""
        return write_table(self.words, "<u2", "attribute words")

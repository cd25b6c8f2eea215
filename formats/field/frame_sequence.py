"""Frame sequences of people (mmodel.narc members after the models): which texture is shown at which tick."""

from __future__ import annotations

import struct
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from formats.binary import Buffer, Notes, require
from formats.field.record import note_rest, opened, write_table

KEY_BYTES = 4


@dataclass(frozen=True, eq=False)
class FrameSequence:
    """Keys in time order: `starts` (uint16 ticks), `textures` and `palettes` (uint8 indices in dictionary order).

    A key holds until the next one starts.
    """

    starts: npt.NDArray[np.uint16]
    textures: npt.NDArray[np.uint8]
    palettes: npt.NDArray[np.uint8]

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> FrameSequence:
        """Read a sequence. Raises FormatError."""
        reader = opened(data, "frame sequence")
        count = reader.u32(0, "keys")
        starts = reader.array(4, "<u2", count, "key starts")
        textures = reader.array(4 + 2 * count, "u1", count, "texture indices")
        palettes = reader.array(4 + 3 * count, "u1", count, "palette indices")
        note_rest(reader, 4 + KEY_BYTES * count, notes)
        return cls(starts, textures, palettes)

    def picture(self, tick: int) -> tuple[int, int]:
        """(texture, palette) at a tick: of the last key that has started, before the first one of the first. Raises
        ValueError for a sequence without keys."""
        starts, pictures = self._keys
        require(starts, "a frame sequence without keys shows nothing")
        return pictures[max(0, bisect_right(starts, tick) - 1)]

    @cached_property
    def _keys(self) -> tuple[list[int], list[tuple[int, int]]]:
        """The starts and pictures as Python has them fastest."""
        return self.starts.tolist(), list(zip(self.textures.tolist(), self.palettes.tolist(), strict=True))

    def to_bytes(self) -> bytes:
        """The file. Raises ValueError when the three lists differ in length."""
        require(
            len(self.starts) == len(self.textures) == len(self.palettes),
            "a frame sequence has as many starts as textures and palettes",
        )
        return (
            struct.pack("<I", len(self.starts))
            + write_table(self.starts, "<u2", "key starts")
            + write_table(self.textures, "u1", "texture indices")
            + write_table(self.palettes, "u1", "palette indices")
        )

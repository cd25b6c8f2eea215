"""bm_anime_list.narc: the animations of each prop model, 20 bytes per model.

Corrections to the public description of the format: the four indices are signed words at offset **4** (-1 = empty), not
unsigned ones at 3; a model without animations has 0xFF in byte 0 (and in the flags), and any value other than 1
there counts as "none".
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from formats.binary import Buffer, Notes
from formats.field.record import note_rest, opened, write_record

LOAD_LATER = 1
"""Flag: not loaded with the area, but when needed (doors, PCs, stairs)."""
ATTACH_LATER = 2
"""Flag: not attached when the prop is placed (honey tree, bicycle slopes)."""
EMPTY = -1

_RECORD = struct.Struct("<4B4i")


@dataclass(frozen=True)
class PropAnimations:
    """One prop model's entry: `animations` are bm_anime indices, -1 = empty slot.

    `presence` is byte 0 as stored: 1 = has animations, 0xFF in the game's files = none; `bicycle_slope` is 1 for the
    two slopes; `padding` is 0 in the game's files.
    """

    presence: int
    flags: int
    bicycle_slope: int
    padding: int
    animations: tuple[int, int, int, int]

    @property
    def has_animations(self) -> bool:
        """Whether the game treats the entry as one with animations."""
        return self.presence == 1

    @property
    def automatic(self) -> bool:
        """Whether the animations are loaded with the area and loop from then on."""
        return self.has_animations and self.flags == 0

    @property
    def used(self) -> tuple[int, ...]:
        """The animations in list order without the empty slots; none when the entry has no animations."""
        return tuple(index for index in self.animations if index != EMPTY) if self.has_animations else ()

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> PropAnimations:
        """Read an entry. Raises FormatError."""
        reader = opened(data, "prop animations")
        presence, flags, bicycle_slope, padding, *animations = reader.unpack(_RECORD, 0, "an animation list entry")
        if presence not in (1, 0xFF):
            reader.note(notes, 0, f"{presence} counts as no animations, for which the game's files have 255")
        note_rest(reader, _RECORD.size, notes)
        return cls(
            presence, flags, bicycle_slope, padding, (animations[0], animations[1], animations[2], animations[3])
        )

    def to_bytes(self) -> bytes:
        """The 20 bytes. Raises ValueError for a number that its field cannot hold."""
        return write_record(
            _RECORD, self, self.presence, self.flags, self.bicycle_slope, self.padding, *self.animations
        )

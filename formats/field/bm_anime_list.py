"""bm_anime_list.narc: the animations of each prop model, 20 bytes per model, 24 in HeartGold and SoulSilver.

Corrections to the public description of the format: the four indices are signed words at offset **4** (-1 = empty), not
unsigned ones at 3; a model without animations has 0xFF in byte 0 (and in the flags), and any value other than 1
there counts as "none".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from formats.binary import Buffer, Notes
from formats.field.field_types import S32, U8
from formats.field.layout import Record
from formats.field.record import opened

LOAD_LATER = 1
"""Flag: not loaded with the area, but when needed (doors, PCs, stairs)."""
ATTACH_LATER = 2
"""Flag: not attached when the prop is placed (honey tree, bicycle slopes)."""
EMPTY = -1


BY_TIME_OF_DAY = 8
"""Flag of HeartGold and SoulSilver: the animation of the present time of day plays, in the order morning, day, evening,
night."""


class PropAnimationEntry(Record):
    """What the entries of all games have."""

    presence: int
    flags: int
    bicycle_slope: int
    animations: tuple[int, int, int, int]

    @property
    def has_animations(self) -> bool:
        """Whether the game treats the entry as one with animations."""
        return self.presence == 1

    @property
    def automatic(self) -> bool:
        """Whether the animations are loaded with the area and loop from then on."""
        return self.has_animations and not self.flags & ~BY_TIME_OF_DAY

    @property
    def used(self) -> tuple[int, ...]:
        """The animations in list order without the empty slots; none when the entry has no animations."""
        return tuple(index for index in self.animations if index != EMPTY) if self.has_animations else ()

    @classmethod
    def from_bytes(cls, data: Buffer, *, notes: Notes | None = None) -> Self:
        """Read an entry. Raises FormatError."""
        entry = super().from_bytes(data, notes=notes)
        if entry.presence not in (1, 0xFF):
            sentence = f"{entry.presence} counts as no animations, for which the game's files have 255"
            opened(data, cls.record_title).note(notes, 0, sentence)
        return entry


@dataclass(frozen=True)
class PropAnimations(PropAnimationEntry, title="prop animations"):
    """One prop model's entry: `animations` are bm_anime indices, -1 = empty slot.

    `presence` is byte 0 as stored: 1 = has animations, 0xFF in the game's files = none; `bicycle_slope` is 1 for the
    two slopes; `padding` is 0 in the game's files.
    """

    presence: U8
    flags: U8
    bicycle_slope: U8
    padding: U8
    animations: tuple[S32, S32, S32, S32]


@dataclass(frozen=True)
class HeartGoldPropAnimations(PropAnimationEntry, title="prop animations"):
    """One prop model's entry in HeartGold and SoulSilver."""

    presence: U8
    """1: has animations; 0xFF in the game's files: none."""
    flags: U8
    """LOAD_LATER, ATTACH_LATER, BY_TIME_OF_DAY."""
    bicycle_slope: U8
    """1 for bicycle slopes."""
    own_object: U8
    """Not 0: each placed prop is animated by itself."""
    door: U8
    """0 none, 1 hinged, 2 sliding, 3 of a department store, 4 sliding, Japanese."""
    padding: U8
    """0 in the game's files."""
    per_state: U8
    """The number of animations for each state."""
    states: U8
    """The number of states, which are open and closed for doors."""
    animations: tuple[S32, S32, S32, S32]
    """Indices of animations, -1 in empty slots."""

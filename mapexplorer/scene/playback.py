"""The frame of a field animation at a tick."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple


class Playing(NamedTuple):
    """How an animation plays: in a loop from the start, or, with `started`, once from that tick on, staying at the
    end; `backward`: once from its last frame to its first; `frame`: it is held at that frame."""

    started: int | None = None
    backward: bool = False
    frame: int | None = None


LOOPING: Final = Playing()
LONG_AGO: Final = -(1 << 24)
"""A tick by which every animation that started then has ended."""


@dataclass(frozen=True, slots=True)
class Playback:
    """An animation of `frame_count` frames that plays one frame a tick."""

    frame_count: int
    playing: Playing = LOOPING

    def frame(self, tick: int) -> int:
        """The frame (fx32) after `tick` updates."""
        if not self.frame_count:
            return 0
        started, backward, held = self.playing
        if held is not None:
            return min(held, self.frame_count - 1) << 12
        if started is not None:
            frame = min(max(tick - started, 0), self.frame_count - 1)
            return (self.frame_count - 1 - frame if backward else frame) << 12
        return tick % self.frame_count << 12

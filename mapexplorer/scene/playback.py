"""The frame of a field animation at a tick."""

from __future__ import annotations

from typing import Final, NamedTuple


class Playback(NamedTuple):
    """How an animation plays: in a loop from the start, or, with `started`, once from that tick on, staying at the
    end; `backward`: once from its last frame to its first; `held`: the frame at which it is held."""

    started: int | None = None
    backward: bool = False
    held: int | None = None

    def frame(self, frame_count: int, tick: int) -> int:
        """The frame (fx32) of an animation that plays one of its frames a tick, after `tick` updates."""
        if not frame_count:
            return 0
        if self.held is not None:
            return min(self.held, frame_count - 1) << 12
        if self.started is not None:
            frame = min(max(tick - self.started, 0), frame_count - 1)
            return (frame_count - 1 - frame if self.backward else frame) << 12
        return tick % frame_count << 12


LOOPING: Final = Playback()
LONG_AGO: Final = -(1 << 24)
"""A tick by which every animation that started then has ended."""

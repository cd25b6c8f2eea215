"""The frame of a field animation at a tick, and the animations that are loaded with an area."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from formats.field.bm_anime_list import LOAD_LATER
from mapexplorer.world.files import WorldFiles


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
    """An animation of `frame_count` frames that plays one frame a tick; a `paused` one waits for an event at frame
    0."""

    frame_count: int
    playing: Playing = LOOPING
    paused: bool = False

    def frame(self, tick: int) -> int:
        """The frame (fx32) after `tick` updates."""
        if self.paused or not self.frame_count:
            return 0
        started, backward, held = self.playing
        if held is not None:
            return min(held, self.frame_count - 1) << 12
        if started is not None:
            frame = min(max(tick - started, 0), self.frame_count - 1)
            return (self.frame_count - 1 - frame if backward else frame) << 12
        return tick % self.frame_count << 12


@dataclass(frozen=True, slots=True)
class LoadedAnimation:
    """An animation that is loaded with an area: member of bm_anime, the prop model it is for, and how it plays."""

    animation: int
    model: int
    playback: Playback


def loaded_animations(world: WorldFiles, models: Iterable[int]) -> list[LoadedAnimation]:
    """The animations that exist after an area with these prop models was loaded, in the game's order.

    Those that are loaded when needed (doors, PCs) are not among them; those of bicycle slopes are paused.
    """
    found = []
    for model in models:
        entry = world.prop_animations(model)
        if entry is None or not entry.has_animations or entry.flags & LOAD_LATER:
            continue
        for number in entry.used:
            count = world.animation(number).animations[0].frame_count
            found.append(LoadedAnimation(number, model, Playback(count, paused=entry.bicycle_slope == 1)))
    return found

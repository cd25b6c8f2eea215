"""The field's clock: 29.9 updates a second step the light block, the terrain's pictures and the props' animations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from formats.field.bm_anime_list import LOAD_LATER
from mapexplorer.world.world import World


@dataclass(frozen=True, slots=True)
class RunningAnimation:
    """An animation object of the field: member of bm_anime, the model it is loaded for, its frames; `paused` objects
    wait for an event at frame 0."""

    animation: int
    model: int
    frame_count: int
    paused: bool

    def frame(self, tick: int) -> int:
        """The frame (fx32) after `tick` updates: one frame an update, in a loop."""
        return 0 if self.paused or not self.frame_count else tick % self.frame_count << 12


def running_animations(world: World, models: Iterable[int]) -> list[RunningAnimation]:
    """The animation objects that exist after an area with these prop models was loaded, in the game's order.

    Animations that are loaded when needed (doors, PCs) are not among them; those of bicycle slopes wait.
    """
    running = []
    for model in models:
        entry = world.prop_animations(model)
        if entry is None or not entry.has_animations or entry.flags & LOAD_LATER:
            continue
        for number in entry.used:
            count = world.animation(number).animations[0].frame_count
            running.append(RunningAnimation(number, model, count, entry.bicycle_slope == 1))
    return running

"""The parts of a weather (fog, background, sprites), each of which fades in and out by itself."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import Final

Steps = Iterator[None]
"""The ticks of a part that fades: each but the last ends with a yield."""

_DONE: Final = object()


class FogChange(IntEnum):
    """What a weather does with the fog when it begins or ends: nothing, its own fading, or a change from the present
    fog."""

    NONE = 0
    OWN = 1
    MOVED = 2


class WeatherPart:
    """A part of a weather. `step_in` and `step_out` are called once per tick until they return True for all parts of
    the weather; by default they take the next of the `steps`. By default all other methods do nothing."""

    steps: Steps = iter(())

    def begin_in(self, fog: FogChange) -> None:
        """Start fading in; the first step is in the next tick."""

    def step_in(self) -> bool:
        """One tick of fading in; returns whether it is done."""
        return next(self.steps, _DONE) is _DONE

    def at_once(self) -> None:
        """Set the steady state without fading in."""

    def begin_steady(self) -> None:
        """Fading in is done."""

    def steady(self) -> None:
        """One tick of the steady phase."""

    def leave_fog(self) -> None:
        """Stop writing to the fog registers."""

    def begin_out(self, fog: FogChange) -> None:
        """Start fading out; the first step is in the next tick."""

    step_out = step_in
    """One tick of fading out; returns whether it is done."""

    def move(self) -> None:
        """Called at the end of every tick in which the weather has not ended."""

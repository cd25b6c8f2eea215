"""What a weather consists of: fog, a background, sprites, each a part that fades in and out by itself."""

from __future__ import annotations

from enum import IntEnum


class FogChange(IntEnum):
    """What a weather does with fog when it begins or ends: nothing, its own fading, or a move from the present fog."""

    NONE = 0
    OWN = 1
    MOVED = 2


class WeatherPart:
    """A part of a weather. `step_in` and `step_out` are called once a tick until all parts of the weather are done,
    and answer whether this one is. Every part does nothing by default."""

    def begin_in(self, fog: FogChange) -> None:
        """Begin to fade in; the first step follows in the next tick."""

    def step_in(self) -> bool:
        """A tick of fading in."""
        return True

    def at_once(self) -> None:
        """Be there, as if the weather had been for long."""

    def begin_steady(self) -> None:
        """Fading in has ended."""

    def steady(self) -> None:
        """A tick of the weather while it is there."""

    def leave_fog(self) -> None:
        """Write no more to the registers of the fog."""

    def begin_out(self, fog: FogChange) -> None:
        """Begin to fade out; the first step follows in the next tick."""

    def step_out(self) -> bool:
        """A tick of fading out."""
        return True

    def move(self) -> None:
        """The end of every tick in which the weather has not ended."""

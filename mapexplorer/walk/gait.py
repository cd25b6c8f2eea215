"""The speeds of movements: fx32 units per tick, one entry per tick of a movement over one or more tiles.

A tick is 1/29.9 s. Numbers: the movement actions of the Platinum field code.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Any, Final

from formats.fixed import ONE
from mapexplorer.games import DEFAULT
from mapexplorer.world.behaviour import DEEP_SNOW, DEEPER_SNOW, DEEPEST_SNOW
from mapexplorer.world.cells import TILE_UNITS

TOP_SPEED: Final = 3
"""The highest speed of the fourth gear; a bike slope needs it."""


class Mode(IntEnum):
    """What the player moves on."""

    FOOT = 0
    SURF = 1
    BICYCLE = 2


@dataclass(frozen=True)
class Gait:
    """A way of moving in a straight line: `name`, how many `tiles`, fx32 units and height offset of every tick."""

    name: str
    tiles: int
    steps: tuple[int, ...]
    heights: tuple[int, ...] = ()

    @property
    def ticks(self) -> int:
        """How long it takes."""
        return len(self.steps)


def _even(name: str, ticks: int, tiles: int = 1, heights: tuple[int, ...] = ()) -> Gait:
    return Gait(name, tiles, (tiles * TILE_UNITS * ONE // ticks,) * ticks, heights)


def _uneven(name: str, units: list[int]) -> Gait:
    return Gait(name, 1, tuple(unit * ONE for unit in units))


_TABLE: dict[str, Any] = DEFAULT.tables.raw("movement")
_TICKS: dict[str, Any] = _TABLE["ticks per tile"]
_CURVE: tuple[int, ...] = tuple(_TABLE["ledge"]["heights"])

BUMP_TICKS: Final = int(_TABLE["bump ticks"])
TURN_TICKS: Final = int(_TABLE["turn ticks"])


def _jump(name: str, ticks: int, tiles: int) -> Gait:
    """A hop along the height curve of a ledge, stretched to its length."""
    heights = tuple(_CURVE[tick * len(_CURVE) // ticks] * ONE for tick in range(ticks))
    return _even(name, ticks, tiles, heights)


WALK: Final = _even("walk", _TICKS["walk"])
RUN: Final = _even("run", _TICKS["run"])
SURF: Final = _even("surf", _TICKS["surf"])
SLOW: Final = _even("slow walk", _TICKS["walk_slow"])
THIRD_GEAR: Final = _uneven("bicycle, third gear", _TABLE["bicycle steps"]["3_ticks"])
FOURTH_GEAR: Final = (
    _uneven("bicycle, fourth gear, first speed", _TABLE["bicycle steps"]["6_ticks"]),
    _even("bicycle, fourth gear, second speed", 4),
    _uneven("bicycle, fourth gear, third speed", _TABLE["bicycle steps"]["3_ticks"]),
    _even("bicycle, fourth gear, top speed", 2),
)
FAST_RIDE: Final = _even("fast ride", 2)
SLIDE: Final = (
    _even("slide", 4),
    _uneven("slide, second speed", _TABLE["bicycle steps"]["3_ticks"]),
    _even("slide, third speed", 2),
    _even("slide, top speed", 2),
)
SPINNING: Final = _even("spin", _TICKS["walk"])
CLIMB: Final = _even("climb", _TICKS["surf"])
LEDGE_JUMP: Final = _jump("ledge", _TABLE["ledge"]["ticks"], _TABLE["ledge"]["tiles"])
DOUBLE_LEDGE_JUMP: Final = _jump("double ledge", _TABLE["double ledge"]["ticks"], _TABLE["double ledge"]["tiles"])
SHORE_HOP: Final = _jump("hop", 8, 1)
RAMP_HOP: Final = _jump("short hop from a ramp", 16, 1)
RAMP_JUMP: Final = _jump("long jump from a ramp", 12, 3)

SNOW_GAITS: Final = {
    DEEP_SNOW: _even("walk in deep snow", _TICKS["deep_snow"]),
    DEEPER_SNOW: _even("walk in deeper snow", _TICKS["deeper_snow"]),
    DEEPEST_SNOW: _even("walk in deepest snow", _TICKS["deepest_snow"]),
}


@cache
def step_gait(mode: Mode, gear: int, speed: int, running: bool, behaviour: int) -> Gait:
    """The gait of a plain step that begins on a tile with `behaviour`; in snow walking and running are equally slow."""
    if mode == Mode.SURF:
        return SURF
    if mode == Mode.BICYCLE:
        return FOURTH_GEAR[speed] if gear == 4 else THIRD_GEAR
    return SNOW_GAITS.get(behaviour) or (RUN if running else WALK)

"""The speeds of movements: fx32 units per tick, one entry per tick of a movement over one or more tiles.

A tick is 1/29.9 s. Numbers: the movement actions of the Platinum field code.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Final

from formats.fixed import ONE
from mapexplorer.games.tables import Tables
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


def _uneven(name: str, units: tuple[int, ...]) -> Gait:
    return Gait(name, 1, tuple(unit * ONE for unit in units))


def _jump(name: str, curve: tuple[int, ...], ticks: int, tiles: int) -> Gait:
    """A hop along the height curve of a ledge, stretched to its length."""
    return _even(name, ticks, tiles, tuple(curve[tick * len(curve) // ticks] * ONE for tick in range(ticks)))


class Gaits:
    """The gaits of a game, how many ticks a turn and a bump take, and the heights of a jump from a ledge in units."""

    def __init__(self, tables: Tables) -> None:
        table = tables.movement
        ticks = table.ticks_per_tile
        self.ledge_curve = curve = table.ledge_heights
        self.bump_ticks = table.bump_ticks
        self.turn_ticks = table.turn_ticks
        self.walk = _even("walk", ticks["walk"])
        self.run = _even("run", ticks["run"])
        self.surf = _even("surf", ticks["surf"])
        self.slow = _even("slow walk", ticks["walk_slow"])
        self.third_gear = _uneven("bicycle, third gear", table.three_ticks)
        self.fourth_gear = (
            _uneven("bicycle, fourth gear, first speed", table.six_ticks),
            _even("bicycle, fourth gear, second speed", 4),
            _uneven("bicycle, fourth gear, third speed", table.three_ticks),
            _even("bicycle, fourth gear, top speed", 2),
        )
        self.fast_ride = _even("fast ride", 2)
        self.slide = (
            _even("slide", 4),
            _uneven("slide, second speed", table.three_ticks),
            _even("slide, third speed", 2),
            _even("slide, top speed", 2),
        )
        self.spinning = _even("spin", ticks["walk"])
        self.climb = _even("climb", ticks["surf"])
        self.ledge_jump = _jump("ledge", curve, *table.ledge)
        self.double_ledge_jump = _jump("double ledge", curve, *table.double_ledge)
        self.shore_hop = _jump("hop", curve, 8, 1)
        self.ramp_hop = _jump("short hop from a ramp", curve, 16, 1)
        self.ramp_jump = _jump("long jump from a ramp", curve, 12, 3)
        groups = tables.behaviour_groups
        depths = (
            (groups.deep_snow, _even("walk in deep snow", ticks["deep_snow"])),
            (groups.deeper_snow, _even("walk in deeper snow", ticks["deeper_snow"])),
            (groups.deepest_snow, _even("walk in deepest snow", ticks["deepest_snow"])),
        )
        self.in_snow = {behaviour: gait for group, gait in depths for behaviour in group}

    def step(self, mode: Mode, gear: int, speed: int, running: bool, behaviour: int) -> Gait:
        """The gait of a plain step that begins on a tile with `behaviour`; in snow walking and running are equally
        slow."""
        if mode == Mode.SURF:
            return self.surf
        if mode == Mode.BICYCLE:
            return self.fourth_gear[speed] if gear == 4 else self.third_gear
        return self.in_snow.get(behaviour) or (self.run if running else self.walk)


@cache
def gaits_of(tables: Tables) -> Gaits:
    """The gaits of a game with these tables."""
    return Gaits(tables)

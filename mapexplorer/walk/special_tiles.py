"""Forced movements of tiles after a step: ice, spin tiles, bike slopes and ramps, the Cycling Road.

`forced` returns the next movement without a key; the walker executes it and calls `forced` again. Source: the Platinum
field code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from mapexplorer.features.surface import Surface
from mapexplorer.map_objects.gait import TOP_SPEED, Gait, Mode
from mapexplorer.walk.ground import Ground, ObjectsOn
from mapexplorer.walk.rules import Move, Standing, decide
from mapexplorer.world.direction import EAST, NORTH, OPPOSITE, SOUTH, WEST, Direction


@dataclass
class Momentum:
    """The state of a forced movement between tiles: slide speed (0 to 3), spin direction, sliding back, and
    `released`: the present tile forces no further movement until the player leaves it."""

    slide: int = 0
    spin: Direction | None = None
    sliding_back: bool = False
    released: bool = False


class Forced(NamedTuple):
    """A forced movement in `direction`; the facing changes too, unless `locked`."""

    kind: str
    direction: Direction
    gait: Gait
    locked: bool = False


def forced(
    ground: Ground,
    standing: Standing,
    moving: Direction,
    momentum: Momentum,
    held: Direction | None,
    people: ObjectsOn | None,
) -> Forced | None:
    """The movement that follows a step in direction `moving`, with `held` pressed; changes `momentum`."""
    if standing.surface is not Surface.LAND:
        return None
    groups, behaviour = ground.groups, ground.behaviour(standing.x, standing.z)
    spun = _spin(ground, standing, behaviour, momentum, people)
    if spun is not None or momentum.released:
        return spun
    if behaviour in groups.ice:
        return _ice(ground, standing, moving, momentum, people)
    momentum.slide = 0
    if behaviour in groups.slopes:
        return _slope(ground, standing, moving, momentum, held, people)
    momentum.sliding_back = False
    if behaviour in groups.ramps and standing.mode is Mode.BICYCLE:
        direction = EAST if behaviour in groups.ramp[EAST] else WEST
        return Forced("ramp", direction, ground.gaits.ramp_jump if standing.gear == 4 else ground.gaits.ramp_hop)
    return None


def _free(ground: Ground, standing: Standing, direction: Direction, people: ObjectsOn | None) -> bool:
    """Whether the tile ahead is free; on ice and spin tiles ledges and water are obstacles too."""
    return decide(ground, standing, direction, people).move is Move.STEP


def _spin(
    ground: Ground, standing: Standing, behaviour: int, momentum: Momentum, people: ObjectsOn | None
) -> Forced | None:
    if behaviour in ground.groups.stop_sliding:
        momentum.spin = None
    spun = (direction for direction in Direction if behaviour in ground.groups.spin[direction])
    momentum.spin = next(spun, momentum.spin)
    if momentum.spin is None:
        return None
    if not _free(ground, standing, momentum.spin, people):
        momentum.spin = None
        return None
    return Forced("spin", momentum.spin, ground.gaits.spinning, True)


def _ice(
    ground: Ground, standing: Standing, moving: Direction, momentum: Momentum, people: ObjectsOn | None
) -> Forced | None:
    rise = ground.rise(standing.x, standing.z, standing.y, moving)
    if _free(ground, standing, moving, people):
        speed = momentum.slide + (rise < 0) - (rise > 0)
        if speed >= 0:
            momentum.slide = min(speed, len(ground.gaits.slide) - 1)
            return Forced("ice", moving, ground.gaits.slide[momentum.slide], True)
    elif rise <= 0:
        momentum.released = True
        return None
    momentum.slide = 0
    momentum.released = True
    if _free(ground, standing, OPPOSITE[moving], people):
        return Forced("ice", OPPOSITE[moving], ground.gaits.slow, True)
    return None


def _slope(
    ground: Ground,
    standing: Standing,
    moving: Direction,
    momentum: Momentum,
    held: Direction | None,
    people: ObjectsOn | None,
) -> Forced | None:
    if moving not in (NORTH, SOUTH):
        return None
    if moving == NORTH and _fast(standing) and held == NORTH:
        return Forced("slope", NORTH, ground.gaits.fast_ride) if _free(ground, standing, NORTH, people) else None
    if not _free(ground, standing, SOUTH, people):
        return None
    if moving == NORTH or momentum.sliding_back:
        momentum.sliding_back = True
        return Forced("slope", SOUTH, ground.gaits.slow, True)
    return Forced("slope", SOUTH, ground.gaits.fast_ride)


def _fast(standing: Standing) -> bool:
    return standing.mode is Mode.BICYCLE and standing.gear == 4 and standing.speed >= TOP_SPEED


def rolls_south(ground: Ground, standing: Standing, people: ObjectsOn | None) -> bool:
    """Whether a bicycle rolls south without a key: on the deck of the Cycling Road."""
    return (
        standing.mode is Mode.BICYCLE
        and ground.world.headers[ground.zone(standing.x, standing.z)].internal_name == ground.world.game.cycling_road
        and NORTH in ground.groups.bike_bridge(ground.behaviour(standing.x, standing.z), standing.elevated)
        and _free(ground, standing, SOUTH, people)
    )

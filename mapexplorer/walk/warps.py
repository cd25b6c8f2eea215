"""Warps: the steps that fire them, their targets, and the arrival of the player.

A warp is fired in two ways: pushing against something solid (a door ahead, a mat or stairs underfoot), and stepping
onto a panel, an escalator or a northern entrance. Source: the Platinum field code.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from formats.field.terrain_attribute import BEHAVIOUR
from mapexplorer.features.surface import Surface
from mapexplorer.games.behaviour_groups import BehaviourGroups
from mapexplorer.walk.ground import Ground
from mapexplorer.walk.rules import Standing
from mapexplorer.world import wording
from mapexplorer.world.direction import DX, DZ, EAST, NORTH, OPPOSITE, SOUTH, WEST, Direction
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.sources.damage import Damage
from mapexplorer.world.sources.files import WorldFiles
from mapexplorer.world.sources.readable import readable_events, readable_warp_target


class Transition(Enum):
    """The transition of the picture during a warp."""

    DOOR = "door"
    MAT = "mat"
    STAIRS = "stairs"
    PANEL = "warp panel"
    ESCALATOR = "escalator"


class WarpArrival(Enum):
    """The arrival of the player at the target."""

    DOOR = "out of a door, one tile south"
    STEP_SOUTH = "one tile south"
    STAND = "stands there"
    STAIRS = "walks slowly onto the stairs' tile"
    ESCALATOR = "rides onto the escalator's tile"
    SPIN = "appears with a spin"


@dataclass(frozen=True)
class WarpUse:
    """A warp that fires: the zone whose event it is, its number, the tile of the event, and its transition."""

    zone: int
    number: int
    tile: tuple[int, int]
    transition: Transition


@dataclass(frozen=True)
class Spot:
    """A tile of the map that is entered through `header`."""

    header: int
    x: int
    z: int


@dataclass(frozen=True)
class WarpTarget:
    """The target of a warp. `returns`: the tile where the player came from; `problem`: why it has no target."""

    spot: Spot | None
    returns: bool = False
    problem: str = ""


def resolve(world: WorldFiles, zone: int, number: int) -> WarpTarget:
    """The target of warp `number` of header `zone`."""
    damaged: list[Damage] = []
    target = readable_warp_target(world, zone, number, damaged)
    if damaged:
        return WarpTarget(None, problem=wording.damage(damaged[0]))
    if target is not None:
        return WarpTarget(Spot(*target))
    nowhere = world.warp_fault(zone, number)
    return WarpTarget(None, returns=not nowhere, problem=nowhere and f"the warp leads nowhere: {nowhere}")


def at_warp(world: WorldFiles, header: int, number: int) -> WarpTarget:
    """The tile of warp `number` of a header, for a warp that code sends there."""
    events = readable_events(world, header)
    if events is None or number >= len(events.warps):
        return WarpTarget(None, problem=f"header {header} has no warp {number}")
    return WarpTarget(Spot(header, int(events.warps[number]["x"]), int(events.warps[number]["z"])))


@dataclass(frozen=True)
class Warp:
    """Warp `number` of header `header`: the matrix-wide tile that it stands on, and where it leads."""

    header: int
    number: int
    tile: tuple[int, int]
    target: WarpTarget


def warps_of(world: WorldFiles, header: int) -> tuple[Warp, ...]:
    """The warps of a header, none for one without events."""
    events = readable_events(world, header)
    tiles_of = [] if events is None else events.warps[["x", "z"]].tolist()
    return tuple(Warp(header, number, tile, resolve(world, header, number)) for number, tile in enumerate(tiles_of))


def entrance(place: FieldPlace) -> tuple[int, int] | None:
    """The tile on which the player stands after coming in by the first warp of a place that leads elsewhere; None
    without one."""
    for warp in warps_of(place.world, place.header.id):
        if warp.target.returns or (warp.target.spot is not None and warp.target.spot.header != place.header.id):
            behaviour = place.terrain.attribute(*warp.tile) & BEHAVIOUR
            how, _ = arrival(place.terrain.groups, Transition.MAT, behaviour, NORTH)
            return warp.tile[0], warp.tile[1] + (how is WarpArrival.DOOR)
    return None


def pushed(ground: Ground, standing: Standing, direction: Direction) -> WarpUse | None:
    """The warp that fires when the player is refused a step in `direction`."""
    x, z = standing.x, standing.z
    if standing.surface is not Surface.LAND:
        return None
    ahead = (x + DX[direction], z + DZ[direction])
    if direction == NORTH and ground.behaviour(*ahead) in ground.groups.door:
        there = ground.warp_at(*ahead)
        if there is not None:
            return WarpUse(*there, ahead, Transition.DOOR)
    behaviour = ground.behaviour(x, z)
    stairs = behaviour in ground.groups.stairs[direction]
    if not stairs and behaviour not in ground.groups.push[direction]:
        return None
    here = ground.warp_at(x, z)
    return None if here is None else WarpUse(*here, (x, z), Transition.STAIRS if stairs else Transition.MAT)


def stepped(ground: Ground, standing: Standing, direction: Direction) -> WarpUse | None:
    """The warp that fires when a step in `direction` has ended."""
    x, z = standing.x, standing.z
    if standing.surface is not Surface.LAND:
        return None
    groups, behaviour = ground.groups, ground.behaviour(x, z)
    if behaviour not in groups.step_warps:
        return None
    if behaviour in groups.northern_warps and direction != NORTH:
        return None
    here = ground.warp_at(x, z)
    if here is None:
        return None
    if behaviour in groups.panel:
        return WarpUse(*here, (x, z), Transition.PANEL)
    return WarpUse(*here, (x, z), Transition.ESCALATOR if behaviour in groups.escalator else Transition.MAT)


def arrival(
    groups: BehaviourGroups, transition: Transition, behaviour: int, facing: Direction
) -> tuple[WarpArrival, Direction]:
    """The arrival on a tile with `behaviour`, and the facing after it."""
    if transition is Transition.PANEL:
        return WarpArrival.SPIN, facing
    if transition is Transition.STAIRS:
        outward = next((side for side in _SIDES if behaviour in groups.stairs[side]), None)
        return WarpArrival.STAIRS, OPPOSITE[outward] if outward is not None else facing if facing in _SIDES else EAST
    if transition is Transition.ESCALATOR:
        turned = OPPOSITE[facing] if behaviour in groups.escalator_flipping else facing
        return WarpArrival.ESCALATOR, turned if turned in _SIDES else EAST
    if behaviour in groups.door:
        return WarpArrival.DOOR, SOUTH
    return (WarpArrival.STEP_SOUTH if facing == SOUTH else WarpArrival.STAND), facing


_SIDES: Final = (WEST, EAST)

"""The tile behaviours used by the rules, as groups and single behaviours, as in the game's code."""

from __future__ import annotations

from typing import Final

from mapexplorer.games import DEFAULT
from mapexplorer.world.direction import EAST, NORTH, SOUTH, WEST, Direction

VERY_TALL_GRASS: Final = 0x03
WATERFALL: Final = 0x13
ICE: Final = 0x20
ROCK_CLIMB_NORTH_SOUTH: Final = 0x4B
ROCK_CLIMB_EAST_WEST: Final = 0x4C
DYNAMIC_HEIGHT: Final = 0x59
ENTRANCE_NORTH: Final = 0x64
PANEL: Final = 0x67
DOOR: Final = 0x69
ESCALATOR_FLIPPING: Final = 0x6A
ESCALATOR: Final = 0x6B
WARP_NORTH: Final = 0x6E
BRIDGE_START: Final = 0x70
TABLE: Final = 0x80
DEEP_SNOW, DEEPER_SNOW, DEEPEST_SNOW = 0xA1, 0xA2, 0xA3
RAMP_EAST: Final = 0xD7
RAMP_WEST: Final = 0xD8
NULL: Final = 0xFF

_group = DEFAULT.tables.behaviour_group

NAMES: Final = {direction: direction.word for direction in Direction}

BLOCKS: Final = tuple(_group(f"blocks {NAMES[direction]}") for direction in Direction)
"""By direction: tiles that cannot be left in this direction, nor entered from this side."""
LEDGE: Final = tuple(_group(f"ledge {NAMES[direction]}") for direction in Direction)
DOUBLE_LEDGE: Final = tuple(_group(f"double ledge {NAMES[direction]}") for direction in Direction)
RAMP: Final = (frozenset[int](), frozenset[int](), frozenset({RAMP_WEST}), frozenset({RAMP_EAST}))
RAMPS: Final = frozenset({RAMP_EAST, RAMP_WEST})
SLOPES: Final = frozenset({0xD9, 0xDA})
SPIN: Final = {0x40: EAST, 0x41: WEST, 0x42: NORTH, 0x43: SOUTH}
ROCK_CLIMB: Final = (
    frozenset({ROCK_CLIMB_NORTH_SOUTH}), frozenset({ROCK_CLIMB_NORTH_SOUTH}),
    frozenset({ROCK_CLIMB_EAST_WEST}), frozenset({ROCK_CLIMB_EAST_WEST}),
)  # fmt: skip
FALLS: Final = (frozenset({WATERFALL}), frozenset({WATERFALL}), frozenset[int](), frozenset[int]())

SURFABLE: Final = frozenset(number for number, known in DEFAULT.tables.behaviours.items() if known.surf)
BRIDGE: Final = _group("bridge")
BRIDGE_OVER_WATER: Final = _group("bridge over water")
BRIDGE_OVER_SAND: Final = _group("bridge over sand")
BRIDGE_OVER_SNOW: Final = _group("bridge over snow")
BIKE_BRIDGE_NORTH_SOUTH: Final = _group("bike bridge north-south")
BIKE_BRIDGE_EAST_WEST: Final = _group("bike bridge east-west")
SNOW: Final = _group("snow")
MUD: Final = _group("mud")
MUD_GRASS: Final = _group("mud grass")
TALL_GRASS: Final = _group("tall grass")
SHALLOW_WATER: Final = _group("shallow water")
PUDDLE: Final = _group("puddle")
MIRROR: Final = _group("mirror floor")
REFLECTIVE: Final = _group("reflective")
SAND: Final = _group("sand")
SHALLOW_SNOW: Final = _group("shallow snow")
SNOW_WITH_SHADOWS: Final = _group("snow with shadows")
NO_BICYCLE: Final = MUD | MUD_GRASS | {VERY_TALL_GRASS}
PUSH: Final = {
    EAST: _group("warp when pushing east"),
    WEST: _group("warp when pushing west"),
    SOUTH: _group("warp when pushing south"),
}
STAIRS: Final = {EAST: _group("warp stairs east"), WEST: _group("warp stairs west")}
STEP_WARPS: Final = _group("warp on step")


def on_water(behaviour: int, elevated: bool) -> bool:
    """Whether a tile is water for a player: a bridge over water is one only below the deck."""
    return behaviour in SURFABLE and not (elevated and behaviour in BRIDGE_OVER_WATER)


def on_snow(behaviour: int, elevated: bool) -> bool:
    """Whether a tile is snow for a player; a bridge over snow is one only below the deck."""
    return behaviour in SNOW or (behaviour in BRIDGE_OVER_SNOW and not elevated)


def bike_bridge(behaviour: int, elevated: bool) -> tuple[Direction, ...]:
    """The directions of a bike bridge's deck; empty for any other tile and for a player below the deck."""
    if not elevated:
        return ()
    if behaviour in BIKE_BRIDGE_NORTH_SOUTH:
        return (NORTH, SOUTH)
    return (WEST, EAST) if behaviour in BIKE_BRIDGE_EAST_WEST else ()


def elevated_on(behaviour: int, elevated: bool) -> bool:
    """The elevated flag after entering a tile: a bridge start sets it, bridge tiles keep it, all others clear it."""
    return behaviour == BRIDGE_START or (elevated and behaviour in BRIDGE)

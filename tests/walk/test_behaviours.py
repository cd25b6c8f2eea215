"""Every tile behaviour of the table, entered on foot, on the water and on a bicycle from all four sides."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mapexplorer.games.platinum import PLATINUM
from mapexplorer.walk import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    Direction,
    Mode,
    Move,
    Standing,
    StepRule,
    Walker,
    decide,
    refusal,
)

SOLID = 0x8000
WATER = {0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x19, 0x22, 0x2A, 0x50, 0x51, 0x52, 0x53, 0x73, 0x78, 0x7C}
CLOSED_FROM = {
    # A tile that cannot be left northward cannot be entered southward, and so on: behaviour -> refused directions.
    0x30: {WEST},
    0x31: {EAST},
    0x32: {SOUTH},
    0x33: {NORTH},
    0x34: {SOUTH, WEST},
    0x35: {SOUTH, EAST},
    0x36: {NORTH, WEST},
    0x37: {NORTH, EAST},
    0x49: {NORTH, SOUTH},
    0x4A: {WEST, EAST},
}
LEDGES = {0x38: EAST, 0x39: WEST, 0x3A: NORTH, 0x3B: SOUTH}
DOUBLE = {0x5A: NORTH, 0x5B: SOUTH, 0x5C: WEST, 0x5D: EAST}
RAMPS = {0xD7: EAST, 0xD8: WEST}
NO_BICYCLE = {0x03, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7, 0xA8, 0x75}
NORTH_SOUTH_DECKS = {0x76, 0x77, 0x78, 0x79}
EAST_WEST_DECKS = {0x7A, 0x7B, 0x7C, 0x7D}
BEHAVIOURS = sorted(PLATINUM.tables.behaviours)


def expected(
    behaviour: int, direction: Direction, mode: Mode, elevated: bool, speed: int
) -> tuple[Move, StepRule | None]:
    """What the facts say, written out by hand."""
    if mode is not Mode.SURF:
        if LEDGES.get(behaviour) == direction:
            return Move.LEDGE, None
        if DOUBLE.get(behaviour) == direction:
            return Move.DOUBLE_LEDGE, None
        if RAMPS.get(behaviour) == direction:
            return (Move.ONTO_RAMP, None) if mode is Mode.BICYCLE and speed == 3 else (Move.BUMP, StepRule.BIKE_RAMP)
    if behaviour == 0xFF:
        return Move.BUMP, StepRule.UNLOADED
    if direction in CLOSED_FROM.get(behaviour, ()):
        return Move.BUMP, StepRule.EDGE_AHEAD
    along = direction in (NORTH, SOUTH)
    deck = behaviour in NORTH_SOUTH_DECKS | EAST_WEST_DECKS
    if elevated and deck and not (mode is Mode.BICYCLE and along == (behaviour in NORTH_SOUTH_DECKS)):
        return Move.BUMP, StepRule.BIKE_BRIDGE
    water = behaviour in WATER and not (elevated and behaviour in {0x73, 0x78, 0x7C})
    if mode is Mode.SURF and behaviour == 0x13:
        return Move.BUMP, StepRule.WATERFALL
    if mode is Mode.SURF:
        return (Move.STEP, None) if water else (Move.ASHORE, None)
    if water:
        return Move.BUMP, StepRule.WATER
    if mode is Mode.BICYCLE and behaviour in NO_BICYCLE and not (elevated and behaviour == 0x75):
        return Move.BUMP, StepRule.BICYCLE
    return Move.STEP, None


def test_the_table_is_covered() -> None:
    assert len(BEHAVIOURS) == 122
    assert set(WATER) == {number for number, known in PLATINUM.tables.behaviours.items() if known.surf}


@pytest.mark.parametrize("behaviour", BEHAVIOURS, ids=lambda number: f"0x{number:02X}")
def test_entering(behaviour: int, make_walker: Callable[..., Walker]) -> None:
    cases = 0
    for direction in Direction:
        dx, dz = ((0, -1), (0, 1), (-1, 0), (1, 0))[direction]
        walker = make_walker(10, 10, tiles={(10 + dx, 10 + dz): behaviour})
        solid = make_walker(10, 10, tiles={(10 + dx, 10 + dz): behaviour | SOLID})
        for mode, speed in ((Mode.FOOT, 0), (Mode.SURF, 0), (Mode.BICYCLE, 0), (Mode.BICYCLE, 3)):
            for elevated in (False, True):
                standing = Standing(10, 10, 0, elevated, mode, 4, speed)
                want = expected(behaviour, direction, mode, elevated, speed)
                assert tuple(decide(walker.ground, standing, direction)) == want, (direction, standing)
                jumps = want[0] in (Move.LEDGE, Move.DOUBLE_LEDGE, Move.ONTO_RAMP) or want[1] is StepRule.BIKE_RAMP
                want_solid = want if jumps else (Move.BUMP, StepRule.COLLISION)
                assert tuple(decide(solid.ground, standing, direction)) == want_solid, (direction, standing)
                if want[1] is not None:
                    why = refusal(walker.ground, standing, direction, want[1])
                    assert why.tile == (10 + dx, 10 + dz) and why.sentence.endswith(".")
                cases += 1
    assert cases == 32


@pytest.mark.parametrize("behaviour", sorted(CLOSED_FROM), ids=lambda number: f"0x{number:02X}")
def test_leaving_one_way_tiles(behaviour: int, make_walker: Callable[..., Walker]) -> None:
    walker = make_walker(10, 10, tiles={(10, 10): behaviour})
    for direction in Direction:
        opposite = (SOUTH, NORTH, EAST, WEST)[direction]
        move, rule = decide(walker.ground, walker.standing, direction)
        if opposite in CLOSED_FROM[behaviour]:
            assert (move, rule) == (Move.BUMP, StepRule.EDGE_HERE)
        else:
            assert (move, rule) == (Move.STEP, None)


@pytest.mark.parametrize("behaviour", BEHAVIOURS, ids=lambda number: f"0x{number:02X}")
def test_the_elevated_flag(behaviour: int, make_walker: Callable[..., Walker]) -> None:
    elevated_on = PLATINUM.tables.behaviour_groups.elevated_on
    assert elevated_on(behaviour, False) == (behaviour == 0x70)
    assert elevated_on(behaviour, True) == (0x70 <= behaviour <= 0x7D)

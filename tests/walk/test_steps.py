"""The step test's numbers: heights, levels, people, and the sentence that names the rule."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from mapexplorer.walk import EAST, NORTH, SOUTH, WEST, Mode, Move, Standing, StepRule, Walker, decide
from mapexplorer.world.terrain.obstacle import obstacle
from tools.demo_world.plates import Plate

FX = 4096
WEST_HALF = Plate(-256, -256, 0, 256, 0)


@pytest.mark.parametrize(("height", "refused"), [(19, False), (20, True), (-19, False), (-20, True)])
def test_twenty_units(height: int, refused: bool, make_walker: Callable[..., Walker]) -> None:
    """Less than 20.0 units up or down is a step; the fraction counts."""
    walker = make_walker(15, 5, plates=(WEST_HALF, Plate(1, -256, 256, 256, height)))
    move, rule = decide(walker.ground, walker.standing, EAST)
    assert (move, rule) == ((Move.BUMP, StepRule.HEIGHT) if refused else (Move.STEP, None))
    almost = walker.standing._replace(y=1 if height > 0 else -1)
    assert decide(walker.ground, almost, EAST).rule is None
    why = walker.refused(EAST)
    assert (why is not None) == refused
    if why is not None:
        assert why.rule is StepRule.HEIGHT and why.numbers["ahead"] == height and why.numbers["limit"] == 20
        assert f"is at {height}" in why.sentence


def test_no_plate_counts_as_height_zero(make_walker: Callable[..., Walker]) -> None:
    """Impassable from 20 up, harmless below; the height then stays."""
    low = make_walker(15, 5, plates=(Plate(-256, -256, 0, 256, 19),))
    assert low.decide(EAST).move is Move.STEP
    ticks = list(low.press(EAST))
    assert [tick.position[1] for tick in ticks] == [19 * FX] * len(ticks)
    assert low.standing.y == 19 * FX
    high = make_walker(15, 5, plates=(Plate(-256, -256, 0, 256, 20),))
    assert high.decide(EAST).rule is StepRule.HEIGHT
    assert "no plate" in str(high.refused(EAST))


def test_stairs_follow_the_slope(make_walker: Callable[..., Walker]) -> None:
    """16 units per tile pass, and the height follows every tick."""
    plates = (Plate(-256, -256, 0, 256, 0), Plate(0, -256, 64, 256, 0, 16), Plate(64, -256, 256, 256, 64))
    walker = make_walker(15, 5, plates=plates)
    ticks = [tick for _ in range(6) for tick in walker.press(EAST)]
    heights = [tick.position[1] / FX for tick in ticks if tick.gait == "walk"]
    assert walker.y == 64 * FX and (walker.x, walker.z) == (21, 5)
    assert all(0 <= after - before <= 2.01 for before, after in itertools.pairwise(heights))


def test_the_nearest_level_wins(make_walker: Callable[..., Walker]) -> None:
    """A bridge over a path: the deck for who comes along the deck, the path for who comes below."""
    plates = (Plate(-256, -256, 256, 256, 0), Plate(-64, -256, 64, 256, 64))
    below = make_walker(11, 5, plates=plates, near=0)
    for _ in range(9):
        list(below.press(EAST))
    assert (below.x, below.y) == (20, 0)
    above = make_walker(14, 5, plates=plates)
    assert above.y == 64 * FX
    list(above.press(SOUTH))
    assert (above.z, above.y) == (6, 64 * FX)
    list(above.press(WEST))
    list(above.press(WEST))
    assert above.last_refusal is None and (above.x, above.y) == (12, 64 * FX)
    list(above.press(WEST))
    assert above.last_refusal is not None and above.last_refusal.rule is StepRule.HEIGHT


def test_the_elevated_flag_over_water(make_walker: Callable[..., Walker]) -> None:
    """A bridge over water is water for who is not on it, and ground for who came over the bridge start."""
    tiles = {(10, 5): 0x70, (11, 5): 0x73, (12, 5): 0x73}
    walker = make_walker(10, 5, tiles=tiles)
    assert walker.elevated
    list(walker.press(EAST))
    list(walker.press(EAST))
    assert (walker.x, walker.elevated, walker.mode) == (12, True, Mode.FOOT)
    list(walker.press(EAST))
    assert (walker.x, walker.elevated) == (13, False)
    list(walker.press(WEST))
    assert walker.last_refusal is not None and walker.last_refusal.rule is StepRule.WATER


def test_people_stand_in_the_way_on_their_level(make_walker: Callable[..., Walker]) -> None:
    """Heights are compared in steps of 8 units, cut off toward 0, fewer than 2 apart."""
    someone = {"x": 11, "z": 5, "y": 0, "hidden_flag": 77, "script": 9}
    plates = (Plate(-256, -256, 256, 256, 0), Plate(-96, -256, 256, 256, 64))
    walker = make_walker(10, 5, objects=(someone,), plates=plates, near=0)
    why = walker.refused(EAST)
    assert why is not None and why.rule is StepRule.PERSON and why.numbers["hidden_flag"] == 77
    assert decide(walker.ground, walker.standing, EAST).move is Move.STEP
    for y, meets in ((15, True), (16, False), (-15, True), (-16, False)):
        standing = Standing(10, 5, y * FX)
        assert (decide(walker.ground, standing, EAST, walker.ground.objects_on).rule is StepRule.PERSON) == meets, y


def test_a_moving_platform_competes_with_the_ground(make_walker: Callable[..., Walker]) -> None:
    """It must be above the ground and nearer to the present height; its tile 0x59 is then closed."""
    ground = make_walker(10, 5, tiles={(11, 5): 0x59}).ground
    assert obstacle(ground, 10, 5, 16 * FX, EAST, None) is None
    assert obstacle(ground, 10, 5, 16 * FX, EAST, 16 * FX) is StepRule.DYNAMIC_HEIGHT
    assert obstacle(ground, 10, 5, 0, EAST, 16 * FX) is None
    assert obstacle(ground, 10, 5, 16 * FX, EAST, -8 * FX) is None
    plain = make_walker(10, 5).ground
    assert obstacle(plain, 10, 5, 40 * FX, EAST, None) is StepRule.HEIGHT
    assert obstacle(plain, 10, 5, 40 * FX, EAST, 40 * FX) is None


def test_the_edge_of_the_land(make_walker: Callable[..., Walker]) -> None:
    walker = make_walker(0, 0)
    assert walker.decide(WEST).rule is StepRule.UNLOADED
    assert walker.decide(NORTH).rule is StepRule.UNLOADED
    raised = make_walker(0, 0, plates=(Plate(-256, -256, 256, 256, 32),))
    assert raised.decide(WEST).rule is StepRule.HEIGHT

"""The tiles of the other games on hand-made maps, where their meaning differs from Platinum."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest

from mapexplorer.games import DEFAULT, GAMES, Game
from mapexplorer.games.diamond_pearl import DIAMOND_PEARL
from mapexplorer.games.heartgold_soulsilver import HEARTGOLD_SOULSILVER
from mapexplorer.walk import EAST, NORTH, SOUTH, WEST, Direction, Move, Spot, StepRule, Walker
from mapexplorer.walk.reach import search
from mapexplorer.world.terrain.behaviour_meaning import behaviour_arrow

LADDER_NORTH, LADDER_SOUTH = 60, 61
SLIDE_EAST, SLIDE_WEST, SLIDE_NORTH, SLIDE_SOUTH, STOP = 64, 65, 66, 67, 77
SLIDES = {SLIDE_EAST: EAST, SLIDE_WEST: WEST, SLIDE_NORTH: NORTH, SLIDE_SOUTH: SOUTH}
ICE = 32
DX, DZ = (0, 0, -1, 1), (-1, 1, 0, 0)


def press(walker: Walker, direction: Direction) -> tuple[int, int]:
    """Press a direction, wait until every movement ends; where the player is then."""
    for _ in walker.press(direction):
        pass
    return walker.x, walker.z


@pytest.mark.parametrize(("ladder", "closed"), [(LADDER_NORTH, NORTH), (LADDER_SOUTH, SOUTH)])
def test_a_ladder_of_heartgold_closes_one_side(
    ladder: int, closed: Direction, make_walker: Callable[..., Walker]
) -> None:
    opposite = (SOUTH, NORTH)[closed]
    on = make_walker(10, 10, tiles={(10, 10): ladder}, game=HEARTGOLD_SOULSILVER)
    assert [on.decide(direction).rule for direction in Direction] == [
        StepRule.EDGE_HERE if direction == closed else None for direction in Direction
    ]
    for direction in Direction:
        tile = (10 + DX[direction], 10 + DZ[direction])
        before = make_walker(10, 10, tiles={tile: ladder}, game=HEARTGOLD_SOULSILVER)
        assert before.decide(direction).rule == (StepRule.EDGE_AHEAD if direction == opposite else None)
        assert make_walker(10, 10, tiles={tile: ladder}).decide(direction).move is Move.STEP
    assert press(on, closed) == (10, 10) and press(on, opposite) == (10, 10 + DZ[opposite])


@pytest.mark.parametrize("slide", SLIDES)
def test_a_slide_of_heartgold_ends_at_a_stop_tile(slide: int, make_walker: Callable[..., Walker]) -> None:
    direction = SLIDES[slide]
    at = [(16 + DX[direction] * steps, 16 + DZ[direction] * steps) for steps in range(8)]
    tiles = {at[1]: slide, at[5]: STOP}
    assert press(make_walker(16, 16, tiles=tiles, game=HEARTGOLD_SOULSILVER), direction) == at[5]
    assert press(make_walker(16, 16, tiles={**tiles, at[7]: 0x8000}), direction) == at[6]
    without = {at[1]: slide, at[4]: 0x8000}
    assert press(make_walker(16, 16, tiles=without, game=HEARTGOLD_SOULSILVER), direction) == at[3]
    assert behaviour_arrow(HEARTGOLD_SOULSILVER.tables, slide) == (DX[direction], DZ[direction])


def test_a_slide_of_heartgold_turns_at_another_one(make_walker: Callable[..., Walker]) -> None:
    tiles = {(11, 10): SLIDE_EAST, (14, 10): SLIDE_SOUTH, (14, 13): STOP}
    walker = make_walker(10, 10, tiles=tiles, game=HEARTGOLD_SOULSILVER)
    assert press(walker, EAST) == (14, 13)
    assert press(walker, EAST) == (15, 13)


def test_ice_of_heartgold_slides(make_walker: Callable[..., Walker]) -> None:
    walker = make_walker(10, 10, tiles={(x, 10): ICE for x in range(11, 15)}, game=HEARTGOLD_SOULSILVER)
    assert press(walker, EAST) == (15, 10)


def test_a_search_slides_as_a_walk_does(make_world: Callable[..., Any], make_map: Any) -> None:
    """A row between walls, with a slide in it, on which nothing can stand."""
    walls = {(x, z): 0x8000 for x in range(32) for z in (9, 11)}
    row = {(11, 10): SLIDE_EAST, (15, 10): STOP, (17, 10): 0x8000, (9, 10): 0x8000}
    world = make_world(make_map(tiles={**walls, **row}), game=HEARTGOLD_SOULSILVER)
    reach = search(world, 0, 10, 10)
    assert reach.start == Spot(0, 10, 10)
    assert reach.tiles(reach.grounds.entered(0)) == {(10, 10), *((x, 10) for x in range(12, 17))}


@pytest.mark.parametrize("ledge", [0x5A, 0x5B, 0x5C, 0x5D])
def test_only_platinum_has_double_ledges(ledge: int, make_walker: Callable[..., Walker]) -> None:
    for game in GAMES:
        moves = set()
        for direction in Direction:
            tile = (10 + DX[direction], 10 + DZ[direction])
            moves.add(make_walker(10, 10, tiles={tile: ledge}, game=game).decide(direction).move)
        assert moves == ({Move.STEP, Move.DOUBLE_LEDGE} if game is DEFAULT else {Move.STEP})


def test_games_in_one_process_have_their_own_groups(make_walker: Callable[..., Walker]) -> None:
    """One after the other, and the first one again."""

    def facts(game: Game) -> tuple[object, ...]:
        walker = make_walker(10, 10, tiles={(10, 9): LADDER_SOUTH, (11, 10): 0x5D, (10, 11): 0xA3}, game=game)
        groups = walker.ground.groups
        assert groups is game.tables.behaviour_groups
        gait = groups.deepest_snow & frozenset(walker.gaits.in_snow)
        return walker.decide(NORTH).rule, walker.decide(EAST).move, len(gait), groups.stop_sliding

    expected = {
        DEFAULT: (None, Move.DOUBLE_LEDGE, 1, frozenset()),
        DIAMOND_PEARL: (None, Move.STEP, 1, frozenset()),
        HEARTGOLD_SOULSILVER: (StepRule.EDGE_AHEAD, Move.STEP, 0, {STOP}),
    }
    for game in (*GAMES, *GAMES):
        assert facts(game) == expected[game]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_group_holds_known_behaviours(game: Game) -> None:
    groups = game.tables.behaviour_groups
    for field in fields(groups):
        value = getattr(groups, field.name)
        for group in value if isinstance(value, tuple) else (value,):
            assert isinstance(group, frozenset) and group <= set(game.tables.behaviours), field.name

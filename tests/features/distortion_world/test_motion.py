"""The movements of a player tick by tick: steps, jumps, rides, events, waterfalls."""

from __future__ import annotations

from itertools import pairwise

import pytest

from formats.fixed import ONE
from mapexplorer.features.distortion_world.progress import DistortionState
from mapexplorer.features.distortion_world.space import SPRITE_TURN, AvatarState
from mapexplorer.games import DEFAULT
from mapexplorer.walk.distortion_moves import DistortionMoves, DistortionStanding, DistortionTick
from mapexplorer.walk.distortion_player import DistortionPlayer
from mapexplorer.world.direction import EAST, NORTH, SOUTH, WEST, Direction
from mapexplorer.world.save import fresh_save
from mapexplorer.world.terrain import TILE_LENGTH

LAND = AvatarState.LAND


def player_at(
    moves: DistortionMoves,
    header: int,
    tile: tuple[int, int, int],
    facing: Direction,
    avatar: AvatarState = LAND,
    platform: int = -1,
    surfing: bool = False,
) -> DistortionPlayer:
    x, y, z = tile
    standing = DistortionStanding(header, avatar, platform, x, z, y * TILE_LENGTH, surfing)
    return DistortionPlayer(moves, standing, DistortionState.entering(fresh_save(DEFAULT), header), facing)


def ways(ticks: list[DistortionTick]) -> list[tuple[int, ...]]:
    """The units moved in each tick but the first."""
    return [
        tuple((here - there) // ONE for here, there in zip(tick.position, before.position, strict=True))
        for before, tick in pairwise(ticks)
    ]


@pytest.mark.parametrize("running, ticks, units", [(False, 8, 2), (True, 4, 4)])
def test_a_step_up_a_wall(moves: DistortionMoves, running: bool, ticks: int, units: int) -> None:
    player = player_at(moves, 574, (11, 258, 49), NORTH, AvatarState.WEST_WALL, 0)
    player.running = running
    done = list(player.press(NORTH))
    assert len(done) == ticks and set(ways(done)) == {(0, units, 0)}
    assert player.standing.tile == (11, 259, 49) and player.sprite_turn == 90


def test_a_refused_step_is_a_bump(moves: DistortionMoves) -> None:
    player = player_at(moves, 574, (11, 258, 49), WEST, AvatarState.WEST_WALL, 0)
    done = list(player.press(SOUTH))
    assert len(done) == 3 + 16 and player.facing is SOUTH
    assert player.standing.tile == (11, 258, 49) and player.position == done[0].position


def test_a_jump_point_turns_the_player_onto_the_wall_and_back(moves: DistortionMoves) -> None:
    player = player_at(moves, 574, (12, 257, 49), WEST)
    turns = []
    for tick in player.press(WEST):
        assert player.hop == tick.hop
        turns.append(player.sprite_turn)
    assert turns == [90 * tick / 16 for tick in range(1, 17)]
    there = player.standing
    assert (there.avatar, there.platform, there.tile) == (AvatarState.WEST_WALL, 0, (11, 258, 48))
    assert player.facing is WEST
    list(player.press(SOUTH))
    assert (player.standing.avatar, player.standing.tile) == (LAND, (12, 257, 49))
    assert player.facing is EAST and player.sprite_turn == SPRITE_TURN[LAND] == 0


def test_an_elevator_changes_the_floor_on_the_way(moves: DistortionMoves) -> None:
    player = player_at(moves, 573, (40, 289, 55), NORTH)
    done = list(player.press(NORTH))
    walk, ride = done[:8], done[8:]
    assert [tick.header for tick in walk] == [573] * 8
    assert [tick.header for tick in ride] == [573] * 63 + [574] * 65
    assert set(ways(ride)) == {(0, -4, 0)} and ride[-1].platform_moved == (0, -32 * TILE_LENGTH, 0)
    assert (player.standing.header, player.standing.tile) == (574, (40, 257, 54))
    assert player.floor.header == 574 and 0 in player.state.platform_flags


def test_a_long_elevator_goes_by_two_floors(moves: DistortionMoves) -> None:
    player = player_at(moves, 576, (96, 193, 44), NORTH)
    headers = [tick.header for tick in player.press(NORTH)]
    assert list(dict.fromkeys(headers)) == [576, 577, 579]
    assert (player.standing.header, player.standing.tile) == (579, (96, 129, 43))
    assert {5, 7} <= player.state.platform_flags


def test_a_platform_carries_the_player_and_returns(moves: DistortionMoves) -> None:
    player = player_at(moves, 575, (33, 225, 37), NORTH)
    done = list(player.press(NORTH))
    assert len(done) == 8 + 32 + 24 + 32
    carried, jumped, back = done[8:40], done[40:64], done[64:]
    assert set(ways(carried)) == {(0, 0, -4)} and carried[-1].platform_moved == (0, 0, -8 * TILE_LENGTH)
    assert set(ways(jumped)) == {(0, 0, -2)} and max(tick.hop[1] for tick in jumped) == 12 * ONE
    assert {tick.position for tick in back} == {player.position} and back[-1].platform_moved == (0, 0, 0)
    assert player.standing.tile == (33, 225, 25)


def test_a_platform_lifts_the_player_onto_the_upper_floor(moves: DistortionMoves) -> None:
    player = player_at(moves, 575, (49, 225, 32), SOUTH)
    list(player.press(SOUTH))
    assert (player.standing.avatar, player.standing.platform, player.standing.tile) == (
        AvatarState.FLOOR,
        3,
        (49, 233, 36),
    )


def test_only_a_surfing_player_goes_down_the_waterfall(moves: DistortionMoves) -> None:
    player = player_at(moves, 577, (104, 170, 77), EAST, AvatarState.CEILING, 1, True)
    done = list(player.press(EAST))
    assert len(done) == 32 and set(ways(done)) == {(-1, 0, 0)}
    there = player.standing
    assert (there.header, there.avatar, there.tile, there.surfing) == (579, LAND, (102, 128, 77), True)
    walker = player_at(moves, 577, (104, 170, 77), EAST, AvatarState.CEILING, 1)
    list(walker.press(EAST))
    assert walker.standing.header == 577


def test_a_press_turns_the_camera_and_hides_ghost_props(moves: DistortionMoves) -> None:
    player = player_at(moves, 574, (14, 257, 49), WEST)
    list(player.press(WEST))
    assert player.camera.angles == (8 * 320, 8 * 720, 0) and player.camera.ticks == 8
    walker = player_at(moves, 577, (65, 161, 59), SOUTH)
    assert 11 not in walker.ghosts.hidden
    list(walker.press(SOUTH))
    assert 11 in walker.ghosts.hidden

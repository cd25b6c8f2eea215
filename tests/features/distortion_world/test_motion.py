"""The movements of a player tick by tick: steps, jumps, rides, events, waterfalls."""

from __future__ import annotations

from itertools import pairwise

import pytest

from formats.fixed import ONE, Vector, moved
from mapexplorer.features.distortion_world.feature import DistortionWorld
from mapexplorer.features.distortion_world.files import distortion_files
from mapexplorer.features.distortion_world.props import prop_position
from mapexplorer.features.distortion_world.walking import DistortionLook
from mapexplorer.features.surface import Surface
from mapexplorer.map_objects.gait import Mode
from mapexplorer.walk import Tick, Walker
from mapexplorer.world import FieldWorld
from mapexplorer.world.direction import EAST, NORTH, SOUTH, WEST, Direction
from mapexplorer.world.terrain.terrain import TILE_LENGTH

LAND = Surface.LAND


def player_at(
    world: FieldWorld,
    header: int,
    tile: tuple[int, int, int],
    facing: Direction,
    surface: Surface = LAND,
    surfing: bool = False,
) -> Walker:
    """A player on a tile of the space of all floors."""
    x, y, z = moved(tile, distortion_files(world).floors[header].offset, -1)
    player = Walker(world, header, x, z, near=y * TILE_LENGTH, facing=facing)
    player.mode = Mode.SURF if surfing else Mode.FOOT
    assert there(player) == (header, surface, tile, surfing)
    return player


def floor_of(player: Walker) -> DistortionWorld:
    assert isinstance(player.feature, DistortionWorld)
    return player.feature


def look_of(player: Walker) -> DistortionLook:
    """What the walk has changed on the picture of the last tick."""
    assert isinstance(player.shown, DistortionWorld) and player.shown.look is not None
    return player.shown.look


def there(player: Walker) -> tuple[int, Surface, Vector, bool]:
    """Header, surface, tile in the space of all floors, whether the player surfs."""
    feature = player.feature
    assert feature is not None
    x, y, z = moved(player.position, feature.origin)
    tile = x // TILE_LENGTH, y // TILE_LENGTH, z // TILE_LENGTH
    return player.header, feature.surface, tile, player.mode is Mode.SURF


def ways(world: FieldWorld, ticks: list[Tick]) -> list[Vector]:
    """The units moved in each tick but the first, in the space of all floors."""
    floors = distortion_files(world).floors
    places = [moved(tick.position, floors[tick.header].offset, TILE_LENGTH) for tick in ticks]
    return [(x // ONE, y // ONE, z // ONE) for x, y, z in (moved(at, before, -1) for before, at in pairwise(places))]


@pytest.mark.parametrize("running, ticks, units", [(False, 8, 2), (True, 4, 4)])
def test_a_step_up_a_wall(real: FieldWorld, running: bool, ticks: int, units: int) -> None:
    player = player_at(real, 574, (11, 258, 49), NORTH, Surface.WEST_WALL)
    player.running = running
    done = list(player.press(NORTH))
    assert len(done) == ticks and set(ways(real, done)) == {(0, units, 0)}
    assert there(player) == (574, Surface.WEST_WALL, (11, 259, 49), False) and done[-1].sprite_turn == 90


def test_a_refused_step_is_a_bump(real: FieldWorld) -> None:
    player = player_at(real, 574, (11, 258, 49), WEST, Surface.WEST_WALL)
    done = list(player.press(SOUTH))
    assert len(done) == 3 + 16 and player.facing is SOUTH
    assert there(player)[2] == (11, 258, 49) and player.position == done[0].position


def test_a_jump_point_turns_the_player_onto_the_wall_and_back(real: FieldWorld) -> None:
    player = player_at(real, 574, (12, 257, 49), WEST)
    turns = []
    for tick in player.press(WEST):
        assert player.hop[1] == tick.jump
        turns.append(tick.sprite_turn)
    assert turns == [90 * tick / 16 for tick in range(1, 17)]
    assert there(player) == (574, Surface.WEST_WALL, (11, 258, 48), False) and floor_of(player).platform == 0
    assert player.facing is WEST
    list(player.press(SOUTH))
    assert there(player) == (574, LAND, (12, 257, 49), False)
    assert player.facing is EAST and player.tick().sprite_turn == 0


def test_an_elevator_changes_the_floor_on_the_way(real: FieldWorld) -> None:
    player = player_at(real, 573, (40, 289, 55), NORTH)
    done, ridden = [], []
    for tick in player.press(NORTH):
        done.append(tick)
        ridden.append(floor_of(player).ridden)
    walk, ride = done[:8], done[8:]
    assert [tick.header for tick in walk] == [573] * 8
    assert [tick.header for tick in ride] == [573] * 63 + [574] * 65
    assert set(ways(real, ride)) == {(0, -4, 0)}
    assert ridden[-1] is not None and ridden[-1][1] == (0, -32 * TILE_LENGTH, 0)
    assert there(player) == (574, LAND, (40, 257, 54), False)
    assert floor_of(player).header == 574 and 0 in floor_of(player).progress.platform_flags


def test_a_long_elevator_goes_by_two_floors(real: FieldWorld) -> None:
    player = player_at(real, 576, (96, 193, 44), NORTH)
    ticks = list(player.press(NORTH))
    assert list(dict.fromkeys(tick.header for tick in ticks)) == [576, 577, 579]
    assert [event.values["header"] for tick in ticks for event in tick.events] == [577, 579]
    assert there(player) == (579, LAND, (96, 129, 43), False)
    assert floor_of(player).progress.platform_flags & {5, 7} == {7}  # those of the last ride alone


def test_a_platform_carries_the_player_and_returns(real: FieldWorld) -> None:
    player = player_at(real, 575, (33, 225, 37), NORTH)
    done, ridden = [], []
    for tick in player.press(NORTH):
        done.append(tick)
        ridden.append(floor_of(player).ridden)
    assert len(done) == 8 + 32 + 24 + 32
    carried, jumped, back = done[8:40], done[40:64], done[64:]
    assert ridden[39] is not None and ridden[-1] is not None
    assert set(ways(real, carried)) == {(0, 0, -4)} and ridden[39][1] == (0, 0, -8 * TILE_LENGTH)
    assert set(ways(real, jumped)) == {(0, 0, -2)} and max(tick.jump for tick in jumped) == 12 * ONE
    assert {tick.position for tick in back} == {player.position} and ridden[-1][1] == (0, 0, 0)
    assert there(player)[2] == (33, 225, 25)


def test_a_platform_lifts_the_player_onto_the_upper_floor(real: FieldWorld) -> None:
    player = player_at(real, 575, (49, 225, 32), SOUTH)
    list(player.press(SOUTH))
    assert there(player) == (575, Surface.FLOOR, (49, 233, 36), False) and floor_of(player).platform == 3


def test_only_a_surfing_player_goes_down_the_waterfall(real: FieldWorld) -> None:
    player = player_at(real, 577, (104, 170, 77), EAST, Surface.CEILING, True)
    done = list(player.press(EAST))
    assert len(done) == 32 and set(ways(real, done)) == {(-1, 0, 0)}
    assert there(player) == (579, LAND, (102, 128, 77), True)
    walker = player_at(real, 577, (104, 170, 77), EAST, Surface.CEILING)
    list(walker.press(EAST))
    assert walker.header == 577


def test_a_press_turns_the_camera_and_hides_ghost_props(real: FieldWorld) -> None:
    player = player_at(real, 574, (14, 257, 49), WEST)
    angles = []
    for _ in player.press(WEST):
        angles.append(look_of(player).angles)
    # The turn is half done after the eight ticks of the step.
    assert angles[-1] == (8 * 320, 8 * 720, 0) and len(angles) == 8
    walker = player_at(real, 577, (65, 161, 59), SOUTH)
    group = [prop for prop in distortion_files(real).floors[577].ghost_props if prop.group == 11]
    places = {prop_position(floor_of(walker).table, prop.kind, prop.tile)[::2] for prop in group}

    def alphas() -> set[int | None]:
        return {prop.alpha for prop in look_of(walker).props if prop.position[::2] in places}

    walker.tick()
    assert alphas() == {31}
    list(walker.press(SOUTH))
    assert max(alpha or 0 for alpha in alphas()) < 31

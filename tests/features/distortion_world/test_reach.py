"""What can be reached in the Distortion World, and walking there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from formats.fixed import Vector, moved
from mapexplorer.features.distortion_world.feature import DistortionWorld
from mapexplorer.features.distortion_world.progress import FEATURE, DistortionState
from mapexplorer.features.distortion_world.tables import distortion_tables
from mapexplorer.features.surface import Surface
from mapexplorer.games import DEFAULT
from mapexplorer.map_objects.gait import Mode
from mapexplorer.walk import Ability, Walker, play
from mapexplorer.walk.reach import Reach, State, search
from mapexplorer.world import FieldWorld
from mapexplorer.world.save import Save, fresh_save
from mapexplorer.world.terrain.terrain import TILE_LENGTH

Rows = Callable[[str], list[list[int]]]

STARTS = (573, 582, 583, 581)

LAND, FLOOR, WEST, EAST, CEILING = Surface
ALL_FLOORS = {
    (573, LAND): 88, (574, LAND): 89, (575, LAND): 192, (576, LAND): 325, (577, LAND): 471, (579, LAND): 374,
    (580, LAND): 233, (581, LAND): 77, (574, WEST): 22, (575, WEST): 19, (576, WEST): 12, (577, EAST): 51,
    (575, FLOOR): 189, (577, CEILING): 94,
}  # fmt: skip
"""Places by floor and state, as published."""
COUNTS = (ALL_FLOORS, {(582, LAND): 6}, {(583, LAND): 160, (583, EAST): 39}, ALL_FLOORS)


def arrival(world: FieldWorld, header: int, save: Save) -> tuple[int, int]:
    """The tile of the map on which the player arrives from outside."""
    feature = DistortionWorld.entered(distortion_tables(save.game.tables), header, None).with_files(world)
    assert feature.arrival is not None
    return feature.arrival.x, feature.arrival.z


def reach(world: FieldWorld, header: int, save: Save, *, teleports: bool = True) -> Reach:
    tile = arrival(world, header, save)
    surf = frozenset({Ability.SURF})
    return search(world, header, *tile, near=TILE_LENGTH, abilities=surf, over_warps=teleports, save=save)


def place(state: State) -> tuple[int, ...]:
    """Header, surface, number of the platform (-1: the land), tile in the space of all floors, whether surfing."""
    standing, feature = state.standing, state.standing.feature
    assert isinstance(feature, DistortionWorld)
    plain = feature.standing(standing.x, standing.z, standing.y)
    platform = -1 if feature.platform is None else feature.platform
    return feature.header, feature.surface, platform, *plain["space_tile"], standing.mode is Mode.SURF


def in_space(player: Walker) -> Vector:
    """The position in the space of all floors."""
    assert player.feature is not None
    return moved(player.position, player.feature.origin)


@pytest.fixture(scope="module")
def reaches(real: FieldWorld) -> list[Reach]:
    return [reach(real, header, fresh_save(DEFAULT), teleports=False) for header in STARTS]


def test_the_same_places_are_reached(rows: Rows, reaches: list[Reach]) -> None:
    """The vectors have those places whose x + z is even."""
    for start, found in enumerate(reaches):
        expected = {tuple(row[1:]) for row in rows("reachable") if row[0] == start}
        places = {place(state) for state in found.states()}
        assert {each for each in places if (each[3] + each[5]) % 2 == 0} == expected
        assert Counter((header, surface) for header, surface, *_ in places) == COUNTS[start]


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_the_paths_lead_there(real: FieldWorld, reaches: list[Reach], step: int) -> None:
    """To the last place that the search finds on every floor, in every state of the player."""
    for header, found in zip(STARTS[:3], reaches, strict=False):
        targets = {place(state)[:2] + place(state)[-1:]: state for state in found.states()}
        for target in list(targets.values())[::step]:
            save = fresh_save(DEFAULT)
            player = Walker(real, header, *arrival(real, header, save), near=TILE_LENGTH, people=False)
            before = in_space(player)
            for _ in play(player, found.path(target)):
                far = max(abs(here - there) for here, there in zip(in_space(player), before, strict=True))
                assert far <= TILE_LENGTH // 2 or player.mode is Mode.SURF
                before = in_space(player)
            assert before == in_space(player)
            standing, feature, goal = player.standing, player.feature, target.standing.feature
            assert isinstance(feature, DistortionWorld) and isinstance(goal, DistortionWorld)
            assert place(State(player.ground, standing)) == place(target)
            assert feature.progress.platform_flags == goal.progress.platform_flags


def test_teleports_lead_to_giratina_and_back(real: FieldWorld) -> None:
    early, late = fresh_save(DEFAULT), Save(DEFAULT, features={FEATURE: {"progress": 10}})
    state = DistortionState.of(distortion_tables(DEFAULT.tables), 581, late.features[FEATURE])
    with_lifts = Save(DEFAULT, features={FEATURE: state.plain()})

    def headers(header: int, save: Save) -> set[int]:
        return {state.ground.header for state in reach(real, header, save).states()}

    assert 582 not in headers(581, early)
    assert {573, 581, 582} <= headers(581, late)
    assert {573, 581, 582} <= headers(582, with_lifts)

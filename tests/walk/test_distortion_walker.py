"""The player in the Distortion World: paths, keys, and what a picture needs."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from mapexplorer.features import choosing
from mapexplorer.features.distortion_world.feature import DistortionWorld
from mapexplorer.features.surface import Surface
from mapexplorer.map_objects.gait import Mode
from mapexplorer.map_objects.setting import ObjectSetting
from mapexplorer.walk import EAST, NORTH, WEST, Tick, Walker, parse_path, play
from mapexplorer.walk.ability import ALL_ABILITIES, Ability
from mapexplorer.walk.reach import Reach, search
from mapexplorer.world import FieldWorld
from mapexplorer.world.opening import open_rom
from mapexplorer.world.save import fresh_save
from mapexplorer.world.terrain.terrain import TILE_LENGTH


@pytest.fixture(scope="module")
def real(rom_path: Path) -> FieldWorld:
    return FieldWorld(open_rom(rom_path))


def feature_of(walker: Walker) -> DistortionWorld:
    assert isinstance(walker.feature, DistortionWorld)
    return walker.feature


def shown(walker: Walker) -> DistortionWorld:
    """The floor as it was seen in the last tick."""
    assert isinstance(walker.shown, DistortionWorld)
    return walker.shown


def reach(world: FieldWorld) -> Reach:
    """What is reached from 1F."""
    return search(world, 573, 34, 30, abilities=frozenset({Ability.SURF}))


def walked(walker: Walker, letters: str) -> list[Tick]:
    return list(play(walker, parse_path(letters)))


@pytest.mark.parametrize("step", [18, pytest.param(1, marks=pytest.mark.slow)])
def test_every_place_is_reached_by_a_path_that_replays(real: FieldWorld, step: int) -> None:
    """From 1F: the states on the ways to each floor and surface one after the other, and each state by the letters from
    the state before it."""
    found = reach(real)
    goals = {(state.ground.header, state.standing.surface): state for state in found.states()}
    assert len(goals) == 14
    met = set()
    for goal in sorted(goals.values(), key=lambda state: -len(found.path(state))):
        if goal in met:  # on the way to another one
            continue
        walker = Walker(real, 573, 34, 30, people=False)
        for state in found.way(goal)[1:]:
            entry = found.of(state.ground).states[state.standing]
            assert entry is not None
            ticks = walked(walker, entry[2])
            assert walker.header == state.ground.header
            assert walker.standing[:5] == state.standing[:5] and walker.standing.surface is state.standing.surface
            assert ticks[-1].position == walker.position
            assert (ticks[-1].sprite_turn - state.standing.surface.sprite_turn) % 360 == 0
            met.add(state)
    walker = Walker(real, 573, 34, 30, people=False)
    first = feature_of(walker)
    for visited in found.visited.values():
        for standing, entry in list(visited.states.items())[::step]:
            if entry is None:
                continue
            key, before, letters = entry
            walker.stand(found.visited[key].ground.header, before)
            walker.moving = True
            walked(walker, letters)
            assert walker.ground.header == visited.ground.header
            assert walker.standing._replace(feature=feature_of(walker).in_search(first)) == standing


def test_onto_the_wall_and_up_it(real: FieldWorld) -> None:
    walker = Walker(real, 574, 16, 14)
    ticks = walked(walker, "5W")
    assert walker.standing.surface is Surface.WEST_WALL
    assert [event.sentence for tick in ticks for event in tick.events] == ["Goes onto the west wall."]
    assert walker.position == (
        11 * TILE_LENGTH + TILE_LENGTH // 2,
        2 * TILE_LENGTH,
        13 * TILE_LENGTH + TILE_LENGTH // 2,
    )
    assert [tick.sprite_turn for tick in ticks[-16:]] == [90 * part / 16 for part in range(1, 16)] + [90]
    assert shown(walker).look is not None and shown(walker).angles == (320 * 16, 720 * 16, 0)
    up = walked(walker, "N")
    assert up[-1].position[1] == 3 * TILE_LENGTH and up[-1].gait == "walk"


def test_a_lift_leads_to_the_map_of_the_floor_below(real: FieldWorld) -> None:
    walker = Walker(real, 573, 19, 45, people=False)
    ticks = walked(walker, "N")
    assert [tick.header for tick in ticks if tick.gait == ""].count(573) == 63
    assert (walker.header, walker.x, walker.z) == (574, 40, 19)
    # The lift stays under the player on both floors, whose maps have other coordinates.
    walker = Walker(real, 573, 19, 45, people=False)
    for tick in walker.press(NORTH):
        if tick.gait == "":
            [lift] = [each for each in shown(walker).effects(None) if each.member == 126]  # type: ignore[arg-type]
            assert tick.position[1] - lift.position[1] == (25 - 8) * 4096 and tick.position[0] == lift.position[0]


def test_a_short_press_turns_and_a_long_one_walks(real: FieldWorld) -> None:
    walker = Walker(real, 573, 34, 31)
    for _ in range(walker.gaits.turn_ticks):
        walker.update(EAST)
    assert walker.facing is EAST and (walker.x, walker.z) == (34, 31)
    assert walker.update().gait == "" and not walker.busy
    while walker.x == 34:
        walker.update(WEST)
    assert walker.x == 33


def test_boulders_stand_in_the_way(real: FieldWorld) -> None:
    walker = Walker(real, 579, 19, 34, abilities=ALL_ABILITIES - {Ability.STRENGTH})
    ticks = walked(walker, "W")
    assert walker.x == 19 and [event.values["rule"] for tick in ticks for event in tick.events] == ["person"]
    walker.people = False
    walked(walker, "W")
    assert walker.x == 18


def boulder(walker: Walker, local_id: int) -> ObjectSetting | None:
    """An object of the present floor."""
    found = [setting for setting in feature_of(walker).objects(walker.save) if setting.local_id == local_id]
    return found[0] if found else None


def test_a_boulder_is_pushed_tile_by_tile(real: FieldWorld) -> None:
    walker = Walker(real, 579, 19, 34, facing=WEST)
    columns = []
    for _ in walker.press(WEST):
        pushed = boulder(walker, 128)
        assert pushed is not None and pushed.position is not None
        columns.append(pushed.position[0])
    middle = 18 * TILE_LENGTH + TILE_LENGTH // 2
    assert columns == [middle - tick * 4096 for tick in range(1, 17)] and walker.x == 19
    walked(walker, "W")
    assert walker.x == 18
    walked(walker, "5W")
    pushed = boulder(walker, 128)
    # The land ends with tile 15.
    assert pushed is not None and (walker.x, pushed.x, pushed.z) == (16, 15, 34)


def fallen(walker: Walker, keys: str) -> tuple[int, list[int]]:
    """How long a walk takes, and the puzzle flags afterwards."""
    ticks = len(walked(walker, keys))
    return ticks, sorted(feature_of(walker).progress.puzzle_flags)


def test_boulders_fall(real: FieldWorld) -> None:
    """Onto the floor below, where it then is; into its place, where the guardian leaves; into another pit, by which it
    is back on the floor above; and so is one that falls into a place that is taken."""
    push = 16
    above = Walker(real, 579, 17, 34, facing=EAST)
    assert fallen(above, "E") == (push + 14 * 16 // 16, [1, 2, 3]) and boulder(above, 128) is None
    for flags, keys, ticks, after in (
        ([3, 15], "N", 8 + 20, [0, 15]),
        ([3, 15], "EN13WS2WN", None, [6]),
        ([3, 6, 15], "EN13WS2WN", None, [0, 6, 15]),
    ):
        save = choosing(fresh_save(real.game), 580, json.dumps({"puzzle_flags": flags}))
        walker = Walker(real, 580, 19, 31, facing=NORTH, save=save)
        found = fallen(walker, keys)
        assert found[1] == after and boulder(walker, 128) is None and (ticks is None or found[0] == push + ticks)
        assert (boulder(walker, 144) is not None) == (6 in after)


PUZZLE = (
    "ENE2N5E5S2W3SE2SW2S3W2N6W4NE3N2E5NWN2W4N2W16N8EN10E5SW9SW2S2WSN2WS4W6S10E4N6ES2ES2N5W6N2E2NnA2N16E2N2E3N3E9N4W4NnA5N"
    "3E9N5W2N5W2S2W2NW2N2E5N2WNW2S3E5S2W6S5WN16WS2WN13E4NEN5E2S7ESWN2WS4WN2W7NW6SESW"
)
"""From B5F: each boulder into its hole, by lifts, walls and the waterfall; then in B6F each into its place."""


def test_the_puzzle_of_the_boulders_is_solved(real: FieldWorld) -> None:
    walker = Walker(real, 579, 17, 34)
    ticks = walked(walker, PUZZLE)
    assert walker.header == 580 and sorted(feature_of(walker).progress.puzzle_flags) == [6, 7, 8]
    assert sum(event.values.get("change") == "boulder" for tick in ticks for event in tick.events) == 6
    # The stepping stones to the last lift are seen now.
    assert 126 + 16 in [effect.member for effect in shown(walker).effects(real.place(580).terrain)]


def test_surfing_begins_with_the_button(real: FieldWorld) -> None:
    walker = Walker(real, 573, 34, 30, people=False)
    found = reach(real)
    surfing = next(state for state in found.states() if found.path(state).endswith("A"))
    direction, button = found.path(surfing)[-2:]
    walked(walker, found.path(found.way(surfing)[-2]))
    walked(walker, direction.upper())
    assert walker.mode is Mode.FOOT
    walked(walker, button)
    assert walker.mode is Mode.SURF


def test_a_surfing_player_has_a_mount(real: FieldWorld) -> None:
    """Beside or above the player as their state has it, up and down by a quarter of a unit per tick, and they with
    it."""
    terrain = real.place(577).terrain
    for x, z, level, offset, rotation in (
        (33, 25, 1, (0.25, -6, -5), (0, 270, 0)),
        (45, 37, 10, (0, 28, 6), (180, 90, 0)),
    ):
        walker = Walker(real, 577, x, z, near=level * TILE_LENGTH)
        assert walker.mode is Mode.SURF
        bobs = []
        for tick in walker.tap(WEST):
            [mount] = [effect for effect in shown(walker).effects(terrain) if effect.member == 81]
            away = [(there - here) / 4096 for there, here in zip(mount.position, walker.position, strict=True)]
            bobs.append(tick.raised / 4096)
            assert away == [offset[0], offset[1] + bobs[-1], offset[2]] and mount.rotation == rotation
        bobs += [next(walker.wait()).raised / 4096 for _ in range(24)]
        swings = real.game.tables.raw("distortion_world")["surf mount"]
        steps = {abs(after - before) for before, after in itertools.pairwise(bobs)}
        assert steps == {swings["bob step"]} and swings["bob least"] <= min(bobs) < max(bobs) <= swings["bob most"]
    walker = Walker(real, 577, 22, 28)
    assert next(walker.wait()).raised == 0
    assert not [effect for effect in shown(walker).effects(terrain) if effect.member == 81]

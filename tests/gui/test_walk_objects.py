"""People while a player walks: they move with the field updates, and they and the player are in each other's way."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.opened_map import arrive
from mapexplorer.gui.model.settings import Settings
from mapexplorer.gui.model.walking import PEOPLE, Walking
from mapexplorer.gui.rendering.place_renderer import FrameRequest, PlaceRenderer
from mapexplorer.map_objects.drawn import ObjectInstance
from mapexplorer.scene.field_objects import FieldObjects
from mapexplorer.walk import StepRule
from mapexplorer.world import FieldWorld
from mapexplorer.world.direction import DX, DZ, Direction
from mapexplorer.world.opening import open_rom
from mapexplorer.world.save import fresh_save
from tests.scene.conftest import figures

TOWN = "T01"
WANDERER = 0
"""The number of an object of the town that wanders about."""
FAR = (110, 890)
"""A tile of the town where nobody comes."""
TICKS = 1200


@pytest.fixture
def walking(tmp_path: Path, rom_path: Path) -> Walking:
    explorer = Explorer(Settings(tmp_path / "settings.json"))
    world = FieldWorld(open_rom(rom_path))
    explorer.open(world, str(rom_path), arrive(world, world.place(TOWN).header.id, fresh_save(world.game)))
    walking = Walking(explorer)
    walking.put(*FAR)
    return walking


def people(walking: Walking) -> dict[int, ObjectInstance]:
    """The map's objects as they are drawn, by event."""
    assert walking.figure is not None
    sources = [each.source for each in walking.figure.objects.shown]
    return {one.event: one for one in sources if isinstance(one, ObjectInstance) and one.event is not None}


def visited(walking: Walking, ticks: int) -> list[tuple[int, int]]:
    """The tiles of the wanderer in each of some field updates."""
    found = []
    for _ in range(ticks):
        walking.update()
        x, _, z = people(walking)[WANDERER].position
        found.append((x // 65536, z // 65536))
    return found


def test_people_move_while_the_player_stands(walking: Walking) -> None:
    explorer = walking.explorer
    assert explorer.place is not None
    header = explorer.place.header.id
    tiles = visited(walking, TICKS)
    assert len(set(tiles)) == 3
    alone = FieldObjects(explorer.place, fresh_save(explorer.place.world.game))
    alone.moving = True
    objects = alone.of(header).objects
    for _ in range(TICKS + 1):
        alone.step()
    now = people(walking)
    assert {mover.setting.event: mover.position for mover in objects} == {key: now[key].position for key in now}


def test_people_are_obstacles_where_they_are_now(walking: Walking) -> None:
    start = visited(walking, 1)[0]
    while (now := visited(walking, 1)[0]) == start:
        pass
    for _ in range(20):
        walking.update()
    now = visited(walking, 1)[0]
    assert now != start
    beside = next(
        (direction, (now[0] - DX[direction], now[1] - DZ[direction]))
        for direction in Direction
        if (now[0] - DX[direction], now[1] - DZ[direction]) != start
    )
    walking.put(*beside[1])
    assert walking.walker is not None
    refused = walking.walker.refused(beside[0])
    assert refused is not None and refused.rule is StepRule.PERSON and refused.numbers["object"] == WANDERER
    assert not walking.walker.objects_on(walking.walker.zone, *start), "nobody is where the event places them"
    walking.switch(PEOPLE)
    assert walking.walker.refused(beside[0]) is None


def test_the_player_is_an_obstacle_to_people(walking: Walking) -> None:
    tiles = visited(walking, TICKS)
    chosen = next(tile for tile in tiles if tile != tiles[0])
    walking.stop()
    walking.put(*chosen)
    assert walking.walker is not None and (walking.walker.x, walking.walker.z) == chosen
    kept_off = visited(walking, TICKS)
    assert chosen not in kept_off and len(set(kept_off)) > 1


def test_the_picture_shows_what_the_walk_has_evaluated(walking: Walking) -> None:
    visited(walking, 200)
    explorer = walking.explorer
    assert explorer.world is not None and explorer.place is not None and walking.figure is not None
    renderer = PlaceRenderer(explorer.world)
    request = FrameRequest(explorer.place.header.id, explorer.view, walking.figure)
    for _ in range(2):
        scene = renderer.scene(request)
        scene.advance(request.view.tick)
        shown = {one.event: one for one in figures(scene)}
        cells = {(cell.x, cell.z) for cell in scene.block.cells}
        near = {
            event: one
            for event, one in people(walking).items()
            if (one.position[0] >> 21, one.position[2] >> 21) in cells
        }
        assert shown[None].position == walking.figure.position
        assert near and {event: one for event, one in shown.items() if event is not None} == near
        visited(walking, 30)
        request = replace(request, view=explorer.view, player=walking.figure)


def test_hidden_people_come_and_go_with_the_choice_to_show_them(walking: Walking) -> None:
    before = set(people(walking))
    walking.explorer.choose(all_objects=True)
    walking.update()
    assert set(people(walking)) > before
    walking.explorer.choose(all_objects=False)
    walking.update()
    assert set(people(walking)) == before


def test_a_trainer_walks_up_to_the_player(walking: Walking) -> None:
    """From the tile of its event to the tile beside the player, where it stays; the walk has it there, too."""
    explorer, gym, trainer = walking.explorer, 122, 3
    explorer.go(gym, None, (6, 24))
    walking.put(6, 24)
    walking.hold(Direction.EAST)
    ways = []
    for _ in range(60):
        walking.update()
        x, _, z = people(walking)[trainer].position
        ways.append((x / 65536 - 0.5, z / 65536 - 0.5))
        assert walking.walker is not None
        if walking.walker.moved:
            walking.release_all()
    assert ways[0] == (7, 22) and ways[-1] == (7, 23) and ways.count((7, 22)) > 8
    assert [round(16 * (after[1] - before[1])) for before, after in pairwise(ways) if after != before] == [2] * 8
    assert walking.walker is not None and (walking.walker.x, walking.walker.z) == (7, 24)
    refused = walking.walker.refused(Direction.NORTH)
    assert refused is not None and refused.numbers["object"] == trainer


def test_snowballs_break(walking: Walking) -> None:
    walking.explorer.go(167, None, (4, 11))
    walking.put(5, 11)
    assert 13 in people(walking)
    walking.hold(Direction.EAST)
    for _ in range(60):
        walking.update()
    assert 13 not in people(walking) and walking.explorer.feature is not None
    assert 5 not in walking.explorer.feature.state and 4 in walking.explorer.feature.state

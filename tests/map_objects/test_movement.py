"""Map objects against the vectors: standing types, retail events and movement actions, tick by tick."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from formats.field.zone_event import OBJECT_EVENT
from mapexplorer.map_objects.field_object import FieldObject
from mapexplorer.map_objects.manager import MapObjectManager
from mapexplorer.map_objects.setting import object_setting
from mapexplorer.world import FieldWorld
from mapexplorer.world.direction import SOUTH
from mapexplorer.world.save import Save
from mapexplorer.world.terrain.terrain import Terrain
from tests.map_objects.conftest import SEED, TABLES, Load, Row, populated, runs, standing


def drawn(manager: MapObjectManager) -> list[int]:
    return [manager.random.drawn, manager.random.state]


def log(manager: MapObjectManager, tick: int) -> list[list[int]]:
    """The effects made in a tick as the vectors list them: tick, number, slot (0 is the player's), three numbers."""
    first = 0 if manager.player in manager.objects else 1
    order = {id(mover): slot for slot, mover in enumerate(manager.objects, first)}
    return [[tick, number, order[id(mover)], *(numbers + (0, 0, 0))[:3]] for number, mover, numbers in manager.created]


def test_standing_types(world: FieldWorld, terrain: Callable[[int], Terrain], load: Load, trace_row: Row) -> None:
    vectors, count = load("object_types")
    header, save, ran = int(vectors["header"]), Save(world.game), 0
    for index, seed in enumerate(vectors["seed"].tolist()):
        manager = MapObjectManager(terrain(header), TABLES, seed)
        x, z = vectors["player"][index].tolist()
        manager.player = FieldObject(standing(0, x, z, SOUTH))
        events = vectors["events"][index].reshape(-1).view(OBJECT_EVENT)
        movers = manager.add([object_setting(event, header, save) for event in events])
        traces, random = vectors["trace"][index].swapaxes(0, 1).tolist(), vectors["random"][index].tolist()
        made: list[list[int]] = []
        for tick, expected in enumerate(traces):
            if tick:
                manager.step()
            if tick >= 2:
                made += log(manager, tick)
            assert [trace_row(mover) for mover in movers] == expected, (index, tick)
            assert drawn(manager) == random[tick], (index, tick)
        assert made == vectors["effects"][vectors["effect_scenario"] == index].tolist()
        ran += 1
    assert ran == count


def test_retail_events(
    world: FieldWorld, terrain: Callable[[int], Terrain], load: Load, trace_row: Row, new_save: Save
) -> None:
    vectors, count = load("object_motion")
    ran = 0
    for index, header in enumerate(vectors["scenario_header"].tolist()):
        listed = np.nonzero(vectors["object_scenario"] == index)[0]
        present, manager = populated(world, terrain, header, new_save, int(vectors["scenario_seed"][index]))
        movers = [present[event] for event in vectors["object_event"][listed].tolist()]
        traces, random = vectors["trace"][listed].swapaxes(0, 1).tolist(), vectors["random"][index].tolist()
        made: list[list[int]] = []
        for tick, expected in enumerate(traces):
            if tick:
                manager.step()
            if tick >= 2:
                made += log(manager, tick)
            assert [trace_row(mover) for mover in movers] == expected, (header, tick)
            assert drawn(manager) == random[tick], (header, tick)
        assert made == vectors["effects"][vectors["effect_scenario"] == index].tolist()
        ran += len(movers)
    assert ran == count


def test_actions(terrain: Callable[[int], Terrain], load: Load, trace_row: Row) -> None:
    vectors, count = load("object_actions")
    x, z = vectors["tile"].tolist()
    ran = 0
    for index, (graphics, rows) in enumerate(
        zip(vectors["graphics"].tolist(), runs(vectors["trace_start"]), strict=True)
    ):
        manager = MapObjectManager(terrain(int(vectors["header"])), TABLES, SEED)
        [mover] = manager.add([standing(graphics, x, z, 1)])
        actions = dict(vectors["actions"][vectors["action_object"] == index].tolist())
        for tick, expected in enumerate(vectors["trace"][rows].tolist()):
            if tick in actions:
                manager.command(mover, actions[tick])
            if tick:
                manager.step()
            assert trace_row(mover) == expected, (graphics, tick)
        ran += 1
    assert ran == count

"""Searches: they find what walking finds, every tile knows its way, and what is not reached says why."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from mapexplorer.scene.start_position import default_spot
from mapexplorer.walk import ALL_ABILITIES, Ability, Mode, Walker, compact, parse_path, play
from mapexplorer.walk.player import Player
from mapexplorer.walk.reach import Reach, search
from mapexplorer.walk.reach_map import Mark, chart
from mapexplorer.walk.unreached import unreached
from mapexplorer.walk.warps import Spot
from mapexplorer.world import FieldWorld
from tools.demo_world.plates import Plate

SOLID = 0x8000
PLAYERS_ROOM = "T01R0202"
START = (4, 6)


def replays(reach: Reach, count: int, seed: int) -> int:
    """Walk the paths of `count` random states tick by tick; how many end exactly there."""
    states = random.Random(seed).sample(reach.states(), count)
    same = 0
    start = reach.start
    for state in states:
        letters = parse_path(compact(reach.path(state)))
        walker = Walker(
            reach.world,
            start.header,
            start.x,
            start.z,
            abilities=reach.abilities,
            people=reach.people,
            grounds=reach.grounds,
        )
        for _ in play(walker, letters):
            pass
        same += walker.ground is state.ground and walker.standing == state.standing
    return same


def fenced(inside: dict[tuple[int, int], int]) -> dict[tuple[int, int], int]:
    """Tiles of a cell that is solid except for `inside`."""
    return {(x, z): SOLID for x in range(32) for z in range(32)} | inside


def test_a_room(make_world: Any, make_map: Any) -> None:
    open_tiles = {(x, 5): 0 for x in range(5, 9)} | {(6, 6): 0}
    found = search(make_world(make_map(tiles=fenced(open_tiles))), 0, 5, 5)
    ground = found.grounds.entered(0)
    assert found.tiles(ground) == set(open_tiles) and found.count == 5
    assert replays(found, 5, 1) == 5
    marks = chart(found, 0)
    assert marks.shape == (32, 32)
    assert (marks[5, 5], marks[5, 6], marks[0, 0]) == (Mark.START, Mark.ON_FOOT, Mark.SOLID)
    assert np.count_nonzero(marks == Mark.FREE) == 0


def test_ledges_lead_one_way(make_world: Any, make_map: Any) -> None:
    tiles = fenced({(5, 5): 0, (5, 6): 0x3B | SOLID, (5, 7): 0})
    world = make_world(make_map(tiles=tiles))
    down, up = search(world, 0, 5, 5), search(world, 0, 5, 7)
    assert (down.count, up.count) == (2, 1)


@pytest.mark.parametrize(
    ("tiles", "ability", "mode"),
    [
        ({(6, 5): 0x15, (7, 5): 0x15, (8, 5): 0}, Ability.SURF, Mode.SURF),
        ({(6, 5): 0x4C | SOLID, (7, 5): 0x4C | SOLID, (8, 5): 0}, Ability.ROCK_CLIMB, None),
        ({(6, 5): 0, (7, 5): 0, (8, 5): 0, (9, 5): 0xD7 | SOLID, (10, 5): 0}, Ability.BICYCLE, Mode.BICYCLE),
    ],
)
def test_abilities_open_ways(tiles: Any, ability: Ability, mode: Mode | None, make_world: Any, make_map: Any) -> None:
    """With the ability beyond, without it not; and then the report names it."""
    far = max(tiles)
    plain = make_map(tiles=fenced({(5, 5): 0, **tiles}))
    world = make_world(make_map(tiles=fenced({(5, 5): 0, **tiles}), width=1), plain)
    without = search(world, 0, 5, 5, abilities=ALL_ABILITIES - {ability})
    ground = without.grounds.entered(0)
    assert far not in without.tiles(ground)
    found = search(world, 0, 5, 5, abilities=frozenset({ability}))
    ground = found.grounds.entered(0)
    assert far in found.tiles(ground)
    assert mode is None or any(state.standing.mode is mode for state in found.states())
    assert replays(found, len(found.states()), 2) == len(found.states())


def test_every_ability_is_named(make_world: Any, make_map: Any) -> None:
    """Five islands, each behind one thing; the report says what opens each."""
    gaps = {"Surf": 0x15, "Rock Climb": 0x4C | SOLID, "a bicycle": 0xD7 | SOLID, "coming from the other side": 0x31}
    for words, behaviour in gaps.items():
        tiles = fenced({(30, 5): 0, (31, 5): behaviour, (32, 5): 0, (33, 5): 0})
        tiles |= {(x, z): SOLID for x in range(32, 64) for z in range(32) if (x, z) not in ((32, 5), (33, 5))}
        world = make_world(make_map(tiles=tiles, width=2, zones=(0, 1)), make_map())
        if words == "a bicycle":
            tiles[31, 5] = SOLID | 0xD7
        report = unreached(search(world, 0, 30, 5))
        assert [one.header for one in report] == [1], words
        edge = report[0].edge
        assert edge is not None and edge.tile in ((30, 5), (31, 5)) and edge.opened_by == words


def test_people_and_warps(make_world: Any, make_map: Any) -> None:
    guard = {"x": 6, "z": 5, "hidden_flag": 321}
    town = make_map(
        tiles=fenced({(5, 5): 0, (6, 5): 0, (7, 5): 0, (7, 4): 0x69 | SOLID}),
        objects=(guard,), warps=((7, 4, 1, 0),), kind=1,
    )  # fmt: skip
    room = make_map(tiles=fenced({(3, 8): 0x65, (3, 7): 0}), warps=((3, 8, 0, 0),), kind=4)
    sealed = make_map(tiles=fenced({(3, 8): 0x65, (3, 7): 0}), warps=((3, 8, 1, 0),), kind=4)
    world = make_world(town, room, sealed)
    ignoring = search(world, 0, 5, 5)
    assert ignoring.zones() == {0: 3, 1: 2}
    assert search(world, 0, 5, 5, over_warps=False).zones() == {0: 3}
    heeding = search(world, 0, 5, 5, people=True)
    assert heeding.zones() == {0: 1}
    why = {one.header: one for one in unreached(heeding)}
    assert why[1].edge is not None and why[1].edge.opened_by == "setting flag 321"
    assert why[1].edge.tile == (5, 5) and why[1].edge.rule == "person"
    assert why[2].edge is not None and why[2].edge.opened_by == "a script"
    assert replays(ignoring, 5, 3) == 5


def test_levels_are_different_states(make_world: Any, make_map: Any) -> None:
    """Under and over a bridge."""
    plates = (Plate(-256, -256, 256, 256, 0), Plate(-16, -256, 16, 256, 64))
    found = search(make_world(make_map(plates=plates)), 0, 2, 5, near=0)
    assert {state.standing.y for state in found.states()} == {0}
    above = search(make_world(make_map(plates=plates)), 0, 15, 5)
    assert above.count == 2 * 32


@pytest.fixture(scope="module")
def whole(real: FieldWorld) -> Reach:
    """Everything from the player's room, over warps, with all abilities."""
    return search(real, real.place(PLAYERS_ROOM).header.id, *START, abilities=ALL_ABILITIES)


@pytest.fixture(scope="module")
def near(real: FieldWorld) -> Reach:
    """What is not farther from the player's room than the middle of Jubilife City."""
    city = real.place("C01")
    x, z = default_spot(city)
    goal = Spot(city.header.id, int(x), int(z))
    return search(real, real.place(PLAYERS_ROOM).header.id, *START, abilities=ALL_ABILITIES, goal=goal)


def test_the_first_towns(near: Reach, real: FieldWorld) -> None:
    """Rooms, towns and routes up to Jubilife City are reached, by their order on the way; what is farther is not."""
    names = {real.headers[zone].internal_name for zone in near.zones()}
    assert {"T01R0202", "T01R0201", "T01", "R201", "T02", "R202", "C01"} <= names
    assert not {"C02", "C04", "R225", "R230", "D34R0101"} & names


def test_paths_replay(near: Reach) -> None:
    """Walked tick by tick, stored ways lead to the same tile, height and mode."""
    assert replays(near, 20, 20) == 20


@pytest.mark.slow
def test_the_connected_world(whole: Reach, real: FieldWorld) -> None:
    """All towns and routes of the mainland are reached; what is across the sea by boat is not."""
    zones = whole.zones()
    assert whole.count > 100_000 and len(zones) > 360
    names = {real.headers[zone].internal_name for zone in zones}
    towns = {f"T0{number}" for number in range(1, 6)} | {f"C{number:02}" for number in range(1, 11)}
    assert towns <= names
    assert {f"R{number}" for number in (201, 202, 203, 204, 206, 207, 208, 209, 213, 214, 216, 217)} <= {
        name[:4] for name in names
    }
    assert not {"R225", "R230", "D34R0101"} & names


@pytest.mark.slow
def test_a_thousand_paths_replay(whole: Reach) -> None:
    assert replays(whole, 1000, 21) == 1000


@pytest.mark.slow
def test_every_unreached_place_says_why(whole: Reach, real: FieldWorld) -> None:
    report = {one.header: one for one in unreached(whole)}
    zones = whole.zones()
    assert len(report) + len(zones) == len(real.headers) and not set(report) & set(zones)
    named = 0
    for one in report.values():
        assert one.sentence.endswith(".")
        if one.edge is None:
            continue
        named += 1
        ground = whole.grounds.entered(one.edge.header)
        assert one.edge.rule == "warp" or one.edge.tile in whole.tiles(ground)
    assert named > 120


@pytest.mark.slow
def test_on_foot_the_sea_is_named(real: FieldWorld) -> None:
    """Without Surf the towns beyond water name the shore."""
    found = search(real, real.place(PLAYERS_ROOM).header.id, *START)
    report = {real.headers[one.header].internal_name: one for one in unreached(found)}
    league = report["C10"].edge
    assert league is not None and league.opened_by == "Surf" and league.rule == "water"


def test_a_search_does_without_the_ticks_of_its_movements(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks, tick = [], Player.tick

    def counted(player: Player) -> Any:
        ticks.append(player.observed)
        return tick(player)

    monkeypatch.setattr(Player, "tick", counted)
    world = FieldWorld.open("demo")
    village = world.place("T01").header.id
    reach = search(world, village, 14, 44)
    played = [entry[2] for visited in reach.visited.values() for entry in visited.states.values() if entry is not None]
    assert len(played) > 100 and len(ticks) < len(played) / 2
    ticks.clear()
    letters = reach.path(reach.states()[-1])
    assert len(list(play(Walker(world, village, 14, 44), letters))) == len(ticks) > 4 * len(letters)

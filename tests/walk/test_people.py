"""Trainers who see the player, and boulders, on hand-made maps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mapexplorer.games import DEFAULT
from mapexplorer.walk import EAST, NORTH, SOUTH, WEST, Ability, Direction, Tick, Walker, parse_path, play
from mapexplorer.world import FieldWorld
from mapexplorer.world.terrain.terrain import centre
from tools.demo_world.plates import Plate

FX = 4096
SOLID = 0x8000
AHEAD, ALL_AROUND = 1, 2
SCRIPT = 3004
FLAG = DEFAULT.tables.save_names.trainers.start + 5
BOULDER = 84
Make = Callable[..., Walker]


def trainer(
    x: int, z: int, facing: Direction = SOUTH, sight: int = 4, kind: int = AHEAD, **more: int
) -> dict[str, Any]:
    return {
        "x": x,
        "z": z,
        "direction": int(facing),
        "trainer_type": kind,
        "parameters": (sight, 0, 0),
        "script": SCRIPT,
        **more,
    }


def walked(walker: Walker, keys: str) -> list[Tick]:
    return list(play(walker, parse_path(keys)))


def met(ticks: list[Tick]) -> list[str]:
    return [event.kind for tick in ticks for event in tick.events if event.kind in ("trainer", "battle")]


def test_a_trainer_walks_up_and_counts_as_beaten(make_walker: Make) -> None:
    """From four tiles away it takes three steps of 8 ticks; it stays there, and does not look again."""
    walker = make_walker(9, 9, objects=(trainer(10, 5),))
    ticks = walked(walker, "E")
    assert met(ticks) == ["trainer", "battle"]
    assert len(ticks) == 3 + 8 + 3 * 8 + 1 and walker.facing is NORTH
    assert [(each.x, each.z) for each in walker.moved] == [(10, 8)] and FLAG in walker.save.flags
    assert not walker.objects_on(0, 10, 8) and walker.refused(NORTH) is not None
    assert met(walked(walker, "EW")) == []
    walker.place(0, 9, 9)
    assert walker.moved == () and met(walked(walker, "E")) == []


@pytest.mark.parametrize(
    ("people", "tiles"),
    [
        ([trainer(10, 4)], {}),
        ([trainer(10, 5, facing=NORTH)], {}),
        ([trainer(10, 5, kind=0)], {}),
        ([trainer(10, 5) | {"script": 7}], {}),
        ([trainer(10, 5)], {(10, 7): SOLID}),
        ([trainer(10, 5), {"x": 10, "z": 7}], {}),
        ([trainer(9, 5)], {}),
        ([trainer(10, 5, y=32 * FX)], {}),
    ],
    ids=[
        "too far",
        "looks away",
        "no trainer",
        "another script",
        "behind a wall",
        "behind somebody",
        "another column",
        "another level",
    ],
)
def test_who_does_not_see_the_player(people: list[dict[str, Any]], tiles: dict[Any, int], make_walker: Make) -> None:
    plates = (Plate(-256, -256, 256, 256, 0), Plate(-96, -176, -80, -160, 32))
    assert met(walked(make_walker(9, 9, objects=people, tiles=tiles, plates=plates, near=0), "E")) == []


def test_trainers_look_as_their_types_say(make_walker: Make) -> None:
    for kind in (AHEAD, 4, 5, 6, 7, 8):
        assert met(walked(make_walker(9, 9, objects=(trainer(10, 6, kind=kind),)), "E")) == ["trainer", "battle"]
    all_around = trainer(6, 9, facing=SOUTH, kind=ALL_AROUND)
    assert met(walked(make_walker(9, 8, objects=(all_around,)), "S")) == ["trainer", "battle"]
    faces_west = trainer(13, 9, facing=NORTH, movement_type=16)
    assert met(walked(make_walker(9, 9, objects=(faces_west,)), "E")) == ["trainer", "battle"]


def test_nobody_looks_where_people_are_no_obstacles_or_trainers_are_off(make_walker: Make) -> None:
    assert met(walked(make_walker(9, 9, objects=(trainer(10, 6),), people=False), "E")) == []
    walker = make_walker(9, 9, objects=(trainer(10, 6),))
    walker.trainers = False
    assert met(walked(walker, "E")) == []


def test_two_trainers_come_one_after_the_other(make_walker: Make) -> None:
    second = trainer(13, 9, facing=WEST)
    second["script"] = SCRIPT + 1
    walker = make_walker(9, 9, objects=(second, trainer(10, 6)))
    ticks = walked(walker, "E")
    assert met(ticks) == ["trainer", "battle"] * 2
    assert [(each.index, each.x, each.z) for each in walker.moved] == [(0, 11, 9), (1, 10, 8)]


def test_who_is_spoken_to_counts_as_beaten(make_walker: Make) -> None:
    walker = make_walker(10, 9, objects=(trainer(10, 8, facing=NORTH),))
    assert met(walked(walker, "nA")) == ["battle"] and FLAG in walker.save.flags
    assert met(walked(walker, "A")) == []


def boulder(x: int, z: int) -> dict[str, int]:
    return {"x": x, "z": z, "graphics": BOULDER}


def test_boulders_are_pushed_tile_by_tile(make_walker: Make) -> None:
    """The player stays while the boulder moves, and it stays where it was pushed."""
    walker = make_walker(10, 9, objects=(boulder(11, 9),), tiles={(14, 9): SOLID})
    ticks = walked(walker, "e E")
    assert len(ticks) == 3 + 16 and (walker.x, walker.z) == (10, 9) and walker.position == (centre(10), 0, centre(9))
    assert [(each.x, each.z) for each in walker.moved] == [(12, 9)]
    kinds = [event.kind for tick in walked(walker, "4E") for event in tick.events]
    assert kinds == ["boulder", "blocked"] and walker.x == 12
    assert [(each.x, each.z) for each in walker.moved] == [(13, 9)]
    walker.place(0, 10, 9)
    assert walker.refused(EAST) is not None and not walker.moved


def test_boulders_are_back_when_the_zone_is_entered_again(
    make_world: Callable[..., FieldWorld], make_map: Callable[..., Any]
) -> None:
    both = make_map(width=2, zones=(0, 1), objects=(boulder(30, 5),))
    walker = Walker(make_world(both, make_map()), 0, 29, 5)
    walked(walker, "E")
    assert [(each.x, each.z) for each in walker.moved] == [(31, 5)]
    walked(walker, "N4E")
    assert (walker.x, walker.zone, walker.moved) == (33, 1, ())
    walked(walker, "4WS")
    assert walker.refused(EAST) is not None


def test_what_stops_a_boulder(make_walker: Make) -> None:
    without = make_walker(10, 9, objects=(boulder(11, 9),))
    without.abilities -= {Ability.STRENGTH}
    for walker in (
        without,
        make_walker(10, 9, objects=(boulder(11, 9), boulder(12, 9))),
        make_walker(10, 9, objects=(boulder(11, 9),), tiles={(12, 9): SOLID}),
        make_walker(10, 9, objects=({"x": 11, "z": 9},)),
    ):
        assert "blocked" in [event.kind for tick in walked(walker, "E") for event in tick.events]
        assert walker.x == 10 and not walker.moved

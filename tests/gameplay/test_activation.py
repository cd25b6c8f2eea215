"""Which script runs where: the demo world, made-up events, and totals of the real world."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from mapexplorer.gameplay.activation import (
    Activation,
    Cause,
    Condition,
    Need,
    ScriptOccasion,
    of_header,
    on_arrival,
    on_button,
    on_facing,
    on_step,
)
from mapexplorer.world import FieldWorld
from mapexplorer.world.direction import EAST, NORTH, SOUTH, WEST, Direction
from mapexplorer.world.events.script_files import locate_script
from mapexplorer.world.place import FieldPlace

FACING_NORTH = Condition(Need.FACING, (NORTH,))


@pytest.fixture
def village(demo: FieldWorld) -> FieldPlace:
    return demo.place("T01")


def short(found: tuple[Activation, ...]) -> list[tuple[Cause, int, int]]:
    return [(one.cause, one.index, one.script) for one in found]


def test_people_and_signs_answer_the_button(village: FieldPlace) -> None:
    assert short(on_button(village, 6, 50)) == [(Cause.OBJECT, 0, 1)]
    sign = on_button(village, 17, 37)
    assert short(sign)[0] == (Cause.BACKGROUND_EVENT, 1, 101) and sign[0].conditions == (FACING_NORTH,)
    assert on_button(village, 17, 37, NORTH)[0] == sign[0]
    assert Cause.BACKGROUND_EVENT not in [one.cause for one in on_button(village, 17, 37, SOUTH)]
    well = on_button(village, 12, 39, WEST)
    assert (Cause.BACKGROUND_EVENT, 3, 103) in short(well) and well[0].conditions == ()
    assert on_button(village, 0, 0) == ()


def test_signposts_and_signs_are_read_by_holding_north(village: FieldPlace) -> None:
    assert short(on_facing(village, 24, 38)) == [(Cause.OBJECT, 3, 4)]
    assert short(on_facing(village, 17, 37)) == [(Cause.BACKGROUND_EVENT, 1, 101)]
    assert on_facing(village, 6, 50) == () and on_facing(village, 12, 39) == ()


def test_a_trigger_runs_in_its_rectangle_while_its_variable_has_its_value(village: FieldPlace) -> None:
    expected = (Condition(Need.VARIABLE_IS, (0x406C, 0)),)
    for x, z, inside in ((27, 36, True), (27, 37, True), (27, 38, False), (28, 36, False), (26, 36, False)):
        found = on_step(village, x, z)
        assert bool(found) == inside
        assert all((one.script, one.conditions, one.moment) == (200, expected, ScriptOccasion.STEP) for one in found)


def test_the_events_are_those_of_the_map_that_the_player_is_on(
    demo: FieldWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    village, lake = demo.place("T01"), demo.place("L01")
    found = on_button(village, 55, 39)
    assert found == on_button(lake, 55, 39)
    assert found[0].header == lake.header.id
    assert found[0].conditions == (Condition(Need.FLAG_CLEAR, (90,)),)
    # A sign of the village that stands beyond its border is not read by a player there.
    events = demo.events(village.header.id)
    assert events is not None
    signs = events.background.copy()
    signs["x"][0], signs["z"][0] = 13, 29
    moved, read = replace(events, background=signs), demo.events
    monkeypatch.setattr(demo, "events", lambda header: moved if header == village.header.id else read(header))
    assert on_button(village, 13, 29, NORTH) == ()


def test_scripts_that_run_by_themselves_are_in_the_order_of_the_game(demo: FieldWorld) -> None:
    header = demo.place("T01").header.id
    entered, frame = on_arrival(demo, header)
    assert (entered.moment, entered.script, entered.conditions) == (ScriptOccasion.TRANSITION, 50, ())
    assert (frame.moment, frame.script) == (ScriptOccasion.FRAME, 102)
    assert frame.conditions == (Condition(Need.VARIABLE_IS, (0x406D, 2)),)
    assert on_arrival(demo, demo.place("L01").header.id) == ()


class _Tiles:
    """A terrain whose tiles have one behaviour."""

    def __init__(self, behaviour: int) -> None:
        self._behaviour = behaviour

    def behaviour(self, x: int, z: int) -> int:
        return self._behaviour

    def cell_at(self, x: int, z: int) -> None:
        return None

    def props_on(self, x: int, z: int) -> tuple[int, ...]:
        return ()


@pytest.fixture
def on_behaviour(village: FieldPlace, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Activation, ...]]:
    """What the button runs at tile (5, 49) with a behaviour; the village's first person is one tile south of it."""

    def ask(behaviour: int, facing: Any = None) -> tuple[Activation, ...]:
        monkeypatch.setitem(vars(village), "terrain", _Tiles(behaviour))
        return on_button(village, 6, 49, facing)

    return ask


@pytest.mark.parametrize(
    "behaviour, script, facings",
    [
        (0x83, 2018, {NORTH}),
        (0xE1, 2502, set(Direction)),
        (0x4B, 10003, {NORTH, SOUTH}),
        (0x4C, 10003, {WEST, EAST}),
    ],
)
def test_tiles_run_scripts(
    on_behaviour: Callable[..., tuple[Activation, ...]], behaviour: int, script: int, facings: set[Any]
) -> None:
    assert [one.script for one in on_behaviour(behaviour)] == [script]
    assert {facing for facing in Direction if on_behaviour(behaviour, facing)} == facings


def test_water_takes_a_badge_and_a_move(on_behaviour: Callable[..., tuple[Activation, ...]]) -> None:
    (surf,) = on_behaviour(0x10)
    assert (surf.cause, surf.script) == (Cause.WATER, 10004)
    assert surf.conditions == (Condition(Need.BADGE, (3,)), Condition(Need.MOVE, (57,)))
    assert [one.cause for one in on_behaviour(0x13)] == [Cause.BEHAVIOUR, Cause.WATER]


def test_one_talks_over_a_table(on_behaviour: Callable[..., tuple[Activation, ...]]) -> None:
    assert short(on_behaviour(0x80, SOUTH)) == [(Cause.OBJECT, 0, 1)]
    assert on_behaviour(0x80, NORTH) == () == on_behaviour(0x80) == on_behaviour(0, SOUTH)


def test_every_honey_tree_of_the_game_answers_from_the_south(real: FieldWorld) -> None:
    """The header of the first and the last one; the tree stands on the tile of its position."""
    for header, x, z in ((200, 246, 657), (395, 826, 780)):
        found = [one for one in on_button(real.place(header), x, z, NORTH) if one.cause is Cause.HONEY_TREE]
        assert [one.script for one in found] == [2008]
        assert not any(one.cause is Cause.HONEY_TREE for one in on_button(real.place(header), x, z + 1, NORTH))


def test_all_activations_of_the_game_lead_to_scripts(real: FieldWorld) -> None:
    """But one: a sign of header 45 names a script that its file does not have."""
    found = [one for header in real.headers for one in of_header(real, header.id)]
    places = [(one, locate_script(real, one.header, one.script)) for one in found]
    assert all(place is not None for _, place in places)
    missing = [
        (one.header, one.script)
        for one, place in places
        if place is not None and place.entry >= len(real.script_file(place.member).entries)
    ]
    assert missing == [(45, 45)]
    counts = Counter(one.moment for one in found)
    assert counts[ScriptOccasion.STEP] == 186
    assert counts[ScriptOccasion.FRAME] == 53 + 25 * 2 + 4 * 3 + 23 * 4
    hidden = [one for one in found if one.cause is Cause.BACKGROUND_EVENT and 8000 <= one.script < 8800]
    assert len(hidden) == 262
    assert all(one.conditions == (Condition(Need.FLAG_CLEAR, (one.script - 7270,)),) for one in hidden)

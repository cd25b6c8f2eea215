"""What code adds to a map, in a walk: hooks, height plates, jumps, things in the way, and changes that carry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from mapexplorer.features import ChangeTick, Feature, FeatureChange, HeightPlate, Press
from mapexplorer.games import DEFAULT
from mapexplorer.walk import EAST, NORTH, SOUTH, Direction, Move, Standing, StepRule, Walker, decide
from mapexplorer.walk.reach import search
from mapexplorer.world.events.script_files import NamedCommand
from mapexplorer.world.terrain.terrain import Terrain, centre

FX = 4096
SOLID = 0x8000
Make = Callable[..., Walker]


@dataclass(frozen=True)
class Machine(Feature):
    """Bars (11, 5), frees (12, 5), leaves the rest; a thing on (10, 6), a jump over (10, 4), a plate west of (11, 5).

    A step onto (13, 5) and a trigger on (5, 9) carry the player one tile north and 8 units up, a press against (10, 6)
    ends that it bars the way.
    """

    name = "machine"
    kept = True

    rides: int = 0
    pressed_away: bool = False

    @property
    def state(self) -> int:
        return self.rides

    @property
    def plates(self) -> tuple[HeightPlate, ...]:
        return (HeightPlate(9, 5, 2, 1, 16 * FX),)

    def collides(self, ground: Terrain, x: int, z: int, y: int) -> bool | None:
        return {(11, 5): True, (12, 5): False}.get((x, z))

    def occupied(self, x: int, z: int) -> bool:
        return (x, z) == (10, 6) and not self.pressed_away

    def jumps(self, x: int, z: int, direction: Direction) -> bool:
        return (x, z) == (10, 4) and direction in (NORTH, SOUTH)

    def carry(self, x: int, z: int) -> FeatureChange:
        after = replace(self, rides=1)
        path = [(centre(x), 4 * tick * FX, centre(z) - 8 * tick * FX) for tick in (1, 2)]
        return FeatureChange(
            "ride", "Rides.", after, lambda: [ChangeTick(self, at) for at in path], ends_at=(x, z - 1, 8 * FX)
        )

    def stepped(self, x: int, z: int, y: int) -> FeatureChange | None:
        return self.carry(x, z) if (x, z) == (13, 5) else None

    def triggered(self, commands: Sequence[NamedCommand], ground: Terrain, x: int, z: int) -> FeatureChange | None:
        return self.carry(x, z) if (x, z) == (5, 9) else None

    def pressed(self, press: Press) -> FeatureChange | None:
        after = replace(self, pressed_away=True)
        return (
            FeatureChange("push", "Pushes.", after, lambda: [ChangeTick(after)])
            if self.occupied(*press.ahead)
            else None
        )


MACHINE = Machine(DEFAULT.tables, 0)


@pytest.fixture
def machine(make_walker: Make, monkeypatch: pytest.MonkeyPatch) -> Make:
    """A walker on a map with the machine, whose tile (12, 5) is solid; with `fence` all but (13, 4) and (13, 5) are."""
    monkeypatch.setattr("mapexplorer.walk.player.entered_walking", lambda save, header, entry: MACHINE)

    def make(x: int, z: int, fence: bool = False, **values: Any) -> Walker:
        solid = [(x, z) for x in range(32) for z in range(32)] if fence else [(12, 5)]
        tiles = {tile: SOLID for tile in solid if tile not in ((13, 4), (13, 5))}
        return make_walker(x, z, tiles=tiles, **values)

    return make


def test_the_hook_decides_before_the_land(machine: Make) -> None:
    walker = machine(10, 5)
    why = walker.refused(EAST)
    assert why is not None and why.rule is StepRule.FEATURE and "(11, 5)" in why.sentence
    free = Standing(11, 5, 0, feature=MACHINE)
    assert decide(walker.ground, free, EAST).move is Move.STEP
    assert decide(walker.ground, free._replace(feature=None), EAST).rule is StepRule.COLLISION
    assert decide(walker.ground, Standing(10, 5, 20 * FX, feature=MACHINE), EAST).rule is StepRule.HEIGHT


def test_things_and_jumps(machine: Make) -> None:
    walker = machine(10, 5)
    assert walker.decide(SOUTH).rule is StepRule.FEATURE
    assert walker.decide(NORTH).move is Move.LEDGE
    list(walker.press(NORTH))
    assert (walker.x, walker.z) == (10, 3)
    list(walker.press(SOUTH))
    assert (walker.x, walker.z) == (10, 5)
    events = [event for tick in walker.press(SOUTH) for event in tick.events]
    assert [event.kind for event in events] == ["feature"] and events[0].values["change"] == "push"
    list(walker.press(SOUTH))
    assert (walker.x, walker.z) == (10, 6)


def test_a_plate_carries_whoever_is_nearer_to_it(machine: Make) -> None:
    low, high = machine(10, 5), machine(10, 5)
    list(low.press(Direction.WEST))
    assert (low.x, low.y) == (9, 0)
    high.stand(0, high.standing._replace(y=12 * FX))
    list(high.press(Direction.WEST))
    assert (high.x, high.y) == (9, 16 * FX)


def test_a_step_that_carries(machine: Make) -> None:
    walker = machine(12, 5)
    ticks = list(walker.press(EAST))
    assert (walker.x, walker.z, walker.y) == (13, 4, 8 * FX)
    assert [tick.position[1] // FX for tick in ticks[-2:]] == [4, 8]
    assert walker.position == (centre(13), 8 * FX, centre(4))
    assert walker.feature == replace(MACHINE, rides=1) and walker.save.features == {"machine": 1}


def test_a_trigger_that_carries(machine: Make) -> None:
    trigger = {"x": 5, "z": 9, "width": 1, "length": 1, "script": 7}
    walker = machine(4, 9, triggers=[trigger])
    kinds = [event.kind for tick in walker.press(EAST) for event in tick.events]
    assert kinds == ["trigger", "feature"] and (walker.x, walker.z) == (5, 8)


def test_searches_follow_changes(machine: Make) -> None:
    """The machine carries the player out of a room: the tiles beyond are reached, in its other state."""
    walker = machine(12, 5, fence=True)
    found = search(walker.world, 0, 12, 5, people=True, over_warps=False)
    reached = {(state.standing.x, state.standing.z, state.standing.feature) for state in found.states()}
    assert reached == {(12, 5, MACHINE), (13, 4, replace(MACHINE, rides=1))}
    assert [found.path(state) for state in found.states()] == ["", "E"]

"""Features against the ground-truth vectors, row by row: the original game logic run natively."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from formats.fixed import ONE
from mapexplorer.features import Feature, FeatureChange, entered, table_of
from mapexplorer.features.canalave_gym import CanalaveGym
from mapexplorer.features.eterna_gym import EternaGym
from mapexplorer.features.great_marsh import GreatMarsh
from mapexplorer.features.pastoria_gym import PastoriaGym
from mapexplorer.features.platform_lift import PlatformLift
from mapexplorer.features.sunyshore_gym import SunyshoreGym
from mapexplorer.features.veilstone_gym import VeilstoneGym
from mapexplorer.games import DEFAULT
from mapexplorer.world import FieldWorld
from mapexplorer.world.direction import EAST, Direction
from mapexplorer.world.events.script_files import NamedCommand
from mapexplorer.world.save import fresh_save
from mapexplorer.world.terrain.obstacle import Hook, StepRule, obstacle
from mapexplorer.world.terrain.terrain import Terrain, centre, with_plate

TABLES = DEFAULT.tables
PASTORIA, CANALAVE, ETERNA, VEILSTONE, MARSH = 122, 35, 67, 133, 504
SUNYSHORE = (154, 155, 156)
Cases = list[dict[str, Any]]
Rows = list[dict[str, int]]


def named(case: str) -> Feature:
    """The feature in the state that a case names."""
    gym, *numbers = case.split("_")
    if gym == "pastoria":
        return PastoriaGym.in_state(table_of(PastoriaGym, TABLES), PASTORIA, int(numbers[0]))
    if gym == "sunyshore":
        return SunyshoreGym.in_state(table_of(SunyshoreGym, TABLES), SUNYSHORE[int(numbers[0])], int(numbers[1]))
    if gym == "eterna":
        return EternaGym.in_state(table_of(EternaGym, TABLES), ETERNA, int(numbers[0]))
    if gym == "great":
        return GreatMarsh.in_state(table_of(GreatMarsh, TABLES), MARSH, int(case[-1]))
    if numbers[0].startswith("states"):
        return CanalaveGym.in_state(table_of(CanalaveGym, TABLES), CANALAVE, int(numbers[0].removeprefix("states")))
    assert gym == "canalave"
    return CanalaveGym.entered(table_of(CanalaveGym, TABLES), CANALAVE, None)


def turned(prop: dict[str, Any]) -> tuple[int, int, int] | None:
    """The rotation of a row as 16-bit numbers."""
    return None if prop["rotation"] is None else tuple(angle & 0xFFFF for angle in prop["rotation"])


def test_collision_hooks(cases: Callable[[str], Cases], real: FieldWorld) -> None:
    letters = {True: "#", False: ".", None: "-"}
    for case in cases("collision_hooks"):
        feature = named(case["case"])
        ground = real.place(feature.header).terrain
        found = [
            "".join(letters[feature.collides(ground, x, z, case["y"])] for x in range(len(row)))
            for z, row in enumerate(case["rows"])
        ]
        assert found == case["rows"], (case["case"], case["y"])


def test_run_time_props(cases: Callable[[str], Cases]) -> None:
    for case in cases("run_time_props"):
        name = case["case"]
        height = int(name.rpartition("_y")[2]) * 4096 if "_y" in name else 0
        found = [(prop.model, prop.position, prop.rotation, prop.hidden) for prop in named(name).props(height)]
        expected = [
            (prop["model"], tuple(prop["position"]), turned(prop), bool(prop["hidden"])) for prop in case["props"]
        ]
        assert found == expected, name


def ticks(change: FeatureChange) -> list[Feature]:
    """The feature at each tick of a change."""
    return [moment.feature for moment in change.moments()]


def pastoria_button(case: dict[str, Any]) -> None:
    gym = PastoriaGym.in_state(table_of(PastoriaGym, TABLES), PASTORIA, case["state"])
    levels = [level.color for level in gym.table.levels]
    change = gym.press(levels.index(case["button"]))
    assert [feature.props()[0].position[1] for feature in ticks(change)] == case["water_y"]
    assert change.after.state == case["end_state"]


def canalave_ride(case: dict[str, Any]) -> None:
    platform = case["platform"]
    gym = CanalaveGym.entered(table_of(CanalaveGym, TABLES), CANALAVE, None)
    if bool(gym.at_b >> platform & 1) != (case["from"] == "B"):
        gym = CanalaveGym.in_state(table_of(CanalaveGym, TABLES), CANALAVE, gym.at_b ^ 1 << platform)
    change = gym.board(platform)
    values = (change.values["direction"], change.values["destination"], change.after.state >> platform & 1)
    assert values == (case["direction"], case["destination"], case["at_b_after"])
    moments = list(change.moments())
    if case["y"] is not None:
        player = [moment.player[1] for moment in moments if moment.player is not None]
        assert player == case["y"] == [moment.feature.props()[3 + platform].position[1] for moment in moments]
        props = moments[-1].feature.props(player[-1])
        assert [number for number, prop in enumerate(props) if prop.hidden] == case["hidden_after"]


def sunyshore_turn(case: dict[str, Any]) -> None:
    gym = SunyshoreGym.in_state(table_of(SunyshoreGym, TABLES), SUNYSHORE[case["room"]], case["state"])
    change = gym.turn({"normal": 1, "reverse": -1, "double": 2}[case["button"]])
    rotations = [[prop.rotation for prop in feature.props()] for feature in ticks(change)]
    assert [gears[0][1] for gears in rotations] == case["first_gear_y"]
    assert [[x, y] for x, y, _ in rotations[-1]] == case["end_rotations_xy"]
    assert [prop.rotation for prop in change.after.props()] == rotations[-1]
    assert change.after.state == case["end_state"]


def eterna_clock(case: dict[str, Any]) -> None:
    gym = EternaGym.in_state(table_of(EternaGym, TABLES), ETERNA, case["from_state"])
    change = gym.advance()
    assert change.after.state == case["to_state"]
    found = []
    for feature in ticks(change):
        if feature.time is None:
            continue
        hour_hand, minute_hand = (prop.rotation[1] for prop in feature.props())
        hour, minute, _ = feature.shown_time
        found.append([hour_hand, minute_hand, hour * 4096, minute * 4096])
    assert found == case["ticks"]


def tram_call(case: dict[str, Any]) -> None:
    marsh = GreatMarsh.in_state(table_of(GreatMarsh, TABLES), MARSH, case["from"])
    change = marsh.call(case["to"])
    assert [feature.props()[0].position[2] for feature in ticks(change)] == case["z"]
    assert change.after.state == case["to"]


def test_traces(cases: Callable[[str], Cases]) -> None:
    checks = {
        check.__name__: check for check in (pastoria_button, canalave_ride, sunyshore_turn, eterna_clock, tram_call)
    }
    for case in cases("traces"):
        if case["kind"] != "veilstone_hit":
            checks[case["kind"]](case)


@pytest.mark.parametrize("folder", ["dynamic", "dynamic-2"])
def test_punches(cases: Callable[..., Cases], real: FieldWorld, folder: str) -> None:
    """The trials are sequences: each punch begins with the layout that the last one left, with the bag in the middle of
    its tile; where it stops it stays, up to 2 units beyond the middle."""
    ground = real.place(VEILSTONE).terrain
    hits = [case for case in cases("traces", folder) if case["kind"] == "veilstone_hit"]
    for _, trial in itertools.groupby(hits, key=lambda case: case["trial"]):
        gym = VeilstoneGym.entered(table_of(VeilstoneGym, TABLES), VEILSTONE, None)
        for case in trial:
            bag, direction = case["bag"], Direction(case["direction"])
            assert list(gym.bags[bag]) == case["from"]
            change = gym.punch(bag, direction)
            assert change.values["tiles"] == case["distance"]
            drawn = []
            for feature in ticks(change):
                if feature.slide is not None:
                    position = feature.effects(ground)[len(feature.stacks) + bag].position
                    drawn.append(position[0] if direction in (2, 3) else position[2])
            assert drawn == case["bag_coordinate"]
            gym = change.after
            assert (list(gym.bags[bag]), list(gym.stacks)) == (case["end"], case["stacks_left"])
            if drawn:
                x, _, z = gym.effects(ground)[len(gym.stacks) + bag].position
                assert (x if direction in (2, 3) else z) == drawn[-1]
                assert abs(x - centre(gym.bags[bag][0])) + abs(z - centre(gym.bags[bag][1])) <= 2 * ONE
            gym = replace(gym, drawn={})


def test_distances(rows: Callable[[str], Rows]) -> None:
    gym = VeilstoneGym.entered(table_of(VeilstoneGym, TABLES), VEILSTONE, None)
    for row in rows("veilstone_distance"):
        assert gym.bags[row["bag"]] == (row["x"], row["z"])
        assert gym.distance(row["bag"], Direction(row["direction"])) == (row["distance"], row["flags"])


def test_platform_lifts(rows: Callable[[str], Rows]) -> None:
    save = fresh_save(DEFAULT)
    for row in rows("platform_lifts"):
        lift = entered(save, row["header"], (0, row["entry_z"]))
        assert isinstance(lift, PlatformLift)
        (plate,) = lift.plates
        assert plate == (row["plate_x"], row["plate_z"], row["size_x"], row["size_z"], row["height"])
        own = [(prop.position[0], prop.position[2]) for prop in lift.props()]
        assert own == ([(row["own_prop_x"], row["own_prop_z"])] if row["own_prop_x"] else [])
        assert lift.can_move == bool(row["can_move"])
        # A lift of the League that cannot move was not called unused when the map was entered.
        assert bool(row["unused_when_entered"]) == lift.can_move
        x, z = plate.x + 1, plate.z
        change = lift.triggered([NamedCommand("TriggerPlatformLift", ())], OneTile(0, 0), x, z)
        if not row["can_move"]:
            assert row["ticks"] == 0 and change is None
            continue
        assert change is not None
        moments = list(change.moments())
        assert len(moments) == row["ticks"]
        assert moments[-1].player is not None and moments[-1].player[1] == row["height_after"]
        assert change.after.plates[0].height == row["plate_height_after"]


class OneTile(Terrain):
    """Ground of one height, or none, with the same attribute word everywhere."""

    def __init__(self, height: int | None, word: int) -> None:
        self._height, self._word = height, word
        self.height_limit = TABLES.movement.height_limit
        self.groups = TABLES.behaviour_groups

    def centre_height(self, x: int, z: int, near: int) -> int | None:
        return self._height

    def attribute(self, x: int, z: int) -> int:
        return self._word if x else 0


def answering(row: dict[str, int]) -> Hook:
    """A hook that answers as a row says."""
    answer = bool(row["hook_blocks"]) if row["hook_decides"] else None
    return lambda *_: answer


@pytest.mark.parametrize("people", [False, True])
def test_plate_choice(rows: Callable[[str], Rows], people: bool) -> None:
    """The height query with a plate over the tile, and the two collision tests."""
    for row in rows("plate_choice"):
        ground = OneTile(row["ground"] if row["ground_found"] else None, row["attribute"])
        plate = row["plate"] if row["plate_present"] else None
        rule = obstacle(ground, 0, 0, row["y"], EAST, plate, None if people else answering(row))
        who = "npc" if people else "player"
        height, from_plate = with_plate(ground.centre_height(1, 0, row["y"]), plate, row["y"])
        assert height == (row["height"] if row["source"] else None)
        assert row["source"] == (0 if height is None else 2 if from_plate else 1)
        vertical = 0 if rule is not StepRule.HEIGHT else 1 if (height or 0) > row["y"] else -1
        assert (vertical, rule is not None) == (row[f"{who}_vertical"], bool(row[f"{who}_blocked"])), row

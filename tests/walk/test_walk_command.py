"""The verb `walk`, as a user types it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from PIL import Image

from mapexplorer import World
from mapexplorer.cli import program
from mapexplorer.scene.conditions import Conditions, shown_save
from mapexplorer.scene.field_objects import FieldObjects
from mapexplorer.scene.view import ENTERED, NEW, View
from mapexplorer.walk import Grounds
from mapexplorer.world import FieldWorld
from mapexplorer.world.events.transition import entered_save
from mapexplorer.world.save import fresh_save


def run(*arguments: str) -> Result:
    return CliRunner().invoke(program, ["walk", *arguments])


def as_json(*arguments: str) -> Any:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_every_tick_is_printed() -> None:
    result = run("demo", "T01", "--from", "14,44", "--path", "2E")
    lines = result.stdout.splitlines()
    assert result.exit_code == 0 and len(lines) == 1 + 3 + 16 + 1
    assert lines[0].split()[:4] == ["Tick", "Zone", "Place", "X"]
    assert lines[-1] == "19 ticks, ends in Millbrook on (16, 44) at height 0; 0 refusals."


def test_ticks_as_json() -> None:
    walk = as_json("demo", "T01", "--from", "14,44", "--path", "e R 3E S")
    ground = {
        "tile": [17, 45],
        "height": 0.0,
        "elevated": False,
        "mode": "foot",
        "feature": None,
        "state": None,
        "changed": {},
    }
    assert walk["end"] == {"entered": 4, "header": 4, **ground}
    running = [tick for tick in walk["ticks"] if tick["gait"] == "run"]
    assert len(running) == 16 and running[0]["position"][0] == 14 * 16 + 12
    assert [tick["tick"] for tick in walk["ticks"]] == list(range(1, 20))


def test_changes_of_the_map_are_told(rom_path: Path) -> None:
    """A slide breaks a snowball; with the state that was chosen there is none."""
    arguments = (str(rom_path), "C09GYM0101", "--from", "5,11", "--path", "E", "--people")
    end = as_json(*arguments)["end"]
    assert end["tile"] == [16, 11] and list(end["changed"]) == ["snowpoint gym"]
    assert end["changed"]["snowpoint gym"] == end["state"] == [number for number in range(19) if number != 5]
    assert as_json(*arguments, "--state", "broken")["end"]["changed"] == {}


def test_refusals_are_told() -> None:
    walk = as_json("demo", "T01", "--from", "7,35", "--path", "W 9W")
    blocked = [event for tick in walk["ticks"] for event in tick["events"] if event["kind"] == "blocked"]
    assert blocked and all(event["rule"] and event["sentence"].endswith(".") for event in blocked)


def test_reach_and_the_way_there(tmp_path: Path) -> None:
    report = as_json("demo", "T01", "--from", "14,44", "--reach")
    on_foot = {zone["internal_name"]: zone["tiles"] for zone in report["zones"]}
    assert {"T01", "T01R0101", "D01R0101"} <= set(on_foot) and report["abilities"] == []
    wet = as_json("demo", "T01", "--from", "14,44", "--reach", "--surf", "--waterfall")
    assert wet["tiles"] > report["tiles"] and wet["abilities"] == ["surf", "waterfall"]
    assert {one["internal_name"] for one in wet["unreached"]} == {"ANYWHERE", "NOWHERE"}
    way = as_json("demo", "T01", "--from", "14,44", "--to", "D01R0201@20,11")
    end = as_json("demo", "T01", "--from", "14,44", "--path", way["path"])["end"]
    assert (end["header"], end["tile"], end["height"]) == (9, [20, 11], way["height"])
    arguments = ["walk", "demo", "T01", "--from", "14,44", "--to", "T01@0,0"]
    nowhere = CliRunner().invoke(program, arguments, standalone_mode=False)
    assert nowhere.return_value == 1 and "Not reached" in nowhere.output
    alone = as_json("demo", "T01", "--from", "14,44", "--reach", "--one-matrix")
    assert {zone["internal_name"] for zone in alone["zones"]} <= {"T01", "H01", "F01", "L01"}


GYM = "C09GYM0101"
"""Snowpoint Gym: four snowballs stand on the column of the first warp; the events file says where."""


def start_and_balls(rom: Path) -> tuple[list[int], list[int]]:
    """The tile of the gym's first warp, and the rows of the snowballs on its column."""
    events = World(rom).place(GYM).events
    assert events is not None
    start = [int(events.warps[0]["x"]), int(events.warps[0]["z"])]
    balls = [int(one["z"]) for one in events.objects if one["x"] == start[0] and 5 < one["z"] < start[1]]
    assert start[0] == 11 and len(balls) >= 4
    return start, sorted(balls)


def test_a_way_goes_around_objects_and_names_its_start(rom_path: Path) -> None:
    (x, z), balls = start_and_balls(rom_path)
    rom, behind = str(rom_path), balls[-1] - 1
    around = as_json(rom, GYM, "--to", f"{GYM}@{x},{behind}")
    assert around["start"] == {"header": 167, "tile": [x, z]} and around["people"] is True
    walked = as_json(rom, GYM, "--people", "--path", around["path"])
    assert walked["end"]["tile"] == [x, behind]
    assert not [event for tick in walked["ticks"] for event in tick["events"] if event["kind"] == "blocked"]
    straight = as_json(rom, GYM, "--people", "--path", f"{z - behind}N")
    assert straight["end"]["tile"] == [x, balls[-1] + 1]
    place = f"({x}, {z}) to ({x}, {z - 1}) of Snowpoint City, Gym"
    near = (GYM, "--to", f"{GYM}@{x},{z - 1}")
    assert as_json(rom, *near, "--people") == as_json(rom, *near)
    assert run(rom, *near).output.endswith(f"1 letter from {place}, around map objects.\n")
    assert run(rom, *near, "--no-people").output.endswith("without map objects.\n")
    assert as_json("demo", "T01", "--reach")["people"] is False


@pytest.mark.slow
def test_a_long_way_goes_around_objects(rom_path: Path) -> None:
    """Past all four balls: the search meets many states of those that break."""
    (x, z), _ = start_and_balls(rom_path)
    rom, goal = str(rom_path), (GYM, "--to", f"{GYM}@{x},5")
    around, through = as_json(rom, *goal), as_json(rom, *goal, "--no-people")
    assert around["start"] == through["start"] == {"header": 167, "tile": [x, z]}
    assert (around["people"], through["people"]) == (True, False)
    walked = as_json(rom, GYM, "--people", "--path", around["path"])
    assert walked["end"]["tile"] == [x, 5]
    assert not [event for tick in walked["ticks"] for event in tick["events"] if event["kind"] == "blocked"]
    blocked = as_json(rom, GYM, "--people", "--path", through["path"])
    assert blocked["end"]["tile"] != [x, 5]


def test_reach_writes_pictures_and_json(tmp_path: Path) -> None:
    picture, table = tmp_path / "reach.png", tmp_path / "reach.json"
    assert run("demo", "T01", "--from", "14,44", "--reach", "-o", str(picture)).exit_code == 0
    image = Image.open(picture)
    assert image.size == (1024, 1024)
    assert image.convert("RGB").getpixel((14 * 16 + 8, 44 * 16 + 8)) == (255, 255, 255)
    assert image.convert("RGB").getpixel((15 * 16 + 8, 44 * 16 + 8)) == (96, 200, 96)
    assert run("demo", "T01", "--from", "14,44", "--reach", "-o", str(table)).exit_code == 0
    report = json.loads(table.read_text("utf-8"))
    runs = sum(
        last - first + 1 for ground in report["grounds"] for row in ground["rows"].values() for first, last in row
    )
    assert runs == report["tiles"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--from", "14,44"), "either --path or"),
        (("--from", "14,44", "--path", "N", "--reach"), "either --path or"),
        (("--from", "14,44", "--path", "NQ"), "no letter of a path"),
        (("--from", "999,44", "--path", "N"), "no land"),
        (("--reach", "-o", "x.txt"), ".png or .json"),
        (("--path", "N", "-o", "x.png"), ".png or .json"),
    ],
)
def test_misuse(arguments: tuple[str, ...], words: str) -> None:
    result = run("demo", "T01", *arguments)
    assert result.exit_code == 2 and words in result.output


def test_help_documents_the_notation() -> None:
    result = run("--help")
    from mapexplorer.walk import NOTATION

    for line in NOTATION.splitlines():
        assert line.split()[0] in result.output and line.split(None, 4)[-1] in result.output, line


def test_states_of_features(rom_path: Path) -> None:
    """A state, by name or as JSON, decides what is reached; a walk ends with one that can be given again."""
    rom = str(rom_path)

    def tiles(*arguments: str) -> int:
        return int(as_json(rom, "67", "--from", "11,26", "--reach", "--one-matrix", *arguments)["tiles"])

    assert tiles() == tiles("--state", "0") < tiles("--state", "3")
    end = as_json(rom, "35", "--from", "16,26", "--state", "a", "--path", "7N8W3N3E3N")["end"]
    assert (end["feature"], end["state"]) == ("canalave gym", 1 << 1) and end["height"] == 160
    again = as_json(rom, "35", "--from", "16,26", "--state", json.dumps(end["state"]), "--path", "N")["end"]
    assert again["state"] == end["state"]
    for header, state, why in (("122", "purple", "orange (orange button"), ("T01", "1", "adds nothing")):
        result = run(rom, header, "--state", state, "--path", "N")
        assert result.exit_code == 2 and why in result.output.replace("\n", " ")


def test_the_distortion_world(rom_path: Path, tmp_path: Path) -> None:
    rom = str(rom_path)
    report = as_json(rom, "573", "--reach", "--surf")
    on_walls = {(row["header"], row["on"]): row["tiles"] for row in report["reached"] if "wall" in row["on"]}
    assert on_walls == {
        (574, "the west wall"): 22,
        (575, "the west wall"): 19,
        (576, "the west wall"): 12,
        (577, "the east wall"): 51,
    }
    assert ("the ceiling", 94) in [(row["on"], row["tiles"]) for row in report["reached"]]
    way = as_json(rom, "573", "--to", "574@11,20")
    assert way["standing"]["on"] == "the west wall" and way["start"]["header"] == 573
    end = as_json(rom, "573", "--path", way["path"])["end"]
    assert (end["header"], end["tile"], end["height"]) == (574, [11, 20], (way["standing"]["space_tile"][1] - 256) * 16)
    begun = as_json(rom, "574", "--state", "west wall", "--path", ".")["end"]
    assert (begun["tile"], begun["height"]) == ([11, 19], 48)
    refused = run(rom, "573", "--reach", "-o", str(tmp_path / "x.png"))
    assert refused.exit_code == 2 and "no chart" in refused.output


@pytest.mark.parametrize("step", [15, pytest.param(5, marks=pytest.mark.slow)])
def test_who_is_in_the_way_is_who_the_picture_shows(rom_path: Path, step: int) -> None:
    """After the scripts of each map have run, and before; they also move warps: the door of a house is locked."""
    world, moved = FieldWorld.open(rom_path), 0
    for header in range(3, len(world.headers), step):
        place = world.place(header)
        tiles = []
        for save in (ENTERED, NEW):
            view = View(save=save, features=False)
            conditions = Conditions.of_view(place, view, shown_save(place, view))
            shown = FieldObjects.of_view(conditions, view).of(header).objects
            ground = Grounds(world, by_scripts=save == ENTERED).entered(header)
            tiles.append({(each.index, tile) for tile, objects in ground.objects(header).items() for each in objects})
            assert tiles[-1] == {(mover.setting.event, (mover.x, mover.z)) for mover in shown}, header
        moved += tiles[0] != tiles[1]
    assert moved > 50 // step
    stored, save = world.events(33), entered_save(world, 33, fresh_save(world.game))
    assert stored is not None
    [number] = np.flatnonzero(save.events(33, stored).warps["x"] != stored.warps["x"]).tolist()
    tile = tuple(stored.warps[["x", "z"]][number])
    house = world.headers[int(stored.warps["header"][number])].internal_name
    for save, reached in (("entered", False), ("new", True)):
        at = f"{tile[0]},{tile[1] + 1}"
        report = as_json(str(rom_path), "33", "--reach", "--at", at, "--save", save)
        assert (house in {zone["internal_name"] for zone in report["zones"]}) is reached
        reasons = {area["internal_name"]: area["why"] for area in report["unreached"]}
        assert reached or reasons[house].startswith(f"Warp {number} of header 33 leads here; a script puts it on")


def test_what_runs_at_a_tile_is_what_is_there_after_entering(rom_path: Path) -> None:
    world = FieldWorld.open(rom_path)
    moves = [(change.number, change.value) for change in entered_save(world, 3, fresh_save(world.game)).changes[3]]
    local_id, (x, z) = moves[0][0], (value for _, value in moves[:2])
    events = world.events(3)
    assert events is not None
    [index] = np.flatnonzero(events.objects["local_id"] == local_id).tolist()
    before = int(events.objects["x"][index]), int(events.objects["z"][index])
    for save, there in (("entered", (x, z)), ("new", before)):
        for tile in ((x, z), before):
            arguments = ["tile", str(rom_path), f"3@{tile[0]},{tile[1]}", "--save", save, "--json"]
            result = CliRunner().invoke(program, arguments)
            objects = {each["index"] for each in json.loads(result.stdout)["runs"] if each["cause"] == "object"}
            assert (index in objects) == (tile == there)

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from formats.field.map_matrix import EMPTY_CELL
from mapexplorer import __version__
from mapexplorer.cli import VERBS
from mapexplorer.games import Role
from mapexplorer.world.world import FieldWorld


def place_names() -> list[str]:
    return [
        header.internal_name
        for header in FieldWorld.open("demo").headers
        if FieldWorld.open("demo").place(header.id).cells
    ]


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_explains_itself(cli: Callable[..., Any], verb: str) -> None:
    ran = cli(verb, "--help")
    assert ran.status == 0 and not ran.err
    assert ran.out.startswith(f"Usage: mapexplorer {verb} ")
    text = ran.out.split("\n\n")[1].strip()
    assert text[0].isupper() and len(text) > 20


def test_help_lists_every_verb(cli: Callable[..., Any]) -> None:
    ran = cli("--help")
    assert ran.status == 0
    for verb, (_, line) in VERBS.items():
        assert any(part.split()[:1] == [verb] and line in part for part in ran.out.splitlines())
    assert cli("-h").out == ran.out


def test_version(cli: Callable[..., Any]) -> None:
    assert cli("--version").out == f"mapexplorer, version {__version__}\n"


def test_the_console_script_and_the_module_are_the_same(tmp_path: Path) -> None:
    script = Path(sys.executable).with_name("mapexplorer")
    if not script.exists():
        pytest.skip("the console script is not installed beside this Python")
    outputs = set()
    for words in ([str(script)], [sys.executable, "-m", "mapexplorer"]):
        ran = subprocess.run([*words, "maps", "demo", "--json"], cwd=tmp_path, capture_output=True, check=False)
        assert ran.returncode == 0, ran.stderr.decode()
        outputs.add(ran.stdout)
    assert len(outputs) == 1 and len(json.loads(outputs.pop())["maps"]) == len(FieldWorld.open("demo").headers)


NAMED_BY_CONTENT = {"members", "missing", "damaged"}
"""Values whose keys are paths of files."""


def keys_of(value: Any) -> set[str]:
    """All keys of plain values that are names of fields."""
    if isinstance(value, list):
        return set().union(*map(keys_of, value))
    if not isinstance(value, dict):
        return set()
    return set(value).union(*(keys_of(part) for key, part in value.items() if key not in NAMED_BY_CONTENT))


@pytest.mark.parametrize(
    "arguments, status",
    [
        (("info", "demo"), 0),
        (("maps", "demo"), 0),
        (("maps", "demo", "no such place"), 1),
        (("show", "demo", "2"), 0),
        (("height", "demo", "2", "3.5", "4.5"), 0),
        (("height", "demo", "6", "0.5", "0.5"), 0),
        (("where-used", "demo", "prop", "5"), 0),
        (("verify", "demo", "-j", "1"), 0),
        (("doctor",), None),
    ],
)
def test_json_is_all_that_standard_output_gets(
    cli: Callable[..., Any], arguments: tuple[str, ...], status: int | None
) -> None:
    plain, ran = cli(*arguments), cli(*arguments, "--json")
    assert plain.status == ran.status
    assert status is None or ran.status == status
    facts = json.loads(ran.out)
    assert facts["format"] == 3
    assert all(re.fullmatch("[a-z0-9_]+", key) for key in keys_of(facts)), sorted(keys_of(facts))
    # The last line counts; with JSON it moves to standard error.
    last = ran.err.rstrip("\n").rsplit("\n", 1)[-1]
    assert any(letter.isdigit() for letter in last) and last.endswith(".")
    assert plain.last == last


def test_info_counts_what_is_there(cli: Callable[..., Any]) -> None:
    facts = json.loads(cli("info", "demo", "--json").out)
    world = FieldWorld.open("demo")
    assert facts["headers"] == len(world.headers) > 5
    assert facts["files"] == len(world.rom.files)
    assert facts["members"]["fielddata/land_data/land_data.narc"] == len(
        world.rom.archive("fielddata/land_data/land_data.narc")
    )
    assert set(facts["missing"]) == set(world.game.missing(world.rom))
    assert facts["damaged"] == {}


def test_maps_searches_ids_names_and_kinds(cli: Callable[..., Any]) -> None:
    world = FieldWorld.open("demo")
    header = next(header for header in world.headers if header.location_name and header.map_type == 1)
    for text in (header.internal_name, header.location_name.upper(), header.kind[:4]):
        found = json.loads(cli("maps", "demo", text, "--json").out)["maps"]
        assert header.id in [place["header"] for place in found]
        assert len(found) < len(world.headers)


def test_show_says_why(cli: Callable[..., Any]) -> None:
    name = place_names()[0]
    facts = json.loads(cli("show", "demo", name, "--json").out)
    world = FieldWorld.open("demo")
    header = next(header for header in world.headers if header.internal_name == name)
    matrix = world.matrix(header.matrix)
    mine = matrix.land != EMPTY_CELL
    mine &= matrix.headers == header.id if matrix.headers is not None else True
    assert [tuple(cell["cell"]) for cell in facts["cells"]] == [(x, z) for z, x in np.argwhere(mine).tolist()]
    assert (facts["header"], facts["matrix"], facts["area"]) == (header.id, header.matrix, header.area)
    area = world.area(header.area)
    sets = (area.terrain_set, area.prop_set, area.light_set)
    assert (facts["terrain_set"], facts["prop_set"], facts["light_set"]) == sets
    named = f"area {header.area} of header {header.id}"
    assert facts["why"]["terrain_set"] == f"map_tex_set[{area.terrain_set}] because {named}"
    assert facts["sources"]["matrix"] == {
        "archive": Role.MAP_MATRIX,
        "member": header.matrix,
        "rule": "header_names",
        "header": header.id,
    }
    lands = {tuple(cell["cell"]): cell["land"] for cell in facts["cells"]}
    stored = {land: world.land_sections(land).read_props()["model"].tolist() for land in lands.values()}
    assert len(facts["props"]) == sum(len(stored[land]) for land in lands.values()) > 0
    for prop in facts["props"]:
        land = lands[tuple(prop["cell"])]
        assert prop["stored_prop"] == stored[land][prop["index"]]
        assert prop["prop"] == prop["stored_prop"]
        assert prop["why"] == f"build_model[{prop['prop']}] because prop {prop['index']} of land_data[{land}] names it"
    text = cli("show", "demo", name).out
    assert all(prop["name"] in text for prop in facts["props"])


def expected_users(world: FieldWorld, kind: str, number: int) -> set[tuple[str, int, str]]:
    """Who uses a thing, from the files themselves."""
    if kind == "land":
        matrices = [(header, world.matrix(header.matrix)) for header in world.headers]
        return {
            ("header", header.id, f"cell ({x}, {z})")
            for header, matrix in matrices
            for z, x in np.argwhere(matrix.land == number).tolist()
            if matrix.headers is None or matrix.headers[z, x] == header.id
        }
    if kind == "area":
        return {("header", header.id, "") for header in world.headers if header.area == number}
    if kind == "messages":
        return {("header", header.id, "") for header in world.headers if header.message_bank == number}
    areas = {header.area: world.area(header.area) for header in world.headers}
    if kind in ("prop-set", "terrain-set", "light-set"):
        field = kind.replace("-", "_")
        return {("area", index, "") for index, area in areas.items() if getattr(area, field) == number}
    assert kind == "prop"
    sets = {area.prop_set for area in areas.values()}
    listed = {("prop set", index, "listed") for index in sets if number in world.prop_list(index).models.tolist()}
    placed = set()
    for land in range(len(world.rom.archive(world.path(Role.LAND_DATA)))):
        models = world.land_sections(land).read_props()["model"].tolist()
        placed |= {("land", land, f"prop {index}") for index, model in enumerate(models) if model == number}
    return listed | placed


@pytest.mark.parametrize("kind", ["land", "area", "prop-set", "terrain-set", "light-set", "prop", "messages"])
def test_where_used_is_what_the_files_hold(cli: Callable[..., Any], kind: str) -> None:
    world = FieldWorld.open("demo")
    compared = 0
    for number in (0, 1, 5) if kind == "prop" else (0, 1):
        ran = cli("where-used", "demo", kind, number, "--json")
        [facts] = json.loads(ran.out)["things"]
        assert (facts["kind"], facts["numbers"]) == (kind.replace("-", "_"), [number])
        users = [(use["kind"].replace("_", " "), use["number"], use["how"]) for use in facts["used_by"]]
        assert len(set(users)) == len(users)
        assert set(users) == expected_users(world, kind, number)
        if kind in ("land", "area", "messages"):
            assert [place["header"] for place in facts["places"]] == sorted({use[1] for use in users})
        compared += len(users)
    assert compared
    ran = cli("where-used", "demo", "prop", 5)
    assert "\nland " in ran.out and ran.last.startswith("prop:5 ") and ran.last.endswith(" places, 0 damaged.")


def test_height_is_that_of_the_plates(cli: Callable[..., Any]) -> None:
    """The nearest of the planes that hold the point, worked out here with floats."""
    place = FieldWorld.open("demo").place(place_names()[0])
    cell = place.cells[0]
    bdhc = place.world.land_sections(cell.land).read_bdhc()
    for x, z in ((10.5, 12.25), (3, 4.5), (20.25, 30)):
        local = {"x": 16 * x - 256, "z": 16 * z - 256}
        heights = {}
        for plate, record in enumerate(bdhc.plates):
            first, second = (bdhc.points[record[name]] for name in ("first_point", "second_point"))
            edges = {axis: sorted((first[axis] / 4096, second[axis] / 4096)) for axis in "xz"}
            if all(edges[axis][0] <= local[axis] <= edges[axis][1] for axis in "xz"):
                normal = bdhc.normals[record["normal"]]
                constant = bdhc.constants[record["constant"]]
                plane = normal["x"] * local["x"] + normal["z"] * local["z"] + float(constant)
                heights[plate] = -plane / float(normal["y"])
        tile = (32 * cell.x + x, 32 * cell.z + z)
        facts = json.loads(cli("height", "demo", place.header.id, *tile, "--json").out)
        assert facts["header"] == place.header.id and facts["tile"] == list(tile) and facts["land"] == cell.land
        assert facts["found"] and {one["plate"] for one in facts["candidates"]} == set(heights) != set()
        nearest = min(heights, key=lambda plate: abs(heights[plate]))
        assert facts["plate"] == nearest and abs(facts["height"] - heights[nearest]) < 0.01
        assert facts["reason"] == ("only_plate" if len(heights) == 1 else "nearest_plate")
        assert facts["why"].startswith("the only plate" if len(heights) == 1 else "the nearest to height 0 of")


def test_dump_and_back(cli: Callable[..., Any], tmp_path: Path) -> None:
    rom = FieldWorld.open("demo").rom
    path = "fielddata/mapmatrix/map_matrix.narc"
    text = tmp_path / "deep" / "matrix.json"
    assert cli("dump", "demo", f"{path}#0", "-o", text).last.startswith("1 file read")
    assert cli("dump", "demo", f"{path}#0").out == text.read_text("utf-8")
    binary = tmp_path / "matrix.bin"
    assert cli("dump", text, "--binary", "-o", binary).status == 0
    assert binary.read_bytes() == rom.archive(path)[0]


def test_dump_without_a_path_lists_the_files(cli: Callable[..., Any]) -> None:
    ran = cli("dump", "demo")
    assert ran.last == f"{len(FieldWorld.open('demo').rom.files)} files."
    assert all(path in ran.out for path in FieldWorld.open("demo").rom.files)


def test_export_of_some_places(cli: Callable[..., Any], tmp_path: Path) -> None:
    first, second = place_names()[:2]
    assert cli("export", "demo", first, "-o", tmp_path / "one.glb").last == "1 map written, 0 failed."
    ran = cli("export", "demo", first, second, first, "-o", tmp_path / "two")
    assert ran.last == "2 maps written, 0 failed."
    files = sorted((tmp_path / "two").iterdir())
    assert [file.name.split("_", 1)[1] for file in files] == [f"{first}.glb", f"{second}.glb"]
    assert files[0].read_bytes() == (tmp_path / "one.glb").read_bytes()


def test_export_of_all_places(cli: Callable[..., Any], tmp_path: Path) -> None:
    ran = cli("export", "demo", "--all", "-o", tmp_path, "-j", "1")
    wanted = len(place_names())
    assert ran.status == 0
    assert ran.last.startswith(f"{wanted} maps written to ") and ran.last.endswith(" 0 failed.")
    again = cli("export", "demo", "--all", "-o", tmp_path, "-j", "1", "--resume")
    assert again.last.startswith("0 maps written") and f"{wanted} up to date" in again.last
    assert len(list(tmp_path.glob("*.glb"))) == wanted


def test_script_lists_a_map_and_one_script(cli: Callable[..., Any]) -> None:
    whole, one = cli("script", "demo", "Millbrook"), cli("script", "demo", "t01#101")
    assert (whole.status, one.status) == (0, 0)
    assert one.last == "3 lines from 1 entry."
    assert (
        "FacePlayer" not in one.out and "DrawSignpostInstantMessage" in one.out and "News: sun on the hill" in one.out
    )
    assert one.out.splitlines()[0].startswith("Millbrook: script 101, scr_seq[")
    assert set(one.out.splitlines()[-4:-1]) <= set(whole.out.splitlines())
    assert "each frame: script 102 while 0x406D is 2" in cli("script", "demo", "file:3").out


def test_a_script_is_named_as_every_thing(cli: Callable[..., Any]) -> None:
    one = cli("script", "demo", "T01#101")
    assert one.status == 0
    for name in ("script:T01#101", "Millbrook#101", "SCRIPT:millbrook#101"):
        assert cli("script", "demo", name).out == one.out
    world = FieldWorld.open("demo")
    path, member = world.path(Role.SCRIPTS), world.place("T01").header.scripts
    assert (
        cli("script", "demo", f"file:{path}#{member}#100").out == cli("script", "demo", f"file:{member}#100").out != ""
    )
    assert cli("show", "demo", "T01#101").out.splitlines()[0] == "Script 101"


@pytest.mark.parametrize(
    "name", ["T01#0", "T01#9999", "file:4000", "Atlantis", "file:data/arealight.narc#0", "script:T01"]
)
def test_a_script_that_does_not_exist_is_one_sentence(cli: Callable[..., Any], name: str) -> None:
    ran = cli("script", "demo", name)
    assert ran.status == 1 and not ran.out and len(ran.err.splitlines()) >= 1


def test_a_tile_of_another_map_says_whose_it_is(cli: Any, rom_path: Path) -> None:
    """Cell (18, 18) of the first matrix has the header of Route 215."""
    ran = cli("tile", rom_path, "R228", "600", "600")
    assert ran.status == 0 and ran.last.endswith("can run here; the tile belongs to Route 215.")
    assert "belongs to" not in cli("tile", rom_path, "R215", "600", "600").last


def test_the_database_counts_what_it_holds(cli: Any, tmp_path: Path) -> None:
    file = tmp_path / "demo.sqlite"
    ran = cli("database", "demo", "-o", file)
    assert ran.status == 0 and f"{file.stat().st_size:,} bytes, 0 damaged left out." in ran.last
    assert cli("database", "demo", "-o", tmp_path / "demo.txt").status == 2


@pytest.mark.parametrize(
    "line",
    [
        "show demo {} --json",
        "events demo {} --json",
        "encounters demo {} --json",
        "script demo {} --json",
        "script demo {}#1 --json",
        "tile demo {}@58,43 --json",
        "tile demo {} 58,43 --json",
        "tile demo {} 58 43 --json",
        "height demo {}@58.5,43 --json",
        "height demo {} 58.5 43 --near -3 --json",
        "walk demo {} --path N --json",
        "walk demo {} 58,43 --path N --json",
        "table demo tiles {} --json",
        "table demo tiles T01 {} --json",
        "maps demo {} --json",
        "where-used demo map:{} --json",
        "export demo {} -o lake.glb --json",
    ],
)
def test_the_words_of_a_map_need_no_quotes(
    cli: Callable[..., Any], line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    quoted = cli(*(word.replace("{}", "Mirror Lake") for word in line.split()))
    unquoted = cli(*line.replace("{}", "Mirror Lake").split())
    assert quoted.status == 0 and len(quoted.out) > 60
    assert unquoted.out == quoted.out


def test_several_maps_with_unquoted_words(cli: Callable[..., Any], tmp_path: Path) -> None:
    words = ("T01", "mirror", "lake", "Millbrook", "3")
    written = json.loads(cli("export", "demo", *words, "-o", tmp_path, "--json").out)["written"]
    assert [one["internal_name"] for one in written] == ["T01", "L01", "F01"]
    ran = cli("export", "demo", "mirror", "lake", "T01", "-o", tmp_path / "one.glb")
    assert ran.status == 2 and "Several maps need a folder" in ran.err
    assert cli("export", "demo", "mirror", "lake", "-o", tmp_path / "one.glb").status == 0

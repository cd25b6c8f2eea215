from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mapexplorer import World, __version__
from mapexplorer.cli import VERBS


def place_names() -> list[str]:
    return [header.internal_name for header in World("demo").headers if World("demo").place(header.id).cells]


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
    assert len(outputs) == 1 and len(json.loads(outputs.pop())) == len(World("demo").headers)


@pytest.mark.parametrize(
    "arguments, status",
    [
        (("info", "demo"), 0),
        (("maps", "demo"), 0),
        (("maps", "demo", "no such place"), 1),
        (("show", "demo", "2"), 0),
        (("height", "demo", "2", "3.5", "4.5"), 0),
        (("height", "demo", "2", "-3", "-4"), 0),
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
    assert json.loads(ran.out) is not None
    # The last line counts; with JSON it moves to standard error.
    last = ran.err.rstrip("\n").rsplit("\n", 1)[-1]
    assert any(letter.isdigit() for letter in last) and last.endswith(".")
    assert plain.last == last


def test_info_counts_what_is_there(cli: Callable[..., Any]) -> None:
    facts = json.loads(cli("info", "demo", "--json").out)
    world = World("demo")
    assert facts["headers"] == len(world.headers) > 5
    assert facts["files"] == len(world.rom.files)
    assert facts["members"]["fielddata/land_data/land_data.narc"] == len(
        world.rom.archive("fielddata/land_data/land_data.narc")
    )
    assert set(facts["missing"]) == set(world.game.missing(world.rom))
    assert facts["damaged"] == {}


def test_maps_searches_ids_names_and_kinds(cli: Callable[..., Any]) -> None:
    world = World("demo")
    header = next(header for header in world.headers if header.location_name and header.map_type == 1)
    for text in (header.internal_name, header.location_name.upper(), header.kind[:4]):
        found = json.loads(cli("maps", "demo", text, "--json").out)
        assert header.id in [place["id"] for place in found]
        assert len(found) < len(world.headers)


def test_show_says_why(cli: Callable[..., Any]) -> None:
    name = place_names()[0]
    facts = json.loads(cli("show", "demo", name, "--json").out)
    place = World("demo").place(name)
    assert [(cell["x"], cell["z"]) for cell in facts["cells"]] == [(cell.x, cell.z) for cell in place.cells]
    assert facts["props"] and all(" because " in prop["why"] for prop in facts["props"])
    assert " because " in facts["matrix"]["why"]
    text = cli("show", "demo", name).out
    assert all(prop["name"] in text for prop in facts["props"])


def test_where_used_is_what_the_library_answers(cli: Callable[..., Any]) -> None:
    world = World("demo")
    compared = 0
    for kind in (
        "header",
        "land",
        "area",
        "prop-set",
        "terrain-set",
        "light-set",
        "prop",
        "prop-animation",
        "messages",
    ):
        for number in range(2):
            facts = json.loads(cli("where-used", "demo", kind, number, "--json").out)
            name = kind.replace("-", " ")
            users = [(use.kind, use.number, use.how) for use in world.uses.used_by(name, number)]
            assert [(use["kind"], use["number"], use["how"]) for use in facts["usedBy"]] == users
            assert [place["id"] for place in facts["places"]] == list(world.uses.places(name, number))
            compared += len(users)
    assert compared > 25
    ran = cli("where-used", "demo", "prop", 5)
    assert "\nland " in ran.out and ran.last.startswith("prop 5: ") and ran.last.endswith(" places, 0 damaged.")


def test_height_is_what_the_library_answers(cli: Callable[..., Any]) -> None:
    place = World("demo").place(place_names()[0])
    cell = place.cells[0]
    x, z = 32 * cell.x + 10.5, 32 * cell.z + 12.25
    answer = place.height(16 * x, 16 * z)
    facts = json.loads(cli("height", "demo", place.header.id, x, z, "--json").out)
    assert (facts["height"], facts["plate"], facts["reason"]) == (answer.height, answer.plate, answer.reason)
    assert facts["found"] and len(facts["candidates"]) == len(answer.candidates)


def test_dump_and_back(cli: Callable[..., Any], tmp_path: Path) -> None:
    rom = World("demo").rom
    path = "fielddata/mapmatrix/map_matrix.narc"
    text = tmp_path / "deep" / "matrix.json"
    assert cli("dump", "demo", f"{path}#0", "-o", text).last.startswith("1 file read")
    assert cli("dump", "demo", f"{path}#0").out == text.read_text("utf-8")
    binary = tmp_path / "matrix.bin"
    assert cli("dump", text, "--binary", "-o", binary).status == 0
    assert binary.read_bytes() == rom.archive(path)[0]


def test_dump_without_a_path_lists_the_files(cli: Callable[..., Any]) -> None:
    ran = cli("dump", "demo")
    assert ran.last == f"{len(World('demo').rom.files)} files."
    assert all(path in ran.out for path in World("demo").rom.files)


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

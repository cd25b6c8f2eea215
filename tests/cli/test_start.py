"""Light verbs start fast: they load no compiler, no window, no OpenGL, no PNG writer."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"numba", "llvmlite", "PyQt5", "OpenGL", "PIL", "rich"}

PROBE = """
import json, sys
sys.argv[0] = "mapexplorer"
from mapexplorer.cli import main
try:
    main()
except SystemExit as end:
    assert end.code == 0, end.code
print("\\n" + json.dumps(sorted({name.split(".")[0] for name in sys.modules})))
"""

RECORD = """
from mapexplorer.games.tables import Tables
read, raw = set(), Tables.raw
Tables.raw = lambda tables, name: read.add(name) or raw(tables, name)
"""
"""Collects the names of the tables that are read."""


@pytest.mark.parametrize(
    "arguments", [("--help",), ("export", "--help"), ("info", "demo"), ("maps", "demo"), ("show", "demo", "0")]
)
def test_light_verbs_load_nothing_heavy(arguments: tuple[str, ...]) -> None:
    ran = subprocess.run([sys.executable, "-c", PROBE, *arguments], capture_output=True, check=True, text=True)
    modules = set(json.loads(ran.stdout.rsplit("\n", 2)[-2]))
    assert {"mapexplorer", "click"} <= modules
    assert not modules & HEAVY


@pytest.mark.parametrize("arguments", [("--help",), ("info", "demo"), ("maps", "demo")])
def test_light_verbs_read_no_tables_of_scripts(arguments: tuple[str, ...]) -> None:
    code = RECORD + PROBE + "print(json.dumps(sorted(read)))\n"
    ran = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, check=True, text=True)
    read = set(json.loads(ran.stdout.splitlines()[-1]))
    assert not read & {"script_commands", "script_numbers", "flags", "constants"}


@pytest.mark.parametrize(
    ("arguments", "unneeded"),
    [
        (("maps", "demo"), {"export", "scene", "inspector.facts", "g3d", "games.gameplay_tables"}),
        (("where-used", "demo", "prop:5"), {"export", "scene", "gui", "inspector.facts", "walk", "features"}),
        (("encounters", "demo", "F01"), {"export", "scene", "world.terrain", "world.place", "walk", "features"}),
        (
            ("tile", "demo", "T01@17,37"),
            {
                "export",
                "scene.conditions",
                "scene.scene",
                "inspector.things.models",
                "features.distortion_world",
                "g3d.draw_list",
            },
        ),
    ],
    ids=("maps", "where-used", "encounters", "tile"),
)
def test_light_verbs_import_what_they_need(arguments: tuple[str, ...], unneeded: set[str]) -> None:
    probe = PROBE.replace('name.split(".")[0] for', "name for")
    ran = subprocess.run([sys.executable, "-c", probe, *arguments], capture_output=True, check=True, text=True)
    modules = json.loads(ran.stdout.rsplit("\n", 2)[-2])
    assert all(importlib.util.find_spec(f"mapexplorer.{name}") for name in unneeded)
    packages = {".".join(name.split(".")[1:last]) for name in modules for last in range(2, 5)}
    assert not packages & unneeded


def test_a_search_in_a_kept_index_loads_neither_numpy_nor_tables(tmp_path: Path) -> None:
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path), "HOME": str(tmp_path)}
    probe = PROBE.replace('name.split(".")[0] for', "name for")
    for _ in range(2):
        ran = subprocess.run(
            [sys.executable, "-c", probe, "find", "demo", "t01"],
            capture_output=True,
            check=True,
            text=True,
            env=environment,
        )
    assert not set(json.loads(ran.stdout.rsplit("\n", 2)[-2])) & {"numpy", "mapexplorer.games.tables", *HEAVY}


def test_importing_the_package_loads_nothing_but_itself() -> None:
    code = "import sys, json, mapexplorer; print(json.dumps(sorted(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    modules = json.loads(ran.stdout)
    assert "mapexplorer" in modules
    assert not {name.split(".")[0] for name in modules} & (HEAVY | {"numpy", "click", "ndspy"})


def test_light_verbs_read_only_the_tables_that_they_need() -> None:
    code = RECORD + PROBE + "print(json.dumps(sorted(read)))\n"
    command = [sys.executable, "-c", code, "maps", "demo", "--json"]
    ran = subprocess.run(command, capture_output=True, check=True, text=True)
    read = set(json.loads(ran.stdout.splitlines()[-1]))
    assert "headers" in read
    assert not read & {"encounters", "icons", "items", "map_objects", "music", "sprites", "trainers"}

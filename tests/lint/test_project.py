"""The files of the public project agree with the Makefile, setup.cfg and the version."""

from __future__ import annotations

import ast
import configparser
import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from mapexplorer import __version__

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")


def config() -> configparser.ConfigParser:
    found = configparser.ConfigParser()
    found.read(ROOT / "setup.cfg", "utf-8")
    return found


def named_pythons() -> list[str]:
    """The versions of Python that the classifiers name."""
    return re.findall(r":: (3\.\d+)$", config()["metadata"]["classifiers"], re.MULTILINE)


@pytest.mark.parametrize("file", [*WORKFLOWS, ROOT / "CONTRIBUTING.md"], ids=lambda file: file.name)
def test_targets_and_extras_exist(file: Path) -> None:
    text = file.read_text("utf-8")
    targets = re.findall(r"(?:run: |`|^    )make ([\w-]+)", text, re.MULTILINE)
    assert set(targets) <= set(re.findall(r"^([\w-]+):", MAKEFILE, re.MULTILINE))
    extras = [name for names in re.findall(r'"\.\[(.+?)\]"', text) for name in names.split(",")]
    assert set(extras) <= set(config()["options.extras_require"])
    assert targets or extras
    assert all((ROOT / path).exists() for path in re.findall(r"\btools/[\w/]+\.\w+", text))


def test_the_lowest_versions_that_are_allowed_are_tested() -> None:
    allowed = config()["options"]["install_requires"] + (ROOT / "setup.py").read_text("utf-8")
    bounds = re.findall(r"(?:^|\")(\w+)>=([\d.]+)", allowed, re.MULTILINE)
    lowest = (ROOT / "tests" / "install" / "lowest.txt").read_text("utf-8")
    assert bounds == re.findall(r"^(\w+)==([\d.]+)$", lowest, re.MULTILINE)
    assert config()["options"]["python_requires"] == ">=" + named_pythons()[0]


def test_every_python_that_is_named_is_tested() -> None:
    named = named_pythons()
    matrices = re.findall(r"python: \[(.+)\]", (ROOT / ".github" / "workflows" / "tests.yml").read_text("utf-8"))
    assert [re.findall(r"3\.\d+", matrix) for matrix in matrices] == [named, named]


def test_a_wheel_is_made_for_every_system() -> None:
    release = (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")
    listed = re.search(r"target:\n((?: +- .+\n)+)", release)
    assert listed is not None
    setup = (ROOT / "setup.py").read_text("utf-8")
    assert re.findall(r"- (\S+)", listed[1]) == re.findall(r'"(\S+)": "\w+",', setup)


def test_the_citation_has_the_version() -> None:
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")


def test_an_index_page_shows_the_pictures_of_the_readme() -> None:
    home = "https://example.org/owner/name"
    setup = ast.parse((ROOT / "setup.py").read_text("utf-8"))
    names: dict[str, Any] = {"re": re}
    functions = [part for part in setup.body if isinstance(part, ast.FunctionDef)]
    exec(compile(ast.Module(functions, []), "setup.py", "exec"), names)
    page = names["with_addresses"]((ROOT / "README.md").read_text("utf-8"), home, "v1")
    targets = re.findall(r"\]\(([^)]+)\)", page)
    assert targets and all(target.startswith(f"{home}/") for target in targets)
    pictures = [target for target in targets if target.startswith(f"{home}/raw/v1/")]
    assert pictures and all((ROOT / one.removeprefix(f"{home}/raw/v1/")).suffix == ".png" for one in pictures)


def test_a_slower_ratio_is_found() -> None:
    record = runpy.run_path(str(ROOT / "benchmarks" / "record.py"))
    recorded = json.loads((ROOT / "benchmarks" / "record.json").read_text("utf-8"))
    assert set(recorded) == {*record["MEASURES"], *record["VERBS"]}
    assert record["slower"](recorded, recorded) == []
    assert record["slower"](recorded | {"one GLB": 1.4 * recorded["one GLB"]}, recorded) == ["one GLB"]

"""Paths of archives are known to `games` alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from mapexplorer.games import GAMES
from mapexplorer.rom import archive

ROOT = Path(__file__).resolve().parents[2]
PATHS = {path for game in GAMES for file in game.files.values() for path in file.paths}
NAMES = {name for path in PATHS if "." in (name := path.rsplit("/", 1)[-1])}
SOURCES = [
    file for top in ("formats", "mapexplorer") for file in (ROOT / top).rglob("*.py") if file.parent.name != "games"
]


def literals(source: str) -> Iterator[ast.Constant]:
    """The strings and bytes of a module, those of f-strings included; docstrings, other bare strings and the examples
    of a help text are left out."""
    tree = ast.parse(source)
    bare = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "examples":
            bare.update(map(id, node.args))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes) and id(node) not in bare:
            yield node


def named(source: str) -> list[str]:
    """The literals that are or contain the path or name of a game's file, or an archive's extension."""
    found = []
    for node in literals(source):
        text = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
        if archive.SUFFIX in text or any(path in text for path in PATHS | NAMES):
            found.append(f"{node.lineno}: {text!r}")
    return found


def test_the_search_finds_paths_and_extensions() -> None:
    assert named('x = "data/arealight.narc"') and named('f"{x}.narc"') and named('y = b"mapname.bin"')
    assert not named('"""land_data.narc"""\nx = "land_data"')


def test_no_path_of_an_archive_outside_games() -> None:
    found = {str(file.relative_to(ROOT)): named(file.read_text("utf-8")) for file in SOURCES}
    assert len(found) > 300
    extension = {"mapexplorer/rom/archive.py": [f"{_line(archive.__file__)}: '{archive.SUFFIX}'"]}
    assert {file: lines for file, lines in found.items() if lines} == extension


def _line(file: str) -> int:
    """The line that defines the extension of archives."""
    lines = Path(file).read_text("utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.startswith("SUFFIX"))

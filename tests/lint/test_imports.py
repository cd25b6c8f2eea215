"""Programs that no test starts import names that exist: benchmarks and tools."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OWN = ("formats", "mapexplorer", "tools")
SOURCES = sorted(file for top in ("benchmarks", "tools") for file in (ROOT / top).rglob("*.py"))


def absent(source: str) -> Iterator[str]:
    """The names that a module, also within its functions, imports from ours although they are not there."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in OWN:
            module = importlib.import_module(node.module)
            for name in node.names:
                if not hasattr(module, name.name) and not _is_module(f"{node.module}.{name.name}"):
                    yield f"{node.lineno}: {node.module}.{name.name}"


def _is_module(name: str) -> bool:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError:
        return False
    return True


def test_absent_names_are_found() -> None:
    source = "def f():\n    from formats.fixed import ONE, TWO\n    from formats import fixed"
    assert [*absent(source)] == ["2: formats.fixed.TWO"]


def test_what_is_imported_is_there() -> None:
    pytest.importorskip("PyQt5")
    assert len(SOURCES) > 40
    wrong = {str(file.relative_to(ROOT)): [*absent(file.read_text("utf-8"))] for file in SOURCES}
    assert not {file: names for file, names in wrong.items() if names}

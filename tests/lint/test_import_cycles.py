"""tools/import_cycles.py on packages that are written for the test."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools" / "import_cycles.py"


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("import_cycles", TOOL)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        (file.parent / "__init__.py").touch()
        file.write_text(text)


@pytest.mark.parametrize(
    "back",
    [
        "import formats.a",
        "from formats import a",
        "from formats.a import name",
        "from . import a",
        "from .a import name",
        "def later():\n    from formats.a import name",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from formats.a import name",
    ],
)
def test_every_kind_of_import_counts(
    tool: ModuleType, tmp_path: Path, back: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {"formats/a.py": "from formats import b\n", "formats/b.py": back})
    assert tool.main([str(tmp_path)]) == 1
    assert capsys.readouterr().out == "formats.a -> formats.b -> formats.a\n"


def test_without_a_cycle_nothing_is_printed(
    tool: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {"formats/a.py": "from formats import b, c\n", "formats/b.py": "import formats.c\n"})
    write(tmp_path, {"formats/c.py": "import os\n", "mapexplorer/d.py": "from formats.a import name\n"})
    assert tool.main([str(tmp_path)]) == 0
    assert capsys.readouterr().out == ""


def test_a_package_and_two_cycles_of_one_module(tool: ModuleType, tmp_path: Path) -> None:
    write(tmp_path, {"formats/x/a.py": "from formats.x import name\n", "formats/b.py": "import formats.c\n"})
    write(tmp_path, {"formats/c.py": "import formats.b, formats.d\n", "formats/d.py": "import formats.c\n"})
    (tmp_path / "formats/x/__init__.py").write_text("from formats.x.a import name\n")
    assert tool.cycles(tmp_path) == [
        ["formats.b", "formats.c", "formats.b"],
        ["formats.c", "formats.d", "formats.c"],
        ["formats.x", "formats.x.a", "formats.x"],
    ]

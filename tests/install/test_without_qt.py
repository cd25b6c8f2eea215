"""pytest where PyQt5 is installed and a library that it loads is not: the window's tests say so, the others run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = "libgthread-2.0.so.0: cannot open shared object file: No such file or directory"
PLUGIN = 'qt.qpa.plugin: Could not load the Qt platform plugin "offscreen"'

UNLOADABLE = f"raise ImportError({LIBRARY!r})"
ABORTING = f"""
import os, sys
def QApplication(arguments):
    print({PLUGIN!r}, "This application failed to start because ...", sep=chr(10), file=sys.stderr, flush=True)
    os.abort()
class Anything:
    def __getattr__(self, name):
        return Anything()
    def __call__(self, *arguments):
        return 0
QApplication.instance = lambda: None
def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return {{"PYQT_VERSION": 0x050F0B, "PYQT_VERSION_STR": "5.15", "QT_VERSION_STR": "5.15"}}.get(name) or Anything()
"""


def run_pytest(folder: Path, code: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs pytest with a PyQt5 whose modules hold `code`."""
    package = folder / "PyQt5"
    package.mkdir()
    (package / "__init__.py").touch()
    for name in ("QtCore", "QtGui", "QtTest", "QtWidgets"):
        (package / f"{name}.py").write_text(code)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MAPEXPLORER_", "PYTEST_"))}
    environment = kept | {"PYTHONPATH": str(folder), "QT_QPA_PLATFORM": "offscreen"} | variables
    words = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("code", "reason"), [(UNLOADABLE, LIBRARY), (ABORTING, PLUGIN)])
def test_tests_of_the_window_skip_and_say_why(tmp_path: Path, code: str, reason: str) -> None:
    ran = run_pytest(
        tmp_path, code, "tests/lint/test_packages.py", "tests/gui/test_opening.py", "tests/gui/test_walking.py"
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "1 passed, 2 skipped" in ran.stdout
    assert reason in ran.stdout


def test_they_fail_where_nothing_may_skip(tmp_path: Path) -> None:
    ran = run_pytest(tmp_path, UNLOADABLE, "tests/gui/test_opening.py", MAPEXPLORER_REQUIRE="1")
    assert ran.returncode not in (0, 5) and "1 error" in ran.stdout, ran.stdout + ran.stderr
    assert LIBRARY in ran.stdout and "INTERNALERROR" not in ran.stdout


@pytest.mark.parametrize(("code", "reason"), [(UNLOADABLE, LIBRARY), (ABORTING, PLUGIN)])
def test_what_draws_by_opengl_skips_too(tmp_path: Path, code: str, reason: str) -> None:
    ran = run_pytest(tmp_path, code, "tests/opengl/test_renderer.py::test_demo_world_is_drawn")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "1 skipped" in ran.stdout and reason in ran.stdout

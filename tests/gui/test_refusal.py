"""The window where Qt cannot start: one sentence that names what is missing, status 1, no traceback, no abort."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mapexplorer.gui.app import requirements

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="libraries and displays as Linux has them")

_DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_SESSION_TYPE")

_NOT_LOADED = 'Could not load the Qt platform plugin "xcb" in "" even though it was found.'


def refusal(tmp_path: Path, **env: str) -> str:
    """The one line with which the window refuses to open."""
    kept = {name: value for name, value in os.environ.items() if name not in _DISPLAYS}
    own = {"XDG_RUNTIME_DIR": str(tmp_path), "MAPEXPLORER_SETTINGS": str(tmp_path / "window.json")}
    child = subprocess.run(
        [sys.executable, "-m", "mapexplorer", "demo.nds"],
        capture_output=True,
        text=True,
        env=kept | own | env,
        timeout=120,
        check=False,
    )
    assert child.returncode == 1, child.stderr
    assert child.stdout == "" and child.stderr.count("\n") == 1, child.stderr
    assert "mapexplorer --help" in child.stderr
    return child.stderr


@pytest.mark.parametrize("display", [":4711", "localhost:4711", "nonsense"])
def test_a_display_where_nobody_answers(tmp_path: Path, display: str) -> None:
    assert f"{display!r}" in refusal(tmp_path, DISPLAY=display)


def test_a_platform_that_there_is_not(tmp_path: Path) -> None:
    assert "'nonsense'" in refusal(tmp_path, DISPLAY=":4711", QT_QPA_PLATFORM="nonsense")


@pytest.mark.parametrize(
    ("library", "debian"), [("libgthread-2.0.so.0", "libglib2.0-0"), ("libGL.so.1", "libgl1"), ("libnew.so.9", "")]
)
def test_a_library_of_qt_that_is_missing(tmp_path: Path, library: str, debian: str) -> None:
    (tmp_path / "PyQt5").mkdir()
    message = f"{library}: cannot open shared object file: No such file or directory"
    (tmp_path / "PyQt5" / "__init__.py").write_text(f"raise ImportError({message!r})\n")
    told = refusal(tmp_path, DISPLAY=":4711", PYTHONPATH=str(tmp_path))
    assert f"{library} is missing" in told and debian in told


def test_a_library_of_the_platform_plugin_that_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A plugin that needs a library of another name, beside links to the rest of Qt."""
    folder = requirements.qt_folder()
    assert folder is not None
    plugin = folder / "Qt5" / "plugins" / "platforms" / "libqxcb.so"
    if not plugin.is_file():
        pytest.skip("Qt's plugins lie elsewhere")
    platforms = tmp_path / "plugins" / "platforms"
    platforms.mkdir(parents=True)
    (tmp_path / "lib").symlink_to(folder / "Qt5" / "lib")
    changed = plugin.read_bytes().replace(b"libxkbcommon-x11.so.0\0", b"libxkbcommon-x99.so.0\0")
    (platforms / plugin.name).write_bytes(changed)
    assert requirements.start_problem([_NOT_LOADED]) == "Qt's plugin for the platform 'xcb' cannot start"
    monkeypatch.setenv("QT_QPA_PLATFORM_PLUGIN_PATH", str(platforms))
    told = requirements.start_problem([_NOT_LOADED])
    assert "'xcb'" in told and "libxkbcommon-x99.so.0 is missing" in told


def test_a_library_that_the_loader_does_not_take(tmp_path: Path) -> None:
    (tmp_path / "libxcb-icccm.so.4").touch()
    told = refusal(tmp_path, DISPLAY=":4711", LD_LIBRARY_PATH=str(tmp_path))
    assert re.search(r"libxcb-icccm\.so\.4 \(.+\) does not load .*libxcb-icccm4", told)


def test_what_the_environment_cannot_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert requirements.start_problem(["EGLFS: no screen\n\nmore"]) == "Qt does not start: EGLFS: no screen"
    assert requirements.start_problem([])
    assert "DISPLAY is not set" in requirements.start_problem(["could not connect to display ", _NOT_LOADED])
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert "QT_QPA_PLATFORM=wayland" in requirements.start_problem(["could not connect to display ", _NOT_LOADED])

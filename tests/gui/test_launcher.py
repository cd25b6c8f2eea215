"""Starting the program: without a display, and with one from the first line to the last."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from mapexplorer.gui.app import launcher, trial

_NO_DISPLAY = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")

_RUN = """
import mapexplorer.gui.app.application as application
from PyQt5.QtCore import QTimer
start = application.Window.start

def start_and_close(self, rom):
    start(self, rom)
    self.jobs.frame_ready.connect(lambda frame: QTimer.singleShot(0, self.close))

application.Window.start = start_and_close
from mapexplorer.gui.app.launcher import launch
raise SystemExit(launch(["demo"]))
"""


def test_without_a_display_one_sentence_offers_the_command_line() -> None:
    environment = {name: value for name, value in os.environ.items() if name not in _NO_DISPLAY}
    child = subprocess.run([sys.executable, "-m", "mapexplorer"], capture_output=True, text=True, env=environment)
    if not sys.platform.startswith("linux"):
        return
    assert child.returncode == 1 and child.stdout == ""
    lines = child.stderr.strip().splitlines()
    assert len(lines) == 1 and "display" in lines[0] and "command line" in lines[0]


def test_the_program_starts_shows_the_demo_world_and_ends(tmp_path: Path) -> None:
    settings = tmp_path / "window.json"
    environment = os.environ | {"MAPEXPLORER_SETTINGS": str(settings)}
    child = subprocess.run([sys.executable, "-c", _RUN], capture_output=True, text=True, env=environment, timeout=280)
    assert child.returncode == 0, child.stderr
    assert "Traceback" not in child.stderr
    kept = json.loads(settings.read_text("utf-8"))
    assert kept["version"] == 1 and "demo" in kept["last places"]


def test_a_refused_context_is_an_explanation(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    refusal = "the driver offers OpenGL 2.1, 3.3 is needed"
    monkeypatch.setattr(trial, "_CHILD", f"from mapexplorer.gui.app.probe import _fail; _fail({refusal!r})")
    assert trial.try_context().result() == refusal
    monkeypatch.setattr(trial, "_CHILD", "import os; os._exit(7)")
    assert "status 7" in trial.try_context().result()
    monkeypatch.setattr(trial, "_CHILD", "import os; os.abort()")
    assert os.name != "posix" or "SIGABRT" in trial.try_context().result()


def test_opengl_and_qt_ask_the_same_library(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    if not sys.platform.startswith("linux"):
        return
    for variables, wanted in (
        ({"QT_QPA_PLATFORM": "wayland"}, "egl"),
        ({"DISPLAY": ":0"}, "glx"),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "egl"),
        ({"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}, "glx"),
        ({"PYOPENGL_PLATFORM": "osmesa", "DISPLAY": ":0"}, "osmesa"),
    ):
        monkeypatch.setattr(os, "environ", dict(variables))
        launcher.match_opengl_platform()
        assert os.environ["PYOPENGL_PLATFORM"] == wanted


def test_nothing_of_qt_is_loaded_before_the_decision(tmp_path: Path) -> None:
    code = (
        "import sys; from mapexplorer.gui.app import launcher; status = launcher.launch(['demo']); "
        "print(status, sorted(name for name in sys.modules if name.startswith(('PyQt5', 'OpenGL', 'numba'))))"
    )
    environment = {name: value for name, value in os.environ.items() if name not in _NO_DISPLAY}
    if not sys.platform.startswith("linux"):
        return
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert child.stdout.strip() == "1 []" and "display" in child.stderr

"""Ctrl+C in the terminal closes the window: status 130, one line, the settings kept."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")

PATIENCE = 280

_RUN = """
import sys
import mapexplorer.gui.app.application as application
from PyQt5.QtCore import QTimer
from PyQt5.QtWidgets import QMessageBox
from mapexplorer.__main__ import main
start = application.Window.start
modal = sys.argv.pop(1) == "modal"

def rest(self):
    print("ready", flush=True)
    if modal:
        QMessageBox.information(self, "A question", "that waits")

def start_and_tell(self, rom):
    def tell(frame):
        self.jobs.frame_ready.disconnect(tell)
        QTimer.singleShot(500, lambda: rest(self))

    start(self, rom)
    self.jobs.frame_ready.connect(tell)

application.Window.start = start_and_tell
main()
"""

_AT_AN_IMPORT = """
import sys
from mapexplorer.__main__ import main
import signal
wanted = sys.argv.pop(1)
def interrupt(event, arguments):
    if event == "import" and arguments[0] == wanted:
        signal.raise_signal(signal.SIGINT)
sys.addaudithook(interrupt)
main()
"""


def start(code: str, argument: str, tmp_path: Path) -> subprocess.Popen[str]:
    """The window on the demo world, in a process of its own."""
    environment = os.environ | {
        "MAPEXPLORER_SETTINGS": str(tmp_path / "window.json"),
        "XDG_RUNTIME_DIR": str(tmp_path),
    }
    return subprocess.Popen(
        [sys.executable, "-c", code, argument],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )


def lines(err: str) -> list[str]:
    """What was printed, without what Qt's offscreen platform says of itself."""
    return [line for line in err.splitlines() if not line.startswith("This plugin does not support")]


@pytest.mark.parametrize("state", ["at rest", "modal"])
def test_an_interrupt_closes_the_window(tmp_path: Path, state: str) -> None:
    process = start(_RUN, state, tmp_path)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, err
    assert lines(err) == ["Interrupted; files that were finished are complete."]
    kept = json.loads((tmp_path / "window.json").read_text("utf-8"))
    assert kept["version"] == 1 and "demo" in kept["last places"]


@pytest.mark.parametrize(
    "module", ["PyQt5", "PyQt5.QtWidgets", "mapexplorer.gui.app.application", "mapexplorer.gui.window"]
)
def test_an_interrupt_while_the_window_starts(tmp_path: Path, module: str) -> None:
    process = start(_AT_AN_IMPORT, module, tmp_path)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, err
    assert lines(err) == ["Interrupted; files that were finished are complete."]

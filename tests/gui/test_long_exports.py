"""An export is stopped and goes on later, fails, and does not block the window."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Any

import pytest
from PyQt5.QtCore import Qt

from mapexplorer.export.request import (
    AllMapsRequest,
    MapRequest,
    MatrixRequest,
    PosterRequest,
)
from tests.gui.exporting import shown, unfold


def test_a_poster_that_is_stopped_leaves_nothing(real: Any, qtbot: Any, tmp_path: Path) -> None:
    real.explorer.go(411)
    dialog = real.dialogs.export
    real.action("poster").trigger()
    unfold(dialog)
    assert dialog.wanted is PosterRequest and shown(dialog, "jobs")
    dialog.form["whole_matrix"].widget.setChecked(True)
    dialog.form["jobs"].widget.setValue(2)
    dialog.target.setText(str(tmp_path / "sinnoh.png"))
    qtbot.mouseClick(dialog.start, Qt.LeftButton)
    qtbot.waitUntil(lambda: dialog.progress.value() >= 1, timeout=120_000)
    assert dialog.progress.maximum() > 20 and len(list(tmp_path.glob(".sinnoh.png*"))) == 1
    children = descendants()
    assert len(children) >= 3  # the export and its two
    qtbot.mouseClick(dialog.stop, Qt.LeftButton)
    qtbot.waitUntil(lambda: dialog.task is None, timeout=30_000)
    assert dialog.message.text() == "Stopped. Nothing was written." and dialog.outcome is None
    assert list(tmp_path.glob("*sinnoh*")) == list(tmp_path.glob(".sinnoh*")) == []
    qtbot.waitUntil(lambda: not descendants() & children, timeout=10_000)


def descendants() -> set[int]:
    """The processes below this one, without multiprocessing's own helper."""
    if not Path("/proc/self/status").exists():
        pytest.skip("processes are counted in /proc")
    parents: dict[int, int] = {}
    for status in Path("/proc").glob("[0-9]*/status"):
        with contextlib.suppress(OSError):
            text = status.read_text()
            words = status.with_name("cmdline").read_text()
            if "spawn_main" in words and "State:\tZ" not in text:
                parents[int(status.parent.name)] = int(text.split("PPid:")[1].split()[0])
    found = {os.getpid()}
    while True:
        more = {process for process, parent in parents.items() if parent in found} - found
        if not more:
            return found - {os.getpid()}
        found |= more


def test_a_long_export_is_stopped_and_goes_on_later(real: Any, qtbot: Any, tmp_path: Path) -> None:
    dialog = real.dialogs.export
    dialog.open(AllMapsRequest)
    dialog.form_of(MapRequest)["maps"].widget.setText("3-18")
    dialog.form_of(MapRequest)["jobs"].widget.setValue(1)
    dialog.target.setText(str(tmp_path / "maps"))
    dialog.begin()
    qtbot.waitUntil(lambda: dialog.progress.value() >= 2 or dialog.task is None, timeout=20_000)
    assert dialog.task is not None, dialog.message.text()
    qtbot.mouseClick(dialog.stop, Qt.LeftButton)
    assert dialog.message.text() == "Stopping …"
    qtbot.waitUntil(lambda: dialog.task is None, timeout=60_000)
    assert dialog.message.text().startswith("Stopped") and dialog.outcome is None
    files = list((tmp_path / "maps").glob("*.glb"))
    assert 2 <= len(files) < 16 and not (tmp_path / "maps" / "manifest.json").exists()
    assert all(file.read_bytes()[:4] == b"glTF" for file in files)
    dialog.begin()
    qtbot.waitUntil(lambda: dialog.task is None, timeout=120_000)
    assert dialog.outcome is not None and f"{len(files)} up to date" in dialog.outcome.sentence
    assert (tmp_path / "maps" / "manifest.json").exists()
    assert real.notices.shown == []


def _shows(window: Any, header: int) -> bool:
    frame = window.jobs.frame
    return frame is not None and frame.request.header == header


def test_another_map_is_shown_while_a_file_is_written(real: Any, qtbot: Any, tmp_path: Path) -> None:
    dialog = real.dialogs.export
    dialog.open(MatrixRequest)
    real.explorer.go(3)
    dialog.target.setText(str(tmp_path / "matrix.glb"))
    dialog.begin()
    real.explorer.go(411)
    qtbot.waitUntil(lambda: _shows(real, 411), timeout=30_000)
    assert dialog.task is not None, "the file was finished before another map was shown"
    dialog._stop()
    qtbot.waitUntil(lambda: dialog.task is None, timeout=30_000)
    assert list(tmp_path.glob("*matrix*")) == []
    assert dialog.message.text().startswith("Stopped")


def test_a_target_that_cannot_be_written_is_told(demo: Any, qtbot: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    dialog = demo.dialogs.export
    dialog.open(MapRequest)
    dialog.target.setText(str(tmp_path / "file" / "map.glb"))
    dialog.begin()
    qtbot.waitUntil(lambda: dialog.task is None, timeout=60_000)
    assert dialog.message.text().startswith(f"Failed: {tmp_path / 'file'}") and "Errno" not in dialog.message.text()
    assert any("export failed" in notice.title for notice in demo.notices.shown)

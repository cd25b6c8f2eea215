"""The source text of a selection: in the inspector, in an editor, on the clipboard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PyQt5.QtCore import Qt, QUrl
from PyQt5.QtWidgets import QApplication

from mapexplorer.rom import Rom
from mapexplorer.world.subject import Subject, subject

NAME = "res/events/events a.json"


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[tuple[str, list[str]]]:
    """The programs that are started. The ROM that is open is made of one text."""
    programs: list[tuple[str, list[str]]] = []
    place = tmp_path / "events a.json"
    place.write_text("{}")
    monkeypatch.setattr(Rom, "laid_over", lambda name, table: table, raising=False)
    monkeypatch.setattr(Rom, "origin", lambda self, path, member=None, part=(): (NAME, 7 + len(part)))
    monkeypatch.setattr(Rom, "text_file", lambda self, name: place if name == NAME else None)
    monkeypatch.setenv("VISUAL", "gvim")
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(
        "mapexplorer.gui.modes.inspection.QProcess.startDetached",
        lambda program, words: programs.append((program, words)) or True,
    )
    return programs


def test_a_place_in_a_text_is_opened(
    demo: Any, settle: Callable[[Any], None], qtbot: Any, started: list[tuple[str, list[str]]], tmp_path: Path
) -> None:
    demo.inspection.select(subject("object", demo.explorer.place.header.id, 0))
    qtbot.waitUntil(lambda: demo.inspection.source is not None, timeout=20_000)
    assert demo.inspection.source == (NAME, 9)
    assert "Source text" in demo.inspector.browser.toPlainText()
    demo.action_set.update()
    qtbot.keyClick(demo, Qt.Key_S, Qt.ControlModifier | Qt.AltModifier)
    link = Subject("source", (NAME, 10)).address
    assert link in demo.inspector.browser.toHtml()
    demo.inspector.browser.anchorClicked.emit(QUrl(link))
    file = str(tmp_path / "events a.json")
    assert started == [("gvim", ["+9", file]), ("gvim", ["+10", file])]
    qtbot.keyClick(demo, Qt.Key_F, Qt.ControlModifier | Qt.AltModifier)
    assert QApplication.clipboard().text() == f"{NAME}:9"
    demo.inspector.browser.anchorClicked.emit(QUrl(Subject("source", ("other", 1)).address))
    assert "other cannot be opened" in demo.notices.shown[-1].title

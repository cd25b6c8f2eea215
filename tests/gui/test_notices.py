"""Notices and the texts of the status bar: where they lie, and when they end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PyQt5.QtCore import QPoint, Qt, QUrl
from PyQt5.QtGui import QCursor, QDesktopServices
from PyQt5.QtTest import QTest
from PyQt5.QtWidgets import QApplication, QPushButton

from mapexplorer.export.request import AllMapsRequest
from mapexplorer.gui.widgets.notices import MOST

Wait = Callable[[Any], None]


def titles(window: Any) -> list[str]:
    """Those of the notices that are shown."""
    return [notice.title for notice in window.notices.shown]


def test_notices_lie_over_the_picture_in_its_corner(demo: Any, qtbot: Any) -> None:
    before = demo.views.geometry(), demo.views.ds.geometry()
    long = "a sentence that needs several lines " * 8
    for number in range(MOST):
        demo.notices.notify("error", f"Number {number}", long, "with details")
    qtbot.wait(50)
    notices = demo.notices
    assert (demo.views.geometry(), demo.views.ds.geometry()) == before
    assert notices.isVisible() and notices.geometry().bottomRight() == demo.views.rect().bottomRight()
    assert all(notices.rect().contains(notice.geometry()) for notice in notices.shown)
    high = notices.height()
    QTest.mouseClick(notices.shown[0]._cross, Qt.LeftButton)
    qtbot.waitUntil(lambda: notices.height() < high)
    demo.resize(1040, 720)
    qtbot.waitUntil(lambda: notices.geometry().bottomRight() == demo.views.rect().bottomRight())
    for notice in notices.shown:
        notice.dismiss()
    qtbot.waitUntil(lambda: not notices.isVisible())


def test_a_rom_that_cannot_be_opened_is_told_until_one_is_opened(demo: Any, qtbot: Any, tmp_path: Path) -> None:
    from importlib import resources

    broken, good = tmp_path / "broken.nds", tmp_path / "good.nds"
    image = resources.files("mapexplorer.data").joinpath("demo.nds").read_bytes()
    broken.write_bytes(image[:30_000])
    good.write_bytes(image)
    demo.open(str(broken))
    qtbot.waitUntil(lambda: titles(demo) == [f"{broken} cannot be opened"], timeout=20_000)
    demo.explorer.go(demo.explorer.world.place("L01").header.id)
    assert titles(demo), "it is not about the map"
    demo.open(str(good))
    qtbot.waitUntil(lambda: demo.explorer.rom_path == str(good), timeout=30_000)
    assert not titles(demo)


def test_what_is_told_about_marks_ends_with_them(demo: Any, qtbot: Any) -> None:
    for _ in range(2):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key_K, Qt.ShiftModifier)
        qtbot.waitUntil(lambda: titles(demo) == ["Reachable tiles"], timeout=30_000)
        QTest.keyClick(QApplication.focusWidget(), Qt.Key_K, Qt.ShiftModifier)
        assert not demo.routes.shown and not titles(demo)


def test_what_is_told_about_a_map_ends_with_it(demo: Any) -> None:
    demo.map_mode.go_to_text("9999,9999")
    assert titles(demo) == ["Go to tile"]
    demo.explorer.go(demo.explorer.world.place("L01").header.id)
    assert not titles(demo)


def move(widget: Any, point: QPoint) -> None:
    """Move the mouse of the display to a point of a widget."""
    QCursor.setPos(widget.mapToGlobal(point))
    QTest.mouseMove(widget, point)
    QTest.qWait(60)


def test_texts_of_the_status_bar_end_when_the_mouse_leaves(demo: Any, qtbot: Any, settle: Wait) -> None:
    demo.action("map_view").trigger()
    move(demo.views.map, demo.views.map.rect().center())
    move(demo.views.map, demo.views.map.rect().center() + QPoint(2, 2))
    qtbot.waitUntil(lambda: "tile (" in demo.status.cursor.text())
    move(demo.toolbar, demo.toolbar.rect().center())
    qtbot.waitUntil(lambda: demo.status.cursor.text() == "")
    button = demo.toolbar.widgetForAction(demo.action("open"))
    move(button, button.rect().center())
    qtbot.waitUntil(lambda: demo.statusBar().currentMessage() == demo.action("open").statusTip())
    demo.action("ds_view").trigger()
    move(demo.views.ds, demo.views.ds.rect().center())
    move(demo.views.ds, demo.views.ds.rect().center() + QPoint(9, 9))
    qtbot.waitUntil(lambda: demo.statusBar().currentMessage() == "")


def test_what_was_done_is_said_for_some_seconds(demo: Any, qtbot: Any) -> None:
    demo.action("ruler").trigger()
    assert "Drag on the map" in demo.statusBar().currentMessage() and not demo.status.cursor.text()


def test_an_export_whose_dialog_is_closed_is_seen_in_the_window(
    demo: Any, qtbot: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    dialog = demo.dialogs.export
    dialog.open(AllMapsRequest)
    dialog.target.setText(str(tmp_path / "maps"))
    dialog.form["jobs"].widget.setValue(1)
    QTest.mouseClick(dialog.start, Qt.LeftButton)
    dialog.close()
    assert not dialog.isVisible() and dialog.task is not None
    told = demo.status.export
    qtbot.waitUntil(lambda: " of " in told.text() and told.isVisible(), timeout=60_000)
    qtbot.waitUntil(lambda: dialog.task is None, timeout=120_000)
    assert not told.text() and titles(demo) == ["Export"]
    assert demo.notices.shown[0].sentence == dialog.message.text() and "Done" in dialog.message.text()
    dialog.open()
    assert dialog.outcome is None and not dialog.show_files.isVisible()
    (folder,) = [part for part in demo.notices.shown[0].findChildren(QPushButton) if part.text() == "Open folder"]
    QTest.mouseClick(folder, Qt.LeftButton)
    assert [url.toLocalFile() for url in opened] == [str(tmp_path / "maps")]
    dialog.target.setText(str(tmp_path / "map.glb"))
    QTest.mouseClick(dialog.start, Qt.LeftButton)
    assert titles(demo) == [], "it is about the export before"
    QTest.mouseClick(dialog.stop, Qt.LeftButton)
    qtbot.waitUntil(lambda: dialog.task is None, timeout=60_000)
    dialog.close()

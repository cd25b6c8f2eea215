"""Keys, focus, links, lists and dialogs in everyday use, by the events of a real window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PyQt5.QtCore import QPoint, QRect, QRectF, Qt
from PyQt5.QtGui import QImage
from PyQt5.QtTest import QTest
from PyQt5.QtWidgets import QApplication, QMessageBox, QPushButton, QScrollArea, QTextBrowser

from mapexplorer.gui.views.overlay_painter import OverlayPainter
from mapexplorer.gui.widgets import controls as widgets
from mapexplorer.gui.widgets.painting import painting
from mapexplorer.world.cells import TILE_UNITS
from mapexplorer.world.subject import subject
from tests.gui.conftest import move_mouse

Wait = Callable[[Any], None]


def press(key: int, modifiers: Any = Qt.NoModifier) -> None:
    """Press a key where the focus is."""
    QTest.keyClick(QApplication.focusWidget(), key, modifiers)


def link_spot(browser: QTextBrowser, number: int = 0) -> QPoint:
    """Where the link of a number is in a text."""
    cursor = browser.textCursor()
    found: list[str] = []
    for position in range(browser.document().characterCount() - 1):
        cursor.setPosition(position)
        cursor.setPosition(position + 1, cursor.KeepAnchor)
        href = cursor.charFormat().anchorHref()
        if href and (not found or found[-1] != href):
            found.append(href)
            if len(found) == number + 1:
                cursor.setPosition(position + 1)
                box = browser.cursorRect(cursor)
                return QPoint(box.x() + 3, box.center().y())
    raise AssertionError("no such link")


def test_a_window_is_shared_by_tests(shared: Callable[[str], Any]) -> None:
    """What nothing has changed is not replaced by a new window, which takes several times as long."""
    assert shared("demo") is shared("demo")


@pytest.mark.gl
def test_tiles_below_mountains_are_blocked_in_both_views(real: Any, qtbot: Any, settle: Wait) -> None:
    explorer, tile = real.explorer, (195, 840)
    explorer.go(explorer.world.place("T02").header.id, None, (195, 838))
    real.action("split_view").trigger()
    QTest.keyClick(real, Qt.Key_4)
    QTest.keyClick(real, Qt.Key_C)
    qtbot.waitUntil(lambda: real.views.shown == "both" and real.views.gl.complete, timeout=60_000)
    settle(real)
    [covering] = [part for part in real.jobs.overlay.cells if (part.cell.x, part.cell.z) == (6, 26)]
    assert covering.ground.tiles[840 % 32, 195 % 32, :, 1].min() > explorer.place.height(195.5 * 16, 840.5 * 16).height
    for view in (real.views.ds, real.views.gl):
        middle = np.array([[(tile[0] + 0.5) * TILE_UNITS, 0.0, (tile[1] + 0.5) * TILE_UNITS]])
        flat, _ = view.projection().project(middle)
        area = view.picture()
        spot = QPoint(round(area.x() + flat[0, 0] * area.width()), round(area.y() + flat[0, 1] * area.height()))
        explorer.select(subject("header", explorer.place.header.id))
        settle(real)
        QTest.mouseClick(view, Qt.LeftButton, pos=spot)
        qtbot.waitUntil(lambda: explorer.selection == subject("tile", 0, *tile), timeout=20_000)


@pytest.mark.gl
def test_the_walk_keeps_the_keys_in_another_view(demo: Any, qtbot: Any, settle: Wait) -> None:
    press(Qt.Key_K)
    press(Qt.Key_2, Qt.ControlModifier)
    qtbot.waitUntil(lambda: demo.views.shown == "gl" and demo.views.gl.shown is not None, timeout=60_000)
    second, walker = demo.explorer.clock.second, demo.walk_mode.walking.walker
    before = walker.x, walker.z, walker.facing
    QTest.keyPress(QApplication.focusWidget(), Qt.Key_Down)
    qtbot.waitUntil(lambda: (walker.x, walker.z, walker.facing) != before, timeout=20_000)
    QTest.keyRelease(QApplication.focusWidget(), Qt.Key_Down)
    assert demo.explorer.clock.second == second


def test_fields_and_links_of_the_height_panel(demo: Any, qtbot: Any, settle: Wait, click: Any) -> None:
    press(Qt.Key_L)
    qtbot.waitUntil(lambda: demo.heights.answer is not None)
    click(demo, 0.4, 0.6)
    settle(demo)
    x, z = demo.heights.answer.x, demo.heights.answer.z
    field = demo.heights.fields[0]
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, f"{x + 1:.1f}")
    press(Qt.Key_Return)
    assert demo.heights.answer.x == pytest.approx(x + 1, abs=0.06) and demo.heights.answer.z == pytest.approx(
        z, abs=0.06
    )
    move_mouse(demo.views.ds, QPoint(200, 200))
    assert demo.heights.answer.x == pytest.approx(x + 1, abs=0.06)
    QTest.mouseClick(demo.heights.text.viewport(), Qt.LeftButton, pos=link_spot(demo.heights.text))
    settle(demo)
    assert demo.explorer.selection.kind in ("plate", "cell", "tile", "land")


def test_links_print_no_warnings(demo: Any, qtbot: Any, settle: Wait, qtlog: Any) -> None:
    header, browser = demo.explorer.selection, demo.inspector.browser
    for number in range(3):
        QTest.mouseClick(browser.viewport(), Qt.LeftButton, pos=link_spot(browser, number))
        qtbot.waitUntil(lambda: demo.explorer.selection != header)
        settle(demo)
        demo.explorer.select(header)
        settle(demo)
    assert not [record.message for record in qtlog.records if "QUrl" in record.message]


def test_what_is_below_the_mouse_is_of_the_shown_map(demo: Any, qtbot: Any, settle: Wait) -> None:
    area = demo.views.ds.picture().center().toPoint()
    move_mouse(demo.views.ds, area)
    move_mouse(demo.views.ds, area + QPoint(9, 9))
    qtbot.waitUntil(lambda: "tile (" in demo.status.cursor.text())
    QTest.keyClick(demo, Qt.Key_PageDown, Qt.ControlModifier)
    qtbot.waitUntil(lambda: demo.status.cursor.text() == "")


@pytest.mark.parametrize(("key", "panel"), [(Qt.Key_L, "heights"), (Qt.Key_X, "script")])
def test_a_key_that_shows_a_panel_hides_it_behind_the_facts(demo: Any, qtbot: Any, key: int, panel: str) -> None:
    press(key)
    qtbot.waitUntil(lambda: demo.docks.shown(panel))
    press(Qt.Key_Escape)
    press(key)
    qtbot.waitUntil(lambda: demo.docks.shown("inspector"))
    assert not demo.docks.shown(panel)


@pytest.mark.parametrize(("key", "kind"), [(Qt.Key_2, "orbit"), (Qt.Key_4, "top")])
def test_home_keeps_the_camera(demo: Any, qtbot: Any, settle: Wait, key: int, kind: str) -> None:
    press(key)
    first = demo.explorer.camera
    settle(demo)
    press(Qt.Key_Equal, Qt.ControlModifier)
    assert demo.explorer.camera != first
    press(Qt.Key_Home)
    assert demo.explorer.camera.kind == kind and demo.explorer.camera == first


def test_the_export_has_the_hour_of_the_window(demo: Any, qtbot: Any) -> None:
    demo.action("export").trigger()
    demo.dialogs.export.close()
    demo.views.take_focus()
    for _ in range(3):
        press(Qt.Key_BracketRight)
    demo.action("export").trigger()
    dialog = demo.dialogs.export
    assert dialog.form["second"].value() == demo.explorer.clock.second == 15 * 3600
    dialog.close()


def test_closing_asks_while_an_export_runs(
    demo: Any, qtbot: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def no(parent: Any, title: str, *_: Any) -> int:
        asked.append(title)
        return QMessageBox.No

    monkeypatch.setattr(QMessageBox, "question", no)
    demo.explorer.settings.set("export folder", str(tmp_path))
    press(Qt.Key_E, Qt.ControlModifier | Qt.ShiftModifier)
    assert demo.dialogs.export.task is not None
    demo.close()
    assert asked == ["An export is running"] and demo.isVisible()
    qtbot.waitUntil(lambda: demo.dialogs.export.task is None, timeout=120_000)
    demo.dialogs.export.close()


def test_codes_and_numbers_are_found_first_in_the_palette(real: Any, qtbot: Any, settle: Wait) -> None:
    second = real.explorer.clock.second
    for typed, header in (("C01", real.explorer.world.place("C01").header.id), ("2", 2), ("411", 411)):
        press(Qt.Key_K, Qt.ControlModifier)
        QTest.keyClicks(QApplication.focusWidget(), typed)
        press(Qt.Key_Return)
        qtbot.waitUntil(lambda header=header: real.explorer.place.header.id == header, timeout=20_000)
        settle(real)
    assert real.explorer.clock.second == second


def test_groups_of_the_list_have_a_mark_that_turns(demo: Any, qtbot: Any, pixels: Any) -> None:
    tree = demo.maps.list
    group = tree.topLevelItem(0)
    seen = []
    for is_open in (True, False):
        group.setExpanded(is_open)
        tree.scrollToItem(group, tree.PositionAtTop)
        qtbot.wait(1)
        box = tree.visualItemRect(group)
        seen.append(pixels(tree.viewport())[box.top() : box.bottom(), : 18 + tree.indentation()].copy())
    assert not np.array_equal(*seen)


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, int], None]:
    """Sets the size of the screen of the windows that are made from now on."""

    def set_size(width: int, height: int) -> None:
        area = SimpleNamespace(availableGeometry=lambda: QRect(0, 0, width, height))
        monkeypatch.setattr(widgets, "QApplication", SimpleNamespace(primaryScreen=lambda: area))

    return set_size


@pytest.mark.parametrize("size", [(1280, 800), (1024, 700)])
def test_the_status_bar_is_on_the_screen(make_window: Any, qtbot: Any, screen: Any, size: tuple[int, int]) -> None:
    screen(*size)
    window = make_window()
    widgets.fit_to_screen(window, 1280, 800)
    window.open("demo")
    qtbot.waitUntil(lambda: window.jobs.frame is not None, timeout=240_000)
    bar = window.statusBar()
    assert bar.isVisible() and window.frameGeometry().height() <= size[1] and window.frameGeometry().width() <= size[0]
    assert window.rect().contains(QRect(bar.mapTo(window, QPoint()), bar.size()))


def test_every_tab_and_the_whole_day_are_seen(demo: Any, qtbot: Any) -> None:
    for name in ("textures", "heights", "state"):
        demo.docks.show(name)
    qtbot.wait(10)
    for bar in (demo.docks[name].tabBar() for name in ("textures", "heights")):
        assert bar.isVisible() and bar.tabRect(bar.count() - 1).right() < bar.width()
    assert demo.clock_bar.slider.width() >= 120
    demo.resize(1024, 700)
    qtbot.waitUntil(lambda: demo.width() == 1024 and demo.clock_bar.slider.width() >= 120)


def test_numbers_do_not_run_into_words(demo: Any, settle: Wait, click: Any) -> None:
    def shown() -> str:
        return demo.inspector.browser.toPlainText().replace("\N{NO-BREAK SPACE}", " ")

    header = demo.explorer.place.header
    settle(demo)
    assert f"{header.matrix} · " in shown() and "1 · town or city" in shown()
    click(demo, 0.4, 0.6)
    settle(demo)
    assert demo.explorer.selection.kind == "tile"
    named = [fact for section in demo.inspector.description.sections for fact in section.rows if "  " in fact.value]
    assert named and all(" · ".join(fact.value.split("  ", 1)) in shown() for fact in named)
    facts = [fact for section in demo.inspector.description.sections for fact in section.rows if fact.meaning]
    assert facts and all(f" · {fact.meaning}" in shown() for fact in facts)


@pytest.mark.parametrize("name", ["preferences", "export"])
def test_buttons_and_columns_of_dialogs_are_on_a_small_screen(demo: Any, qtbot: Any, screen: Any, name: str) -> None:
    screen(1024, 700)
    demo.action(name).trigger()
    dialog = getattr(demo.dialogs, name)
    qtbot.wait(1)
    shown = [button for button in dialog.findChildren(QPushButton) if button.isVisible()]
    assert shown and all(
        dialog.rect().contains(QRect(button.mapTo(dialog, QPoint()), button.size()))
        for button in shown
        if not any(area.isAncestorOf(button) for area in dialog.findChildren(QScrollArea))
    )
    if name == "preferences":
        assert not dialog.tree.horizontalScrollBar().maximum() and dialog.tree.verticalScrollBar().maximum() > 0
    dialog.close()


class Labels(OverlayPainter):
    """Keeps where labels were painted."""

    kept: list[QRectF] = []

    def paint(self, *arguments: Any) -> None:
        super().paint(*arguments)
        type(self).kept = list(self._labelled)


def test_labels_of_events_do_not_cover_each_other(real: Any, settle: Wait) -> None:
    real.explorer.go(real.explorer.world.place("C01").header.id)
    settle(real)
    press(Qt.Key_4)
    press(Qt.Key_V)
    settle(real)
    image = QImage(1024, 768, QImage.Format_RGB32)
    with painting(image) as painter:
        Labels(painter, QRectF(0, 0, 1024, 768), real.views.ds.projection(), real.explorer.layers).paint(
            real.jobs.overlay, None
        )
    assert len(Labels.kept) > 12
    assert not any(one.intersects(other) for at, one in enumerate(Labels.kept) for other in Labels.kept[:at])


def test_a_refused_tile_leaves_its_middle_free(demo: Any, settle: Wait) -> None:
    x, z = (int(value) for value in demo.explorer.tile)
    corners = [(x, z), (x, z + 1), (x + 1, z + 1), (x + 1, z)]
    tile = tuple(demo.explorer.ground(a * TILE_UNITS, b * TILE_UNITS) for a, b in corners)
    image = QImage(1024, 768, QImage.Format_ARGB32)
    image.fill(0)
    projection = demo.views.ds.projection()
    with painting(image) as painter:
        OverlayPainter(painter, QRectF(0, 0, 1024, 768), projection, demo.explorer.layers).paint(
            demo.jobs.overlay, None, replace(demo.explorer.marks, refused=tile)
        )
    flat, _ = projection.project(np.array(tile, float))
    middle = flat.mean(0) * (1024, 768)
    assert image.pixelColor(*middle.astype(int).tolist()).alpha() == 0
    corner = (flat[0] * (1024, 768)).astype(int).tolist()
    assert image.pixelColor(*corner).alpha() > 0

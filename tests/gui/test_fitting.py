"""The window and its dialogs fit a screen of 1024 x 700 pixels, and what has how much room in it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PyQt5.QtCore import QPoint, QRect, QSize, Qt
from PyQt5.QtGui import QImage, QPainter
from PyQt5.QtTest import QTest
from PyQt5.QtWidgets import QCheckBox, QPushButton, QStyleOptionViewItem, QToolButton

from mapexplorer.gui.actions.menus import RAIL
from mapexplorer.gui.docks.docks import LEFT
from mapexplorer.gui.docks.layers import LayersPanel
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.settings import Settings
from mapexplorer.gui.widgets import controls as widgets
from mapexplorer.gui.widgets.listing import paint_thing
from mapexplorer.inspector.facts import ListedThing
from tests.gui.conftest import drag


@pytest.fixture
def small_screen(monkeypatch: pytest.MonkeyPatch) -> QRect:
    """The screen of the windows that are made from now on."""
    area = QRect(0, 0, 1024, 700)
    screen = SimpleNamespace(availableGeometry=lambda: area)
    monkeypatch.setattr(widgets, "QApplication", SimpleNamespace(primaryScreen=lambda: screen))
    return area


def test_the_window_can_be_as_small_as_the_screen(demo: Any, small_screen: QRect) -> None:
    assert demo.minimumSizeHint().width() <= 1008 and demo.minimumSizeHint().height() <= 660
    widgets.fit_to_screen(demo, 1280, 800)
    assert demo.frameGeometry().width() <= 1024 and demo.frameGeometry().height() <= 700
    for name in (
        "events",
        "encounters",
        "names",
        "files",
        "inspector",
        "script",
        "layers",
        "heights",
        "textures",
        "models",
        "bytes",
    ):
        demo.docks.show(name)
        assert demo.width() <= 1024, name


def share(window: Any) -> float:
    """The part of the window's width that the picture has."""
    return float(window.views.width() / window.width())


@pytest.mark.parametrize(("width", "least"), [(1024, 0.55), (1280, 0.6), (1920, 0.65)])
def test_the_picture_is_the_largest_part(demo: Any, width: int, least: float) -> None:
    demo.resize(width, 700)
    demo.docks.arrange()
    assert share(demo) >= least
    assert demo.docks.shown("maps") == (width > 1100) and demo.docks.shown("inspector")
    assert demo.docks["inspector"].width() >= 240


def test_sides_that_a_smaller_window_shrank_grow_again(demo: Any, make_window: Any) -> None:
    demo.resize(1920, 700)
    splitter, side = demo.docks.middle, demo.docks["inspector"]
    handle = splitter.handle(2)
    middle = handle.rect().center()
    drag(handle, middle, middle - QPoint(90, 0))
    chosen = side.width()
    assert 450 < chosen < 900
    demo.resize(1024, 700)
    assert side.width() < chosen - 60 and share(demo) > 0.3
    state = demo.docks.state()
    demo.resize(1920, 700)
    assert side.width() == chosen
    window = make_window(size=(1920, 700))
    window.docks.restore(state)  # what was kept in the smaller window
    assert window.docks["inspector"].width() == chosen
    demo.docks.arrange()
    assert side.width() < chosen


def test_the_rail_opens_one_list_and_folds_the_side_away(demo: Any) -> None:
    docks, rail = demo.docks, demo.rail
    buttons = {name: rail.widgetForAction(demo.action(f"show_{name}")) for name in ("events", "files", "maps")}
    assert [action.objectName() for action in rail.actions()] == [*RAIL]
    assert all(button.isVisible() and button.accessibleName() and button.toolTip() for button in buttons.values())
    assert rail.width() <= 40
    before = share(demo)
    for name in ("events", "files"):
        QTest.mouseClick(buttons[name], Qt.LeftButton)
        shown = [panel for panel in LEFT if docks.shown(panel)]
        assert shown == [name] and buttons[name].isChecked() and docks.panels[name].first.hasFocus()
    assert not buttons["events"].isChecked()
    QTest.mouseClick(buttons["files"], Qt.LeftButton)
    assert not any(map(docks.shown, LEFT)) and share(demo) > before and not buttons["files"].isChecked()
    QTest.mouseClick(buttons["maps"], Qt.LeftButton)
    assert docks.shown("maps") and share(demo) == before


def test_textures_and_models_are_pages_of_the_files(demo: Any, qtbot: Any) -> None:
    demo.action("show_files").trigger()
    bar = demo.docks["files"].tabBar()
    titles = [bar.tabText(number) for number in range(bar.count()) if bar.isTabVisible(number)]
    assert titles == ["Files", "Textures", "Models"]
    QTest.mouseClick(bar, Qt.LeftButton, pos=bar.tabRect(bar.count() - 1).center())
    models = demo.models
    assert demo.docks.shown("models") and demo.action("show_files").isChecked()
    qtbot.waitUntil(lambda: len(models.list.groups) > 0, timeout=30_000)
    assert models.list.groups[0].title == "On this map" and all(thing.lines for thing in models.list.groups[0].rows)
    assert sorted(row["number"] for row in models.copied()[1]) == list(range(len(models.copied()[1])))
    QTest.mouseClick(bar, Qt.LeftButton, pos=bar.tabRect(bar.count() - 2).center())
    textures = demo.textures
    qtbot.waitUntil(lambda: textures.list.count() > 0, timeout=30_000)
    textures.sets.setCurrentIndex(1)
    qtbot.waitUntil(lambda: "areabm" in textures.sets.currentText() and textures.list.count() > 0, timeout=30_000)
    used = textures.list.count()
    textures.here.click()
    assert textures.list.count() > used
    textures.here.click()
    box = textures.list.visualItemRect(textures.list.item(0))
    QTest.mouseClick(textures.list.viewport(), Qt.LeftButton, pos=box.center())
    assert demo.explorer.selection.kind == "texture" and demo.docks.shown("inspector")


def test_layers_have_room_before_there_is_a_legend(qapp: Any, tmp_path: Path) -> None:
    panel = LayersPanel(Explorer(Settings(tmp_path / "window.json")))
    boxes = panel.findChildren(QCheckBox)
    assert len(boxes) > 10 and panel.sizeHint().height() > sum(box.sizeHint().height() for box in boxes)


def test_layers_are_a_popover_on_the_picture(demo: Any, qtbot: Any) -> None:
    layers, panel = demo.explorer.layers, demo.layers
    (button,) = [part for part in panel.parentWidget().children() if isinstance(part, QToolButton)]
    QTest.mouseClick(button, Qt.LeftButton)
    frame = panel.parentWidget()
    assert demo.docks.shown("layers") and demo.views.rect().contains(frame.geometry())
    box, slider = panel._boxes["plates"], panel._sliders["plates"]
    assert not slider.isVisible()
    box.setFocus(Qt.TabFocusReason)
    assert slider.isVisible()
    demo.views.ds.setFocus()
    assert not slider.isVisible()
    presets = {part.text(): part for part in panel.findChildren(QPushButton)}
    QTest.mouseClick(presets["Collision"], Qt.LeftButton)
    assert layers.shown("collision") and layers.shown("terrain") and "collision" in panel.legend.text()
    QTest.mouseClick(presets["Events"], Qt.LeftButton)
    assert layers.shown("events") and not layers.shown("collision")
    qtbot.waitUntil(lambda: panel.legend.visibleRegion().boundingRect() == panel.legend.rect())
    corner = QRect(button.mapToGlobal(QPoint()), button.size())
    assert not any(corner.intersects(QRect(part.mapToGlobal(QPoint()), part.size())) for part in presets.values())
    QTest.mouseClick(presets["Nothing"], Qt.LeftButton)
    assert not layers.shown("events") and layers.shown("terrain")
    QTest.keyClick(presets["Nothing"], Qt.Key_Escape)
    assert not demo.docks.shown("layers") and demo.views.ds.hasFocus() and not button.isChecked()
    QTest.keyClick(demo.views.ds, Qt.Key_L, Qt.ShiftModifier)
    assert demo.docks.shown("layers")
    QTest.keyClick(demo.views.ds, Qt.Key_Escape)
    assert not demo.docks.shown("layers")


def test_the_matrix_is_over_the_corner_of_the_map(demo: Any, qtbot: Any) -> None:
    view = demo.views.map

    def upper_edge() -> float:
        """Where the land begins in the view."""
        return float(view.camera.pixel(0.0, view.tiles.pyramid.land[1], view.area)[1])

    demo.action("show_matrix").trigger()
    qtbot.waitUntil(lambda: view.cells == "headers")
    demo.action("fit_region").trigger()
    inset = demo.matrix.parentWidget().geometry()
    assert demo.map_mode.on and demo.docks.shown("matrix")
    assert view.rect().contains(inset) and upper_edge() > inset.bottom()
    demo.action("show_matrix").trigger()
    qtbot.waitUntil(lambda: view.cells == "")
    assert demo.map_mode.on and not demo.docks.shown("matrix") and upper_edge() < inset.bottom()


def broken_words(window: Any) -> list[str]:
    """The letters around the ends of lines of the inspector that are inside words."""
    words, block = [], window.inspector.browser.document().begin()
    while block.isValid():
        layout, text = block.layout(), block.text()
        starts = [layout.lineAt(number).textStart() for number in range(1, layout.lineCount())]
        words += [text[start - 3 : start + 3] for start in starts if not text[start - 1].isspace()]
        block = block.next()
    return words


def test_no_word_of_the_facts_is_broken_in_a_narrow_window(demo: Any, qtbot: Any) -> None:
    demo.resize(640, 480)
    demo.docks.show("events")
    demo.docks.show("inspector")
    for header in (0, 4):
        demo.explorer.go(header)
        qtbot.waitUntil(lambda header=header: demo.inspector.description.subject.key == (header,))
        qtbot.waitUntil(lambda: demo.docks["inspector"].width() < 200)
        assert "Internal name" in demo.inspector.browser.toPlainText() and broken_words(demo) == []


def test_heights_and_states_have_tabs_where_they_apply(demo: Any) -> None:
    bar = demo.docks["inspector"].tabBar()

    def titles() -> list[str]:
        return [bar.tabText(number) for number in range(bar.count()) if bar.isTabVisible(number)]

    assert titles() == ["Facts", "Script", "Bytes"]
    QTest.keyClick(demo.views.ds, Qt.Key_L)
    assert titles() == ["Facts", "Script", "Bytes", "Heights"] and demo.docks.shown("heights")
    QTest.keyClick(demo.heights.map, Qt.Key_Escape)
    QTest.keyClick(demo.views.ds, Qt.Key_L)
    assert titles() == ["Facts", "Script", "Bytes"] and demo.docks.shown("inspector")


def test_the_clock_fits_a_narrow_window_and_its_slider_stays(demo: Any, qtbot: Any) -> None:
    demo.resize(820, 600)
    demo.docks.arrange()
    bar, clock = demo.clock_bar, demo.explorer.clock
    qtbot.waitUntil(lambda: demo.width() == 820)
    assert bar.weather.geometry().right() <= bar.width() == demo.picture.width()
    demo.resize(1280, 800)
    places = set()
    for hour in (3, 8, 12, 18, 21):
        clock.set_second(hour * 3600)
        qtbot.wait(1)
        places.add((bar.slider.x(), bar.slider.width()))
    assert bar.part_of_day.isVisible() and len(places) == 1, places


def test_the_start_page_is_as_high_as_what_it_shows(demo: Any, qtbot: Any) -> None:
    page = demo.dialogs.welcome
    page.open()
    qtbot.wait(1)
    height = page.height()
    QTest.keyClicks(page.search, "mill")
    qtbot.waitUntil(page.finder.list.isVisible, timeout=20_000)
    qtbot.wait(1)
    page.hide()
    page.open()
    qtbot.wait(1)
    assert page.height() == height
    page.hide()


class Texts(QPainter):
    """Notes the texts that are drawn, and how far down."""

    def __init__(self, picture: QImage) -> None:
        super().__init__(picture)
        self.texts: list[tuple[int, str]] = []

    def drawText(self, box: Any, flags: int, text: str) -> None:
        self.texts.append((round(box.y()), text))


def test_a_row_has_room_for_its_title_before_its_short_text(demo: Any) -> None:
    """What is written in a narrow row, and in a wide one."""
    thing = ListedThing(None, "A long name of a house", ("indoors",), "345, 678")
    option, picture = QStyleOptionViewItem(), QImage(400, 60, QImage.Format_RGB32)
    option.initFrom(demo.maps.list)
    lines = []
    for room in (180, 400):
        painter = Texts(picture)
        option.rect = QRect(0, 0, room, 50)
        paint_thing(painter, option, thing, thing.lines, None, QSize(0, 0))
        painter.end()
        rows = sorted({y for y, _ in painter.texts})
        lines.append({text: rows.index(y) for y, text in painter.texts if text})
        alone = Texts(picture)
        paint_thing(alone, option, thing, (), None, QSize(0, 0))
        alone.end()
        assert [text for _, text in alone.texts if text] == [thing.title, *([thing.side] if room > 180 else [])]
    assert lines == [{thing.title: 0, "indoors": 1, thing.side: at} for at in (1, 0)]
    narrow = Texts(picture)
    for floor in ("1F", "2F"):
        option.rect = QRect(0, 0, 100, 50)
        paint_thing(narrow, option, ListedThing(None, f"A long name of a house, {floor}"), (), None, QSize(0, 0))
    narrow.end()
    first, second = [text for _, text in narrow.texts if text]
    assert first.startswith("A lo") and first.endswith("1F") and second.endswith("2F"), "both ends are seen"


@pytest.mark.parametrize("action", ["export", "preferences"])
def test_dialogs_fit_the_screen(demo: Any, small_screen: QRect, action: str) -> None:
    demo.action(action).trigger()
    shown = getattr(demo.dialogs, action)
    assert shown.isVisible()
    assert shown.width() <= 1024 and shown.height() <= 660
    shown.close()


@pytest.mark.parametrize("size", [(1024, 700), (640, 480)])
def test_the_buttons_of_the_start_page_fit(demo: Any, qtbot: Any, tmp_path: Path, size: tuple[int, int]) -> None:
    (tmp_path / "game.nds").touch()
    demo.explorer.settings.add_recent(str(tmp_path / "game.nds"))
    demo.resize(*size)
    qtbot.waitUntil(lambda: abs(demo.width() - size[0]) < 30)
    demo.docks.arrange()
    demo.action("welcome").trigger()
    page = demo.dialogs.welcome
    qtbot.wait(1)
    assert page.parentWidget().rect().adjusted(8, 8, -8, -8).contains(page.geometry())
    buttons = [button for button in page.findChildren(QPushButton) if button.isVisible()]
    assert buttons and all(button.width() >= button.sizeHint().width() for button in buttons)
    page.hide()

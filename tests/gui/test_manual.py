"""The manual in the window: a click opens the section about a part; pages are shown and linked."""

from __future__ import annotations

import re
from typing import Any

import pytest

from mapexplorer.gui import manual


def shown_heading(window: Any) -> str:
    """The heading at which the manual stands."""
    return str(window.dialogs.whats_this.manual.text.textCursor().block().text())


def ask(qtbot: Any, window: Any, widget: Any, where: Any = None) -> None:
    """Choose the action, and click a widget."""
    from PyQt5.QtCore import Qt

    window.action("whats_this").trigger()
    qtbot.mouseClick(widget, Qt.LeftButton, pos=where or widget.rect().center())
    qtbot.waitUntil(lambda: not window.dialogs.whats_this.active and window.dialogs.whats_this.manual.isVisible())
    qtbot.wait(1)


def test_a_click_opens_the_section_about_a_part(demo: Any, qtbot: Any) -> None:
    parts = {
        "Maps": demo.maps.filter,
        "DS picture": demo.views.ds,
        "Clock": demo.clock_bar,
        "Status bar": demo.statusBar(),
        "Tool bar and menus": demo.toolbar,
        "Matrix": demo.matrix.heading,
    }
    demo.action("show_matrix").trigger()
    demo.action("ds_view").trigger()
    for title, widget in parts.items():
        demo.action("map_view" if title == "Matrix" else "ds_view").trigger()
        ask(qtbot, demo, widget)
        qtbot.waitUntil(lambda title=title: shown_heading(demo) == title)
        demo.dialogs.whats_this.manual.hide()
    assert demo.maps.filter.text() == "" and demo.explorer.selection.kind == "header"


def test_a_tab_stands_for_its_panel(demo: Any, qtbot: Any) -> None:
    bar = demo.docks["script"].tabBar()
    ask(qtbot, demo, bar, bar.tabRect(1).center())
    qtbot.waitUntil(lambda: shown_heading(demo) == "Script")


def test_escape_ends_the_question(demo: Any, qtbot: Any) -> None:
    from PyQt5.QtCore import Qt

    demo.action("whats_this").trigger()
    assert demo.action("whats_this").isChecked()
    qtbot.keyClick(demo, Qt.Key_Escape)
    assert not demo.dialogs.whats_this.active


def test_every_panel_has_a_section(demo: Any) -> None:
    titles = re.findall(r"^## (.+)$", manual.page(manual.WINDOW_PAGE), re.MULTILINE)
    docks = {panel.title for panel in demo.docks.panels.values()}
    assert docks | set(manual.SECTIONS.values()) <= set(titles)


def test_links_lead_to_other_pages(demo: Any, qtbot: Any) -> None:
    from PyQt5.QtCore import QUrl

    demo.action("manual").trigger()
    shown = demo.dialogs.whats_this.manual
    assert shown.name == "index.md"
    shown.text.anchorClicked.emit(QUrl("window.md#heights"))
    qtbot.waitUntil(lambda: (shown.name, shown_heading(demo)) == ("window.md", "Heights"))


@pytest.mark.parametrize("name", ["index.md", "games.md", "python.md", "api.md"])
def test_nothing_of_the_builder_is_left(name: str) -> None:
    assert not re.search(r"^(--8<--|:::)", manual.page(name), re.MULTILINE)


def test_contents_search_and_back(demo: Any, qtbot: Any) -> None:
    from PyQt5.QtCore import Qt
    from PyQt5.QtTest import QTest
    from PyQt5.QtWidgets import QApplication

    QTest.keyClick(QApplication.focusWidget(), Qt.Key_F1)
    shown = demo.dialogs.whats_this.manual
    QApplication.setActiveWindow(shown)
    titles = [shown.contents.item(row).text() for row in range(shown.contents.count())]
    assert len(titles) > 20 and {"The window", "Keys", "Troubleshooting"} <= set(titles)
    assert titles.index("Getting started") == 1 and titles.index("Contributing") > titles.index("Speed")
    assert not shown.contents.horizontalScrollBar().isVisible()
    shown.text.setFocus()
    QTest.keyClick(shown.text, Qt.Key_F, Qt.ControlModifier)
    assert shown.field.hasFocus() and not demo.maps.filter.hasFocus()
    QTest.keyClicks(shown.field, "pinned bdhc")
    assert [shown.contents.item(row).text() for row in range(shown.contents.count())] == ["Heights (window)"]
    QTest.keyClick(shown.field, Qt.Key_Return)
    qtbot.waitUntil(lambda: (shown.name, shown_heading(demo)) == ("window.md", "Heights"))
    QTest.keyClick(shown.field, Qt.Key_Left, Qt.AltModifier)
    assert shown.name == "index.md"
    QTest.keyClicks(shown.field, " qqz")
    assert [shown.contents.item(row).text() for row in range(shown.contents.count())] == ["No section has these words."]
    QTest.keyClick(shown.field, Qt.Key_Return)
    assert shown.name == "index.md"
    shown.field.clear()
    row = titles.index("Keys")
    QTest.mouseClick(
        shown.contents.viewport(), Qt.LeftButton, pos=shown.contents.visualItemRect(shown.contents.item(row)).center()
    )
    assert shown.name == "keys.md"
    QTest.keyClick(shown.contents, Qt.Key_F1)
    assert shown.name == "index.md"
    shown.close()

"""The manual in the window: its pages are shown, linked and searched."""

from __future__ import annotations

import re
from typing import Any

import pytest

from mapexplorer.gui import manual


def shown_heading(window: Any) -> str:
    """The heading at which the manual stands."""
    return str(window.dialogs.manual.text.textCursor().block().text())


def test_every_panel_has_a_section(demo: Any) -> None:
    titles = re.findall(r"^## (.+)$", manual.page("window.md"), re.MULTILINE)
    assert {panel.title for panel in demo.docks.panels.values()} <= set(titles)


def test_links_lead_to_other_pages(demo: Any, qtbot: Any) -> None:
    from PyQt5.QtCore import QUrl

    demo.action("manual").trigger()
    shown = demo.dialogs.manual
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
    shown = demo.dialogs.manual
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

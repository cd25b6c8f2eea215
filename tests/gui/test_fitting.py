"""The window and its dialogs fit a screen of 1024 x 700 pixels."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from PyQt5.QtCore import QRect
from PyQt5.QtWidgets import QPushButton

from mapexplorer.gui.widgets import controls as widgets


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


@pytest.mark.parametrize(("width", "panels"), [(1008, [232, 320]), (1280, [272, 430])])
def test_the_picture_is_the_largest_part(make_window: Any, width: int, panels: list[int]) -> None:
    window = make_window(size=(width, 660))
    assert [window.docks[name].width() for name in ("maps", "inspector")] == panels
    assert window.centralWidget().width() > 1.3 * max(panels)


@pytest.mark.parametrize("action", ["keys", "export", "screenshot", "preferences"])
def test_dialogs_fit_the_screen(demo: Any, small_screen: QRect, action: str) -> None:
    demo.action(action).trigger()
    shown = getattr(demo.dialogs, action)
    assert shown.isVisible()
    assert shown.width() <= 1024 and shown.height() <= 660
    shown.close()


def test_the_buttons_of_the_start_page_fit(demo: Any, qtbot: Any) -> None:
    demo.resize(1024, 700)
    qtbot.waitUntil(lambda: (demo.width(), demo.height()) == (1024, 700))
    demo.action("welcome").trigger()
    page = demo.dialogs.welcome
    qtbot.wait(1)
    buttons = [button for button in page.findChildren(QPushButton) if button.isVisible()]
    assert buttons and all(button.width() >= button.sizeHint().width() for button in buttons)
    page.hide()

"""The window and its dialogs work with the keyboard alone, and a screen reader can name their controls."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

from PyQt5.QtCore import Qt
from PyQt5.QtTest import QTest
from PyQt5.QtWidgets import (
    QApplication,
    QDialog,
    QLabel,
    QScrollArea,
    QWidget,
)

Wait = Callable[[Any], None]


def controls(root: QWidget) -> Iterator[QWidget]:
    """What can have the focus in a window, behind tabs too; without the lists that drop-down lists open."""
    for widget in root.findChildren(QWidget):
        if widget.focusPolicy() & Qt.TabFocus and widget.focusProxy() is None and widget.window() is root.window():
            yield widget


def name_of(control: QWidget) -> str:
    """What a screen reader says of a control when it is shown: its name, else the label that is its buddy."""
    control.ensurePolished()
    labels = (label.text() for label in control.window().findChildren(QLabel) if label.buddy() is control)
    return control.accessibleName() or next(labels, "")


def test_every_control_has_a_name(demo: Any, settle: Wait) -> None:
    settle(demo)
    demo.dialogs.ask_tile()
    made_when_shown = (name for name, kind in vars(type(demo.dialogs)).items() if isinstance(kind, cached_property))
    windows = [demo, *(getattr(demo.dialogs, name) for name in made_when_shown)]
    windows += [window for window in QApplication.topLevelWidgets() if isinstance(window, QDialog)]
    named = 0
    for window in windows:
        for control in controls(window):
            name = name_of(control)
            where = f"{type(control).__name__} {control.objectName()!r} in {type(control.parent()).__name__}"
            assert name and "qt_" not in name.lower(), where
            named += 1
    assert named > 150
    for window in windows[1:]:
        window.close()


def tab_stops() -> list[QWidget]:
    """What Tab leads to, until it is back at the first one; in a text it leads from link to link."""
    stops = [QApplication.focusWidget()]
    for _ in range(300):
        QTest.keyClick(stops[-1], Qt.Key_Tab)
        if QApplication.focusWidget() is stops[0]:
            break
        if QApplication.focusWidget() is not stops[-1]:
            stops.append(QApplication.focusWidget())
    return stops


def is_seen(control: QWidget) -> bool:
    """Whether a control is visible, also not behind another one."""
    return control.isVisible() and not control.visibleRegion().isEmpty()


def missed(root: QWidget) -> list[tuple[str, str]]:
    """The controls that are seen and that Tab does not lead to from the one that has the focus."""
    stops = tab_stops()
    assert all(name_of(stop) for stop in stops)
    seen = [control for control in controls(root) if control.isEnabled() and is_seen(control)]
    assert len(seen) > 2
    return [
        (type(control).__name__, name_of(control))
        for control in seen
        if control not in stops and not isinstance(control, QScrollArea)
    ]


def test_tab_leads_to_every_control_that_is_seen(demo: Any, qtbot: Any, settle: Wait) -> None:
    settle(demo)
    for panel in ("maps", "files", "models", "bytes"):
        demo.docks.show(panel)
        demo.views.take_focus()
        assert not missed(demo), panel
    for name in ("export", "preferences"):
        demo.action(name).trigger()
        dialog = getattr(demo.dialogs, name)
        qtbot.waitUntil(dialog.isVisible)
        QApplication.setActiveWindow(dialog)
        next(control for control in controls(dialog) if is_seen(control)).setFocus()
        assert not missed(dialog), name
        dialog.close()

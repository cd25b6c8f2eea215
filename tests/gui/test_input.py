"""Wheel, focus, searches and the pinned height panel, by the events of a real window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PyQt5.QtCore import QPoint, QPointF, Qt
from PyQt5.QtGui import QWheelEvent
from PyQt5.QtWidgets import QApplication

Wait = Callable[[Any], None]


def turn_wheel(view: Any, x: float, y: float, steps: int, modifiers: Any = Qt.NoModifier) -> None:
    """Turn the wheel over a fraction of a view's picture."""
    area = view.picture()
    at = QPointF(area.x() + x * area.width(), area.y() + y * area.height())
    QApplication.sendEvent(
        view,
        QWheelEvent(
            at,
            QPointF(view.mapToGlobal(at.toPoint())),
            QPoint(),
            QPoint(0, 120 * steps),
            Qt.NoButton,
            modifiers,
            Qt.NoScrollPhase,
            False,
        ),
    )


def ground_at(window: Any, x: float, y: float) -> np.ndarray:
    """The ground that the DS view shows at a fraction of its picture."""
    found = window.picking.ground(window.views.ds, x, y)
    assert found is not None
    return np.array(found)


def test_the_wheel_leaves_the_game_camera_for_an_orbit_with_its_picture(demo: Any, settle: Wait) -> None:
    before = [ground_at(demo, *point) for point in ((0.5, 0.5), (0.2, 0.8), (0.8, 0.3))]
    demo.explorer.set_camera(demo.explorer.camera.orbiting_as(demo.explorer.place.camera))
    settle(demo)
    after = [ground_at(demo, *point) for point in ((0.5, 0.5), (0.2, 0.8), (0.8, 0.3))]
    assert np.abs(np.array(after) - np.array(before)).max() < 3.0
    demo.action("camera_game").trigger()
    settle(demo)
    turn_wheel(demo.views.ds, 0.5, 0.5, 2)
    assert demo.explorer.camera.kind == "orbit"


@pytest.mark.parametrize("camera", ["orbit", "top"])
def test_the_wheel_zooms_to_the_cursor(demo: Any, settle: Wait, camera: str) -> None:
    demo.action(f"camera_{camera}").trigger()
    settle(demo)
    spot = 0.3, 0.6
    before, size = ground_at(demo, *spot), demo.explorer.camera.distance / demo.explorer.camera.scale
    turn_wheel(demo.views.ds, *spot, 3)
    settle(demo)
    assert demo.explorer.camera.distance / demo.explorer.camera.scale < size / 1.4
    assert np.abs(ground_at(demo, *spot) - before)[[0, 2]].max() < 6.0


def test_the_wheel_flies_ahead_and_with_ctrl_sets_the_speed(demo: Any) -> None:
    demo.action("camera_fly").trigger()
    position, speed = demo.explorer.camera.position, demo.explorer.camera.speed
    turn_wheel(demo.views.ds, 0.5, 0.5, 1)
    assert demo.explorer.camera.position != position and demo.explorer.camera.speed == speed
    turn_wheel(demo.views.ds, 0.5, 0.5, 1, Qt.ControlModifier)
    assert demo.explorer.camera.speed > speed


def test_the_picture_has_the_keys_unless_the_user_types(demo: Any, qtbot: Any, settle: Wait) -> None:
    demo.action("filter").trigger()
    assert demo.maps.filter.hasFocus()
    qtbot.keyClicks(demo.maps.filter, "T01R0101")
    qtbot.keyClick(demo.maps.filter, Qt.Key_Return)
    settle(demo)
    assert demo.explorer.place.header.internal_name == "T01R0101"
    assert demo.views.ds.hasFocus()
    demo.action("filter").trigger()
    qtbot.keyClick(demo.maps.filter, Qt.Key_Escape)
    assert demo.maps.filter.text() == "" and demo.views.ds.hasFocus()
    demo.action("filter").trigger()
    qtbot.keyClicks(demo.maps.filter, "T01")
    qtbot.keyClick(demo.maps.filter, Qt.Key_Down)
    assert demo.maps.list.hasFocus()
    first = demo.maps.list.currentItem()
    qtbot.keyClick(demo.maps.list, Qt.Key_Down)
    assert demo.maps.list.currentItem() is not first
    qtbot.keyClick(demo.maps.list, Qt.Key_Return)
    assert demo.views.ds.hasFocus()
    demo.action("palette").trigger()
    assert demo.dialogs.palette.field.hasFocus()
    qtbot.keyClick(demo.dialogs.palette.field, Qt.Key_Escape)
    assert demo.views.ds.hasFocus()


def test_exact_names_and_numbers_are_found_first(demo: Any, qtbot: Any) -> None:
    demo.action("palette").trigger()
    palette = demo.dialogs.palette
    for typed, title in (("T01", "Millbrook"), ("t01r0101", "(T01R0101)"), ("4", "Millbrook")):
        palette.field.setText(typed)
        qtbot.waitUntil(lambda: not palette._searching, timeout=60_000)
        assert palette.list.item(0).text().endswith(title), palette.list.item(0).text()


def test_a_click_pins_the_point_of_the_height_panel(demo: Any, qtbot: Any, settle: Wait, click: Any) -> None:
    demo.docks.show("heights")
    qtbot.waitUntil(lambda: demo.heights.answer is not None)
    click(demo, 0.4, 0.6)
    settle(demo)
    assert demo.docks.shown("heights") and demo.heights.pinned.isChecked()
    pinned = demo.heights.answer
    demo.picking.hover(demo.views.ds, 0.7, 0.3)
    assert demo.heights.answer is pinned
    demo.heights.pinned.setChecked(False)
    demo.picking.hover(demo.views.ds, 0.7, 0.3)
    assert (demo.heights.answer.x, demo.heights.answer.z) != (pinned.x, pinned.z)
    for field, value in zip(demo.heights.fields, (pinned.x, pinned.z, pinned.near), strict=True):
        field.setValue(value)
    assert demo.heights.pinned.isChecked()
    assert demo.heights.answer.answer.height == pinned.answer.height


def test_the_theme_changes_while_the_height_panel_is_behind_another(demo: Any, qtbot: Any, settle: Wait) -> None:
    demo.docks.show("heights")
    qtbot.waitUntil(lambda: demo.heights.answer is not None)
    demo.docks.show("inspector")
    demo.explorer.go(demo.explorer.world.place("F01").header.id)
    settle(demo)
    demo.action("theme_dark").trigger()
    demo.action("theme_light").trigger()
    demo.docks.show("heights")
    qtbot.waitUntil(lambda: "strip" in demo.heights.text.toPlainText())

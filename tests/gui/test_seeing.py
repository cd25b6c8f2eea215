"""Seeing a map in the real window: hour, clock, cameras, layers, weather, and that nothing is drawn at rest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PyQt5.QtCore import QEvent, QObject, QPoint, Qt
from PyQt5.QtGui import QImage
from PyQt5.QtWidgets import QApplication, QFileDialog

from mapexplorer.gui.views.overlay_painter import OverlayPainter
from tests.gui.conftest import background_done, move_mouse, pixels

Wait = Callable[[Any], None]


def test_the_hour_changes_light_and_pixels(demo: Any, qtbot: Any, settle: Wait, shown_picture: Any) -> None:
    slider = demo.clock_bar.slider
    noon = shown_picture(demo).astype(int)
    bar = slider._bar()
    qtbot.mouseClick(slider, Qt.LeftButton, pos=QPoint(round(bar.x() + bar.width() * 22 / 24), 10))
    assert demo.explorer.clock.text == "22:00" and "22:00" in demo.clock_bar.time.text()
    settle(demo)
    night = shown_picture(demo).astype(int)
    assert night.mean() < noon.mean() - 10
    demo.action("noon").trigger()
    settle(demo)
    assert (shown_picture(demo) == noon).all()


def test_layers_are_painted_again_after_a_defect(demo: Any, qtbot: Any, settle: Wait) -> None:
    """Who is told of the error may keep it for long, and with it what the painting functions hold."""
    demo.explorer.layers.show("grid", True)
    settle(demo)
    view = demo.views.ds
    before = pixels(view)

    def broken(*_: Any) -> None:
        raise ZeroDivisionError

    with pytest.MonkeyPatch.context() as patch, qtbot.capture_exceptions() as errors:
        patch.setattr(OverlayPainter, "paint", broken)
        view._painted = None  # so that the layers are painted anew
        view.repaint()
    assert [kind for kind, _, _ in errors] == [ZeroDivisionError]
    assert not view._painted.paintingActive()
    view._painted = None
    assert (pixels(view) == before).all()


def test_the_time_can_be_typed(demo: Any, qtbot: Any) -> None:
    clock, field, before = demo.explorer.clock, demo.clock_bar.time, demo.views.wanted
    for typed, shown, said in (("20:30\r", "20:30", ""), ("7\r", "07:00", ""), ("25:99m\r", "07:00", "not a time")):
        qtbot.mouseDClick(field, Qt.LeftButton)
        qtbot.keyClick(field, Qt.Key_A, Qt.ControlModifier)
        qtbot.keyClicks(field, typed)
        assert clock.text == field.text() == shown and said in demo.statusBar().currentMessage()
    qtbot.keyClicks(field, "9")
    qtbot.keyClick(field, Qt.Key_Escape)
    assert clock.text == field.text() == "07:00" and demo.views.active.hasFocus()
    assert demo.views.wanted == before, "no letter ran an action"
    demo.statusBar().clearMessage()


def test_what_is_said_of_the_cursor_goes_when_the_picture_moves(demo: Any, qtbot: Any, settle: Wait) -> None:
    view = demo.views.active
    for leave in (lambda: qtbot.keyClick(view, Qt.Key_Right), lambda: demo.explorer.go(0)):
        move_mouse(view, QPoint(200, 200))
        move_mouse(view, QPoint(206, 200))
        qtbot.waitUntil(lambda: "tile" in demo.status.cursor.text())
        leave()
        assert not demo.status.cursor.text()
        settle(demo)


def test_playing_goes_on_and_stops_and_rests(demo: Any, qtbot: Any, settle: Wait) -> None:
    clock = demo.explorer.clock
    drawn = demo.jobs.frames_drawn
    demo.action("play").trigger()
    assert clock.playing
    qtbot.waitUntil(lambda: clock.tick >= 12 and demo.jobs.frames_drawn >= drawn + 4, timeout=20_000)
    demo.action("play").trigger()
    assert not clock.playing
    settle(demo)
    tick, drawn = clock.tick, demo.jobs.frames_drawn
    demo.action("step").trigger()
    settle(demo)
    assert (clock.tick, demo.jobs.frames_drawn) == (tick + 1, drawn + 1)
    # At rest nothing is drawn, whatever else happens in the window.
    for _ in range(20):
        QApplication.processEvents()
        demo.jobs.request_frame()
    assert demo.jobs.frames_drawn == drawn + 1 and not demo.clock_timer.isActive()
    demo.action("restart").trigger()
    assert clock.tick == 0


def test_every_camera_shows_something_else_and_reset_leads_back(
    demo: Any, qtbot: Any, settle: Wait, shown_picture: Any
) -> None:
    game = shown_picture(demo)
    seen = [game]
    for kind in ("orbit", "fly", "top"):
        demo.action(f"camera_{kind}").trigger()
        settle(demo)
        assert demo.action(f"camera_{kind}").isChecked() and not demo.action("camera_game").isChecked()
        now = shown_picture(demo)
        assert len(np.unique(now.reshape(-1, 3), axis=0)) > 8
        assert all((now != before).any() for before in seen)
        seen.append(now)
    top = demo.explorer.camera
    demo.explorer.set_camera(top.panned(200, 100).zoomed(3))
    demo.action("camera_reset").trigger()
    assert demo.explorer.camera.kind == "top" and demo.explorer.camera.scale == top.scale
    demo.action("camera_game").trigger()
    demo.explorer.set_camera(demo.explorer.camera.panned(200, 100))
    demo.action("camera_reset").trigger()
    settle(demo)
    assert (shown_picture(demo) == game).all()


def test_keys_and_mouse_move_the_camera(demo: Any, qtbot: Any, settle: Wait) -> None:
    view = demo.views.ds
    view.setFocus()
    x, _, z = demo.explorer.camera.target
    qtbot.keyPress(view, Qt.Key_W)
    qtbot.keyRelease(view, Qt.Key_W)
    assert demo.explorer.camera.target[2] == z - 16
    qtbot.keyPress(view, Qt.Key_Right)
    qtbot.keyRelease(view, Qt.Key_Right)
    assert demo.explorer.camera.target[0] == x + 16
    assert not view.navigation._timer.isActive()
    demo.explorer.use_camera("orbit")
    yaw = demo.explorer.camera.yaw
    qtbot.mousePress(view, Qt.LeftButton, pos=QPoint(300, 300))
    for step in range(1, 6):
        move_mouse(view, QPoint(300 + 10 * step, 300), Qt.LeftButton)
    qtbot.waitUntil(lambda: demo.explorer.camera.yaw != yaw)
    qtbot.mouseRelease(view, Qt.LeftButton, pos=QPoint(350, 300))
    settle(demo)


def test_the_whole_matrix_is_shown_beyond_the_four_cells(real: Any, settle: Wait, shown_picture: Any) -> None:
    real.explorer.go(411)
    real.action("camera_top").trigger()
    real.explorer.set_camera(real.explorer.camera.zoomed(-12))
    settle(real)
    four = len(real.jobs.frame.cells)
    assert (shown_picture(real) > 0).any(2).mean() > 0.99, "a sky"
    real.action("layer_sky").trigger()
    settle(real)
    alone = (shown_picture(real) > 0).any(2).mean()
    real.action("whole_matrix").trigger()
    settle(real)
    assert four <= 4 < len(real.jobs.frame.cells)
    assert (shown_picture(real) > 0).any(2).mean() > alone + 0.3


def test_layers_of_the_scene_can_be_left_out(demo: Any, settle: Wait, shown_picture: Any) -> None:
    whole = shown_picture(demo)
    demo.layers._boxes["props"].setChecked(False)
    settle(demo)
    without = shown_picture(demo)
    assert (without != whole).any() and not demo.action("layer_props").isChecked()
    demo.layers._boxes["props"].setChecked(True)
    settle(demo)
    assert (shown_picture(demo) == whole).all()


def test_weather_can_be_chosen(town: Any, settle: Wait, shown_picture: Any) -> None:
    clear = shown_picture(town)
    foggy = next(
        number for number, weather in sorted(town.explorer.game.tables.weathers.items()) if weather.fog is not None
    )
    box = town.clock_bar.weather
    box.setCurrentIndex(box.findData(foggy))
    settle(town)
    assert (shown_picture(town) != clear).any()
    box.setCurrentIndex(0)
    settle(town)
    assert (shown_picture(town) == clear).all()


def test_idle_draws_and_paints_nothing(demo: Any, qtbot: Any, settle: Wait) -> None:
    settle(demo)
    background_done(demo, qtbot)
    drawn, painted = demo.jobs.frames_drawn, []
    demo.views.ds.installEventFilter(Paints(demo.views.ds, painted))
    qtbot.wait(1000)
    assert demo.jobs.frames_drawn == drawn and not painted


class Paints(QObject):
    """Counts how often a widget is painted."""

    def __init__(self, widget: Any, painted: list[int]) -> None:
        super().__init__(widget)
        self.painted = painted

    def eventFilter(self, watched: Any, event: Any) -> bool:
        if event.type() == QEvent.Paint:
            self.painted.append(1)
        return False


def test_the_wheel_sets_the_speed_of_flying_and_the_status_bar_says_it(demo: Any, qtbot: Any) -> None:
    assert not demo.status.speed.isVisible()
    demo.action("camera_fly").trigger()
    assert demo.status.speed.isVisible()
    slow = float(demo.status.speed.text().split()[1])
    demo.explorer.set_camera(demo.explorer.camera.faster(3))
    assert float(demo.status.speed.text().split()[1]) > slow
    assert float(demo.status.speed.text().split()[1]) == pytest.approx(demo.explorer.camera.speed / 16, rel=0.01)
    demo.action("camera_game").trigger()
    assert not demo.status.speed.isVisible()


def test_the_view_is_saved_as_it_is_shown(demo: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    demo.explorer.layers.show("collision", True)
    shown = demo.views.image().convertToFormat(QImage.Format_RGB32)
    for name, notices in (("picture.png", 0), ("picture.png/picture.png", 1)):
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, name=name: (str(tmp_path / name), ""))
        demo.action("screenshot").trigger()
        assert len(demo.notices.shown) == notices
    saved = QImage(str(tmp_path / "picture.png")).convertToFormat(QImage.Format_RGB32)
    assert saved == shown and saved.size() == demo.views.splitter.size()

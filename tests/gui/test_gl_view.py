"""The OpenGL view in the window: needs a display."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PyQt5.QtCore import QPoint, Qt
from PyQt5.QtGui import QImage

pytestmark = pytest.mark.gl

Wait = Callable[[Any], None]


@pytest.fixture
def gl(real: Any, qtbot: Any, settle: Wait) -> Any:
    """A window on the real ROM that shows Twinleaf Town in both views."""
    real.explorer.go(411)
    real.action("split_view").trigger()
    assert real.views.gl is not None, real.views.opengl_words()
    qtbot.waitUntil(lambda: real.views.gl is None or real.views.gl.complete, timeout=60_000)
    assert real.views.gl is not None, real.views.opengl_words()
    settle(real)
    return real


def picture(view: Any) -> np.ndarray:
    """What the view shows, uint8 (height, width, 3)."""
    image = view.grabFramebuffer().convertToFormat(QImage.Format_RGB32)
    data = image.constBits().asarray(image.width() * image.height() * 4)
    return np.frombuffer(bytes(data), np.uint8).reshape(image.height(), image.width(), 4)[..., 2::-1]


def test_both_views_show_the_same_field(gl: Any) -> None:
    gl.explorer.layers.show("people", False)
    image = gl.views.gl.rendered(256, 192, False).convertToFormat(QImage.Format_RGB32)
    data = np.frombuffer(bytes(image.constBits().asarray(256 * 192 * 4)), np.uint8)
    ours = data.reshape(192, 256, 4)[..., 2::-1].astype(int)
    theirs = gl.director.frame.picture[..., :3].astype(int)
    close = (np.abs(ours - theirs).max(2) <= 32).mean()
    assert close > 0.8, close


def test_a_click_names_the_prop(gl: Any, qtbot: Any, settle: Wait) -> None:
    view = gl.views.gl
    projection = view.projection()
    found = 0
    for box in gl.director.overlay.props:
        flat, front = projection.project(((box.low + box.high) / 2)[None])
        if not front.all() or not (0.1 < flat[0, 0] < 0.9 and 0.1 < flat[0, 1] < 0.9):
            continue
        spot = QPoint(round(flat[0, 0] * view.width()), round(flat[0, 1] * view.height()))
        qtbot.mouseClick(view, Qt.LeftButton, pos=spot)
        settle(gl)
        found += gl.explorer.selection.kind == "placed prop"
    assert found >= 1


def test_layers_fade_and_overlays_are_drawn(gl: Any) -> None:
    whole = picture(gl.views.gl)
    gl.explorer.layers.set_opacity("props", 0.3)
    faded = picture(gl.views.gl)
    assert (faded != whole).any()
    gl.explorer.layers.set_opacity("props", 1.0)
    gl.action("layer_grid").trigger()
    assert (picture(gl.views.gl) != whole).any()


def test_the_copied_picture_holds_both_views_and_the_overlays(gl: Any) -> None:
    from PyQt5.QtWidgets import QApplication

    gl.action("copy_picture").trigger()
    before = QApplication.clipboard().image().convertToFormat(QImage.Format_RGB32)
    views = gl.views
    ratio = views.devicePixelRatioF()
    assert before.width() == round((views.ds.width() + views.gl.width()) * ratio)
    gl.action("layer_grid").trigger()
    gl.action("copy_picture").trigger()
    after = QApplication.clipboard().image().convertToFormat(QImage.Format_RGB32)
    for start, width in ((0, views.ds.width()), (views.ds.width(), views.gl.width())):
        columns = range(round(start * ratio), round((start + width) * ratio) - 1, 2)
        rows = range(before.height() // 3, before.height() * 2 // 3)
        assert any(before.pixel(x, y) != after.pixel(x, y) for y in rows for x in columns)


def test_the_hour_and_the_camera_change_the_picture(gl: Any, settle: Wait) -> None:
    noon = picture(gl.views.gl).astype(int)
    gl.explorer.clock.set_second(22 * 3600)
    night = picture(gl.views.gl).astype(int)
    assert night.mean() < noon.mean() - 8
    gl.explorer.use_camera("orbit")
    settle(gl)
    assert (picture(gl.views.gl) != night).any()


def test_neighbours_are_loaded_while_moving(gl: Any, qtbot: Any, settle: Wait) -> None:
    view = gl.views.gl
    before = set(view._ready)
    gl.action("whole_matrix").trigger()
    qtbot.waitUntil(lambda: view.complete and len(view._ready) > len(before), timeout=60_000)
    many = set(view._ready)
    x, z = gl.explorer.tile
    gl.explorer.look_at_tile(x + 96, z - 64)
    qtbot.waitUntil(lambda: view.complete and bool(view._ready - many), timeout=60_000)
    gl.action("whole_matrix").trigger()
    qtbot.waitUntil(lambda: len(view._ready) <= 4, timeout=60_000)


def test_a_picture_of_any_size_is_saved(gl: Any, tmp_path: Path) -> None:
    gl.action("screenshot").trigger()
    dialog = gl.screenshot_dialog
    dialog.source.setCurrentIndex(1)
    dialog.width_box.setValue(1600)
    dialog.height_box.setValue(500)
    assert dialog.write(tmp_path / "gl.png")
    dialog.reject()
    image = QImage(str(tmp_path / "gl.png"))
    assert (image.width(), image.height()) == (1600, 500)
    colors = {image.pixel(x, y) for x in range(0, 1600, 40) for y in range(0, 500, 20)}
    assert len(colors) > 30

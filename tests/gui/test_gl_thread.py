"""The threads of the OpenGL view: needs a display."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from PyQt5.QtCore import Qt

from tests.gui.gl_pictures import gl_picture

pytestmark = pytest.mark.gl

Wait = Callable[[Any], None]
LONG = 60_000


def complete(window: Any, qtbot: Any) -> None:
    views = window.views
    qtbot.waitUntil(lambda: views.gl is not None and views.shown == views.wanted and views.gl.complete, timeout=LONG)


def test_the_window_s_thread_draws_nothing_by_opengl(
    make_window: Callable[[], Any], qtbot: Any, settle: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mapexplorer.opengl.program import Program
    from mapexplorer.opengl.renderer import FieldRenderer

    threads: dict[str, set[str]] = {}

    def watch(owner: type, name: str) -> None:
        original = getattr(owner, name)

        def watched(*arguments: Any, **options: Any) -> Any:
            threads.setdefault(name, set()).add(threading.current_thread().name)
            return original(*arguments, **options)

        monkeypatch.setattr(owner, name, watched)

    watch(Program, "__init__")
    for name in ("initialize", "add", "remove", "clear", "draw", "pick"):
        watch(FieldRenderer, name)
    window = make_window()  # in which nothing has been drawn by OpenGL
    window.open("demo")
    qtbot.waitUntil(lambda: window.jobs.frame is not None, timeout=240_000)
    window.action("gl_view").trigger()
    complete(window, qtbot)
    window.explorer.go(window.explorer.world.place("T01").header.id)
    complete(window, qtbot)
    for _ in range(3):
        window.explorer.clock.step()
        complete(window, qtbot)
    qtbot.mouseClick(window.views.gl, Qt.LeftButton, pos=window.views.gl.rect().center())
    settle(window)
    assert gl_picture(window, 64, 48).any()
    assert {"__init__", "initialize", "add", "draw", "pick"} <= set(threads)
    assert all(names == {"paint"} for names in threads.values()), threads


def test_people_do_not_wait_for_what_is_read(demo: Any, qtbot: Any) -> None:
    demo.action("gl_view").trigger()
    complete(demo, qtbot)
    view, go_on = demo.views.gl, threading.Event()
    demo.jobs.request(lambda renderer: go_on.wait(LONG / 1000), lambda _: None)
    try:
        demo.explorer.clock.step()
        qtbot.waitUntil(lambda: view.contents.moment.view.tick == demo.explorer.clock.tick, timeout=LONG // 6)
        qtbot.waitUntil(lambda: view.shown.state.tick == demo.explorer.clock.tick, timeout=LONG // 6)
        assert not demo.jobs.read.idle
    finally:
        go_on.set()


def test_an_error_of_opengl_leaves_the_ds_view(demo: Any, qtbot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from mapexplorer.opengl.errors import GlError
    from mapexplorer.opengl.renderer import FieldRenderer

    def fail(*_: Any) -> None:
        raise GlError("the driver is out of memory")

    demo.action("gl_view").trigger()
    complete(demo, qtbot)
    monkeypatch.setattr(FieldRenderer, "draw", fail)
    demo.explorer.clock.step()
    qtbot.waitUntil(lambda: demo.views.gl is None, timeout=LONG)
    assert demo.views.shown == "ds" and demo.views.ds.isVisible()
    assert ["the driver is out of memory" in notice.sentence for notice in demo.notices.shown] == [True]
    demo.explorer.clock.step()
    qtbot.wait(50)


def test_a_defect_while_a_picture_is_drawn_does_not_stop_the_view(
    demo: Any, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mapexplorer.opengl.renderer import FieldRenderer

    def fail(*_: Any) -> None:
        raise ZeroDivisionError

    demo.action("gl_view").trigger()
    complete(demo, qtbot)
    with monkeypatch.context() as patch:
        patch.setattr(FieldRenderer, "draw", fail)
        demo.explorer.clock.step()
        qtbot.waitUntil(lambda: bool(demo.notices.shown), timeout=LONG)
    demo.explorer.clock.step()
    complete(demo, qtbot)
    assert demo.views.gl.shown.state.tick == demo.explorer.clock.tick


def test_a_driver_that_cannot_draw_in_a_thread_is_refused(qapp: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from PyQt5.QtGui import QOpenGLContext, QSurfaceFormat

    from mapexplorer.gui.app import probe

    def fail(problem: str) -> None:
        raise AssertionError(problem)

    monkeypatch.setattr(probe, "_fail", fail)
    assert tuple(probe._context(QSurfaceFormat.defaultFormat())) >= probe.OPENGL
    monkeypatch.setattr(QOpenGLContext, "supportsThreadedOpenGL", lambda: False)
    with pytest.raises(AssertionError, match="thread"):
        probe._context(QSurfaceFormat.defaultFormat())

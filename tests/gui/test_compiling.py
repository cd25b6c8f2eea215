"""The window while kernels are compiled: the bar, jobs that wait, and which view has the first picture.

Nothing is compiled here: progress is told, and kernels are said to be missing until they are `released`.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PyQt5.QtCore import QEvent, QObject, QPoint, Qt
from PyQt5.QtGui import QImage
from PyQt5.QtTest import QTest
from PyQt5.QtWidgets import QApplication

from formats.kernel import NotCompiledError, child, resolve
from formats.kernel.declaration import UNITS
from formats.kernel.progress import KernelProgress, tell
from mapexplorer import kernels
from mapexplorer.gpu import engine
from mapexplorer.gui.app import compilation_bar
from mapexplorer.gui.jobs import compilation, worker
from mapexplorer.gui.jobs.worker import Worker
from tests.gui.conftest import describes

Wait = Callable[[Any], None]

LONG = 60_000
"""Milliseconds."""


class Missing:
    """Units that are compiled when they are released."""

    def __init__(self, units: Iterable[str]) -> None:
        self.units = frozenset(units)
        self.released = False
        self.asked = 0
        self._callbacks: list[Callable[[object], object]] = []
        self._lock = threading.Lock()
        self._prepare = resolve.prepare

    def add_done_callback(self, callback: Callable[[object], object]) -> None:
        """As that of `Ticket`."""
        with self._lock:
            if not self.released:
                self._callbacks.append(callback)
                return
        callback(self)

    def prepare(self, units: Iterable[str], meanwhile: object = None) -> None:
        """In place of `resolve.prepare`."""
        units = tuple(units)
        if not self.released and self.units.intersection(units):
            self.asked += 1
            raise NotCompiledError([self])
        self._prepare(unit for unit in units if unit in UNITS)

    def part(self) -> None:
        """Another unit is there, but none of these."""
        with self._lock:
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback(self)

    def release(self) -> None:
        """They are compiled."""
        with self._lock:
            self.released = True
        self.part()


class PaintCounter(QObject):
    """Counts the paint events of the widgets that it filters."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Count; the event is handled as usual."""
        self.count += event is not None and event.type() == QEvent.Paint
        return False


@pytest.fixture
def missing(compiled: None, monkeypatch: pytest.MonkeyPatch) -> Missing:
    """The kernels that DS pictures need beyond those of the OpenGL view."""
    made = Missing(set(kernels.ENGINE) - set(kernels.OPENGL))
    monkeypatch.setattr(resolve, "prepare", made.prepare)
    monkeypatch.setattr(engine, "prepare", made.prepare)
    return made


@pytest.fixture
def told() -> Iterator[Callable[[KernelProgress], None]]:
    """Tells progress as the threads that compile do."""

    def tell_beside(progress: KernelProgress) -> None:
        thread = threading.Thread(target=tell, args=(progress,))
        thread.start()
        thread.join()
        QApplication.processEvents()

    yield tell_beside
    tell_beside(KernelProgress(1, 1))


def first_gl_picture(window: Any, qtbot: Any) -> None:
    """Wait until the OpenGL view shows everything that it was asked for."""
    qtbot.waitUntil(
        lambda: window.views.gl is not None and window.views.gl.has_picture and window.views.gl.complete, timeout=LONG
    )


def drawn(window: Any, qtbot: Any) -> None:
    """Wait for the DS picture."""
    qtbot.waitUntil(lambda: window.jobs.frame is not None, timeout=LONG)


# --- the bar


def test_over_a_picture_the_status_bar_shows_how_many_of_how_many(demo: Any, told: Any, qtbot: Any) -> None:
    bar, cover = demo.status.compilation, demo.views.cover
    assert not bar.isVisible() and not cover.isVisible()
    told(KernelProgress(0, 40))
    assert bar.isVisible() and not cover.isVisible()
    assert bar.bar.text() == "0 of 40" and bar.text.text() == compilation_bar.COMPILING
    assert "once" in compilation_bar.COMPILING
    changes: list[int] = []
    demo.jobs.compilation.changed.connect(lambda: changes.append(1))
    for _ in range(3):
        told(KernelProgress(13, 50))
    qtbot.waitUntil(lambda: bar.bar.text() == "13 of 50")
    assert (bar.bar.value(), bar.bar.maximum()) == (13, 50)
    qtbot.wait(2 * compilation.GATHERED)
    assert len(changes) == 1  # nothing is drawn anew for the same numbers
    told(KernelProgress(20, 50, waiting=True))
    qtbot.waitUntil(lambda: bar.bar.text() == "20 of 50")
    assert bar.text.text() == compilation_bar.WAITING
    told(KernelProgress(0, 1, waiting=True))
    qtbot.waitUntil(lambda: not bar.bar.isVisible())  # how far is not known
    assert bar.isVisible() and bar.text.text() == compilation_bar.WAITING
    assert bar.bar.maximum() > 0  # else Qt animates it, and composes the window anew all the time
    told(KernelProgress(20, 50, waiting=True))
    qtbot.waitUntil(lambda: bar.bar.isVisible() and bar.bar.text() == "20 of 50")
    told(KernelProgress(50, 50))
    assert not bar.isVisible()
    told(KernelProgress(1, 2))
    assert bar.isVisible() and bar.text.text() == compilation_bar.COMPILING


def test_progress_is_gathered_and_is_painted_by_the_event_loop(demo: Any, told: Any, qtbot: Any) -> None:
    bar = demo.status.compilation
    told(KernelProgress(0, 40))
    assert bar.isVisible()
    paints, changes = PaintCounter(), list[int]()
    bar.bar.installEventFilter(paints)
    bar.show_progress(KernelProgress(1, 40))
    assert bar.bar.text() == "1 of 40" and paints.count == 0
    demo.jobs.compilation.changed.connect(lambda: changes.append(1))
    start = time.monotonic()
    for number in range(1, 40):
        told(KernelProgress(number, 40))
    qtbot.waitUntil(lambda: bar.bar.text() == "39 of 40" and paints.count > 0)
    assert len(changes) <= 1 + 1000 * (time.monotonic() - start) / compilation.GATHERED


def test_without_a_picture_the_bar_is_in_its_place(make_window: Callable[..., Any], told: Any, pixels: Any) -> None:
    told(KernelProgress(3, 40))
    window = make_window()  # which learns of what is under way already
    QApplication.processEvents()
    cover, ds = window.views.cover, window.views.ds
    assert cover.isVisible() and not window.status.compilation.isVisible()
    assert cover.mapTo(window, QPoint()) == ds.mapTo(window, QPoint()) and cover.size() == ds.size()
    assert cover.bar.text() == "3 of 40" and cover.text.text() == compilation_bar.COMPILING
    window.resize(1000, 700)
    QApplication.processEvents()
    assert cover.size() == ds.size()
    told(KernelProgress(40, 40))
    assert not cover.isVisible() and not window.status.compilation.isVisible()


def test_a_window_that_was_closed_hears_no_more(make_window: Callable[..., Any], told: Any) -> None:
    window = make_window()
    window.close()
    told(KernelProgress(3, 40))
    assert window.jobs.compilation.progress is None


# --- jobs


def test_a_job_that_lacks_kernels_waits_and_is_done_later(qapp: Any, qtbot: Any) -> None:
    worker, missing = Worker("lacking"), Missing(["unit"])
    parked: list[object] = []
    done: list[str] = []
    worker.parked.connect(parked.append)

    def work(task: Any) -> str:
        missing.prepare(["unit"])
        return "drawn"

    waiting = worker.submit(work, done.append)
    worker.submit(lambda task: "read", done.append)
    qtbot.waitUntil(lambda: done == ["read"], timeout=LONG)
    assert parked == [waiting] and not worker.idle
    missing.part()
    qtbot.waitUntil(lambda: missing.asked == 2 and len(parked) == 2, timeout=LONG)
    assert done == ["read"]
    missing.release()
    qtbot.waitUntil(lambda: done == ["read", "drawn"], timeout=LONG)
    qtbot.waitUntil(lambda: worker.idle, timeout=LONG)
    worker.stop()


def test_only_the_frame_that_is_wanted_in_the_end_is_drawn(
    make_window: Callable[..., Any], missing: Missing, qtbot: Any, settle: Wait
) -> None:
    window = make_window("there is no OpenGL")
    parked: list[object] = []
    window.jobs.draw.parked.connect(parked.append)
    window.open("demo")
    qtbot.waitUntil(lambda: len(parked) == 1, timeout=LONG)
    before = window.jobs.rom
    window.open("demo")
    qtbot.waitUntil(lambda: window.jobs.rom is not before, timeout=LONG)
    for second in range(0, 60_000, 1000):
        window.explorer.clock.set_second(second)
        QApplication.processEvents()
    window.explorer.go(2)
    qtbot.wait(50)
    assert window.jobs.frame is None and window.jobs.frames_drawn == 0
    assert len(parked) == 1  # nothing is tried in vain
    missing.part()
    qtbot.waitUntil(lambda: len(parked) == 2, timeout=LONG)
    missing.release()
    drawn(window, qtbot)
    settle(window)
    assert window.jobs.frames_drawn == 1
    assert window.jobs.frame.request == window.jobs.wanted()
    assert window.jobs.frame.request.header == 2 and window.jobs.frame.request.view.second == 59_000


# --- which view is first


@pytest.mark.gl
def test_the_opengl_view_has_the_first_picture_when_ds_kernels_are_missing(
    make_window: Callable[..., Any], missing: Missing, told: Any, qtbot: Any, settle: Wait, settings_file: Path
) -> None:
    window = make_window()
    views = window.views
    told(KernelProgress(5, 40))
    views.ds.setFocus()
    window.open("demo")
    assert views.cover.isVisible()
    qtbot.waitUntil(lambda: views.shown == "gl", timeout=LONG)
    first_gl_picture(window, qtbot)
    assert views.gl.hasFocus()
    qtbot.waitUntil(lambda: not views.cover.isVisible(), timeout=LONG)
    assert window.jobs.frame is None and window.status.compilation.isVisible()
    assert views.gl.isVisible() and not views.ds.isVisible() and window.action("gl_view").isChecked()
    image = views.gl.grab().toImage().convertToFormat(QImage.Format_RGB32)
    colors = {image.pixel(x, y) for x in range(0, image.width(), 9) for y in range(0, image.height(), 9)}
    assert len(colors) > 30
    # It can be used: what is clicked is explained, people and names are there.
    qtbot.waitUntil(lambda: window.jobs.overlay is not None, timeout=LONG)
    before = window.explorer.selection
    qtbot.mouseClick(views.gl, Qt.LeftButton, pos=views.gl.rect().center())
    qtbot.waitUntil(lambda: window.explorer.selection != before, timeout=LONG)
    qtbot.waitUntil(lambda: describes(window, window.explorer.selection), timeout=LONG)
    # The setting is still what it was.
    window.keep_layout()
    assert json.loads(settings_file.read_text("utf-8"))["view"] == "ds"
    window.explorer.clock.set_second(3600)
    missing.release()
    drawn(window, qtbot)
    assert views.ds.frame.request.view.second == 3600
    told(KernelProgress(40, 40))
    assert views.shown == "ds" and views.ds.isVisible() and not views.gl.isVisible() and views.ds.hasFocus()
    settle(window)
    assert views.ds.frame.request == window.jobs.wanted()
    assert not window.notices.shown


@pytest.mark.gl
@pytest.mark.parametrize("chosen", ["gl", "both"])
def test_a_view_that_was_chosen_meanwhile_is_kept(
    make_window: Callable[..., Any], missing: Missing, qtbot: Any, settle: Wait, chosen: str
) -> None:
    window = make_window()
    window.open("demo")
    first_gl_picture(window, qtbot)
    assert (window.views.shown, window.views.wanted) == ("gl", "ds")
    window.action({"gl": "gl_view", "both": "split_view"}[chosen]).trigger()
    missing.part()
    missing.release()
    if chosen == "both":
        drawn(window, qtbot)
    settle(window)
    qtbot.waitUntil(lambda: window.jobs.draw.idle, timeout=LONG)
    assert window.views.shown == window.views.wanted == chosen and window.views.gl.isVisible()


@pytest.mark.gl
def test_who_chooses_the_ds_view_waits_in_it(
    make_window: Callable[..., Any], missing: Missing, told: Any, qtbot: Any
) -> None:
    window = make_window()
    views = window.views
    told(KernelProgress(5, 40))
    window.open("demo")
    first_gl_picture(window, qtbot)
    window.action("ds_view").trigger()
    assert views.shown == "ds" and views.ds.isVisible()
    assert views.cover.isVisible() and views.cover.size() == views.ds.size()
    asked = missing.asked
    missing.part()
    qtbot.waitUntil(lambda: missing.asked > asked, timeout=LONG)
    qtbot.wait(100)
    assert views.shown == "ds"
    missing.release()
    drawn(window, qtbot)
    assert views.shown == "ds" and not views.cover.isVisible()


@pytest.mark.gl
def test_a_view_that_was_chosen_before_is_shown_from_the_start(
    make_window: Callable[..., Any], missing: Missing, told: Any, qtbot: Any
) -> None:
    window = make_window()
    views = window.views
    told(KernelProgress(5, 40))
    window.explorer.settings.set("view", "both")
    window.start(["demo"])
    first_gl_picture(window, qtbot)
    qtbot.waitUntil(lambda: views.cover.size() == views.ds.size(), timeout=LONG)  # the other half has its picture
    assert views.shown == "both" and views.cover.isVisible()
    missing.release()
    drawn(window, qtbot)
    assert views.shown == "both" and not views.cover.isVisible()


@pytest.mark.gl
@pytest.mark.parametrize("held", ["button", "key", "walking"])
def test_the_view_does_not_change_while_something_is_held_over_it(
    make_window: Callable[..., Any], missing: Missing, qtbot: Any, held: str
) -> None:
    window = make_window()
    views = window.views
    window.open("demo")
    first_gl_picture(window, qtbot)
    view, middle = views.gl, views.gl.rect().center()
    view.setFocus()
    if held == "walking":
        window.action("walk").trigger()
    if held == "button":
        QTest.mousePress(view, Qt.LeftButton, pos=middle)
    else:
        QTest.keyPress(view, Qt.Key_Up)
    missing.release()
    drawn(window, qtbot)
    qtbot.wait(200)
    assert views.shown == "gl" and view.isVisible()
    if held == "button":
        QTest.mouseRelease(view, Qt.LeftButton, pos=middle)
    else:
        QTest.keyRelease(view, Qt.Key_Up)
    qtbot.waitUntil(lambda: views.shown == "ds", timeout=LONG)
    assert not view.isVisible() and views.ds.hasFocus()


def test_without_opengl_the_ds_view_waits_with_the_bar_in_its_place(
    make_window: Callable[..., Any], missing: Missing, told: Any, qtbot: Any
) -> None:
    window = make_window("the driver offers OpenGL 2.1, 3.3 is needed")
    views = window.views
    told(KernelProgress(5, 40))
    window.open("demo")
    qtbot.waitUntil(lambda: missing.asked > 0, timeout=LONG)
    qtbot.waitUntil(lambda: window.jobs.work.idle, timeout=LONG)
    missing.part()
    qtbot.wait(100)
    assert views.shown == "ds" and views.gl is None and not window.notices.shown
    assert views.cover.isVisible() and views.cover.bar.text() == "5 of 40"
    missing.release()
    drawn(window, qtbot)
    assert not views.cover.isVisible() and window.status.compilation.isVisible()


# --- the order in which kernels are compiled, and their priority


def test_processes_that_compile_come_after_the_worker_threads() -> None:
    """A worker that waits for a processor may hold the interpreter lock, and then the window waits too."""
    assert child.NICENESS > worker.NICE


@pytest.mark.parametrize("lacking", [["mapexplorer.gpu.render"], []])
def test_what_opengl_needs_is_queued_first_and_only_when_something_lacks(
    monkeypatch: pytest.MonkeyPatch, lacking: list[str]
) -> None:
    queued: list[tuple[str, ...]] = []
    go_on = threading.Event()

    def lacks(units: Iterable[str]) -> list[str]:
        assert go_on.wait(60)
        return lacking

    def prepare(units: Iterable[str], meanwhile: object = None) -> None:
        queued.append(tuple(units))
        if len(queued) == 1 and lacking:
            raise NotCompiledError([])

    monkeypatch.setattr(resolve, "lacking", lacks)
    monkeypatch.setattr(resolve, "prepare", prepare)
    ahead = kernels.prepare_ahead(kernels.DS_PICTURES, before=kernels.OPENGL)
    frame = threading.Thread(target=kernels.prepare, args=(kernels.DS_PICTURES,))
    frame.start()
    frame.join(0.2)
    assert frame.is_alive() and not queued  # a frame does not get in before
    go_on.set()
    ahead.join(60)
    frame.join(60)
    first = [kernels.OPENGL, kernels.DS_PICTURES] if lacking else []
    assert queued == [*first, kernels.DS_PICTURES]

"""From a key to the picture, for `benchmarks/window.py --keys`: steps in the DS view, maps in both views.

Keys are events of a real window. A step is shown when the DS view has painted the player at another position than
before the key, a map when the view has painted it; in the OpenGL view with all that belongs to it.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

STEPS = 40
MAPS = 12
TOWN = "T01"
LIMITS = {"step": 0.060, "ds map": 0.150, "gl map": 0.200}
"""What is measured -> the most that the median may be, in seconds."""
PATIENCE = 60
"""Seconds for a picture."""

Times = dict[str, list[tuple[float, float]]]
"""What is measured -> seconds by the clock, and of processor time of the whole process."""


def measure(rom: str) -> Times:
    """Open a ROM in a window and measure. Raises TimeoutError."""
    from mapexplorer import kernels
    from mapexplorer.gui.app.launcher import match_opengl_platform
    from mapexplorer.gui.app.trial import try_context

    match_opengl_platform()
    problem = try_context()
    kernels.prepare((*kernels.OPENGL, *kernels.DS_PICTURES))
    from PyQt5.QtCore import Qt
    from PyQt5.QtTest import QTest
    from PyQt5.QtWidgets import QApplication

    from mapexplorer.gui.app.application import application, make_window
    from mapexplorer.gui.model.settings import Settings

    made = application()
    found: Times = {}
    with tempfile.TemporaryDirectory() as folder:
        window = make_window(Settings(Path(folder) / "window.json"), problem.result)
        window.show()
        window.open(rom)
        QApplication.setActiveWindow(window)
        wait(lambda: window.jobs.frame is not None and window.jobs.settled)
        window.jobs.go(window.explorer.world.place(TOWN).header.id)
        wait(lambda: window.jobs.settled and window.jobs.frame.request.header == window.explorer.place.header.id)
        window.views.ds.setFocus()
        QTest.keyClick(window.views.ds, Qt.Key_K)
        wait(lambda: window.walk_mode.on)
        found["step"] = steps(window)
        QTest.keyClick(window.views.ds, Qt.Key_K)
        found["ds map"] = maps(window, window.views.ds, lambda: window.views.ds.frame.request.header)
        QTest.keyClick(window, Qt.Key_2, Qt.ControlModifier)
        wait(lambda: window.views.gl is not None and window.views.gl.complete)
        view = window.views.gl
        found["gl map"] = maps(window, view, lambda: view.contents.moment.header if view.complete else None)
        window.close()
        made.processEvents()
    return found


def report(runs: list[Times]) -> int:
    """Print the medians of some runs; 1 when one of them is above its limit."""
    failed = False
    for what, limit in LIMITS.items():
        clock, process = (median(one[at] for run in runs for one in run[what]) for at in (0, 1))
        failed |= clock > limit
        print(
            f"{what}: {1000 * clock:.0f} ms (at most {1000 * limit:.0f}), "
            f"processor time {1000 * process:.0f} ms, median of {sum(len(run[what]) for run in runs)}"
        )
    return int(failed)


def steps(window: Any) -> list[tuple[float, float]]:
    """The times of steps to and fro, along the axis on which the player can go. Raises TimeoutError."""
    from PyQt5.QtCore import Qt
    from PyQt5.QtTest import QTest

    view, walk = window.views.ds, window.walk_mode.walking
    times: list[tuple[float, float]] = []
    axes = [(Qt.Key_Left, Qt.Key_Right), (Qt.Key_Up, Qt.Key_Down)]
    last = time.monotonic() + 4 * PATIENCE
    while len(times) < STEPS:
        for key in axes[0]:
            for turned in (False, True):  # the first press may only turn the player
                tile, shown = (walk.walker.x, walk.walker.z), position(view)
                start = time.perf_counter(), time.process_time()
                QTest.keyPress(view, key)
                end = painted(view, lambda shown=shown: position(view) != shown, 1.0)
                QTest.keyRelease(view, key)
                wait(lambda: not walk.walker.moving and window.jobs.settled)
                if turned and end is not None and (walk.walker.x, walk.walker.z) != tile:
                    times.append((end[0] - start[0], end[1] - start[1]))
        if not times:
            axes.reverse()
        if time.monotonic() > last:
            raise TimeoutError("the player cannot go on")
    return times[:STEPS]


def position(view: Any) -> Any:
    """Where the picture of the DS view shows the player."""
    player = view.frame.request.player
    return None if player is None else player.position


def maps(window: Any, view: Any, header: Callable[[], int | None]) -> list[tuple[float, float]]:
    """The times from Ctrl+PageDown to the next map of the list in a view; `header`: the one that it shows. Raises
    TimeoutError."""
    from PyQt5.QtCore import Qt
    from PyQt5.QtTest import QTest

    times = []
    for _ in range(MAPS):
        before = window.explorer.place.header.id
        start = time.perf_counter(), time.process_time()
        QTest.keyClick(window, Qt.Key_PageDown, Qt.ControlModifier)
        end = painted(view, lambda before=before: header() not in (before, None), PATIENCE)
        if end is None:
            raise TimeoutError("the picture of a map did not come")
        times.append((end[0] - start[0], end[1] - start[1]))
        wait(lambda: window.jobs.settled)
        wait_for(0.5)
    return times


def painted(view: Any, is_shown: Callable[[], bool], patience: float) -> tuple[float, float] | None:
    """When a view was painted with what is waited for, as clock and processor time; None after `patience` seconds."""
    from PyQt5.QtCore import QEvent, QObject
    from PyQt5.QtWidgets import QApplication

    class Paints(QObject):
        """Whether what is waited for is about to be painted."""

        shown = False

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Paint and is_shown():
                self.shown = True
            return False

    paints = Paints()
    view.installEventFilter(paints)
    end = time.monotonic() + patience
    while not paints.shown and time.monotonic() < end:
        QApplication.processEvents()
        time.sleep(0.0005)
    view.removeEventFilter(paints)
    return (time.perf_counter(), time.process_time()) if paints.shown else None


def wait(done: Callable[[], bool], patience: float = PATIENCE) -> None:
    """Let the window work until something holds. Raises TimeoutError after `patience` seconds."""
    end = time.monotonic() + patience
    while not done():
        wait_for(0.01)
        if time.monotonic() > end:
            raise TimeoutError("the window did not finish")


def wait_for(seconds: float) -> None:
    """Let the window work for some time."""
    from PyQt5.QtTest import QTest

    QTest.qWait(round(1000 * seconds))

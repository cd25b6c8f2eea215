"""The start time of the window, and the longest delays of its event loop. Run: python benchmarks/window.py [ROM], on a
display.

Each run is a fresh process that opens the ROM (by default the demo world), shows maps, plays and mixes layers, goes to
a map by search, opens the ROM once more and reads it again, while a timer of 5 ms listens. `--empty-cache` gives each
run an empty cache of kernels, so that they are compiled; `--gl` does it all in the OpenGL view; `--map` zooms on the
map from the whole region to a tile and back instead; `--keys` measures from keys to pictures instead
(`window_keys.py`).

Printed are the seconds until the ROM is open in the window, until the first picture of either view and until that of
the DS view, the longest until a chosen map was shown, the longest time between two beats (by the clock, and what the
window's own thread and the whole process worked in it), and the memory of the process. Where the clock shows much more
than the process, other programs had the processor. The exit status is 1 when the median of the runs exceeds a limit;
the limits are for two cores that have nothing else to do. Those of the zoom are for the work of the window's thread.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import window_keys

UP_LIMIT = 2.5
PICTURE_LIMIT = 2.5
EMPTY_PICTURE_LIMIT = 6.0
GAP_LIMIT = 0.05
WORK_LIMIT = 0.05
MEMORY_LIMIT = 900
"""MiB."""
SHOWN_LIMIT = 0.5
SEARCHED = ("snowpoint", "mirror")
"""What is searched in a ROM of the game, and in the demo world."""
BEAT = 5
ZOOM_PAUSE = 60
"""Milliseconds between two steps of the wheel."""
PATIENCE = 900


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rom", nargs="?", default="demo")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--empty-cache", action="store_true")
    parser.add_argument("--gl", action="store_true")
    parser.add_argument("--map", action="store_true")
    parser.add_argument("--keys", action="store_true")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child and arguments.keys:
        print(json.dumps(window_keys.measure(arguments.rom)))
        return 0
    if arguments.keys:
        return window_keys.report([_run(arguments) for _ in range(arguments.repeat)])
    if arguments.child:
        print(json.dumps(Listener(arguments.rom, arguments.gl, arguments.map).run()))
        return 0
    runs = []
    for number in range(arguments.repeat):
        found = _run(arguments)
        runs.append(found)
        clock, thread, process, work = (1000 * found[key] for key in ("clock", "thread", "process", "work"))
        print(
            f"run {number + 1}: up {found['up']:.2f} s, first picture {found['picture']:.2f} s ({found['view']}), "
            f"DS picture {found['ds']:.2f} s, a map {found['shown']:.2f} s; "
            f"longest gap {clock:.0f} ms (window's thread {thread:.0f} ms, process {process:.0f} ms), "
            f"most work between two beats {work:.0f} ms, in the zoom {1000 * found['zoom']:.0f} ms; "
            f"memory {found['memory']} MiB"
        )
    picture_limit = EMPTY_PICTURE_LIMIT if arguments.empty_cache else PICTURE_LIMIT
    up, picture, shown, gap = (median(run[key] for run in runs) for key in ("up", "picture", "shown", "clock"))
    print(
        f"median: up {up:.2f} s (at most {UP_LIMIT}), first picture {picture:.2f} s (at most {picture_limit}), "
        f"a map {shown:.2f} s (at most {SHOWN_LIMIT}), "
        f"longest gap {1000 * gap:.0f} ms (at most {1000 * GAP_LIMIT:.0f})"
    )
    if arguments.map:
        zoom, memory = median(run["zoom"] for run in runs), max(run["memory"] for run in runs)
        print(
            f"zoom: most work of the window's thread between two beats {1000 * zoom:.0f} ms "
            f"(at most {1000 * WORK_LIMIT:.0f}), memory {memory} MiB (at most {MEMORY_LIMIT})"
        )
        return int(zoom > WORK_LIMIT or memory > MEMORY_LIMIT)
    return int(up > UP_LIMIT or picture > picture_limit or shown > SHOWN_LIMIT or gap > GAP_LIMIT)


def _run(arguments: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ)
        if arguments.empty_cache:
            environment["MAPEXPLORER_KERNEL_CACHE"] = folder
        words = [
            sys.executable,
            __file__,
            arguments.rom,
            "--child",
            *(["--gl"] if arguments.gl else []),
            *(["--map"] if arguments.map else []),
            *(["--keys"] if arguments.keys else []),
        ]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


class Listener:
    """A window, a list of operations, and a timer that measures delays of the event loop."""

    def __init__(self, rom: str, gl: bool, zooms: bool) -> None:
        self.start = time.perf_counter()
        self.rom, self.gl, self.zooms = rom, gl, zooms
        self.asked = 0.0
        self.last: tuple[float, ...] | None = None
        self.zooming = False
        keys = ("up", "picture", "ds", "shown", "beats", "clock", "work", "zoom")
        self.found: dict[str, Any] = dict.fromkeys(keys, 0.0)
        self.found["view"] = ""

    def run(self) -> dict[str, Any]:
        from mapexplorer import kernels
        from mapexplorer.gui.app.launcher import match_opengl_platform
        from mapexplorer.gui.app.trial import try_context

        match_opengl_platform()
        problem = try_context()
        kernels.prepare_ahead(kernels.DS_PICTURES, before=kernels.OPENGL)
        from PyQt5.QtCore import Qt, QTimer

        from mapexplorer.gui.app.application import AFTER_START, application, make_window
        from mapexplorer.gui.model.settings import Settings

        made = application()
        with tempfile.TemporaryDirectory() as folder:
            window = make_window(Settings(Path(folder) / "window.json"), problem.result)
            window.jobs.opened.connect(lambda _: QTimer.singleShot(AFTER_START, window.views.load_opengl))
            window.jobs.opened.connect(lambda _: self._reached("up"))
            window.jobs.frame_ready.connect(lambda _: self._pictured("ds"))
            window.views.gl_made.connect(lambda view: view.first_picture.connect(lambda: self._pictured("gl")))
            beats = QTimer()
            beats.setTimerType(Qt.PreciseTimer)
            beats.timeout.connect(self._beat)
            beats.start(BEAT)
            steps = self._steps(window)

            def shown() -> bool:
                place, gl = window.explorer.place, window.views.gl
                if place is None or window.jobs.frame is None or not window.jobs.settled:
                    return False
                if window.views.wanted == "map":
                    return self.zooming or bool(window.views.map.complete)
                if window.views.wanted == "gl":
                    return gl is not None and bool(gl.complete)
                return window.jobs.frame.request.header == place.header.id

            def go_on() -> None:
                if not shown():
                    QTimer.singleShot(10, go_on)
                    return
                if self.asked:
                    self.found["shown"] = max(self.found["shown"], time.perf_counter() - self.asked)
                    self.asked = 0.0
                QTimer.singleShot(ZOOM_PAUSE if self.zooming else 700, take)

            def take() -> None:
                if not steps:
                    beats.stop()
                    self.found["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
                    window.close()
                    made.quit()
                    return
                step, is_map = steps.pop(0)
                self.asked = time.perf_counter() if is_map else 0.0
                step()
                QTimer.singleShot(0, go_on)

            window.show()
            window.start([self.rom])
            window.dialogs.welcome.hide()
            go_on()
            made.exec_()
        return self.found

    def _steps(self, window: Any) -> list[tuple[Callable[[], None], bool]]:
        """The operations, and whether each one chooses a map."""
        explorer = window.explorer
        maps = (411, 3, 6, 60, 200, 0, 1, 250) if self.rom != "demo" else (0, 1, 2)
        if self.zooms:
            return [(step, False) for step in self._zoom(window)]
        view: list[Callable[[], None]] = [lambda: window.views.show_view("gl")] if self.gl else []
        rest: list[Callable[[], None]] = [
            lambda: explorer.layers.set_opacity("props", 0.5),
            lambda: explorer.layers.show("wireframe", True),
            lambda: explorer.layers.show("wireframe", False),
            lambda: explorer.clock.play(True),
            lambda: explorer.clock.play(False),
            lambda: self._search(window),
            lambda: window.open(self.rom),
            window.jobs.reload,
        ]
        chosen = [lambda header=header: window.jobs.go(header) for header in maps]
        return [(step, step in chosen) for step in (*view, *chosen, *rest)]

    def _search(self, window: Any) -> None:
        """Type the name of a map letter by letter, and go to what is found."""
        from PyQt5.QtCore import Qt
        from PyQt5.QtTest import QTest

        palette = window.dialogs.palette
        palette.open()
        for letter in SEARCHED[self.rom == "demo"]:
            QTest.keyClick(palette.field, letter)
            QTest.qWait(80)
        while palette._searching:
            QTest.qWait(20)
        QTest.keyClick(palette.field, Qt.Key_Return)

    def _zoom(self, window: Any) -> list[Callable[[], None]]:
        """From the whole region to a tile in the middle of the first place and back, by the wheel."""
        from PyQt5.QtCore import QPoint, QPointF, Qt
        from PyQt5.QtGui import QWheelEvent
        from PyQt5.QtWidgets import QApplication

        view = window.views.map

        def begin() -> None:
            self.zooming = True

        def turn(steps: int) -> None:
            x, z = window.explorer.tile
            at = QPointF(*view.camera.pixel(16 * x, 16 * z, view.area))
            event = QWheelEvent(
                at, at, QPoint(), QPoint(0, 120 * steps), Qt.NoButton, Qt.NoModifier, Qt.NoScrollPhase, False
            )
            QApplication.sendEvent(view, event)

        wheel: list[Callable[[], None]] = [lambda steps=steps: turn(steps) for steps in [1] * 26 + [-1] * 26]
        return [lambda: window.views.show_view("map"), view.fit_region, begin, *wheel]

    def _pictured(self, view: str) -> None:
        self._reached("picture")
        self.found["view"] = self.found["view"] or view
        if view == "ds":
            self._reached("ds")

    def _reached(self, what: str) -> None:
        self.found[what] = self.found[what] or time.perf_counter() - self.start

    def _beat(self) -> None:
        now = (time.perf_counter(), time.thread_time(), time.process_time())
        if self.last is not None:
            clock, thread, process = (value - before for value, before in zip(now, self.last, strict=True))
            self.found["beats"] += 1
            self.found["work"] = max(self.found["work"], thread)
            if self.zooming:
                self.found["zoom"] = max(self.found["zoom"], thread)
            if clock > self.found["clock"]:
                self.found.update(clock=clock, thread=thread, process=process)
        self.last = now


if __name__ == "__main__":
    sys.exit(main())

"""Pictures a second while the clock plays, with weather. Run: python benchmarks/playing.py ROM [MAP ...], on a display.

For each map (by default some with weather) in the DS view, the OpenGL view and both side by side: how many different
ticks each view showed per second, the processor time of the window's thread and of the process per picture, and the
longest time between two beats of a timer of 5 ms. The clock advances at most once in 33 ms. The exit status is 1 when a
view showed fewer pictures than --least; the default is for two cores that have nothing else to do.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from mapexplorer.values import NO_WEATHER

MAPS = ("T01", "R215", "R217", "R228", "R210B", "D21R0101", "D03R0101")
VIEWS = ("ds", "gl", "both")
PATIENCE = 60.0
BEAT = 5


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rom")
    parser.add_argument("maps", nargs="*", default=MAPS)
    parser.add_argument("--no-weather", action="store_true", help="without fog and weather, for comparison")
    parser.add_argument("--seconds", type=float, default=3.0, help="how long each view plays")
    parser.add_argument("--least", type=float, default=29.0, help="the least pictures a second")
    arguments = parser.parse_args()
    player = Player(arguments.rom)
    player.window.explorer.choose(weather=NO_WEATHER if arguments.no_weather else None)
    return int(player.run(arguments.maps, arguments.seconds) < arguments.least)


class Player:
    """A window whose clock plays, and counters of what it shows."""

    def __init__(self, rom: str) -> None:
        from mapexplorer.gui.app.launcher import match_opengl_platform

        match_opengl_platform()
        from PyQt5.QtCore import Qt, QTimer

        from mapexplorer import kernels
        from mapexplorer.gui.app.application import application, make_window
        from mapexplorer.gui.model.settings import Settings

        kernels.prepare((*kernels.OPENGL, *kernels.DS_PICTURES, "mapexplorer.gpu.composition"))
        sys.setswitchinterval(0.001)
        self.application = application()
        self.folder = tempfile.TemporaryDirectory()
        self.window = make_window(Settings(Path(self.folder.name) / "window.json"), lambda: "")
        self.window.show()
        self.window.open(rom)
        self._wait(lambda: self.window.jobs.frame is not None)
        self.window.jobs.frame_ready.connect(lambda frame: self._shown("ds", frame.request.view.tick))
        self.ticks: dict[str, set[int]] = {}
        self.last, self.gap = 0.0, 0.0
        self.timer = QTimer()
        self.timer.setTimerType(Qt.PreciseTimer)
        self.timer.timeout.connect(self._beat)
        self.timer.start(BEAT)

    def _shown(self, view: str, tick: int) -> None:
        self.ticks.setdefault(view, set()).add(tick)

    def _beat(self) -> None:
        now = time.perf_counter()
        self.gap = max(self.gap, now - self.last)
        self.last = now

    def _wait(self, done: Any) -> None:
        end = time.perf_counter() + PATIENCE
        while not done() and time.perf_counter() < end:
            self.application.processEvents()
            time.sleep(0.002)

    def run(self, maps: list[str], seconds: float) -> float:
        """Play all maps in all views; returns the least pictures a second."""
        rates = []
        for view in VIEWS:
            self.window.views.show_view(view)
            self._wait(lambda view=view: self.window.views.shown == view)
            gl = self.window.views.gl
            if gl is not None and not hasattr(gl, "counted"):
                gl.counted = True
                gl.drawn.connect(lambda gl=gl: self._shown("gl", gl.shown.state.tick))
            for name in maps:
                rates += self._play(view, name, seconds).values()
        self.window.close()
        return min(rates)

    def _play(self, view: str, name: str, seconds: float) -> dict[str, float]:
        window = self.window
        window.explorer.go(window.explorer.world.place(name).header.id)
        self._wait(lambda: window.jobs.settled and (view == "ds" or window.views.gl.complete))
        window.explorer.clock.play(True)
        self._for(0.5)
        self.ticks.clear()
        self._beat()
        self.gap = 0.0
        start = (time.perf_counter(), time.thread_time(), time.process_time())
        self._for(seconds)
        elapsed, thread, process = (
            now - before
            for now, before in zip((time.perf_counter(), time.thread_time(), time.process_time()), start, strict=True)
        )
        window.explorer.clock.play(False)
        wanted = [one for one in ("ds", "gl") if view in (one, "both")]
        rates = {one: len(self.ticks.get(one, ())) / elapsed for one in wanted}
        shown = ", ".join(f"{one} {rate:.1f}" for one, rate in rates.items())
        each = 1000 / max(1, sum(len(ticks) for ticks in self.ticks.values()))
        print(
            f"{name:10} {view:5} {shown} pictures a second; processor time of a picture: window's thread "
            f"{each * thread:.0f} ms, process {each * process:.0f} ms; longest gap {1000 * self.gap:.0f} ms",
            flush=True,
        )
        return rates

    def _for(self, seconds: float) -> None:
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            self.application.processEvents()
            time.sleep(0.001)


if __name__ == "__main__":
    sys.exit(main())

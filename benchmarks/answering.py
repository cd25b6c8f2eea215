"""The time from a key to the picture that it changes. Run: python benchmarks/answering.py [ROM], on a display.

In the DS view and the OpenGL view: a step of the walking player, from the press of the arrow key to the first painted
picture in which the player has moved, and the next map of the list, from the press of Ctrl+PgDown until its whole
picture is painted. Printed are the median and the longest. A field update comes every 33 ms, so a step waits for it.
The exit status is 1 when a median exceeds its limit; the limits are for two cores that have nothing else to do.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from formats.fixed import ONE
from mapexplorer.world.cells import TILE_UNITS

LIMITS = {("ds", "a step"): 60.0, ("ds", "next map"): 150.0, ("gl", "next map"): 200.0}
PATIENCE = 60.0
START = "T01"
ROW = 8
"""Free tiles in a row on which the player walks."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rom", nargs="?", default="demo")
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--maps", type=int, default=8)
    arguments = parser.parse_args()
    user = User(arguments.rom)
    slow = False
    for view in ("ds", "gl"):
        user.show(view)
        for what, times in (("a step", user.steps(arguments.steps)), ("next map", user.maps(arguments.maps))):
            middle, limit = median(times), LIMITS.get((view, what))
            allowed = "" if limit is None else f" (at most {limit:.0f})"
            slow = slow or (limit is not None and middle > limit)
            print(f"{view}  {what:8}  median {middle:.0f} ms{allowed}, longest {max(times):.0f} ms", flush=True)
    user.window.close()
    return int(slow)


class User:
    """Presses keys in a window and waits for the pictures."""

    def __init__(self, rom: str) -> None:
        from mapexplorer.gui.app.launcher import match_opengl_platform

        match_opengl_platform()
        from mapexplorer import kernels
        from mapexplorer.gui.app.application import application, make_window
        from mapexplorer.gui.model.settings import Settings

        kernels.prepare((*kernels.OPENGL, *kernels.DS_PICTURES, "mapexplorer.gpu.composition"))
        self.application = application()
        self.folder = tempfile.TemporaryDirectory()
        self.window = make_window(Settings(Path(self.folder.name) / "window.json"), lambda: "")
        self.window.show()
        self.window.open(rom)
        self._wait(lambda: self.window.jobs.frame is not None)
        self.application.setActiveWindow(self.window)

    def _wait(self, done: Callable[[], bool]) -> None:
        end = time.perf_counter() + PATIENCE
        while not done():
            if time.perf_counter() > end:
                raise SystemExit("the picture does not come")
            self.application.processEvents()
            time.sleep(0.0005)

    def show(self, view: str) -> None:
        """Show one view, at the first map."""
        self.view = view
        self.window.views.show_view(view)
        self._wait(lambda: bool(self.window.views.shown == view))
        self.window.explorer.go(self.window.explorer.world.place(START).header.id)
        self._wait(self._settled)

    def _settled(self) -> bool:
        window = self.window
        if self.view == "gl":
            return bool(window.views.gl.complete)
        place, frame = window.explorer.place, window.jobs.frame
        return bool(window.jobs.settled) and frame is not None and frame.request.header == place.header.id

    def _timed(self, press: Callable[[], None], seen: Callable[[], bool]) -> float:
        """Milliseconds from a press until its picture is painted."""
        start = time.perf_counter()
        press()
        self._wait(seen)
        self.window.views.active.repaint()
        return 1000 * (time.perf_counter() - start)

    def steps(self, count: int) -> list[float]:
        """The times of steps to and fro on a row of free tiles."""
        from PyQt5.QtCore import Qt
        from PyQt5.QtTest import QTest

        window, view = self.window, self.window.views.active
        first, z = self._free_row()
        window.explorer.look_at_tile(first + ROW // 2, z)
        window.action("walk").trigger()
        times: list[float] = []
        key, turned = Qt.Key_Right, True
        while len(times) < count:
            self._rest()
            tile = window.walk_mode.walking.figure.position[0] // (ONE * TILE_UNITS)
            if tile == (first if key == Qt.Key_Left else first + ROW - 1):
                key, turned = Qt.Key_Left if key == Qt.Key_Right else Qt.Key_Right, True
            before = self._position()
            taken = self._timed(
                lambda key=key: QTest.keyPress(view, key), lambda before=before: self._position() != before
            )
            QTest.keyRelease(view, key)
            if not turned:  # the first step in a direction begins with a turn
                times.append(taken)
            turned = False
        window.action("walk").trigger()
        self._wait(self._settled)
        return times

    def _position(self) -> Any:
        """Where the player is in the picture that is shown, or the camera that follows them."""
        if self.view == "gl":
            return tuple(self.window.views.gl.shown.camera.eye)
        player = self.window.jobs.frame.request.player
        return player.position if player is not None else None

    def _rest(self) -> None:
        """Wait until the player stands in the picture."""
        last: list[Any] = []
        end = time.perf_counter() + 0.5
        while time.perf_counter() < end or self._position() is None:
            self.application.processEvents()
            time.sleep(0.001)
            if last != [self._position()]:
                last, end = [self._position()], time.perf_counter() + 0.5

    def _free_row(self) -> tuple[int, int]:
        """The first tile of a row without collision and with plain ground."""
        place = self.window.explorer.place
        terrain = place.terrain
        people = set() if place.events is None else {(int(one["x"]), int(one["z"])) for one in place.events.objects}
        for cell in place.cells:
            for z in range(cell.z * 32, cell.z * 32 + 32):
                for x in range(cell.x * 32, cell.x * 32 + 33 - ROW):
                    row = [(x + step, z) for step in range(ROW)]
                    if not any(terrain.attribute(*tile) or tile in people for tile in row):
                        return x, z
        raise SystemExit("no free row of tiles")

    def maps(self, count: int) -> list[float]:
        """The times until the next maps of the list are shown."""
        from PyQt5.QtCore import Qt
        from PyQt5.QtTest import QTest

        explorer = self.window.explorer
        times = []
        for _ in range(count):
            before = explorer.place.header.id
            taken = self._timed(
                lambda: QTest.keyPress(self.window.views.active, Qt.Key_PageDown, Qt.ControlModifier),
                lambda before=before: explorer.place.header.id != before and self._settled(),
            )
            times.append(taken)
            time.sleep(0.3)
        return times


if __name__ == "__main__":
    sys.exit(main())

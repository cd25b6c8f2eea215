"""Advances the clock of the window in real time."""

from __future__ import annotations

import time

from PyQt5.QtCore import QObject, Qt, QTimer

from mapexplorer.gui.model.clock import Clock
from mapexplorer.gui.widgets.layout import timer

INTERVAL = 33
"""Milliseconds between two steps."""
LONGEST = 0.5
"""The most seconds that a step advances the clock by, after the window was blocked."""


def clock_timer(clock: Clock, parent: QObject) -> QTimer:
    """A timer that advances a clock while it is playing, and runs only then."""
    last = 0.0

    def advance() -> None:
        nonlocal last
        now = time.perf_counter()
        elapsed, last = now - last, now
        clock.advance(min(LONGEST, elapsed))

    def follow() -> None:
        nonlocal last
        last = time.perf_counter()
        (made.start if clock.playing else made.stop)()

    made = timer(parent, INTERVAL, advance, repeats=True)
    made.setTimerType(Qt.PreciseTimer)
    clock.state_changed.connect(follow)
    return made

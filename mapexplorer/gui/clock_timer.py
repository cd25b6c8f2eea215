"""Advances the clock of the window in real time."""

from __future__ import annotations

import time

from PyQt5.QtCore import QObject, Qt

from mapexplorer.gui.layout import timer
from mapexplorer.gui.model.clock import Clock

INTERVAL = 33
"""Milliseconds between two steps."""
LONGEST = 0.5
"""The most seconds that a step advances the clock by, after the window was blocked."""


class ClockTimer(QObject):
    """Advances a clock while it is playing."""

    def __init__(self, clock: Clock, parent: QObject) -> None:
        super().__init__(parent)
        self._clock = clock
        self._last = 0.0
        self._timer = timer(self, INTERVAL, self._advance, repeats=True)
        self._timer.setTimerType(Qt.PreciseTimer)
        clock.state_changed.connect(self._state_changed)

    def _state_changed(self) -> None:
        if self._clock.playing:
            self._last = time.perf_counter()
            self._timer.start()
        else:
            self._timer.stop()

    def _advance(self) -> None:
        now = time.perf_counter()
        elapsed, self._last = now - self._last, now
        self._clock.advance(min(LONGEST, elapsed))

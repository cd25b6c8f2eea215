"""The clock of the window: the second of the day and the tick, at rest or running."""

from __future__ import annotations

from mapexplorer.gui.model.signal import Signal
from mapexplorer.units import NOON, SECONDS_PER_DAY, TICKS_PER_SECOND

SPEEDS = (1, 60, 600, 3600)
"""The factors of the speed of the day while the clock runs, relative to real time."""


class Clock:
    """A second of the day and the number of field updates since the place was entered.

    `changed` is emitted when either changes, `restarted` before it when the tick becomes 0 again, `state_changed` when
    the clock starts, stops or changes its speed.
    """

    def __init__(self, second: int = NOON) -> None:
        self.changed = Signal()
        self.restarted = Signal()
        self.state_changed = Signal()
        self.playing = False
        self.speed = 1
        self._second = float(second)
        self._tick = 0.0

    @property
    def second(self) -> int:
        """The second of the day, 0 to 86399."""
        return int(self._second) % SECONDS_PER_DAY

    @property
    def tick(self) -> int:
        """Field updates since the place was entered."""
        return int(self._tick)

    @property
    def text(self) -> str:
        """The time of day, `12:00`."""
        return f"{self.second // 3600:02}:{self.second // 60 % 60:02}"

    def set_second(self, second: int) -> None:
        """Set the time of day; it wraps around midnight."""
        if second % SECONDS_PER_DAY != self.second:
            self._second = float(second % SECONDS_PER_DAY)
            self.changed.emit()

    def set_speed(self, speed: int) -> None:
        """The speed of the day while the clock runs."""
        self.speed = speed
        self.state_changed.emit()

    def play(self, playing: bool) -> None:
        """Start or stop."""
        if playing != self.playing:
            self.playing = playing
            self.state_changed.emit()

    def step(self, ticks: int = 1) -> None:
        """Stop, and advance by some field updates."""
        self.play(False)
        self._tick = float(self.tick + ticks)
        self.changed.emit()

    def restart(self) -> None:
        """Back to tick 0, as when the place is entered."""
        self._tick = 0.0
        self.restarted.emit()
        self.changed.emit()

    def advance(self, elapsed: float) -> None:
        """Advance by `elapsed` real seconds; no effect while the clock is stopped."""
        if not self.playing:
            return
        before = (self.tick, self.second)
        self._tick += elapsed * TICKS_PER_SECOND
        self._second = (self._second + elapsed * self.speed) % SECONDS_PER_DAY
        if (self.tick, self.second) != before:
            self.changed.emit()

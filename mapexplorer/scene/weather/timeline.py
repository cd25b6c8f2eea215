"""The weather of a place at any tick since it was entered."""

from __future__ import annotations

from formats.binary import require
from formats.fixed import Vector
from mapexplorer.games.tables import Tables
from mapexplorer.scene.weather.machine import WeatherMachine
from mapexplorer.scene.weather.state import WeatherState
from mapexplorer.scene.weather.weathers import CLEAR


class WeatherTimeline:
    """The weather from entering a place on. Ticks are field updates since then.

    Tick 0 is the first picture. It shows the first update of the weather, because the game updates the weather of each
    picture before it is displayed; `WeatherState.tick` counts the updates and is therefore larger by one. Used by one
    thread at a time.
    """

    def __init__(self, tables: Tables, distance: int, half_fov: int, target: Vector, seed: int = 0) -> None:
        """The parameters are those of `WeatherMachine`; there is no weather before `enter`."""
        self._tables = tables
        self._camera = (distance, half_fov)
        self._seed = seed
        self.enter(CLEAR, target)

    def enter(self, weather: int, target: Vector) -> None:
        """Enter a place with this weather at once, as after a warp: ticks count from here. `target` is that of the
        camera, fx32 units. A weather id that the tables do not have is none."""
        self._entered = self._known(weather)
        self._changes: list[tuple[int, int]] = []
        self._restart(target)

    def change(self, weather: int) -> None:
        """Change to another weather after the tick asked for last, as at the border of a zone. It replaces changes
        after that tick."""
        weather = self._known(weather)
        self._changes = [(tick, other) for tick, other in self._changes if tick <= self._tick]
        self._changes.append((self._tick, weather))
        self._machine.change(weather)

    def at(self, tick: int, target: Vector) -> WeatherState:
        """The weather at a tick with this camera target.

        Ascending ticks are fast; ticks that are left out have the same target. For a smaller tick the weather is
        entered again and changes at the same ticks as before. The target of the same tick has no effect when it is
        asked for again. Raises ValueError for a negative tick.
        """
        require(tick >= 0, f"the number of updates is negative: {tick}")
        if tick < self._tick:
            self._restart(target)
        while self._tick < tick:
            self._state = self._machine.step(target)
            self._tick += 1
            self._repeat_changes()
        return self._state

    def _restart(self, target: Vector) -> None:
        self._tick = -1
        self._machine = WeatherMachine(self._tables, *self._camera, target, self._seed)
        self._machine.enter(self._entered)
        self._state = self._machine.state()
        self._repeat_changes()

    def _repeat_changes(self) -> None:
        for tick, weather in self._changes:
            if tick == self._tick:
                self._machine.change(weather)

    def _known(self, weather: int) -> int:
        return weather if weather in self._tables.weather_effects.effects else CLEAR

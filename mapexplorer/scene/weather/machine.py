"""The weather of the field over time: entering a place, changes at borders of zones, one update per tick."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from formats.fixed import Vector
from mapexplorer.games.tables import Tables
from mapexplorer.games.weather_tables import BackgroundSet
from mapexplorer.scene.weather.mersenne_twister import MersenneTwister
from mapexplorer.scene.weather.parallax import Parallax
from mapexplorer.scene.weather.parts import FogChange
from mapexplorer.scene.weather.sprites import PLACES
from mapexplorer.scene.weather.state import Registers, SpriteState, WeatherState
from mapexplorer.scene.weather.weathers import (
    CLEAR,
    LIGHTNING,
    SNOW,
    THUNDERSTORM,
    ActiveWeather,
    load,
)

_LOADING_TICKS: Final = 9
_LAST_PART: Final = "map"
_LOADED_IN: Final = {3: "palette", 5: "tiles", 7: _LAST_PART}
"""The tick of loading in which each file of a background is loaded."""
IDLE: Final = 6
"""The value of `step` without a change."""


class WeatherMachine:
    """The weather of a place. `enter` and `change` set a weather, `step` is one tick.

    `distance` (fx32) and `half_fov` (65536 = a turn) are those of the camera, `target` is its target in fx32 units;
    `seed` is that of the random numbers. An unknown weather id raises KeyError.
    """

    def __init__(self, tables: Tables, distance: int, half_fov: int, target: Vector, seed: int = 0) -> None:
        self._tables = tables
        self._random = MersenneTwister(seed)
        self._registers = Registers()
        self._parallax = Parallax(distance, half_fov, target)
        self._tick = 0
        self._running: list[ActiveWeather] = []
        self._active = CLEAR
        self._next = CLEAR
        self._step = IDLE
        self._change: Iterator[bool] = iter(())
        self._queued: int | None = None

    def enter(self, weather: int) -> None:
        """Set a weather at once, as after a warp."""
        for running in self._running:
            running.free()
        self._running = []
        self._step, self._next, self._queued = IDLE, CLEAR, None
        self._load_background(weather)
        self._start(weather, FogChange.OWN, at_once=True)
        self._active = weather

    def change(self, weather: int) -> None:
        """Change to another weather, as at the border of a zone. During a change the last request is stored and done
        after it."""
        if self._step != IDLE:
            self._queued = weather
        elif weather != self._active:
            self._next = weather
            self._step = 0
            self._change = self._steps(crosses=weather in SNOW and self._active in SNOW)

    def step(self, target: Vector) -> WeatherState:
        """One tick with this camera target; returns the state after it."""
        self._tick += 1
        self._parallax.step(target)
        self._running = [weather for weather in self._running if not weather.freed]
        running = list(self._running)  # weathers started now have their first tick in the next one
        if self._step != IDLE:
            step_ends = next(self._change, None)
            self._step = IDLE if step_ends is None else self._step + step_ends
            if self._step == IDLE and self._queued is not None:
                queued, self._queued = self._queued, None
                self.change(queued)
        for weather in running:
            begins = not weather.begun
            weather.tick()
            if begins and weather.number == THUNDERSTORM:
                self._load_background(LIGHTNING)
                self._start(LIGHTNING, FogChange.NONE, at_once=True)
        return self.state()

    def state(self) -> WeatherState:
        """The present state."""
        registers = self._registers
        sprites: list[SpriteState] = []
        for index, weather in enumerate([weather for weather in self._running if weather.has_sprites]):
            sprites += weather.sprites(PLACES * index)
        return WeatherState(
            self._tick,
            self._active,
            self._next,
            self._step,
            registers.fog,
            registers.blend,
            registers.layers,
            registers.priority,
            registers.offset,
            registers.background,
            registers.window,
            registers.lines,
            registers.sound,
            self._random.calls,
            tuple(sprites),
        )

    # --- a change

    def _steps(self, *, crosses: bool) -> Iterator[bool]:
        """The ticks of a change, each but the last with whether the present step ends. `crosses`: snow to snow, where
        the old weather ends while the new one begins, and the fog registers change to the new ones."""
        if not crosses:
            self._end(FogChange.OWN)
            yield True
            yield from self._until_ended()
        yield True
        for tick in range(1, _LOADING_TICKS + 1):
            self._load_part(tick)
            yield False
        yield True
        moved = crosses and self._registers.fog.enabled
        if crosses:
            self._end(FogChange.NONE)
        self._start(self._next, FogChange.MOVED if moved else FogChange.OWN, at_once=False)
        if crosses:
            yield True
            yield from self._until_ended()
        self._active, self._next = self._next, CLEAR
        if not crosses:
            yield True

    def _end(self, fog: FogChange) -> None:
        for weather in self._running:
            weather.end(fog)

    def _until_ended(self) -> Iterator[bool]:
        """The ticks until all weathers that are fading out have ended."""
        while any(weather.ends for weather in self._running):
            yield False
        yield True

    def _load_part(self, tick: int) -> None:
        """Load the file of the next weather's background that is loaded in a tick of loading."""
        loaded, part = self._background_of(self._next), _LOADED_IN.get(tick)
        if loaded is not None and part is not None:
            registers = self._registers
            registers.background = registers.background._replace(**{part: getattr(loaded, part)})
            if part == _LAST_PART:
                registers.show_background(False)

    # --- weathers

    def _background_of(self, weather: int) -> BackgroundSet | None:
        effects = self._tables.weather_effects
        number = effects.effects[weather].background_set
        return None if number is None else effects.background_sets[number]

    def _load_background(self, weather: int) -> None:
        self._registers.background = self._background_of(weather) or self._registers.background

    def _start(self, number: int, fog: FogChange, *, at_once: bool) -> None:
        weather = load(number, self._tables, self._registers, self._random, self._parallax)
        weather.start(fog, at_once=at_once)
        if number != CLEAR:
            self._running.append(weather)

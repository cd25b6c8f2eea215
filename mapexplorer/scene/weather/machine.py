"""The weather of the field over time: entering a place, changes at borders of zones, one update per tick."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from formats.fixed import Vector
from mapexplorer.games.tables import Tables
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
    WeatherPhase,
    load,
)

_LOADING_TICKS: Final = 9
_PALETTE_LOADED, _TILES_LOADED, _MAP_LOADED = 3, 5, 7
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
        self._steps: tuple[Callable[[], bool], ...] = ()
        self._loading = 0
        self._queued: int | None = None

    def enter(self, weather: int) -> None:
        """Set a weather at once, as after a warp."""
        for running in self._running:
            running.free()
        self._running = []
        self._step, self._next, self._queued = IDLE, CLEAR, None
        self._load_background(weather)
        self._start(weather, WeatherPhase.AT_ONCE, FogChange.OWN)
        self._active = weather

    def change(self, weather: int) -> None:
        """Change to another weather, as at the border of a zone. During a change the last request is stored and done
        after it."""
        if self._step != IDLE:
            self._queued = weather
        elif weather != self._active:
            self._next = weather
            self._step = 0
            if weather in SNOW and self._active in SNOW:
                self._steps = (self._load, self._is_loaded, self._cross, self._has_ended, self._take_over)
            else:
                self._steps = (self._end, self._has_ended, self._load, self._is_loaded, self._begin, self._finish)

    def step(self, target: Vector) -> WeatherState:
        """One tick with this camera target; returns the state after it."""
        self._tick += 1
        self._parallax.step(target)
        self._running = [weather for weather in self._running if not weather.freed]
        running = list(self._running)  # weathers started now have their first tick in the next one
        if self._step != IDLE and self._steps[self._step]():
            self._step += 1
            if self._step == len(self._steps):
                self._end_change()
        for weather in running:
            begins = weather.state in (WeatherPhase.BEGINS, WeatherPhase.AT_ONCE)
            weather.tick()
            if begins and weather.number == THUNDERSTORM:
                self._load_background(LIGHTNING)
                self._start(LIGHTNING, WeatherPhase.AT_ONCE, FogChange.NONE)
        return self.state()

    def state(self) -> WeatherState:
        """The present state."""
        registers = self._registers
        sprites: list[SpriteState] = []
        with_sprites = [weather for weather in self._running if weather.has_sprites]
        for index, weather in enumerate(with_sprites):
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

    # --- the steps of a change; each returns whether the next one follows in the next tick

    def _end(self) -> bool:
        for weather in self._running:
            weather.end(FogChange.OWN)
        return True

    def _has_ended(self) -> bool:
        """Whether all weathers that are fading out have ended."""
        return not any(weather.ends for weather in self._running)

    def _load(self) -> bool:
        self._loading = 0
        return True

    def _is_loaded(self) -> bool:
        if self._loading >= _LOADING_TICKS:
            return True
        self._loading += 1
        number = self._tables.weather_effects.effects[self._next].background_set
        if number is not None:
            loaded = self._tables.weather_effects.background_sets[number]
            palette, tiles, picture = self._registers.background
            if self._loading == _PALETTE_LOADED:
                palette = loaded.palette
            elif self._loading == _TILES_LOADED:
                tiles = loaded.tiles
            elif self._loading == _MAP_LOADED:
                picture = loaded.map
                self._registers.show_background(False)
            self._registers.background = (palette, tiles, picture)
        return False

    def _begin(self) -> bool:
        self._start(self._next, WeatherPhase.BEGINS, FogChange.OWN)
        self._active, self._next = self._next, CLEAR
        return True

    def _finish(self) -> bool:
        return True

    def _cross(self) -> bool:
        """Snow to snow: the old weather ends while the new one begins, and the fog registers change to the new ones."""
        fog = FogChange.MOVED if self._registers.fog.enabled else FogChange.OWN
        for weather in self._running:
            weather.end(FogChange.NONE)
        self._start(self._next, WeatherPhase.BEGINS, fog)
        return True

    def _take_over(self) -> bool:
        self._active, self._next = self._next, CLEAR
        return True

    def _end_change(self) -> None:
        self._step = IDLE
        queued, self._queued = self._queued, None
        if queued is not None:
            self.change(queued)

    # --- weathers

    def _load_background(self, weather: int) -> None:
        number = self._tables.weather_effects.effects[weather].background_set
        if number is not None:
            loaded = self._tables.weather_effects.background_sets[number]
            self._registers.background = (loaded.palette, loaded.tiles, loaded.map)

    def _start(self, number: int, state: WeatherPhase, fog: FogChange) -> None:
        weather = load(number, self._tables, self._registers, self._random, self._parallax)
        weather.start(state, fog)
        if number != CLEAR:
            self._running.append(weather)

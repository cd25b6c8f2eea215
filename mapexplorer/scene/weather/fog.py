"""The fog of a weather: fading of the fog table, or a change of the registers from the fog of another weather."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import repeat
from typing import Final

from mapexplorer.games.field_tables import Fog
from mapexplorer.games.weather_tables import FogFade
from mapexplorer.scene.weather.counters import linear
from mapexplorer.scene.weather.parts import FogChange, Steps, WeatherPart
from mapexplorer.scene.weather.state import STEADY_DENSITIES, Registers

_STEPS: Final = 127


@dataclass(eq=False)
class FogPart(WeatherPart):
    """Fog with its own registers and a density table; without `fade` it is there at once."""

    _registers: Registers
    _fog: Fog
    _densities: tuple[int, ...]
    _fade: FogFade | None

    def begin_in(self, fog: FogChange) -> None:
        self.steps = iter(())
        if self._fade is None:
            self.at_once()
        elif fog is FogChange.OWN:
            self._registers.write_densities((0,) * len(STEADY_DENSITIES))
            self._registers.write_fog(self._fog)
            self.steps = _fade(self._registers, self._fade.delay_in, self._fade.speed_in, fades_in=True)
        elif fog is FogChange.MOVED:
            self.steps = _move(self._registers, self._fog, self._fade.delay_in, self._fade.speed_in * _STEPS)

    def at_once(self) -> None:
        self._registers.write_fog(self._fog)
        self._registers.write_densities(self._densities)

    def begin_out(self, fog: FogChange) -> None:
        if self._fade is not None and fog is FogChange.OWN:
            self.steps = _fade(self._registers, self._fade.delay_out, self._fade.speed_out, fades_in=False)
        elif self._fade is not None:
            self.steps = repeat(None, max(0, self._fade.delay_out))

    def leave_fog(self) -> None:
        self.steps = iter(())


def _fade(registers: Registers, delay: int, speed: int, *, fades_in: bool) -> Steps:
    """Fading: at each fourth step the first table entry with fog moves by one; the entries after it rise by 4 each."""
    yield from repeat(None, max(0, delay))
    for step in range(_STEPS, 0, -1):
        yield from repeat(None, max(0, speed - 1))
        first = (step if fades_in else _STEPS - step) // 4
        densities = list(registers.fog.densities)
        for index in range(first + 1, len(densities)):
            densities[index] = min(127, 4 * (index - first))
        registers.write_densities(tuple(densities))
        if step > 1:
            yield


def _move(registers: Registers, fog: Fog, delay: int, ticks: int) -> Steps:
    """A linear change of the registers from their present values to those of `fog`, in `ticks` ticks; the table
    stays."""
    now = registers.fog
    ways = list(zip((now.shift, now.offset, *now.color), (fog.shift, fog.offset, *fog.color), strict=True))
    yield from repeat(None, max(0, delay))
    for tick in range(ticks + 1):
        shift, offset, *color = (linear(start, end, tick, ticks) for start, end in ways)
        registers.write_fog(Fog(shift, offset, (color[0], color[1], color[2])))
        if tick < ticks:
            yield

"""The fog of a weather: fading of the fog table, or a change of the registers from the fog of another weather."""

from __future__ import annotations

from typing import Final

from mapexplorer.games.tables import Fog
from mapexplorer.games.weather_tables import FogFade
from mapexplorer.scene.weather.counters import quotient
from mapexplorer.scene.weather.parts import FogChange, WeatherPart
from mapexplorer.scene.weather.state import STEADY_DENSITIES, Registers

_STEPS: Final = 127


class FogPart(WeatherPart):
    """Fog with its own registers and the standard density table."""

    def __init__(self, registers: Registers, fog: Fog, fade: FogFade) -> None:
        self._registers = registers
        self._fog = fog
        self._fade = fade
        self._stepper: _Fade | _Move | _Wait | None = None

    def begin_in(self, fog: FogChange) -> None:
        self._stepper = None
        if fog is FogChange.OWN:
            self._registers.write_densities((0,) * len(STEADY_DENSITIES))
            self._registers.write_fog(self._fog)
            self._stepper = _Fade(self._registers, self._fade.delay_in, self._fade.speed_in, fades_in=True)
        elif fog is FogChange.MOVED:
            self._stepper = _Move(self._registers, self._fog, self._fade.delay_in, self._fade.speed_in * _STEPS)

    def at_once(self) -> None:
        self._registers.write_fog(self._fog)
        self._registers.write_densities(STEADY_DENSITIES)

    def begin_out(self, fog: FogChange) -> None:
        if fog is FogChange.OWN:
            self._stepper = _Fade(self._registers, self._fade.delay_out, self._fade.speed_out, fades_in=False)
        else:
            self._stepper = _Wait(self._fade.delay_out)

    def leave_fog(self) -> None:
        self._stepper = None

    def step_in(self) -> bool:
        return self._stepper is None or self._stepper.step()

    step_out = step_in


class DarkFog(WeatherPart):
    """Fog with its own density table, without fading."""

    def __init__(self, registers: Registers, fog: Fog, densities: tuple[int, ...]) -> None:
        self._registers = registers
        self._fog = fog
        self._densities = densities

    def begin_in(self, fog: FogChange) -> None:
        self.at_once()

    def at_once(self) -> None:
        self._registers.write_fog(self._fog)
        self._registers.write_densities(self._densities)


class _Fade:
    """Fading: at each fourth step the first table entry with fog moves by one; the entries after it rise by 4 each."""

    def __init__(self, registers: Registers, delay: int, speed: int, *, fades_in: bool) -> None:
        self._registers = registers
        self._delay = delay
        self._speed = speed
        self._fades_in = fades_in
        self._waited = 0
        self._step = _STEPS

    def step(self) -> bool:
        if self._step < 1:
            return True
        if self._delay > 0:
            self._delay -= 1
            return False
        self._waited += 1
        if self._waited < self._speed:
            return False
        self._waited = 0
        first = (self._step if self._fades_in else _STEPS - self._step) // 4
        densities = list(self._registers.fog.densities)
        for index in range(first + 1, len(densities)):
            densities[index] = min(127, 4 * (index - first))
        self._registers.write_densities(tuple(densities))
        self._step -= 1
        return self._step < 1


class _Wait:
    """A delay without changes, as long as that of a fade."""

    def __init__(self, delay: int) -> None:
        self._delay = delay

    def step(self) -> bool:
        self._delay -= 1
        return self._delay < 0


class _Move:
    """A linear change of the registers from their present values to those of `fog`, in `ticks` ticks; the table
    stays."""

    def __init__(self, registers: Registers, fog: Fog, delay: int, ticks: int) -> None:
        now = registers.fog
        self._registers = registers
        self._start = (now.shift, now.offset, *now.color)
        self._end = (fog.shift, fog.offset, *fog.color)
        self._delay = delay
        self._ticks = ticks
        self._tick = 0

    def step(self) -> bool:
        if self._delay > 0:
            self._delay -= 1
            return False
        shift, offset, *color = (
            start + quotient((end - start) * self._tick, self._ticks)
            for start, end in zip(self._start, self._end, strict=True)
        )
        self._registers.write_fog(Fog(shift, offset, (color[0], color[1], color[2])))
        if self._tick >= self._ticks:
            return True
        self._tick += 1
        return False

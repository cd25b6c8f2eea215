"""The background layer of a weather: when it is shown, how it is blended with the 3D layer, how it scrolls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from formats.fixed import ONE, mul, signed, truncated
from mapexplorer.scene.weather.counters import linear
from mapexplorer.scene.weather.mersenne_twister import MersenneTwister
from mapexplorer.scene.weather.parallax import Parallax
from mapexplorer.scene.weather.parts import FogChange, Steps, WeatherPart
from mapexplorer.scene.weather.state import Registers

FULL: Final = 16
"""The weight of an opaque layer, in sixteenths."""
_BEHIND: Final = 3
"""The priority of a background behind the 3D layer."""


class BlendedBackground(WeatherPart):
    """A background that fades in and out by its weight. `blending`: the weight after fading in, and the ticks of
    fading; `behind`: its priority is below that of the 3D layer."""

    def __init__(self, registers: Registers, blending: tuple[int, int], *, behind: bool = False) -> None:
        self._registers = registers
        self._weight, self._ticks = blending
        self._behind = behind

    def _show(self) -> None:
        self._registers.show_background(True)
        if self._behind:
            self._registers.priority = (self._registers.priority[0], _BEHIND)

    def _blend(self, weight: int) -> None:
        self._registers.blend_background(weight, FULL - weight)

    def begin_in(self, fog: FogChange) -> None:
        self._show()
        self._blend(0)
        self.steps = self._fade(0, self._weight)

    def at_once(self) -> None:
        self._show()
        self._blend(self._weight)

    def begin_out(self, fog: FogChange) -> None:
        self.steps = self._fade(self._weight, 0)

    def _fade(self, start: int, end: int) -> Steps:
        for tick in range(self._ticks + 1):
            self._blend(linear(start, end, tick, self._ticks))
            if tick < self._ticks:
                yield


class SteadyBackground(WeatherPart):
    """A background without blending that is shown only in the steady phase and scrolls in all phases. With `shown`
    false it is never shown."""

    def __init__(self, registers: Registers, *, shown: bool = True) -> None:
        self._registers = registers
        self._shown = shown

    def begin_steady(self) -> None:
        self._registers.show_background(self._shown)

    at_once = begin_steady

    def begin_out(self, fog: FogChange) -> None:
        self._registers.show_background(False)


class DrivenBackground(SteadyBackground):
    """A background that scrolls up by `speed` pixels a tick and sideways by `aslant` times as much. `parallax`: also
    with the camera."""

    def __init__(
        self,
        registers: Registers,
        speed: int,
        parallax: Parallax | None = None,
        *,
        aslant: int = 2,
        shown: bool = True,
    ) -> None:
        super().__init__(registers, shown=shown)
        self._speed = speed
        self._aslant = aslant
        self._parallax = parallax
        self._way = 0

    def move(self) -> None:
        self._way = (self._way + self._speed) % 256
        x, y = self._parallax.pixels if self._parallax is not None else (0, 0)
        self._registers.scroll(self._aslant * self._way - x, -self._way + y)


class AshBackground(SteadyBackground):
    """A background of ash that scrolls down and sideways, and with the camera."""

    def __init__(self, registers: Registers, parallax: Parallax) -> None:
        super().__init__(registers)
        self._parallax = parallax
        self._x = self._y = self._tick = 0

    def move(self) -> None:
        x, y = self._parallax.pixels
        self._x = signed(self._x + x, 16)
        self._y = signed(self._y - 5 * y, 16)
        if self._x < 0:
            self._x += 256
        elif self._x >= 256:
            self._x -= 256
        if self._y < 0:
            self._y += 2048
        self._tick += 2
        if self._tick > 60:
            self._tick = 0
            self._x = (self._x + 32) % 256
        self._y = (self._y + 2) % 2048
        self._registers.scroll(self._x, truncated(-self._y, 5))


class ForestShade(BlendedBackground):
    """The shade of trees, which scrolls to and fro by `sway`, and with the camera."""

    def __init__(
        self, registers: Registers, blending: tuple[int, int], parallax: Parallax, sway: tuple[int, ...]
    ) -> None:
        super().__init__(registers, blending)
        self._parallax = parallax
        self._sway = sway
        self._x = self._y = self._tick = 0

    def move(self) -> None:
        x, y = self._parallax.shift
        self._x += x
        self._y += mul(y, ONE * 3 // 4)
        self._tick = (self._tick + 1) % (8 * len(self._sway))
        sway = self._sway[self._tick // 8]
        self._registers.scroll((self._x >> 12) + (sway & 255), self._y >> 12)


@dataclass(eq=False)
class Rainbow(WeatherPart):
    """A rainbow whose weight changes at random. When the weather is entered at once it is not shown."""

    _registers: Registers
    _random: MersenneTwister
    _full = 10
    _pace = 10
    _weight = _tick = _turn = _wait = 0
    _rises = False

    def _blend(self) -> None:
        self._registers.blend_background(self._weight, FULL)

    def begin_in(self, fog: FogChange) -> None:
        self._registers.show_background(True)
        self._registers.scroll(0, 32)
        self._weight = self._tick = 0
        self._blend()

    def step_in(self) -> bool:
        self._tick += 1
        if self._tick >= self._pace:
            self._tick = 0
            self._weight += 1
        self._blend()
        return self._weight >= self._full

    def begin_steady(self) -> None:
        self._weight, self._tick = self._full, 0
        self._fall()

    def at_once(self) -> None:
        self._registers.scroll(0, 32)
        self.begin_steady()
        self._blend()

    def steady(self) -> None:
        self._tick += 1
        if self._tick < self._wait:
            return
        self._tick = 0
        if self._rises:
            self._weight += 1
            if self._weight >= self._turn:
                self._fall()
        else:
            self._weight -= 1
            if self._weight <= self._turn:
                self._wait, self._turn = 10 + self._random.below(15), 7 + self._random.below(3)
                self._rises = True
        self._blend()

    def _fall(self) -> None:
        self._wait, self._turn = 10 + self._random.below(20), 5 + self._random.below(3)
        self._rises = False

    def step_out(self) -> bool:
        self._tick += 1
        if self._tick >= self._pace:
            self._tick = 0
            self._weight -= 1
        self._blend()
        return self._weight <= 0


@dataclass(eq=False)
class Lightning(WeatherPart):
    """Flashes: a white layer whose weight rises for two ticks, then falls."""

    _registers: Registers
    _random: MersenneTwister
    _sounds: tuple[int, int]
    _wait = _rising = _light = _target = _fall = 0

    def begin_in(self, fog: FogChange) -> None:
        self._registers.show_background(True)
        self._registers.blend_background(0, 31)

    def at_once(self) -> None:
        self.begin_in(FogChange.OWN)

    def step_in(self) -> bool:
        self.steady()
        return True

    def steady(self) -> None:
        if self._wait >= 0:
            self._wait -= 1
            return
        if not self._fall:
            self._flash()
            return
        if self._rising:
            self._rising -= 1
            self._light += self._target
        else:
            self._light = max(0, self._light - self._fall)
            if self._light == 0:
                if self._fall == 200:
                    self._wait = self._random.below(15)
                else:
                    self._wait = self._target * 50 // 100 + self._random.below(120)
                self._fall = 0
        self._registers.blend_background(self._light // 100, 31)

    def _flash(self) -> None:
        self._target = 200 + self._random.below(480)
        near = self._random.below(3) != 0
        self._light, self._rising, self._fall = 0, 2, 36 if near else 200
        self._registers.start_sound(self._sounds[0 if near else 1])


@dataclass(eq=False)
class FlickeringHole(WeatherPart):
    """A dark picture with a hole; its weight varies slowly, without fading in or out."""

    _registers: Registers
    _weight: int
    _count: int
    _step: int

    def begin_in(self, fog: FogChange) -> None:
        self.at_once()

    def at_once(self) -> None:
        self._registers.show_background(True)
        self._blend(self._weight)

    def _blend(self, weight: int) -> None:
        self._registers.blend_background(weight, FULL - weight)

    def step_out(self) -> bool:
        self._blend(0)
        self._registers.show_background(False)
        return True

    def steady(self) -> None:
        self._count -= self._step
        if self._count <= 0:
            self._step = -1
        elif self._step < 0 and self._count >= 256:
            self._step = 1
        self._blend(self._weight + truncated(self._count, 128))

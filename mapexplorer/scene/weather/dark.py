"""The dark cave: a circular window closes around the player, then a picture with a hole replaces it."""

from __future__ import annotations

import math
from typing import Final

from formats.fixed import ONE, div, mul
from mapexplorer.scene.weather.parts import FogChange, Steps, WeatherPart
from mapexplorer.scene.weather.state import BACKDROP, BG0, WINDOW_1, Lines, Registers, WindowRegisters

_CENTRE: Final = (128, 84)
_OPEN: Final = 256
_CLOSED: Final = 32
_STEPS: Final = 30
_LINES: Final = 192
_EVERY_LAYER: Final = 31
_WHOLE_LINE: Final = (0, 255)


def circle(radius: int) -> Lines:
    """The left and right edge of a circular window for each line; radius in fx32 pixels."""
    lines = []
    for line in range(_LINES):
        away = (line - _CENTRE[1]) * ONE
        half = math.isqrt(max(0, radius**2 - away**2)) >> 12
        left = max(0, _CENTRE[0] - half)
        lines.append((left, min(255, left + 2 * half)))
    return tuple(lines)


class DarkCave(WeatherPart):
    """A window during fading in and out, a picture in the steady phase."""

    def __init__(self, registers: Registers) -> None:
        self._registers = registers
        self._edges: Lines = registers.lines

    def _use_window(self, used: bool) -> None:
        outside = _EVERY_LAYER & ~BG0 | BACKDROP
        self._registers.window = WindowRegisters(WINDOW_1 if used else 0, _EVERY_LAYER, True, outside, False)

    def _begin(self, start: int, end: int) -> None:
        self._use_window(True)
        self._show_lines(_WHOLE_LINE)
        self.steps = self._change(start, end)

    def _show_lines(self, first: tuple[int, int]) -> None:
        """Write the window's edges. The first line keeps `first`, the edges written last before this picture."""
        self._registers.lines = (first, *self._edges[1:])

    def begin_in(self, fog: FogChange) -> None:
        self._begin(_OPEN, _CLOSED)

    def begin_out(self, fog: FogChange) -> None:
        self._begin(_CLOSED, _OPEN)

    def _change(self, start: int, end: int) -> Steps:
        """A change of the radius, in pixels."""
        for step in range(_STEPS + 1):
            self._registers.show_background(False)
            part = div(mul((end - start) * ONE, step * ONE), _STEPS * ONE)
            last = self._edges[0]
            self._edges = circle(start * ONE + part)
            self._show_lines(last)
            if step < _STEPS:
                yield

    def begin_steady(self) -> None:
        self._use_window(False)
        self._registers.show_background(True)

    def at_once(self) -> None:
        self._edges = circle(_CLOSED * ONE)
        self._registers.show_background(True)

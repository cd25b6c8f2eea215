"""Linear changes over a number of ticks, and integer division with the rounding of C."""

from __future__ import annotations


def quotient(a: int, b: int) -> int:
    """`a` / `b`, rounded toward zero."""
    result = abs(a) // abs(b)
    return -result if (a < 0) != (b < 0) else result


def remainder(a: int, b: int) -> int:
    """The remainder of `quotient`, with the sign of `a`."""
    return a - b * quotient(a, b)


def signed16(value: int) -> int:
    """`value` wrapped to 16 bits, signed."""
    return (value + 0x8000 & 0xFFFF) - 0x8000


class LinearCounter:
    """A value that changes linearly from `start` to `end` in `ticks` ticks; the first tick has `start` itself."""

    def __init__(self, start: int, end: int, ticks: int) -> None:
        self._start = start
        self._end = end
        self._ticks = ticks
        self._tick = 0
        self.value = start

    def step(self) -> bool:
        """Set `value` for the next tick; returns whether it is the last one."""
        self.value = self._start + quotient((self._end - self._start) * self._tick, self._ticks)
        if self._tick >= self._ticks:
            return True
        self._tick += 1
        return False

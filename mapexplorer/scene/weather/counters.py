"""Linear changes over a number of ticks, and remainders as in C."""

from __future__ import annotations

from formats.fixed import truncated


def remainder(a: int, b: int) -> int:
    """The remainder of `truncated`, with the sign of `a`."""
    return a - b * truncated(a, b)


def linear(start: int, end: int, tick: int, ticks: int) -> int:
    """The value after a tick of a linear change that takes `ticks`; tick 0 has `start` itself."""
    return start + truncated((end - start) * tick, ticks)

"""Linear changes over a number of ticks, remainders as in C, numbers of 16 bits."""

from __future__ import annotations

from formats.fixed import truncated


def remainder(a: int, b: int) -> int:
    """The remainder of `truncated`, with the sign of `a`."""
    return a - b * truncated(a, b)


def signed16(value: int) -> int:
    """`value` wrapped to 16 bits, signed."""
    return (value + 0x8000 & 0xFFFF) - 0x8000


def linear(start: int, end: int, tick: int, ticks: int) -> int:
    """The value after a tick of a linear change that takes `ticks`; tick 0 has `start` itself."""
    return start + truncated((end - start) * tick, ticks)

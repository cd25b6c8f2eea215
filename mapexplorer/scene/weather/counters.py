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


def linear(start: int, end: int, tick: int, ticks: int) -> int:
    """The value after a tick of a linear change that takes `ticks`; tick 0 has `start` itself."""
    return start + quotient((end - start) * tick, ticks)

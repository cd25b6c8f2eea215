"""The linear congruential random generator that the field uses for map objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

_FACTOR = 1103515245
_SUMMAND = 24691
_MASK = 0xFFFFFFFF


class SmallRandom:
    """A linear congruential generator. `state` is its 32-bit state, `drawn` the count of numbers generated."""

    __slots__ = ("drawn", "state")

    def __init__(self, seed: int = 0) -> None:
        self.state = seed & _MASK
        self.drawn = 0

    def next(self) -> int:
        """The next number, 0..0xFFFF."""
        self.state = (self.state * _FACTOR + _SUMMAND) & _MASK
        self.drawn += 1
        return self.state >> 16

    def choice(self, values: Sequence[T]) -> T:
        """A randomly chosen element."""
        return values[self.next() % len(values)]

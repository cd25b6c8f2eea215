"""The game's random numbers: MT19937 with a seed of 32 bits."""

from __future__ import annotations

import random
from functools import cached_property
from typing import Final

_SIZE: Final = 624


class MersenneTwister:
    """MT19937 (Matsumoto and Nishimura). `calls` counts the numbers generated."""

    def __init__(self, seed: int) -> None:
        self._seed = seed & 0xFFFFFFFF
        self.calls = 0

    @cached_property
    def _generator(self) -> random.Random:
        """Python's generator, which differs only in the initialisation from a seed. Initialised when it is first used:
        most weathers use no random numbers."""
        words = [self._seed]
        for index in range(1, _SIZE):
            words.append((1812433253 * (words[-1] ^ words[-1] >> 30) + index) & 0xFFFFFFFF)
        generator = random.Random()
        generator.setstate((3, (*words, _SIZE), None))
        return generator

    def next(self) -> int:
        """The next number, 0 to 2^32 - 1."""
        self.calls += 1
        return self._generator.getrandbits(32)

    def below(self, end: int) -> int:
        """The remainder of the next number, 0 to `end` - 1."""
        return self.next() % end

    def signed(self) -> int:
        """The next number, as a signed 32-bit integer."""
        value = self.next()
        return value - (1 << 32) if value >> 31 else value

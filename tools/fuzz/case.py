"""Cases: what is read, by its number."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import NamedTuple

from tools.fuzz.mutation import edit, mutate
from tools.fuzz.seeds import Seed

PLAIN, BOUNDS, MEMORY, WHOLE = "plain", "bounds", "memory", "whole"
MODES = (PLAIN, BOUNDS, MEMORY, WHOLE)
"""As it is; with checks of indices in kernels; under tracemalloc; whole images and folders."""

TEXTS = "texts"
"""What people write and send; its cases have a count of their own."""

_SHARES = (PLAIN,) * 12 + (BOUNDS,) * 5 + (MEMORY,) * 2 + (WHOLE,)
"""60 %, 25 %, 10 % and 5 %."""

_EDITED = 0.5


class Case(NamedTuple):
    """A file to read: what it was made of, and its bytes."""

    seed: Seed
    data: bytes


def mode_of(number: int) -> str:
    """The mode of a case."""
    return _SHARES[number % len(_SHARES)]


def chance(seed: str, number: int) -> random.Random:
    """The source of everything that is random in a case."""
    return random.Random(f"{seed} {number}")


def make(source: random.Random, seeds: Mapping[str, list[Seed]]) -> Case:
    """A changed file: of half of them the bytes, of the others the values, which our own writers write. A value that a
    writer refuses is changed anew, at last in its bytes."""
    seed = source.choice(seeds[source.choice(list(seeds))])
    if source.random() < _EDITED and hasattr(seed.value, "to_bytes"):
        for _ in range(8):
            try:
                return Case(seed, edit(source, seed.value).to_bytes())
            except ValueError:
                continue
    return Case(seed, mutate(source, seed))

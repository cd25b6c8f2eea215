"""Long sessions in the window: memory does not grow after warming up."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc"),
]

CHANGES, PICTURES, WORLDS = 600, 2000, 500
WARM = 0.25
"""The share of a session after which memory may no longer grow."""
GROWTH = 24.0
"""Megabytes that allocators may still take after that: the heap is fragmented by threads."""


def resident() -> float:
    """The memory of this process in megabytes, after a collection."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE") / (1 << 20)


def session(count: int, step: Callable[[int], object]) -> None:
    """Repeats a step; checks the memory at 20 moments."""
    sizes = []
    for number in range(count):
        step(number)
        if (number + 1) % max(1, count // 20) == 0:
            sizes.append(resident())
    print([round(size) for size in sizes])
    warm = int(len(sizes) * WARM)
    assert max(sizes[warm:]) - sizes[warm] <= GROWTH, [round(size) for size in sizes]


def test_map_changes(opened: Callable[[str], Any], settle: Callable[[Any], None]) -> None:
    window = opened("demo")
    headers = [header.id for header in window.explorer.world.headers if window.explorer.world.place(header.id).cells]

    def step(number: int) -> None:
        window.explorer.go(headers[number % len(headers)])
        settle(window)

    session(CHANGES, step)


def test_pictures() -> None:
    from mapexplorer import World

    world = World("demo")
    scenes = [world.place(name).scene() for name in ("T01", "F01", "L01")]
    session(PICTURES, lambda number: scenes[number % len(scenes)].render(ticks=number).any())


def test_worlds() -> None:
    from mapexplorer import World

    session(WORLDS, lambda number: World("demo").place("T01").scene().render().any())

"""What the time limits need: how slow the machine is at the moment, clocks, and the windows of tests/gui."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.gui.conftest import (  # noqa: F401
    compiled,
    demo,
    make_window,
    no_kept_overviews,
    qapp,
    real,
    settings_file,
    settle_fixture,
    shared,
    shared_windows,
)


@pytest.fixture(scope="session")
def slowness() -> Callable[[], float]:
    """How many times longer a Python loop takes here, now, than where the tests' time limits were set; at least 1."""

    def loop() -> float:
        start = time.process_time()
        total = 0
        for number in range(1_000_000):
            total += number
        return time.process_time() - start

    return lambda: max(1.0, *(loop() / 0.026 for _ in range(5)))


@pytest.fixture(scope="session")
def thread_clock() -> Callable[[], float]:
    """The clock in seconds, less the time in which this thread was ready and had to wait for a processor, which Linux
    counts; elsewhere the plain clock. A wait for a lock or for another thread counts."""

    def now() -> float:
        try:
            delay = int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9
        except OSError:
            delay = 0.0
        return time.perf_counter() - delay

    return now

"""Runs Python's garbage collector in the window's thread only.

By itself it runs in whatever thread allocates, and would there free objects of Qt that belong to the window's thread,
which ends the process. Generation 2 is collected only when a ROM is replaced: it would block the window for a moment.
"""

from __future__ import annotations

import gc
from typing import Final

from PyQt5.QtCore import QTimer

_THRESHOLD: Final = 20_000
"""Allocations since the last run that start another one."""
_RUNS_BEFORE_GENERATION_1: Final = 4
"""Collections of generation 0 per collection of generation 1."""
_DELAY: Final = 5
"""Milliseconds."""


def take_over() -> None:
    """Disable automatic collection; existing objects are excluded from later collections."""
    gc.freeze()
    gc.disable()


def collect_soon() -> None:
    """Schedule a collection in a later event, if enough was allocated; to be called in the window's thread after a
    job."""
    if gc.get_count()[0] >= _THRESHOLD:
        QTimer.singleShot(_DELAY, _collect)


def collect_all() -> None:
    """Collect all generations."""
    gc.collect()


def _collect() -> None:
    allocations, runs, _ = gc.get_count()
    if allocations >= _THRESHOLD:
        gc.collect(1 if runs >= _RUNS_BEFORE_GENERATION_1 else 0)

"""Runs Python's garbage collector in the window's thread only.

By itself it runs in whatever thread allocates, and would there free objects of Qt that belong to the window's thread,
which ends the process. Generation 2 is collected only when a ROM is replaced: it would block the window for a moment.
"""

from __future__ import annotations

import gc
from typing import Final

from PyQt5.QtCore import QTimer

_THRESHOLD: Final = 10_000
"""Allocations since the last run that start another one."""
_AGED: Final = 30_000
"""Allocations since the last collection of generation 1 that start another one. Its duration is proportional to them:
about 8 ms, with what a job allocates beyond."""
_DELAY: Final = 200
"""Milliseconds."""

_aged = 0


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
    global _aged
    _aged = 0
    gc.collect()


def _collect() -> None:
    global _aged
    _aged += gc.get_count()[0]
    due = _aged >= _AGED
    gc.collect(1 if due else 0)
    if due:
        _aged = 0

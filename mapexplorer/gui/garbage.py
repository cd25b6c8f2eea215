"""Python's search for cycles, in the window's thread alone.

By itself it runs in whatever thread happens to allocate, and would there free objects of Qt that belong to the window's
thread, which ends the program. It is also made rarer: looking through everything stops the window for a moment.
"""

from __future__ import annotations

import gc
from typing import Final

from PyQt5.QtCore import QTimer

_THRESHOLDS: Final = (20_000, 25, 100)
"""Objects made since the last search, searches of the young since one of the middle-aged, of those since one of all."""
_PAUSE: Final = 5
"""Milliseconds."""


def take_over() -> None:
    """Search only after `collect_soon` from now on; what exists already is never looked at."""
    gc.freeze()
    gc.disable()


def collect_soon() -> None:
    """Search in a turn of its own, if enough was made since the last time; to be called in the window's thread when
    work was done."""
    if gc.get_count()[0] >= _THRESHOLDS[0]:
        QTimer.singleShot(_PAUSE, _collect)


def _collect() -> None:
    young, middle, old = gc.get_count()
    if young >= _THRESHOLDS[0]:
        gc.collect(2 if old >= _THRESHOLDS[2] else 1 if middle >= _THRESHOLDS[1] else 0)

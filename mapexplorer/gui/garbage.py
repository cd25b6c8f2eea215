"""Python's search for cycles, in the window's thread alone.

By itself it runs in whatever thread happens to allocate, and would there free objects of Qt that belong to the window's
thread, which ends the program. What has been kept for long is not looked at: that would stop the window for a moment.
"""

from __future__ import annotations

import gc
from typing import Final

from PyQt5.QtCore import QTimer

_YOUNG: Final = 20_000
"""Objects made since the last search."""
_SEARCHES: Final = 4
"""Searches of the young since one of what survived them."""
_PAUSE: Final = 5
"""Milliseconds."""


def take_over() -> None:
    """Search only after `collect_soon` from now on; what exists already is never looked at."""
    gc.freeze()
    gc.disable()


def collect_soon() -> None:
    """Search in a turn of its own, if enough was made since the last time; to be called in the window's thread when
    work was done."""
    if gc.get_count()[0] >= _YOUNG:
        QTimer.singleShot(_PAUSE, _collect)


def collect_all() -> None:
    """Search everything, which takes as long as much was kept: when a ROM has given way to another one."""
    gc.collect()


def _collect() -> None:
    young, searches, _ = gc.get_count()
    if young >= _YOUNG:
        gc.collect(1 if searches >= _SEARCHES else 0)

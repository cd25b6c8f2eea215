"""Python's search for cycles, in the window's thread alone.

By itself it runs in whatever thread happens to allocate, and would there free objects of Qt that belong to the window's
thread, which ends the program. It is also made rarer: looking through everything stops the window for a moment.
"""

from __future__ import annotations

import gc
from typing import Final

_THRESHOLDS: Final = (20_000, 25, 100)
"""Objects made since the last search, searches of the young since one of the middle-aged, of those since one of all."""


def take_over() -> None:
    """Search only in `collect_if_due` from now on; what exists already is never looked at."""
    gc.freeze()
    gc.disable()


def collect_if_due() -> None:
    """Search, if enough was made since the last time; to be called in the window's thread when work was done."""
    young, middle, old = gc.get_count()
    if young >= _THRESHOLDS[0]:
        gc.collect(2 if old >= _THRESHOLDS[2] else 1 if middle >= _THRESHOLDS[1] else 0)

"""The progress of compilation, for observers. This module imports nothing large, so that a program can register
early."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class KernelProgress(NamedTuple):
    """`done` of `total` functions are compiled; they are equal at the end. `waiting`: another process compiles, and
    this one waits for it."""

    done: int
    total: int
    waiting: bool = False


Observer = Callable[[KernelProgress], None]
_observers: list[Observer] = []
_present: KernelProgress | None = None
_logged = False


def observe(observer: Observer) -> Callable[[], None]:
    """Call `observer` with the progress of every compilation, from other threads, and at once with that of a running
    one. Calling the result removes the observer.

    Without an observer the first compilation of a process is logged as a warning.
    """
    _observers.append(observer)
    if _present is not None:
        observer(_present)
    return lambda: _observers.remove(observer)


def tell(progress: KernelProgress) -> None:
    """Call the observers."""
    global _logged, _present
    _present = progress if progress.done < progress.total else None
    if not _observers and not _logged:
        _logged = True
        import logging

        logging.getLogger("formats.kernel").warning("compiling kernels for this computer, once")
    for observer in _observers[:]:
        observer(progress)

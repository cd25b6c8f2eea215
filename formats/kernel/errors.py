"""Errors of compiled code."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol


class KernelError(OSError):
    """There is no machine code for a unit, and it cannot be compiled on this machine. The message contains the
    remedy."""


class Awaited(Protocol):
    """A result that will be available later."""

    def then(self, callback: Callable[[], None]) -> None:
        """Call `callback` from another thread as soon as the result is available, at once if it is."""


class NotCompiledError(BaseException):
    """Units are being compiled, and this thread does not wait for them (`resolve.never_wait`).

    It is no subclass of Exception, so that handlers of ordinary errors do not catch it.
    """

    def __init__(self, awaited: Iterable[Awaited]) -> None:
        super().__init__("kernels are being compiled")
        self._awaited = tuple(awaited)

    def then(self, callback: Callable[[], None]) -> None:
        """Call `callback` from another thread each time one of the units is available."""
        for unit in self._awaited:
            unit.then(callback)

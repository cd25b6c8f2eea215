"""Errors of compiled code."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from concurrent.futures import Future


class KernelError(OSError):
    """There is no machine code for a unit, and it cannot be compiled on this machine. The message contains the
    remedy."""


class NotCompiledError(BaseException):
    """Units are being compiled, and this thread does not wait for them (`resolve.never_wait`).

    It is no subclass of Exception, so that handlers of ordinary errors do not catch it.
    """

    def __init__(self, awaited: Iterable[Future[Any]]) -> None:
        super().__init__("kernels are being compiled")
        self._awaited = tuple(awaited)

    def then(self, callback: Callable[[], None]) -> None:
        """Call `callback` from another thread each time one of the units is available."""
        for unit in self._awaited:
            unit.add_done_callback(lambda _: callback())

"""What goes wrong with compiled code."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol


class KernelError(OSError):
    """There is no machine code for a unit, and none can be made on this machine. The text says what to do."""


class Awaited(Protocol):
    """Something that will be there later."""

    def then(self, callback: Callable[[], None]) -> None:
        """Have `callback` called when it is there, from another thread; at once when it is."""


class NotCompiledError(BaseException):
    """Units are being compiled, and this thread does not wait for them (`resolve.never_wait`).

    No handler of ordinary errors may take it for one.
    """

    def __init__(self, awaited: Iterable[Awaited]) -> None:
        super().__init__("kernels are being compiled")
        self._awaited = tuple(awaited)

    def then(self, callback: Callable[[], None]) -> None:
        """Have `callback` called each time one of the units is there, from another thread."""
        for unit in self._awaited:
            unit.then(callback)

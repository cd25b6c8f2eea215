"""Processes that share the work of a command."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType
from typing import Any, TypeVar

from mapexplorer.system.interrupt import Deferred, spared

T = TypeVar("T")

_PATIENCE = 0.2
"""Seconds between two looks for an interrupt."""


class Workers:
    """Spawned processes in a `with` block. Each calls `begin(*arguments)` first.

    An error that leaves the block, an interrupt too, kills them; then what they were writing is left behind. Raises
    OSError with the sentence `died` when one of them dies.
    """

    def __init__(self, count: int, begin: Callable[..., object], arguments: tuple[Any, ...], died: str) -> None:
        self.ids: set[int] = set()
        """The process ids."""
        self._count = count
        self._begin = (begin, arguments)
        self._died = died
        self._others = set(multiprocessing.active_children())
        self._deferred = Deferred()

    def __enter__(self) -> Workers:
        # Before there is a semaphore: one that outlives the process is complained about on standard error.
        self._deferred.__enter__()
        self._pool = ProcessPoolExecutor(self._count, multiprocessing.get_context("spawn"), _begin, self._begin)
        return self

    def submit(self, work: Callable[..., T], *arguments: Any) -> Future[T]:
        """Have one of the processes call `work`."""
        with spared():
            future = self._pool.submit(work, *arguments)
        self.ids |= {process.pid for process in self._processes() if process.pid is not None}
        return future

    def wait(self, futures: Collection[Future[T]]) -> set[Future[T]]:
        """The futures that are done, after a short while or when there is one."""
        done = wait(futures, _PATIENCE, FIRST_COMPLETED).done
        self.check()
        return done

    def check(self) -> None:
        """Raise KeyboardInterrupt when there was an interrupt."""
        self._deferred.check()

    def finished(self, futures: Collection[Future[T]]) -> Iterator[Future[T]]:
        """All the futures, in the order in which they are done."""
        left = set(futures)
        while left:
            done = self.wait(left)
            left -= done
            yield from done

    def _processes(self) -> set[Any]:
        return set(multiprocessing.active_children()) - self._others

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        if kind is not None:
            for process in self._processes():
                process.kill()
        self._pool.shutdown(cancel_futures=True)
        del self._pool
        self._deferred.__exit__()
        if isinstance(error, BrokenProcessPool):
            raise OSError(self._died) from None


def _begin(begin: Callable[..., object], arguments: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    begin(*arguments)

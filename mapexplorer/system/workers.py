"""Worker processes of a command."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from mapexplorer.system.interrupt import Deferred, cleaning, interrupts_blocked, leave_to_parent

T = TypeVar("T")
Task = TypeVar("Task")

_POLL_SECONDS = 0.2
"""Seconds between two checks for an interrupt."""

_ALLOCATIONS = 200_000
"""Allocations between two runs of Python's garbage collector."""


class Workers(Generic[Task, T]):
    """Processes in a `with` block. They are forked where no other thread can hold a lock, and then do `work`; else, or
    without it, each calls `begin(*arguments)` first, which gives the function that does its tasks; where that raises,
    its tasks do.

    An exception in the block, also an interrupt, kills them; files that they were writing stay incomplete. Raises
    OSError when a process dies, with the message `died`, in which {} stands for how it ended.
    """

    def __init__(
        self,
        count: int,
        begin: Callable[..., Callable[[Task], T]],
        arguments: tuple[Any, ...],
        died: str,
        work: Callable[[Task], T] | None = None,
    ) -> None:
        self._known: dict[int, Any] = {}
        self._count = count
        self.forks = sys.platform == "linux" and threading.active_count() == 1
        """Whether they are forked, with the first work."""
        self._begin = (begin, arguments) if work is None or not self.forks else (lambda: work, ())
        self._died = died
        self._others = set(multiprocessing.active_children())
        self._deferred = Deferred()

    def __enter__(self) -> Self:
        # Before the first semaphore is created: Python prints a warning for each one that is not released.
        self._deferred.__enter__()
        self._cleaning = cleaning(self._kill)
        self._cleaning.__enter__()
        context = multiprocessing.get_context("fork" if self.forks else "spawn")
        self._pool = ProcessPoolExecutor(self._count, context, _begin, self._begin)
        return self

    def start(self) -> None:
        """Start the processes now, and not with the first work."""
        for _ in range(self._count):
            self._submit(_nothing)

    def submit(self, task: Task) -> Future[T]:
        """Have one of the processes do a task."""
        return self._submit(_do, task)

    def _submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        with interrupts_blocked(others=True):
            future = self._pool.submit(function, *arguments)
        self._known |= {process.pid: process for process in self._processes()}
        return future

    def check(self) -> None:
        """Raise KeyboardInterrupt when there was an interrupt."""
        self._deferred.check()

    def finished(
        self, futures: Collection[Future[T]], waiting: Callable[[], object] = lambda: None
    ) -> Iterator[Future[T]]:
        """Yield all futures in the order in which they finish; `waiting` is called repeatedly meanwhile."""
        done: SimpleQueue[Future[T]] = SimpleQueue()
        for future in futures:
            future.add_done_callback(done.put)
        left = len(futures)
        while left:
            waiting()
            self.check()
            with suppress(Empty):
                future = done.get(timeout=_POLL_SECONDS)
                left -= 1
                self.check()
                yield future

    def _processes(self) -> set[Any]:
        return set(multiprocessing.active_children()) - self._others

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        broken = isinstance(error, BrokenProcessPool)
        if kind is not None and not broken:  # a broken pool ends its processes itself
            self._kill()
        self._pool.shutdown(cancel_futures=True)
        ending = self._ending() if broken else ""  # exit codes are known when the pool has waited for its processes
        del self._pool
        self._cleaning.__exit__(None, None, None)
        self._deferred.__exit__()
        if ending:
            raise OSError(self._died.format(ending)) from None

    def _kill(self) -> None:
        for process in self._processes():
            process.kill()

    def _ending(self) -> str:
        """How the process ended that died first: the pool ends the others by SIGTERM."""
        codes = [process.exitcode for process in self._known.values() if process.exitcode]
        code = next((code for code in codes if code != -signal.SIGTERM), -signal.SIGTERM)
        if code > 0:
            return f"ended with status {code}"
        if -code == getattr(signal, "SIGKILL", None):
            return "was killed, perhaps because memory ran out (fewer --jobs need less)"
        return f"was ended by {signal.Signals(-code).name}"


def done_by(
    work: Callable[[Task], T],
    tasks: Iterable[Task],
    jobs: int,
    begin: Callable[..., Callable[[Task], T]],
    arguments: tuple[Any, ...],
    died: str,
    waiting: Callable[[], object] = lambda: None,
) -> Generator[tuple[int, T], None, None]:
    """The index and the result of each task in the order in which they finish: of `work` in this process, with several
    `jobs` in so many others (see `Workers`), which end with the generator. Forked ones begin when the first task is
    taken, so that they have what was read for it; others before. `waiting` as for `finished`."""
    if jobs <= 1:
        yield from ((index, work(task)) for index, task in enumerate(tasks))
        return
    with Workers(jobs, begin, arguments, died, work) as workers:
        if not workers.forks:
            workers.start()
        futures = {workers.submit(task): index for index, task in enumerate(tasks)}
        for future in workers.finished(futures, waiting):
            yield futures.pop(future), future.result()


_work: Callable[[Any], Any] | None = None
"""What this process does with a task."""

_error: Exception | None = None
"""Why this process could not begin."""


def _begin(begin: Callable[..., Callable[[Any], Any]], arguments: tuple[Any, ...]) -> None:
    global _error, _work
    leave_to_parent()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        _work = begin(*arguments)
    except Exception as error:  # the pool would print it with its trace and end
        _error = error
    # Tasks leave few objects that refer to themselves: they are freed between two tasks.
    gc.freeze()
    gc.disable()


def _do(task: Any) -> Any:
    """Do a task; raises what `begin` raised."""
    if gc.get_count()[0] >= _ALLOCATIONS:
        gc.collect(1)
    if _work is None:
        raise _error or RuntimeError("a process that does tasks has not begun")
    return _work(task)


def _nothing() -> None:
    pass


def _end_with_parent() -> None:
    """End this process when the one that started it was killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)

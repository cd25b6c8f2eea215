"""Worker threads: each runs its jobs sequentially and delivers results by signal.

A job is a function of a `Task`, through which it reports progress and learns that it was cancelled. Of several waiting
jobs with the same key only the latest is run; it waits for kernels if the one before did. Results are delivered in the
window's thread.
"""

from __future__ import annotations

import heapq
import itertools
import math
import os
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError
from time import monotonic
from typing import Any, Final, TypeVar

from PyQt5 import sip
from PyQt5.QtCore import QObject, pyqtSignal

from formats.binary import FormatError
from formats.kernel import NotCompiledError
from formats.kernel.resolve import never_wait
from mapexplorer.errors import PlaceError, RomError
from mapexplorer.gui.jobs import gc_control
from mapexplorer.gui.widgets.layout import timer
from mapexplorer.system.progress import Progress

T = TypeVar("T")

NICE = 2
"""What is added to the nice value of the process for worker threads: less than for processes that compile, because a
worker that waits for a processor may hold Python's interpreter lock."""
_REST: Final = 4
"""How many times the duration of a job in the background its worker rests before the next one."""
EXPECTED = (FormatError, RomError, PlaceError, OSError)
"""Errors of the user's files; any other exception is a defect of the program."""


class Task(Progress):
    """A job that is running or queued."""

    cancelled = False

    def __init__(self, worker: Worker, work: Callable[[Task], Any], key: str | None, owner: object) -> None:
        self._worker = worker
        self.work = work
        self.key, self.owner = key, owner
        self.done: Callable[[Any], object] | None = None
        self.failed: Callable[[BaseException, str], None] | None = None
        self.progressed: Callable[[int, int, str], None] | None = None
        self.stopped = False
        self.finished = False
        self.result: Any = None
        self.error: BaseException | None = None
        self.trace = ""

    @property
    def orphaned(self) -> bool:
        """Whether the object of Qt that is its owner is deleted."""
        return isinstance(self.owner, sip.simplewrapper) and sip.isdeleted(self.owner)

    def cancel(self) -> None:
        """Cancel the job: its result is not delivered, and `failed` is called with CancelledError."""
        self.cancelled = self.stopped = True

    def check(self) -> None:
        """Raise CancelledError when the job was cancelled."""
        if self.cancelled:
            raise CancelledError

    def report(self, done: int, total: int, text: str) -> None:
        """Report progress. Raises CancelledError when the job was cancelled."""
        self.check()
        self._worker.reported.emit(self, done, total, text)


def _done(task: Task) -> None:
    """The job of a task that is finished."""


class Worker(QObject):
    """A thread with a queue of jobs. `parked`: a job waits for kernels that are being compiled. `nice`: what is added
    to the nice value of the process for the thread. `at_end` is called in the thread before it ends.

    Jobs of the priority `background` and lower ones take a fifth of the time while `moving()`, so that pictures that
    follow each other have the processor.
    """

    reported = pyqtSignal(object, int, int, str)
    settled = pyqtSignal(object)
    parked = pyqtSignal(object)

    def __init__(
        self,
        name: str,
        parent: QObject | None = None,
        *,
        nice: int = NICE,
        background: float = math.inf,
        moving: Callable[[], bool] = lambda: False,
    ) -> None:
        super().__init__(parent)
        self._moving = moving
        self._background = background
        self._rests_until = 0.0
        self._waits_until = 0.0
        self.at_end: Callable[[], None] = lambda: None
        self._nice = nice
        self._queue: list[tuple[int, int, Task]] = []
        self._parked: list[tuple[int, int, Task]] = []
        self._numbers = itertools.count()
        self._wake = threading.Condition()
        self._stopping = False
        self._current: Task | None = None
        self._undelivered = 0
        self.reported.connect(self._deliver_progress)
        self._results: deque[Task] = deque()
        self._delivery = timer(self, 0, self._deliver_next, repeats=True)
        self.settled.connect(self._take)
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def submit(
        self,
        work: Callable[[Task], T],
        done: Callable[[T], object] | None = None,
        failed: Callable[[BaseException, str], None] | None = None,
        *,
        key: str | None = None,
        priority: int = 0,
        progress: Callable[[int, int, str], None] | None = None,
        owner: QObject | None = None,
    ) -> Task:
        """Queue a job. `failed` gets the error and, for a defect, its traceback; lower priorities go first. When the
        object of Qt that is the `owner` is deleted, by default that of which `done` is a method, nobody is told."""
        task = Task(self, work, key, getattr(done, "__self__", None) if owner is None else owner)
        task.done, task.failed, task.progressed = done, failed, progress
        with self._wake:
            replaced = [entry for entry in (*self._queue, *self._parked) if key is not None and entry[2].key == key]
            parked = any(entry in self._parked for entry in replaced)
            for _, _, waiting in replaced:
                waiting.cancelled = True
            entry = priority, next(self._numbers), task
            if parked:
                self._parked.append(entry)
            else:
                heapq.heappush(self._queue, entry)
            self._wake.notify()
        return task

    @property
    def idle(self) -> bool:
        """Whether no job is queued or running, and all results are delivered."""
        with self._wake:
            waiting = [*self._queue, *self._parked]
            working = self._current is not None or self._undelivered > 0
            return not working and not any(not task.cancelled for _, _, task in waiting)

    def wait(self, seconds: float) -> None:
        """Begin no job for so many seconds, instead of what was set before."""
        with self._wake:
            self._waits_until = monotonic() + seconds
            self._wake.notify()

    def clear(self) -> None:
        """Cancel the jobs that are queued or running."""
        with self._wake:
            for _, _, task in [*self._queue, *self._parked]:
                task.cancelled = True
            if self._current is not None:
                self._current.cancelled = True

    def stop(self, seconds: float = 3.0) -> None:
        """Cancel everything and wait for the thread to end."""
        self.clear()
        with self._wake:
            self._stopping = True
            self._wake.notify()
        self._thread.join(seconds)

    def _run(self) -> None:
        never_wait()
        if sys.platform == "linux":
            # On few processors the window and the driver's threads have priority.
            thread = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + self._nice)
        while (entry := self._next()) is not None:
            task, start = entry[2], monotonic()
            try:
                task.result = task.work(task)
            except NotCompiledError as missing:
                self._park(entry, missing)
                continue
            except CancelledError:
                task.cancelled = True
            except BaseException as error:
                task.error = error
                task.trace = "" if isinstance(error, EXPECTED) else traceback.format_exc()
            if entry[0] >= self._background and self._moving():
                self._rests_until = monotonic() + _REST * (monotonic() - start)
            self._settle(task)
        self.at_end()

    def _next(self) -> tuple[int, int, Task] | None:
        """Wait for the next job; None when the thread ends."""
        while True:
            with self._wake:
                self._current = None
                while not self._stopping and (seconds := self._pause()) != 0:
                    self._wake.wait(seconds)
                if self._stopping:
                    return None
                entry = heapq.heappop(self._queue)
                task = entry[2]
                if not task.cancelled:
                    self._current = task
                    return entry
            if task.stopped:
                self._settle(task)

    def _pause(self) -> float | None:
        """Seconds until the next job may run; None without one."""
        if not self._queue:
            return None
        begins = self._waits_until
        if self._queue[0][0] >= self._background:
            begins = max(begins, self._rests_until)
        return max(0.0, begins - monotonic())

    def _settle(self, task: Task) -> None:
        """Have the window's thread deliver the result of a task."""
        with self._wake:
            if self._stopping:
                return
            self._undelivered += 1
        self.settled.emit(task)

    def _park(self, entry: tuple[int, int, Task], missing: NotCompiledError) -> None:
        """Keep a job until the kernels that it needs are compiled; other jobs are run meanwhile."""
        with self._wake:
            self._parked.append(entry)
            self._current = None
        if not self._stopping:
            self.parked.emit(entry[2])
        missing.then(self._try_again)

    def _try_again(self) -> None:
        with self._wake:
            for entry in self._parked:
                heapq.heappush(self._queue, entry)
            self._parked.clear()
            self._wake.notify()

    def _take(self, task: Task) -> None:
        """Deliver a result in a later turn of the event loop. Qt handles events that are posted meanwhile in the same
        turn, so that several results with what is painted after each would be one long turn."""
        self._results.append(task)
        self._delivery.start()

    def _deliver_next(self) -> None:
        task = self._results.popleft()
        if not self._results:
            self._delivery.stop()
        task.finished = True
        with self._wake:
            self._undelivered -= 1
        error = CancelledError("cancelled") if task.cancelled else task.error
        if error is None and task.done is not None and not task.orphaned:
            task.done(task.result)
        elif error is not None and task.failed is not None and not task.orphaned:
            task.failed(error, "" if task.cancelled else task.trace)
        # The functions may refer to objects of Qt, which are freed here, in the window's thread.
        task.work = _done
        task.done = task.failed = task.progressed = task.owner = None
        gc_control.collect_soon()

    def _deliver_progress(self, task: Task, done: int, total: int, text: str) -> None:
        if task.progressed is not None and not (task.cancelled or task.finished or task.orphaned):
            task.progressed(done, total, text)
        gc_control.collect_soon()

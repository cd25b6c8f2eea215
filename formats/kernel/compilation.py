"""Compiles units in child processes, one per processor, in the background.

One thread manages the children. Of several processes with one cache folder, one compiles; the others wait and then load
its results.
"""

from __future__ import annotations

import atexit
import base64
import contextlib
import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, InvalidStateError, wait
from pathlib import Path
from typing import Any

from formats.kernel import cache
from formats.kernel.errors import KernelError
from formats.kernel.progress import KernelProgress, tell
from formats.kernel.stamp import functions

log = logging.getLogger("formats.kernel")

CHILD = "from formats.kernel.child import main; main()"
ROOT = str(Path(__file__).resolve().parents[2])
"""The folder that holds the package `formats`."""
CHILDREN = 4
"""The most child processes; there are never more than processors."""
_STOP_SECONDS = 5.0
"""Seconds to wait for the managing thread after its children were killed."""
_KILL_SECONDS = 0.5
"""The same where an interrupted thread may hold what the managing thread waits for."""


class Ticket(Future[bytes]):
    """A unit that is being compiled. The result is its object file, or KernelError with the error of compilation."""

    def __init__(self, unit: str, stamp: str) -> None:
        super().__init__()
        self.unit, self.stamp = unit, stamp
        self.functions = len(functions(unit))

    def wait(self, meanwhile: Callable[[], object] | None = None) -> bytes:
        """Wait for the object file; `meanwhile` is called repeatedly. Raises KernelError."""
        while not self.done():
            # With a time limit: on Windows a wait without one cannot be interrupted.
            wait([self], 0.1)
            if meanwhile is not None:
                meanwhile()
        return self.result()

    def settle(self, code: bytes | None, error: str = "") -> None:
        """Set the result, or the error, unless that was done."""
        with contextlib.suppress(InvalidStateError):
            if code is None:
                self.set_exception(KernelError(error))
            else:
                self.set_result(code)


class _Compilation:
    """The queue of units, the running children, and the thread that manages both until the queue is empty."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._telling = threading.RLock()
        self._waiting: list[Ticket] = []
        self._running: dict[str, Ticket] = {}
        self._children: list[subprocess.Popen[str]] = []
        self._thread: threading.Thread | None = None
        self._done = self._total = 0

    def submit(self, unit: str, stamp: str) -> Ticket:
        """The ticket of a unit; the unit is added to the queue unless it is in it."""
        with self._condition:
            for ticket in [*self._waiting, *self._running.values()]:
                if ticket.unit == unit:
                    return ticket
            ticket = Ticket(unit, stamp)
            self._waiting.append(ticket)
            self._total += ticket.functions
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="kernel compilation", daemon=True)
                self._thread.start()
            self._condition.notify_all()
            return ticket

    def stop(self) -> None:
        """Kill the children, fail the queued units, and wait for the thread, which must not call observers while Python
        ends."""
        thread = self._thread
        for ticket in self._end_children():
            ticket.settle(None, "compilation was stopped")
        if thread is not None:
            thread.join(_STOP_SECONDS)

    def kill(self) -> None:
        """Kill the children and drop the queued units, for a process that ends at once. A signal handler can call this:
        it takes no lock of a ticket, which the interrupted thread may hold."""
        thread = self._thread
        self._end_children()
        if thread is not None:
            thread.join(_KILL_SECONDS)

    def _end_children(self) -> list[Ticket]:
        """Kill the children and empty the queue; the tickets that nobody settles any more."""
        with self._condition:
            for child in self._children:
                with contextlib.suppress(OSError):
                    child.kill()
            failed = [*self._waiting, *self._running.values()]
            self._waiting.clear()
        return failed

    def _run(self) -> None:
        lock = cache.Lock()
        try:
            for _ in cache.acquire_in_steps(lock):
                self._load_waiting()
                with self._condition:
                    if not self._waiting:
                        self._thread = None
                        break
                written = cache.read_progress()
                tell(KernelProgress(*written, waiting=True) if written else KernelProgress(0, 1, waiting=True))
            else:
                self._compile()
        finally:
            lock.release()

    def _load_waiting(self) -> None:
        """Settle the queued units that another process has written into the cache."""
        with self._condition:
            waiting = self._waiting[:]
        for ticket in waiting:
            code = cache.load(ticket.unit, ticket.stamp)
            if code is not None:
                with self._condition:
                    self._waiting.remove(ticket)
                    self._total -= ticket.functions
                self._settle(ticket, code)

    def _compile(self) -> None:
        self._load_waiting()
        wanted = max(1, min(os.cpu_count() or 1, CHILDREN))
        threads: list[threading.Thread] = []
        reported = 0
        while True:
            with self._condition:
                threads = [thread for thread in threads if thread.is_alive()]
                if not self._waiting and not threads:
                    self._thread = None
                    self._done = self._total = 0
                    return
                more = min(wanted - len(threads), len(self._waiting))
                total = self._total
            if total != reported:
                reported = total
                self._report(0)
            for _ in range(more):
                threads.append(threading.Thread(target=self._run_child, name="kernel compiler", daemon=True))
                threads[-1].start()
            with self._condition:
                self._condition.wait(0.1)

    def _next(self) -> Ticket | None:
        with self._condition:
            if not self._waiting:
                return None
            ticket = self._waiting.pop(0)
            self._running[ticket.unit] = ticket
            return ticket

    def _run_child(self) -> None:
        """Start a child process and pass it units until the queue is empty."""
        ticket = self._next()
        if ticket is None:
            return
        try:
            with _started_child() as child:
                self._children.append(child)
                try:
                    while ticket is not None:
                        self._compile_one(child, ticket)
                        ticket = self._next()
                finally:
                    self._children.remove(child)
        except OSError as error:
            if ticket is not None:
                self._settle(ticket, None, f"the process that compiles kernels cannot be used: {error}")

    def _compile_one(self, child: subprocess.Popen[str], ticket: Ticket) -> None:
        assert child.stdin is not None and child.stdout is not None
        before = 0
        child.stdin.write(ticket.unit + "\n")
        child.stdin.flush()
        for line in child.stdout:
            answer: dict[str, Any] = json.loads(line)
            if "function" in answer:
                before += 1
                self._report(1 if before < ticket.functions else 0)
                continue
            if "code" in answer:
                code = base64.b64decode(answer["code"])
                cache.store(ticket.unit, ticket.stamp, code)
                self._report(max(ticket.functions - before, 0))
                self._settle(ticket, code)
            else:
                log.debug("%s", answer.get("trace"))
                self._settle(ticket, None, f"{ticket.unit} cannot be compiled: {answer['error']}")
            return
        raise OSError(f"it ended with status {child.wait()}")

    def _settle(self, ticket: Ticket, code: bytes | None, error: str = "") -> None:
        with self._condition:
            self._running.pop(ticket.unit, None)
            over = not self._running and not self._waiting
        if over:
            with self._telling:
                tell(KernelProgress(self._total, self._total))
        ticket.settle(code, error)

    def _report(self, steps: int) -> None:
        with self._telling:
            with self._condition:
                self._done += steps
                progress = KernelProgress(min(self._done, self._total - 1), self._total)
            cache.write_progress(progress.done, progress.total)
            tell(progress)


_compilation = _Compilation()
stop, kill = _compilation.stop, _compilation.kill
atexit.register(stop)


def submit(unit: str, stamp: str) -> Ticket:
    """Queue a unit for compilation. Raises KernelError when it cannot be compiled on this machine."""
    import importlib.util

    if not sys.executable:
        raise KernelError(f"this program lacks the compiled code of {unit}; install it again")
    if importlib.util.find_spec("numba") is None:
        raise KernelError(
            f"the compiled code of {unit} is missing, and numba, which compiles it, is not installed: pip install numba"
        )
    return _compilation.submit(unit, stamp)


@contextlib.contextmanager
def _started_child() -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {ROOT!r}); {CHILD}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0),
    ) as child:
        try:
            assert child.stdin is not None
            child.stdin.write(json.dumps(sys.path) + "\n")
            yield child
        finally:
            child.kill()

"""Runs exports in a child process, so that the window stays responsive and an export can be stopped at any time."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import sys
from multiprocessing.connection import Connection
from typing import Any

from mapexplorer.export.request import Parallel, Request
from mapexplorer.export.run import run
from mapexplorer.system import interrupt
from mapexplorer.system.progress import Outcome, Progress

_POLL = 0.05
_STOP_SECONDS = 10.0


class _PipeProgress(Progress):
    """Progress in the child process: it sends steps through a pipe and receives the cancellation from it."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._cancelled = False

    @property
    def cancelled(self) -> bool:
        """Whether the window has cancelled."""
        if not self._cancelled and self._pipe.poll():
            self._pipe.recv()
            self._cancelled = True
        return self._cancelled

    def check(self) -> None:
        """End the process if the window has cancelled."""
        if self.cancelled:
            sys.exit(1)

    def report(self, done: int, total: int, text: str) -> None:
        """Send the progress to the window."""
        self.check()
        self._pipe.send(("progress", (done, total, text)))


def _child(request: Request, rom_path: str, pipe: Connection) -> None:
    from mapexplorer.world.opening import open_rom

    # So that unfinished files are removed at exit.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        pipe.send(("done", run(request, open_rom(rom_path), _PipeProgress(pipe))))
    except Exception as error:
        pipe.send(("failed", error))


def run_beside(request: Request, rom_path: str, task: Progress) -> Outcome:
    """Run a request in a child process. Raises what the request raises, RuntimeError when the process dies."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_child, args=(request, rom_path, theirs), name="export")
    task.report(0, 0, "Preparing")
    with interrupt.interrupts_blocked():
        process.start()
    theirs.close()
    try:
        return _follow(ours, process, task)
    finally:
        _end(ours, process, gently=isinstance(request, Parallel))
        ours.close()


def _follow(pipe: Connection, process: Any, task: Progress) -> Outcome:
    while True:
        task.check()
        if not pipe.poll(_POLL):
            if not process.is_alive() and not pipe.poll():
                raise RuntimeError(f"the export process ended with status {process.exitcode}")
            continue
        try:
            kind, value = pipe.recv()
        except EOFError:
            raise RuntimeError("the export process ended before its work was done") from None
        if kind == "progress":
            task.report(*value)
        elif kind == "failed":
            raise value
        else:
            outcome: Outcome = value
            return outcome


def _end(pipe: Connection, process: Any, gently: bool) -> None:
    """End the process; `gently` leaves it time to end its own child processes."""
    if process.is_alive() and gently:
        with contextlib.suppress(OSError):
            pipe.send("stop")
            process.join(_STOP_SECONDS)
    else:
        process.join(_POLL)
    if process.is_alive():
        process.terminate()
        process.join(_STOP_SECONDS)
    if process.is_alive():
        process.kill()
        process.join()

"""What an interrupt (Ctrl+C) does to a command: one line on standard error and status 130, at any moment.

A KeyboardInterrupt can be raised at any line, also where a library swallows it or makes another error of it. So the
signal handler ends the process itself: it removes the file that is being written and exits. Work that has to be wound
up, such as that of worker processes, defers the interrupt to where it checks for one (`Deferred`).

All this is for the program's own process: a Python program that imports the package keeps its KeyboardInterrupt.
"""

from __future__ import annotations

import _thread
import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

STATUS = 130
"""The exit status of an interrupted command: 128 and the number of SIGINT."""

SENTENCE = "Interrupted; files that were finished are complete."

GRACE = 10.0
"""Seconds from an interrupt until a process that defers it is ended."""

_cleanups: list[Callable[[], object]] = []
_ending = _thread.allocate_lock()
_installed = False
_said = False


def install() -> None:
    """Have an interrupt end this process, from the main thread. Where interrupts are ignored they stay so."""
    global _installed
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, end)
        _installed = True


def ignore() -> None:
    """Ignore interrupts from here on: the work is done, and the interpreter ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def say(sentence: str = SENTENCE) -> None:
    """Print the one line of an interrupted command on standard error."""
    global _said
    _said = True
    print(sentence, file=sys.stderr, flush=True)


def end(*_: object) -> NoReturn:
    """End the process as an interrupt does, in any thread."""
    with contextlib.suppress(ValueError):  # only the main thread may set it
        ignore()
    if not _ending.acquire(blocking=False):
        time.sleep(GRACE)  # another thread is at it
    for cleanup in reversed(_cleanups):
        with contextlib.suppress(Exception):
            cleanup()
    if not _said:
        with contextlib.suppress(OSError):  # standard error may be closed
            os.write(2, f"{SENTENCE}\n".encode())  # sys.stderr may be in use
    os._exit(STATUS)


def also(cleanup: Callable[[], object]) -> None:
    """Call `cleanup` from here on when an interrupt ends the process."""
    if cleanup not in _cleanups:
        _cleanups.append(cleanup)


@contextlib.contextmanager
def cleaning(cleanup: Callable[[], object]) -> Iterator[None]:
    """Call `cleanup` when an interrupt ends the process inside the block."""
    _cleanups.append(cleanup)
    try:
        yield
    finally:
        _cleanups.remove(cleanup)


class Deferred:
    """A block in which an interrupt waits until `check` raises KeyboardInterrupt for it. Later ones are ignored.

    A process that has not left the block `grace` seconds after the interrupt is ended. Does nothing in other threads
    than the main one, and in processes that are not the program's own.
    """

    def __init__(self, grace: float = GRACE) -> None:
        self._grace = grace
        self._before: Any = None
        self._interrupted = False
        self._raised = False
        self._left = False

    def __enter__(self) -> Deferred:
        if _installed:
            with contextlib.suppress(ValueError):
                self._before = signal.signal(signal.SIGINT, self._remember)
        return self

    def __exit__(self, *_: object) -> None:
        self._left = True
        if self._raised:
            ignore()
        elif self._before is not None:
            signal.signal(signal.SIGINT, self._before)
            if self._interrupted:
                signal.raise_signal(signal.SIGINT)

    def check(self) -> None:
        """Raise KeyboardInterrupt when there was an interrupt."""
        if self._interrupted:
            self._raised = True
            raise KeyboardInterrupt

    def _remember(self, *_: object) -> None:
        if not self._interrupted:
            self._interrupted = True
            _thread.start_new_thread(self._expire, ())

    def _expire(self) -> None:
        time.sleep(self._grace)
        if not self._left:
            end()


@contextlib.contextmanager
def spared() -> Iterator[None]:
    """A block whose child processes get no interrupt, from their first moment on; this process gets its own later.

    Does nothing on systems without signal masks.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

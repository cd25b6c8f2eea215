"""The handling of an interrupt (Ctrl+C) of a command: one line on standard error and exit status 130, at any time. The
signals that ask a process to end (SIGTERM, SIGHUP) are handled in the same way, with their own status.

A KeyboardInterrupt can be raised at any line, also where a library suppresses it or converts it to another error.
Therefore the signal handler itself removes the file that is being written and exits the process. Work that needs an
orderly end, such as that of worker processes, defers the interrupt until it checks for one (`Deferred`).

This applies only to the program itself: a Python program that imports the package keeps its KeyboardInterrupt.
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

_OTHERS = ("SIGTERM", "SIGHUP")
"""Other signals that end a command; Windows does not have all."""

SENTENCE = "Interrupted; files that were finished are complete."

GRACE = 10.0
"""Seconds after an interrupt until a process that defers it is ended."""

_cleanups: list[Callable[[], object]] = []
_ending = _thread.allocate_lock()
_installed = False
_saying = _thread.allocate_lock()
_status = STATUS


def install() -> None:
    """Install the handlers; to be called in the main thread. Signals that are ignored stay ignored."""
    global _installed
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, end)
        _installed = True
    for number in _others():
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end_as_interrupted)


def _others() -> list[signal.Signals]:
    return [getattr(signal, name) for name in _OTHERS if hasattr(signal, name)]


def _end_as_interrupted(number: int, frame: Any) -> None:
    global _status
    _status = 128 + number
    handler = signal.getsignal(signal.SIGINT)
    if callable(handler):
        handler(number, frame)
    else:  # interrupts are ignored, as in a job in the background
        end()


def status() -> int:
    """The exit status of the command after the signal that ended it."""
    return _status


def ignore() -> None:
    """Ignore interrupts from now on; called when the work is done and the interpreter is about to end."""
    for number in (signal.SIGINT, *_others()):
        signal.signal(number, signal.SIG_IGN)


def leave_to_parent() -> None:
    """In a process that was started, perhaps forked, in `interrupts_blocked(others=True)`: interrupts are ignored, as
    they end the parent, and the other signals end it at once."""
    global _installed
    _installed = False
    _cleanups.clear()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in _others():
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _others())


def say(sentence: str = SENTENCE) -> None:
    """Print the one line of an interrupted command on standard error. Only the first call of all threads prints."""
    if _saying.acquire(blocking=False):
        print(sentence, file=sys.stderr, flush=True)


def end(*_: object) -> NoReturn:
    """End the process as after an interrupt; can be called in any thread."""
    with contextlib.suppress(ValueError):  # only the main thread may set it
        ignore()
    if not _ending.acquire(blocking=False):
        time.sleep(GRACE)  # another thread is ending the process
    for cleanup in reversed(_cleanups):
        with contextlib.suppress(Exception):
            cleanup()
    if _saying.acquire(blocking=False):
        with contextlib.suppress(OSError):  # standard error may be closed
            os.write(2, f"{SENTENCE}\n".encode())  # sys.stderr may be in use
    os._exit(_status)


def also(cleanup: Callable[[], object]) -> None:
    """From now on call `cleanup` when an interrupt ends the process."""
    if cleanup not in _cleanups:
        _cleanups.append(cleanup)


@contextlib.contextmanager
def cleaning(cleanup: Callable[[], object]) -> Iterator[None]:
    """A block in which an interrupt that ends the process calls `cleanup`."""
    _cleanups.append(cleanup)
    try:
        yield
    finally:
        _cleanups.remove(cleanup)


class Deferred:
    """A block in which an interrupt is deferred until `check` raises KeyboardInterrupt. Further interrupts are ignored.

    A process that has not left the block `grace` seconds after the interrupt is ended. Does nothing outside the main
    thread, and in a process without the handler of this module.
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
def interrupts_blocked(*, others: bool = False) -> Iterator[None]:
    """A block in which the interrupt signal is blocked for child processes from their start, with `others` the signals
    that are handled like it, too; this process receives them after the block.

    Does nothing on systems without signal masks.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, *(_others() if others else ())})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

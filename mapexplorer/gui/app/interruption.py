"""Ctrl+C in the terminal closes the window."""

from __future__ import annotations

import contextlib
import signal
import socket
from collections.abc import Callable, Iterator
from typing import Any

from PyQt5.QtCore import QSocketNotifier, QTimer
from PyQt5.QtWidgets import QApplication, QWidget

from mapexplorer.system import interrupt


@contextlib.contextmanager
def interruption(window: QWidget) -> Iterator[Callable[[], bool]]:
    """A block in which an interrupt closes all windows and ends the event loop; a second one ends the process. Gives a
    function that tells whether there was one."""
    happened = False
    # Python runs signal handlers only between bytecode instructions, and an idle event loop executes none.
    read, write = socket.socketpair()
    for end in (read, write):
        end.setblocking(False)

    def woken(*_: Any) -> None:
        with contextlib.suppress(BlockingIOError):
            read.recv(64)

    def close() -> None:
        QApplication.closeAllWindows()
        window.close()
        QApplication.exit(interrupt.status())

    def interrupted(*_: object) -> None:
        nonlocal happened
        if happened:
            interrupt.end()
        happened = True
        QTimer.singleShot(0, close)

    notifier = QSocketNotifier(read.fileno(), QSocketNotifier.Read)  # type: ignore[arg-type]
    notifier.activated.connect(woken)
    file_before = signal.set_wakeup_fd(write.fileno(), warn_on_full_buffer=False)
    before = signal.signal(signal.SIGINT, interrupted)
    try:
        yield lambda: happened
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN if happened else before)
        signal.set_wakeup_fd(file_before)
        notifier.setEnabled(False)
        read.close()
        write.close()

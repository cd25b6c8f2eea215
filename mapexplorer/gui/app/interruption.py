"""Ctrl+C in the terminal closes the window."""

from __future__ import annotations

import contextlib
import signal
import socket
from types import TracebackType
from typing import Any

from PyQt5.QtCore import QObject, QSocketNotifier, QTimer
from PyQt5.QtWidgets import QApplication, QWidget

from mapexplorer.system import interrupt


class Interruption(QObject):
    """A block in which an interrupt closes all windows and ends the event loop; a second one ends the process."""

    def __init__(self, window: QWidget) -> None:
        super().__init__()
        self.happened = False
        self._window = window
        # Python runs signal handlers only between bytecode instructions, and an idle event loop executes none.
        self._read, self._write = socket.socketpair()
        for end in (self._read, self._write):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._read.fileno(), QSocketNotifier.Read, self)  # type: ignore[arg-type]
        self._notifier.activated.connect(self._woken)

    def __enter__(self) -> Interruption:
        self._file_before = signal.set_wakeup_fd(self._write.fileno(), warn_on_full_buffer=False)
        self._before = signal.signal(signal.SIGINT, self._interrupted)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN if self.happened else self._before)
        signal.set_wakeup_fd(self._file_before)
        self._notifier.setEnabled(False)
        self._read.close()
        self._write.close()

    def _woken(self, *_: Any) -> None:
        with contextlib.suppress(BlockingIOError):
            self._read.recv(64)

    def _interrupted(self, *_: object) -> None:
        if self.happened:
            interrupt.end()
        self.happened = True
        QTimer.singleShot(0, self._close)

    def _close(self) -> None:
        QApplication.closeAllWindows()
        self._window.close()
        QApplication.exit(interrupt.status())

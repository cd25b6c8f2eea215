"""The progress of the compilation of kernels."""

from __future__ import annotations

from contextlib import suppress

from PyQt5.QtCore import QObject, Qt, pyqtSignal

from formats.kernel.progress import KernelProgress, observe
from mapexplorer.gui.widgets.layout import timer

GATHERED = 250
"""Milliseconds for which progress is gathered before it is shown: beside an OpenGL view each change of the window costs
processor time, because all of it is composed anew."""


class Compilation(QObject):
    """Observes the compilations of this process. `progress` is that of the present one, None when there is none.

    `changed` is emitted at once when a compilation begins or ends, and for other progress a little later.
    """

    changed = pyqtSignal()
    _reported = pyqtSignal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.progress: KernelProgress | None = None
        self._timer = timer(self, GATHERED, self.changed.emit)
        self._reported.connect(self._update, Qt.QueuedConnection)  # type: ignore[call-arg]
        self._end = observe(self._notify)

    def _notify(self, progress: KernelProgress) -> None:
        """Can be called from any thread."""
        with suppress(RuntimeError):  # the window may be destroyed already
            self._reported.emit(progress)

    def _update(self, progress: KernelProgress) -> None:
        state = progress if progress.done < progress.total else None
        before, self.progress = self.progress, state
        if (state is None) != (before is None):
            self._timer.stop()
            self.changed.emit()
        elif state != before and not self._timer.isActive():  # a waiting process reports the same state repeatedly
            self._timer.start()

    def stop(self) -> None:
        """Stop observing; may be called repeatedly."""
        end, self._end = self._end, lambda: None
        end()

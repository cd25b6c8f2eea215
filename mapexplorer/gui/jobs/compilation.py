"""The progress of the compilation of kernels."""

from __future__ import annotations

from contextlib import suppress

from PyQt5.QtCore import QObject, Qt, pyqtSignal

from formats.kernel.progress import KernelProgress, observe


class Compilation(QObject):
    """Observes the compilations of this process. `progress` is that of the present one, None when there is none."""

    changed = pyqtSignal()
    _reported = pyqtSignal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.progress: KernelProgress | None = None
        self._reported.connect(self._update, Qt.QueuedConnection)  # type: ignore[call-arg]
        self._end = observe(self._tell)

    def _tell(self, progress: KernelProgress) -> None:
        """Can be called from any thread."""
        with suppress(RuntimeError):  # the window may be destroyed already
            self._reported.emit(progress)

    def _update(self, progress: KernelProgress) -> None:
        state = progress if progress.done < progress.total else None
        if state != self.progress:  # a waiting process reports the same state repeatedly
            self.progress = state
            self.changed.emit()

    def stop(self) -> None:
        """Stop observing; may be called repeatedly."""
        end, self._end = self._end, lambda: None
        end()

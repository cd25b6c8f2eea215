"""Verifies the ROM that is open, in a worker."""

from __future__ import annotations

from concurrent.futures import CancelledError

from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.jobs.worker import Task
from mapexplorer.gui.widgets.notices import INFO, WARNING, Notices
from mapexplorer.gui.widgets.status import StatusFields
from mapexplorer.inspector.roms.rom import verified
from mapexplorer.world.references.verification import Verification, verify


class RomCheck:
    """Every file is read and written back, and every reference is followed; the status bar counts the files, a notice
    tells the outcome."""

    def __init__(self, jobs: JobController, status: StatusFields, notices: Notices) -> None:
        self._jobs, self._status, self._notices = jobs, status, notices
        self.task: Task | None = None
        """The verification that is running."""
        jobs.explorer.rom_changed.connect(self.stop)

    def stop(self) -> None:
        """Cancel the verification, if one is running."""
        if self.task is not None:
            self.task.cancel()

    def toggle(self) -> None:
        """Verify the ROM that is open, or stop that."""
        opened = self._jobs.rom
        if self.task is not None or opened is None:
            self.stop()
            return

        def work(task: Task) -> Verification:
            # In this thread: processes of their own would take both processors from the window.
            return verify(opened.world.rom, jobs=1, progress=lambda done, parts: task.report(done, parts, ""))

        self._show(0, 0, "")
        self.task = self._jobs.work.submit(work, self._done, self._failed, progress=self._show)

    def _show(self, done: int, total: int, text: str) -> None:
        self._status.verified.setText(f"Verifying the ROM: {done} of {total}" if total else "Verifying the ROM …")

    def _end(self) -> None:
        self.task = None
        self._status.verified.clear()

    def _done(self, verification: Verification) -> None:
        self._end()
        problems, notes = verification.problems, (*verification.layout, *verification.notes)
        counts = [f"{kind}: {number:,}" for kind, number in sorted(verification.counts.items())]
        level = WARNING if problems else INFO
        self._notices.notify(
            level, "The ROM is verified", verified(verification), "\n".join((*problems, *notes, *counts))
        )

    def _failed(self, error: BaseException, trace: str) -> None:
        self._end()
        if isinstance(error, CancelledError):
            self._status.tell("The verification was cancelled.")
        self._jobs.notify("The ROM cannot be verified", error, trace)

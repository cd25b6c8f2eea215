"""What the dialogs have in common for which workers read, write or verify."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PyQt5.QtWidgets import QDialog, QWidget

from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.jobs.worker import Task
from mapexplorer.gui.widgets.controls import fit_to_screen
from mapexplorer.gui.widgets.layout import label

T = TypeVar("T")


class JobDialog(QDialog):
    """A dialog of a title and a size, with at most one job that takes long."""

    def __init__(self, parent: QWidget, jobs: JobController, title: str, width: int, height: int) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.jobs = jobs
        self.task: Task | None = None
        """The job that is running."""
        self.message = label(selectable=True)
        """How far the job is, and what came of it."""
        fit_to_screen(self, width, height)

    def run(self, work: Callable[[Task], T], done: Callable[[T], None]) -> None:
        """Have a worker do the job, and call a function with its result."""

        def end() -> None:
            self.task = None
            self.show_running(False)

        def finish(result: T) -> None:
            end()
            done(result)

        def fail(error: BaseException, trace: str) -> None:
            end()
            self.show_failure(error, trace)

        self.show_running(True)
        self.task = self.jobs.work.submit(work, finish, fail, progress=self.show_progress, owner=self)

    def cancel(self) -> None:
        """Stop the job, if one is running, and say so."""
        if self.task is not None:
            self.task.cancel()
            self.message.setText("Stopping …")

    def show_running(self, runs: bool) -> None:
        """Show whether the job is running."""

    def show_progress(self, done: int, total: int, text: str) -> None:
        """Show how much of the job is done."""

    def show_failure(self, error: BaseException, trace: str) -> None:
        """Show why the job ended early: an error, with its traceback if it is a defect, or CancelledError."""

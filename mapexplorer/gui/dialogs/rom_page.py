"""The ROM as a whole: release, contents, notes, and its verification."""

from __future__ import annotations

from concurrent.futures import CancelledError

from PyQt5.QtGui import QHideEvent
from PyQt5.QtWidgets import QProgressBar, QWidget

from mapexplorer.gui.dialogs.job_dialog import JobDialog
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.jobs.worker import Task
from mapexplorer.gui.widgets import theme
from mapexplorer.gui.widgets.layout import MUTED, bring_up, browser, button, column, label, row
from mapexplorer.gui.widgets.rich_text import rich_text
from mapexplorer.inspector.facts import Description, Fact, Section
from mapexplorer.inspector.roms.rom import find_rom, rom_sections
from mapexplorer.values import count
from mapexplorer.world.references.verification import Verification, verify
from mapexplorer.world.subject import subject


class RomPage(JobDialog):
    """Facts about the ROM, and a button that verifies it in a worker."""

    def __init__(self, parent: QWidget, jobs: JobController) -> None:
        super().__init__(parent, jobs, "ROM", 700, 620)
        self.setSizeGripEnabled(True)
        self._facts: tuple[Section, ...] = ()
        self._verified: Verification | None = None
        self.browser = browser("rom facts")
        self.progress = QProgressBar()
        self.progress.setVisible(False)
        self.message = label(role=MUTED)
        self.verify_button = button(
            "Verify",
            lambda: self.cancel() if self.task is not None else self.verify(),
            "Read every file, write it back, and follow every reference",
            default=False,
        )
        buttons = row(None, self.verify_button, button("Close", self.accept, default=False))
        self.setLayout(column((self.browser, 1), self.progress, self.message, buttons))
        jobs.explorer.rom_changed.connect(self._rom_changed)

    def open(self) -> None:
        """Show the page of the ROM that is open."""
        bring_up(self)
        self._read()

    def _rom_changed(self) -> None:
        self.cancel()
        self._facts, self._verified = (), None
        self.message.clear()
        self._show()
        if self.isVisible():
            self._read()

    def _read(self) -> None:
        def take(sections: tuple[Section, ...]) -> None:
            self._facts = sections
            self._show()

        self.jobs.request(lambda renderer: rom_sections(find_rom(renderer.world)), take, key="rom page")

    def _show(self) -> None:
        release, *others = self._facts or (Section("Release", ()),)
        world = self.jobs.explorer.world
        title = world.game.release(world.rom) if world is not None else ""
        # Archives are last, because there are many of them.
        sections = (release, *_sections(self._verified), *reversed(others))
        description = Description(subject("rom"), title, "", sections)
        self.browser.setHtml(rich_text(description, theme.colors()))

    # --- verification

    def verify(self) -> None:
        """Verify the ROM in a worker."""
        opened = self.jobs.rom
        if opened is None or self.task is not None:
            return
        self._verified = None
        self._show()
        self.progress.setRange(0, 0)
        self.message.setText("Reading every file, writing it back, following every reference …")

        def work(task: Task) -> Verification:
            # In this thread: processes of their own would take both processors from the window.
            return verify(opened.world.rom, jobs=1, progress=lambda done, parts: task.report(done, parts, ""))

        self.run(work, self._take)

    def show_running(self, runs: bool) -> None:
        """Show the progress, and what the button does now."""
        self.progress.setVisible(runs)
        self.verify_button.setText("Cancel" if runs else "Verify")

    def show_progress(self, done: int, total: int, text: str) -> None:
        """Show how many files are verified."""
        self.progress.setRange(0, total)
        self.progress.setValue(done)

    def _take(self, verification: Verification) -> None:
        self._verified = verification
        self.message.setText(
            f"{count(verification.read, 'file')} read and written back, "
            f"{count(len(verification.problems), 'problem')}, {count(len(verification.notes), 'note')}."
        )
        self._show()

    def show_failure(self, error: BaseException, trace: str) -> None:
        """Show why the verification ended early."""
        self.message.setText("The verification was cancelled." if isinstance(error, CancelledError) else "")
        self.jobs.notify("The ROM cannot be verified", error, trace)

    def hideEvent(self, event: QHideEvent) -> None:
        """A page that is closed verifies nothing."""
        self.cancel()
        super().hideEvent(event)


def _sections(verification: Verification | None) -> tuple[Section, ...]:
    """The results of a verification, problems first."""
    if verification is None:
        return ()
    counts = tuple(Fact(kind, f"{number:,}") for kind, number in sorted(verification.counts.items()))
    return (
        Section(
            "Problems found by verifying", tuple(Fact("", sentence) for sentence in verification.problems or ["none"])
        ),
        Section("Notes of verifying", tuple(Fact("", sentence) for sentence in verification.notes or ["none"])),
        Section("Read and written back", counts),
    )

"""Notices when another program writes the ROM that is open, and reads it again."""

from __future__ import annotations

from pathlib import Path

from PyQt5.QtCore import QObject, QTimer

from mapexplorer.gui.jobs.controller import SOON, JobController
from mapexplorer.rom import Rom, Stamp

INTERVAL = 1000
"""Milliseconds between two looks at the files. A file is read again when two looks find it changed, and the same."""

Stamps = dict[Path, Stamp | None]


class RomWatch(QObject):
    """Looks at the files of the opened ROM in the reading worker, and has them read again after they were written."""

    def __init__(self, jobs: JobController, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._seen: Stamps = {}
        self._tried: Stamps = {}
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL)
        self._timer.timeout.connect(self.look)
        jobs.opened.connect(self._opened)

    def _opened(self) -> None:
        self._seen = self._tried = {}
        self._timer.start()

    def look(self) -> None:
        """Look at the files now."""
        opened = self._jobs.rom
        if opened is not None:
            rom = opened.rom
            self._jobs.read.submit(
                lambda task: rom.stamps_on_disk(), lambda stamps: self._compare(rom, stamps), key="watch",
                priority=SOON,
            )  # fmt: skip

    def _compare(self, rom: Rom, stamps: Stamps) -> None:
        opened = self._jobs.rom
        if opened is None or opened.rom is not rom:
            return
        settled, self._seen = stamps == self._seen, stamps
        changed = any(stamps.get(path, stamp) != stamp for path, stamp in rom.opened_stamps.items())
        if changed and settled and None not in stamps.values() and stamps != self._tried:
            self._tried = stamps
            self._jobs.reload()

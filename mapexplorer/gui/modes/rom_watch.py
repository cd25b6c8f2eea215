"""Notices when another program writes the ROM that is open, and reads it again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PyQt5.QtCore import QObject

from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.jobs.requests import SOON
from mapexplorer.gui.widgets.layout import timer
from mapexplorer.rom import Rom, Stamp

INTERVAL = 1000
"""Milliseconds between two checks of the files. A file is read again when two checks find it changed, and the same."""

TEXT_INTERVAL = 100
"""The same for a ROM that is made from texts, which are edited while it is looked at."""

NAMED = 3
"""The most files that are named."""

Stamps = dict[Path, Stamp | None]


class RomWatch(QObject):
    """Checks the files of a ROM in a worker, and has them read again after they were written. `rom`: the
    ROM that is open, None for none; `read_again` reads it again."""

    def __init__(
        self, jobs: JobController, rom: Callable[[], Rom | None], read_again: Callable[[], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._jobs, self._rom, self._read_again = jobs, rom, read_again
        self._checked: Rom | None = None
        self._changed: list[Path] = []
        self._seen: Stamps = {}
        self._tried: Stamps = {}
        self._timer = timer(self, INTERVAL, self.check, repeats=True)
        self._timer.start()

    def check(self) -> None:
        """Check the files now."""
        rom = self._rom()
        if rom is not self._checked:
            self._checked, self._seen, self._tried = rom, {}, {}
            self._timer.setInterval(INTERVAL if rom is None or rom.laid_over is None else TEXT_INTERVAL)
        if rom is not None:
            self._jobs.move.submit(  # the reading worker may make a store for seconds
                lambda task: rom.stamps_on_disk(),
                lambda stamps: self._compare(rom, stamps),
                key=f"watch {id(self)}",
                priority=SOON,
            )

    @property
    def changed_names(self) -> str:
        """The names of the files and folders for which the ROM was read again last."""
        names, more = [path.name for path in self._changed[:NAMED]], len(self._changed) - NAMED
        return ", ".join(names) + (f" and {more} more" if more > 0 else "")

    def _compare(self, rom: Rom, stamps: Stamps) -> None:
        if self._rom() is not rom:
            return
        changed = {path: stamps[path] for path, stamp in rom.opened_stamps.items() if stamps.get(path, stamp) != stamp}
        settled, self._seen = changed == self._seen, changed
        absent = rom.laid_over is None and None in changed.values()
        if changed and settled and not absent and changed != self._tried:
            self._tried, self._changed = changed, list(changed)
            self._read_again()

"""Notices when another program writes the ROM or the saved game that is open, and has it read again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from PyQt5.QtCore import QObject, QTimer

from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.jobs.requests import SOON
from mapexplorer.gui.widgets.layout import timer
from mapexplorer.rom import Rom, Stamp
from mapexplorer.world.saved_game import SavedGame

INTERVAL = 1000
"""Milliseconds between two checks of the files. A file is read again when two checks find it changed, and the same."""

TEXT_INTERVAL = 200
"""The same for a ROM that is made from texts, which are edited while it is looked at; to look at some thousand files
takes a sixth of it."""

TEXT_PAUSE = 20
"""Milliseconds from a check that finds texts changed to the check of these alone."""

NAMED = 3
"""The most files that are named."""

Stamps = dict[Path, Stamp | None]
Watched = Rom | SavedGame
"""What knows the files that it was read from."""


class RomWatch(QObject):
    """Checks files in a worker, and has them read again after they were written. `opened`: the ROM or the saved game
    that is open, None for none; `read_again` reads it again."""

    def __init__(
        self, jobs: JobController, opened: Callable[[], Watched | None], read_again: Callable[[], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._jobs, self._opened, self._read_again = jobs, opened, read_again
        self._checked: Watched | None = None
        self._changed: list[Path] = []
        self._seen: Stamps = {}
        self._tried: Stamps = {}
        self._timer = timer(self, INTERVAL, self.check, repeats=True)
        self._timer.start()

    def check(self) -> None:
        """Check the files now."""
        opened = self._opened()
        if opened is not self._checked:
            self._checked, self._seen, self._tried = opened, {}, {}
            self._timer.setInterval(TEXT_INTERVAL if self._has_texts else INTERVAL)
        if opened is not None:
            self._look(opened, opened.opened_stamps)

    def _look(self, opened: Watched, before: Mapping[Path, Stamp | None]) -> None:
        """Look which of some files are others than they were."""
        if opened is self._opened():
            self._jobs.move.submit(  # the reading worker may make a store for seconds
                lambda task: {path: now for path, stamp in before.items() if (now := Stamp.on_disk(path)) != stamp},
                lambda changed: self._compare(opened, changed),
                key=f"watch {id(self)}",
                priority=SOON,
            )

    @property
    def _has_texts(self) -> bool:
        return isinstance(self._checked, Rom) and self._checked.laid_over is not None

    @property
    def changed_names(self) -> str:
        """The names of the files and folders for which the ROM was read again last."""
        names, more = [path.name for path in self._changed[:NAMED]], len(self._changed) - NAMED
        return ", ".join(names) + (f" and {more} more" if more > 0 else "")

    def _compare(self, opened: Watched, changed: Stamps) -> None:
        if self._opened() is not opened:
            return
        settled, self._seen = changed == self._seen, changed
        if changed and not settled and self._has_texts:
            before = {path: stamp for path, stamp in opened.opened_stamps.items() if path in changed}
            QTimer.singleShot(TEXT_PAUSE, lambda: self._look(opened, before))
        absent = not self._has_texts and None in changed.values()
        if changed and settled and not absent and changed != self._tried:
            self._tried, self._changed = changed, list(changed)
            self._read_again()

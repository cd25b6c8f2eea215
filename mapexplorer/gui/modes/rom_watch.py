"""Notices when another program writes the ROM or the saved game that is open, and has it read again.

The system tells which files and folders are written; where it does not, a check of all of them finds it. A file is read
again when two looks at it, a pause apart, find it changed, and the same.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import Final

from PyQt5.QtCore import QFileSystemWatcher, QObject, QTimer, pyqtSignal

from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.jobs.requests import SOON
from mapexplorer.gui.widgets.layout import timer
from mapexplorer.rom import Rom, Stamp
from mapexplorer.world.saved_game import SavedGame

INTERVAL: Final = 1000
"""Milliseconds between two checks, and between two looks at files that were changed."""

TEXT_INTERVAL, TEXT_PAUSE = 2000, 20
"""The same of a ROM that is made from texts: to look at some thousand files takes 30 ms, and they are edited while the
ROM is looked at."""

_AT_ONCE, _SOON = 500, 50
"""The most files that the system is told of in one turn of the event loop, which takes 10 ms; milliseconds to the next.
"""

NAMED: Final = 3
"""The most files that are named."""

Stamps = dict[Path, Stamp | None]
Watched = Rom | SavedGame
"""What knows the files that it was read from."""


class RomWatch(QObject):
    """Looks at files in a worker, and has them read again after they were written. `opened`: the ROM or the saved game
    that is open, None for none; `read_again` reads it again. `limited`: the system watches no further files."""

    limited = pyqtSignal()

    def __init__(
        self, jobs: JobController, opened: Callable[[], Watched | None], read_again: Callable[[], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._jobs, self._opened, self._read_again = jobs, opened, read_again
        self._checked: Watched | None = None
        self._changed: list[Path] = []
        self._seen: Stamps = {}
        self._tried: Stamps = {}
        self._told: set[Path] = set()
        """What was written since it was read."""
        self._writes = 0
        self._watched: set[Path] = set()
        self._is_limited = False
        self._system = QFileSystemWatcher(self)
        self._pause = timer(self, INTERVAL, self._look_again)
        self._timer = timer(self, INTERVAL, self.check, repeats=True)
        self._timer.start()
        jobs.opened.connect(self._look_again)

    def check(self) -> None:
        """Check the files now."""
        opened = self._followed()
        if opened is not None:
            self._watch_more()
            if not self._pause.isActive():
                self._look(opened, opened.opened_stamps)

    def _watch_more(self) -> None:
        """Be told when what was read meanwhile is written, of some files at once."""
        opened = self._followed()
        read = () if opened is None else opened.opened_stamps
        new = list(islice((path for path in read if path not in self._watched), _AT_ONCE))
        self._watch(new)
        if len(new) == _AT_ONCE and not self._is_limited:
            QTimer.singleShot(_SOON, self._watch_more)

    def _followed(self) -> Watched | None:
        """What is open, and is looked at from now on: another ROM or saved game, or a later state of one."""
        opened = self._opened()
        if opened is not self._checked:
            self._checked, self._seen, self._tried = opened, {}, {}
            self._timer.setInterval(TEXT_INTERVAL if self._has_texts else INTERVAL)
            if opened is None or self._watched.isdisjoint(opened.opened_stamps):
                self._forget()
        return opened

    def _forget(self) -> None:
        """Look at no file any more."""
        self._told.clear()
        self._watched.clear()
        self._is_limited = False
        self._system.deleteLater()
        self._system = QFileSystemWatcher(self)
        self._system.fileChanged.connect(self._written)
        self._system.directoryChanged.connect(self._written)

    def _watch(self, paths: Iterable[Path]) -> None:
        """Be told when files and folders are written, as far as the system can."""
        new = [] if self._is_limited else [str(path) for path in paths if path not in self._watched]
        failed = self._system.addPaths(new) if new else []
        self._watched.update(map(Path, set(new).difference(failed)))
        if any(map(os.path.exists, failed)):
            self._is_limited = True
            self.limited.emit()

    def _written(self, path: str) -> None:
        """Look at a file or folder until it is at rest."""
        self._system.removePath(path)
        self._watched.discard(Path(path))
        self._told.add(Path(path))
        self._writes += 1
        if not self._pause.isActive():
            self._look_again()

    def _look_again(self) -> None:
        """Look at what was written."""
        opened = self._followed()
        if opened is not None and self._told:
            self._watch(self._told)
            self._pause.start(INTERVAL)  # at most, where the look is cancelled
            self._look(opened, self._told.copy())

    def _look(self, opened: Watched, paths: Iterable[Path]) -> None:
        writes = self._writes
        self._jobs.move.submit(  # the reading worker may make a store for seconds
            lambda task: opened.changes(paths),
            lambda changed: self._compare(opened, changed, self._writes == writes),
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

    def _compare(self, opened: Watched, changed: Stamps, at_rest: bool) -> None:
        """`at_rest`: nothing was written meanwhile."""
        if self._opened() is not opened:
            return
        settled, self._seen = at_rest and changed == self._seen, changed
        absent = not self._has_texts and None in changed.values()
        if not settled:
            self._told.update(changed)
            self._pause.start(TEXT_PAUSE if self._has_texts else INTERVAL)
            return
        self._pause.stop()
        self._told.clear()
        if changed and not absent and changed != self._tried:
            self._tried, self._changed = changed, list(changed)
            self._read_again()

"""Small pictures of things for lists, read by a worker when a row first needs one."""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np
import numpy.typing as npt
from PyQt5.QtCore import QObject, QTimer, pyqtSignal
from PyQt5.QtGui import QPixmap

from mapexplorer.catalogue.kinds import WITH_ICON
from mapexplorer.export.icons import readable_picture
from mapexplorer.gui.images import image_of
from mapexplorer.gui.jobs.controller import SOON, JobController
from mapexplorer.gui.jobs.worker import Task
from mapexplorer.gui.place_renderer import PlaceRenderer
from mapexplorer.world.subject import Subject

Pixels = npt.NDArray[np.uint8]
Read = list[tuple[Subject, Pixels | None]]

_AT_ONCE = 24
"""Pictures that are read by one job."""


def _small_picture(renderer: PlaceRenderer, chosen: Subject) -> Pixels | None:
    return readable_picture(renderer.world, chosen.kind, chosen.key[0])


class Pictures(QObject):
    """The pictures of a ROM's things. `changed`: more of them have been read.

    `kinds`: the kinds of things that have pictures; `read` makes one, in a worker; `at_once`: pictures of one job;
    those that were asked for last are made first.
    """

    changed = pyqtSignal()

    def __init__(
        self,
        jobs: JobController,
        parent: QObject | None = None,
        *,
        kinds: Collection[str] = WITH_ICON,
        read: Callable[[PlaceRenderer, Subject], Pixels | None] = _small_picture,
        at_once: int = _AT_ONCE,
    ) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._kinds, self._read, self._at_once = kinds, read, at_once
        self._known: dict[Subject, QPixmap | None] = {}
        self._wanted: dict[Subject, None] = {}
        self._task: Task | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._ask)
        jobs.explorer.rom_changed.connect(self._clear)

    def _clear(self) -> None:
        self._known.clear()
        self._wanted.clear()

    def has(self, chosen: Subject | None) -> bool:
        """Whether things of this kind have pictures."""
        return chosen is not None and chosen.kind in self._kinds

    def get(self, chosen: Subject) -> QPixmap | None:
        """The picture of a thing; None where there is none, and while it is being read."""
        if chosen not in self._known:
            self._known[chosen] = None
            self._wanted[chosen] = None
            self._timer.start()
        elif chosen in self._wanted:  # it is still seen, so that it is read before what is not
            del self._wanted[chosen]
            self._wanted[chosen] = None
        return self._known[chosen]

    def _ask(self) -> None:
        """Have the next pictures read, if none are being read."""
        if self._task is not None and not (self._task.finished or self._task.cancelled):
            return
        wanted = list(self._wanted)[: -self._at_once - 1 : -1]
        for one in wanted:
            del self._wanted[one]
        if not wanted:
            return

        def read(renderer: PlaceRenderer) -> Read:
            return [(one, self._read(renderer, one)) for one in wanted]

        self._task = self._jobs.ask(read, self._take, priority=SOON)

    def _take(self, found: Read) -> None:
        for chosen, picture in found:
            if picture is not None:
                self._known[chosen] = QPixmap.fromImage(image_of(picture))
        self.changed.emit()
        if self._wanted:
            self._timer.start()

"""Small pictures of things for lists, read by a worker when a row first needs one."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PyQt5.QtCore import QObject, QTimer, pyqtSignal
from PyQt5.QtGui import QPixmap

from mapexplorer.export.icons import KINDS, readable_picture
from mapexplorer.gui.images import image_of
from mapexplorer.gui.jobs.controller import SOON, JobController
from mapexplorer.gui.place_renderer import PlaceRenderer
from mapexplorer.inspector.subject import Subject

Read = list[tuple[Subject, npt.NDArray[np.uint8] | None]]

_AT_ONCE = 24
"""Pictures that are read by one job."""


class Pictures(QObject):
    """The pictures of a ROM's things. `changed`: more of them have been read."""

    changed = pyqtSignal()

    def __init__(self, jobs: JobController, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._known: dict[Subject, QPixmap | None] = {}
        self._wanted: dict[Subject, None] = {}
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
        return chosen is not None and chosen.kind in KINDS

    def get(self, chosen: Subject) -> QPixmap | None:
        """The picture of a thing; None where there is none, and while it is being read."""
        if chosen not in self._known:
            self._known[chosen] = None
            self._wanted[chosen] = None
            self._timer.start()
        return self._known[chosen]

    def _ask(self) -> None:
        wanted = list(self._wanted)[:_AT_ONCE]
        for one in wanted:
            del self._wanted[one]
        if not wanted:
            return

        def read(renderer: PlaceRenderer) -> Read:
            return [(one, readable_picture(renderer.world, one.kind, one.key[0])) for one in wanted]

        self._jobs.ask(read, self._take, priority=SOON)
        if self._wanted:
            self._timer.start()

    def _take(self, found: Read) -> None:
        for chosen, picture in found:
            if picture is not None:
                self._known[chosen] = QPixmap.fromImage(image_of(picture))
        self.changed.emit()

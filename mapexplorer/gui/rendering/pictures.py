"""Small pictures of things for lists, read by a worker when a row first needs one."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress

import numpy as np
import numpy.typing as npt
from PyQt5.QtCore import QObject, pyqtSignal
from PyQt5.QtGui import QPixmap

from formats.binary import FormatError
from mapexplorer.catalogue.kinds import WITH_ICON
from mapexplorer.errors import RomError
from mapexplorer.export.icons import readable_picture, texture_set_picture
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.jobs.loader import Fail, Loader, Take
from mapexplorer.gui.jobs.requests import SOON
from mapexplorer.gui.jobs.worker import Task
from mapexplorer.gui.rendering.images import image_of
from mapexplorer.gui.rendering.place_renderer import PlaceRenderer
from mapexplorer.world.models.texture_sets import SetKey
from mapexplorer.world.subject import Subject

Pixels = npt.NDArray[np.uint8]

_AT_ONCE = 24
"""Pictures that are requested at once."""


def small_picture(renderer: PlaceRenderer, chosen: Subject) -> Pixels | None:
    """A picture of a thing, at most (96, 128, 4); None where it cannot be read."""
    number = chosen.key[0]
    with suppress(FormatError, RomError):
        if chosen.kind == "prop":
            return renderer.prop_thumbnail(number)
        if chosen.kind in ("prop set", "terrain set"):
            return texture_set_picture(SetKey(chosen.kind == "terrain set", number).read(renderer.world))
        return readable_picture(renderer.world, chosen.kind, number)
    return None


class Pictures(QObject):
    """The pictures of a ROM's things. `changed`: one more has been read.

    `kinds`: the kinds of things that have pictures; `read` makes one, in a worker; those that were asked for last are
    made first.
    """

    changed = pyqtSignal()

    def __init__(
        self,
        jobs: JobController,
        parent: QObject | None = None,
        *,
        kinds: Collection[str] = WITH_ICON,
        read: Callable[[PlaceRenderer, Subject], Pixels | None] = small_picture,
        at_once: int = _AT_ONCE,
        priority: int = SOON,
    ) -> None:
        super().__init__(parent)
        self._jobs, self._kinds, self._read, self._priority = jobs, kinds, read, priority
        self._loader: Loader[Subject, QPixmap | None] = Loader(
            self._load, lambda *_: self.changed.emit(), at_once=at_once
        )
        jobs.explorer.rom_changed.connect(self._loader.clear)

    def has(self, chosen: Subject | None) -> bool:
        """Whether things of this kind have pictures."""
        return chosen is not None and chosen.kind in self._kinds

    def get(self, chosen: Subject, *, wanted: bool = True) -> QPixmap | None:
        """The picture of a thing; None where there is none, and while it is being read, which is begun if `wanted`."""
        if wanted:
            self._loader.want_first(chosen)
        return self._loader.get(chosen)

    def _load(self, chosen: Subject, version: None, take: Take[QPixmap | None], fail: Fail) -> Task | None:
        def show(pixels: Pixels | None) -> None:
            take(None if pixels is None else QPixmap.fromImage(image_of(pixels)))

        return self._jobs.request(
            lambda renderer: self._read(renderer, chosen), show, priority=self._priority, failed=fail
        )

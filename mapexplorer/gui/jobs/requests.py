"""The worker threads of the window, and functions that run in them for the ROM that is open.

Six workers: `draw` draws the frames of the DS view, `paint` the pictures of the OpenGL view, `move` makes people and
weather for them, `read` reads what panels and the OpenGL view show and, with the lowest priority, thumbnails, `work`
writes files, `map` draws the tiles of the map.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError
from time import monotonic
from typing import TypeVar

from PyQt5.QtCore import QObject, pyqtSignal

from mapexplorer.errors import RomChangedError, in_words
from mapexplorer.gui.jobs.compilation import Compilation
from mapexplorer.gui.jobs.opening import Opened
from mapexplorer.gui.jobs.worker import Task, Worker
from mapexplorer.gui.rendering.place_renderer import FrameRequest, PlaceRenderer
from mapexplorer.gui.rendering.tile_renderer import TileRenderer
from mapexplorer.inspector.facts import Description
from mapexplorer.inspector.roms.error_details import details_of
from mapexplorer.world.subject import Subject

T = TypeVar("T")
R = TypeVar("R")

READ, DRAW, MOVE = "read", "draw", "move"
"""Workers that have a `PlaceRenderer`."""

PRESENT, SOON, IDLE = 0, 2, 5
"""Priorities of the reading worker."""

MOVING = 0.2
"""Seconds after a change of the clock for which it counts as running."""


class Requests(QObject):
    """The workers, and the requests to them."""

    failed = pyqtSignal(str, str, str)  # title, sentence, details: the parts of the error, or the traceback of a defect

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ticked = -MOVING
        self.draw = Worker("draw", self)
        self.paint = Worker("paint", self, nice=0)  # its driver draws in threads of the same priority
        self.move = Worker("move", self)
        self.read = Worker("read", self, background=IDLE, moving=lambda: monotonic() - self._ticked < MOVING)
        self.work = Worker("work", self)
        self.map = Worker("map", self)
        self.compilation = Compilation(self)
        self.rom: Opened | None = None

    def count_as_moving(self) -> None:
        """Count the clock as running for a moment."""
        self._ticked = monotonic()

    def request(
        self,
        read: Callable[[PlaceRenderer], T],
        take: Callable[[T], None],
        *,
        key: str | None = None,
        priority: int = PRESENT,
        title: str = "",
        failed: Callable[[BaseException], None] | None = None,
        by: str = READ,
    ) -> Task | None:
        """Run a function in one of the workers READ, DRAW and MOVE; None when no ROM is open. `title`, `failed`: see
        `_request`."""
        rom = self.rom
        if rom is None:
            return None
        worker, renderer = {READ: (self.read, rom.read), DRAW: (self.draw, rom.draw), MOVE: (self.move, rom.move)}[by]
        return self._request(worker, renderer, read, take, failed, title, key, priority)

    def request_map(
        self,
        read: Callable[[TileRenderer], T],
        take: Callable[[T], None],
        failed: Callable[[BaseException], None] | None = None,
        *,
        priority: int = PRESENT,
    ) -> Task | None:
        """Run a function on the renderer of the map's tiles in its worker; None when no ROM is open."""
        if self.rom is None:
            return None
        return self._request(self.map, self.rom.tiles, read, take, failed, priority=priority)

    def explain(
        self, request: FrameRequest, x: int, y: int, tile: Subject | None, take: Callable[[Description], None]
    ) -> None:
        """Have a pixel of a frame explained: see `PlaceRenderer.explained`."""
        self.request(
            lambda renderer: renderer.explained(request, x, y, tile),
            take,
            key="pixel",
            title="This pixel cannot be explained",
            by=DRAW,
        )

    def _request(
        self,
        worker: Worker,
        renderer: R,
        read: Callable[[R], T],
        take: Callable[[T], None],
        failed: Callable[[BaseException], None] | None = None,
        title: str = "",
        key: str | None = None,
        priority: int = PRESENT,
    ) -> Task:
        """Run a function in a worker; nothing is delivered when another ROM is open by then. An error is given to
        `failed`; a defect, and without `failed` any error, is shown as a notice."""
        rom = self.rom

        def deliver(result: T) -> None:
            if self.rom is rom:
                take(result)

        def fail(error: BaseException, trace: str) -> None:
            if trace or failed is None:
                self.notify(title or "This cannot be read", error, trace)
            if failed is not None and self.rom is rom:
                failed(error)

        owner = getattr(take, "__self__", None)
        return worker.submit(lambda task: read(renderer), deliver, fail, key=key, priority=priority, owner=owner)

    def notify(self, title: str, error: BaseException, trace: str = "", rom: str = "") -> None:
        """Show an error as a notice, except for cancelled jobs and those of a ROM that has changed, which is read
        again. `rom`: the ROM in which it happened, by default the open one."""
        if not isinstance(error, CancelledError | RomChangedError):
            details = details_of(error, rom or (self.rom.path if self.rom is not None else ""))
            self.failed.emit(title, in_words(error) or type(error).__name__, f"{trace}\n{details}".lstrip())

    def stop(self) -> None:
        """End the threads."""
        self.compilation.stop()
        for worker in (self.draw, self.paint, self.move, self.read, self.work, self.map):
            worker.stop()

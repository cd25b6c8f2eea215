"""Requests the work that the model's state needs from the worker threads, and emits their results: ROMs that are opened
and read again, maps that are gone to, frames of the DS view, overlays.

At most one frame is in flight; changes meanwhile are drawn after it. A frame that waits for kernels is replaced by the
latest one that is wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from time import monotonic

from PyQt5.QtCore import QObject, pyqtSignal

from mapexplorer.catalogue.kinds import header_of
from mapexplorer.errors import RomChangedError
from mapexplorer.gui.jobs import gc_control
from mapexplorer.gui.jobs.loader import Fail, Loader, Take
from mapexplorer.gui.jobs.opening import Opened, open_everything
from mapexplorer.gui.jobs.requests import DRAW, SOON, Requests
from mapexplorer.gui.jobs.worker import EXPECTED, Task
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.opened_map import OpenedMap, arrive, tile_of
from mapexplorer.gui.model.overlay import MapOverlay
from mapexplorer.gui.model.walking import Walking
from mapexplorer.gui.modes.other_rom import OtherRom
from mapexplorer.gui.rendering.place_renderer import FrameRequest, PlaceRenderer, RenderedFrame
from mapexplorer.gui.widgets.layout import timer
from mapexplorer.world import wording
from mapexplorer.world.sources.damage import Damage
from mapexplorer.world.subject import Subject

SETTLED, RELOADED = 1500, 10_000
"""Milliseconds after which the data of the previous ROM is freed; of one that was read again, which may be often."""
LONGEST = 60
"""Seconds of such changes after which it is freed as soon as the last one is shown: that takes up to a second."""
FIRST_FRAME = 0.15
"""Seconds that reading for panels waits for the first frame of a place: with a drawing and a reading worker the window
would wait for Python's interpreter lock."""
SLOW_FRAME = 700
"""Milliseconds after which the user is told why a frame takes long."""


class JobController(Requests):
    """What the window shows of its ROM, from the workers, as signals."""

    frame_ready = pyqtSignal(object)
    overlay_ready = pyqtSignal(object)
    opened = pyqtSignal(object)
    reloaded = pyqtSignal()
    not_opened = pyqtSignal()
    frame_waits = pyqtSignal()  # the frame cannot be drawn before kernels are compiled
    busy = pyqtSignal(str)

    def __init__(self, explorer: Explorer, walking: Walking, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.explorer, self.walking = explorer, walking
        self.frame: RenderedFrame | None = None
        self.overlay: MapOverlay | None = None
        self.frames_wanted = True
        self.frames_drawn = 0
        self.other: OtherRom | None = None
        """The ROM with which the open one is compared."""
        self.picture_size = 0, 0
        """The pixels of the DS picture on the screen: so large is the image of a frame."""
        self._frames: Loader[None, RenderedFrame] = Loader(self._load_frame, self._frame_done, at_once=1, budget=None)
        self._frame_task: Task | None = None
        self._redraws = 0
        self._go_task: Task | None = None
        self._replaced = 0.0
        self._reported: set[Damage] = set()
        self._slow_timer = timer(self, SLOW_FRAME, lambda: self.busy.emit("Drawing the DS picture …"))
        self._settled_timer = timer(self, SETTLED, gc_control.collect_all)
        self.draw.parked.connect(self._parked)
        for signal in (explorer.camera_changed, explorer.scene_changed, explorer.clock.changed):
            signal.connect(self.request_frame)
        explorer.layers.changed.connect(self._layer_changed)
        explorer.clock.changed.connect(self.count_as_moving)

    # --- opening

    def open(self, path: str) -> Task:
        """Open a ROM in the background; the present one is kept until then."""
        self.busy.emit(f"Opening {path} …")
        first_header = self.explorer.first_header
        failed = self._open_failed(path, f"{path} cannot be opened")
        return self.read.submit(lambda task: open_everything(path, first_header), self._take, failed, key="open")

    def reload(self) -> None:
        """Open the present ROM again, after its files have changed; place and camera are kept. If it cannot be opened,
        what was read before is still shown."""
        before = self.rom
        if before is None:
            return
        place = self.explorer.place
        first = place.header.id if place is not None else before.first

        def take(opened: Opened) -> None:
            if self.rom is before:
                self._use(opened, lambda: self.explorer.reload(opened.world, opened.first), RELOADED)
                self.reloaded.emit()

        wanted = self.wanted() if self.frames_wanted else None

        def open_again(task: Task) -> Opened:
            """Open it, and draw its first frame before other workers read what has changed."""
            opened = open_everything(before.path, lambda world, _: min(first, len(world.headers) - 1), before.world.rom)
            if wanted is not None and wanted.header == opened.first:
                with suppress(Exception):  # the next one is drawn, and notified, as any frame
                    opened.draw.frame(wanted)
            return opened

        self.move.submit(
            open_again,
            take,
            self._open_failed(before.path, f"{before.path} has changed and cannot be opened"),
            key="open",
        )

    def _take(self, opened: Opened) -> None:
        self.busy.emit("")
        self._use(opened, lambda: self.explorer.open(opened.world, opened.path, opened.arrival))

    def _use(self, opened: Opened, show: Callable[[], None], freed_after: int = SETTLED) -> None:
        """Replace the ROM, and show it."""
        self.read.clear()
        self.move.clear()
        self.map.clear()
        if self.rom is not None:
            if not self._settled_timer.isActive():
                self._replaced = monotonic()
            self._settled_timer.start(freed_after if monotonic() < self._replaced + LONGEST else SETTLED)
        self.rom = opened
        self.frame = self.overlay = None
        self._frames.clear()
        self._slow_timer.stop()
        self._reported.clear()
        self._expect_frame()
        with suppress(RomChangedError):  # it is opened again
            show()
        self.opened.emit(opened)
        self.request_frame()

    def _open_failed(self, path: str, title: str) -> Callable[[BaseException, str], None]:
        def failed(error: BaseException, trace: str) -> None:
            self.busy.emit("")
            self.notify(title, error, trace, path)
            self.not_opened.emit()

        return failed

    def select(self, chosen: Subject) -> None:
        """Select a thing; if it is on another map, change to that map."""
        place, header = self.explorer.place, header_of(chosen)
        if header is None or (place is not None and place.header.id == header):
            self.explorer.select(chosen)
        else:
            self.go(header, chosen)

    def look_at(self, chosen: Subject) -> None:
        """Select a thing and move the camera to it, if it is on a map."""
        place, header, opened = self.explorer.place, header_of(chosen), self.rom
        if place is None or opened is None or (header is not None and header != place.header.id):
            self.select(chosen)
            return
        self.explorer.select(chosen)
        tile = tile_of(opened.world, chosen)
        if tile is not None:
            self.explorer.look_at_tile(*tile)

    def go(self, header: int, chosen: Subject | None = None) -> None:
        """Change to a map header, and select `chosen` there, as soon as a worker has read what is to be shown.
        Of several that wait for the worker only the last is taken."""
        opened, save = self.rom, self.explorer.save_on_entering(header)
        if opened is None:
            return

        def find(task: Task) -> OpenedMap:
            return arrive(opened.world, header, save, None if chosen is None else tile_of(opened.world, chosen))

        def enter(arrival: OpenedMap) -> None:
            if self.rom is not opened:
                return
            self._expect_frame()
            try:
                self.explorer.enter(arrival, chosen)
            except EXPECTED as error:
                failed(error, "")

        def failed(error: BaseException, trace: str) -> None:
            self.notify("This map cannot be shown", error, trace)

        self._go_task = self.draw.submit(find, enter, failed, key="go")

    # --- frames

    def wanted(self) -> FrameRequest | None:
        """The request for a frame of the model's present state."""
        explorer = self.explorer
        if self.rom is None or explorer.place is None or explorer.world is not self.rom.world:
            return None
        layers, player = explorer.layers, self.walking.figure
        half_fov = player.half_fov if player is not None else 0
        missing = layers.shown("missing_ds")
        view = replace(explorer.view, missing=missing, half_fov=half_fov)
        faint = tuple((name, layers[name].opacity) for name in sorted(view.layers) if layers[name].opacity < 1)
        return FrameRequest(
            explorer.place.header.id,
            view,
            player,
            faint,
            layers.opacity("wireframe"),
            explorer.zones,
            explorer.feature,
            explorer.place.known,
            explorer.save_change,
        )

    def want_frames(self, wanted: bool) -> None:
        """Set whether DS pictures are visible; otherwise none are drawn."""
        self.frames_wanted = wanted
        self.request_frame()

    def request_frame(self) -> None:
        """Draw a frame of the model's present state, unless it is drawn or queued already."""
        request = self.wanted() if self.frames_wanted else None
        self._frames.want({} if request is None else {None: (request, self._redraws)})

    def _expect_frame(self) -> None:
        """Draw the first frame of a place before panels are read."""
        if self.frames_wanted:
            self.read.wait(FIRST_FRAME)

    def redraw(self) -> None:
        """Draw the frame of the present state anew."""
        self._redraws += 1
        self.request_frame()

    def _load_frame(
        self, key: None, version: tuple[FrameRequest, int], take: Take[RenderedFrame], fail: Fail
    ) -> Task | None:
        request, _ = version
        other, title = self.other, "This map cannot be drawn"

        def draw(renderer: PlaceRenderer) -> RenderedFrame:
            frame = renderer.frame(request)
            if other is not None:
                frame = other.with_before(frame)
            return frame.enlarged(*self.picture_size)

        def failed(error: BaseException) -> None:
            if not isinstance(error, RomChangedError):  # then the last picture is shown until the ROM is read again
                self.frame = None
                self.frame_ready.emit(None)
                self.notify(title, error)
            fail(error)

        self._slow_timer.start()
        self._frame_task = self.request(draw, take, key="frame", title=title, failed=failed, by=DRAW)
        return self._frame_task

    def _parked(self, task: Task) -> None:
        if task is self._frame_task:
            self._slow_timer.stop()
            self._frames.postpone(None)
            self.frame_waits.emit()
            self.request_frame()

    def _frame_done(self, key: None, version: tuple[FrameRequest, int], frame: RenderedFrame | None) -> None:
        self._slow_timer.stop()
        if frame is None:
            return
        self.frames_drawn += 1
        if self.explorer.place is not None and frame.request.header == self.explorer.place.header.id:
            self.frame = frame
            self.frame_ready.emit(frame)
            self.read.wait(0)
            self.notify_damaged(frame.damaged)
            self.request_overlay(frame.request.header, frame.cells, frame.request.known)
        self.request_frame()

    def notify_damaged(self, damaged: Sequence[Damage]) -> None:
        """Show a notice, once for each ROM, about what its pictures leave out."""
        new = [damage for damage in damaged if damage not in self._reported]
        if new:
            self._reported.update(new)
            first, *others = map(wording.damage, new)
            more = f" And {len(others)} more." if others else ""
            self.failed.emit("The picture lacks what is damaged", f"{first}.{more}", "\n".join(others))

    def _layer_changed(self, name: str) -> None:
        if self.explorer.layers[name].scene:
            self.request_frame()

    # --- overlay

    def request_overlay(self, header: int, cells: tuple[tuple[int, int], ...], known: frozenset[str]) -> None:
        """Read the overlay of these cells of a place in a worker, unless it is loaded; `known`: see `FieldPlace`."""
        shown, whole = self.overlay, self.explorer.options.all_cells
        if (
            shown is not None
            and (shown.header, shown.known) == (header, known)
            and {(c.cell.x, c.cell.z) for c in shown.cells} == set(cells)
        ):
            return
        self.request(
            lambda renderer: renderer.overlay(header, cells, known, whole=whole),
            self._overlay_done,
            key="overlay",
            priority=SOON,
            title="Tiles and plates cannot be read",
        )

    def _overlay_done(self, overlay: MapOverlay) -> None:
        self.overlay = overlay
        self.overlay_ready.emit(overlay)

    @property
    def settled(self) -> bool:
        """Whether no job for a map, frame or file is queued or running, and each chosen map is shown."""
        goes = self._go_task is not None and not self._go_task.finished
        idle = all(worker.idle for worker in (self.draw, self.paint, self.work))
        return not goes and self._frames.complete() and idle

"""Compares the window's ROM with another one: reads and draws the other ROM beside it, and marks what differs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PyQt5.QtCore import QObject, pyqtSignal

from formats.binary import FormatError
from mapexplorer.compare.change import Kind
from mapexplorer.compare.changed_places import (
    ChangedPlace,
    changed_places,
    changed_props,
    changed_tiles,
    headers_before,
)
from mapexplorer.compare.comparison import compare
from mapexplorer.errors import PlaceError, RomChangedError, RomError
from mapexplorer.gui.jobs.controller import IDLE, JobController, Opened
from mapexplorer.gui.jobs.worker import Task
from mapexplorer.gui.model.comparison import ComparedRom, Found, Shown
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.marks import ChangedThings
from mapexplorer.gui.place_renderer import FrameRequest, PlaceRenderer, RenderedFrame
from mapexplorer.gui.views.area import BOTH, DS, Views
from mapexplorer.inspector.changed_facts import with_values_before
from mapexplorer.inspector.changes import changes_summary
from mapexplorer.inspector.describe import describe
from mapexplorer.inspector.facts import Description
from mapexplorer.inspector.listed_changes import listed_changes
from mapexplorer.rom import Rom
from mapexplorer.world import FieldWorld
from mapexplorer.world.opening import open_rom
from mapexplorer.world.save import Save
from mapexplorer.world.subject import Subject, subject

_POSITIONS = (Kind.TILE, Kind.PROP, Kind.EVENT, Kind.WARP)
"""The kinds that are marked over the picture."""


@dataclass(frozen=True, eq=False)
class Other:
    """The other ROM: a world for comparing, and a renderer for each worker that reads it. `headers`: header of the
    window's ROM -> the same map here."""

    rom: Rom
    world: FieldWorld
    draw: PlaceRenderer
    read: PlaceRenderer
    headers: dict[int, int]


class CompareMode(QObject):
    """The comparison of the window's ROM, which is the one after, with another one, which is the one before.

    `told`: title and sentence about the outcome.
    """

    told = pyqtSignal(str, str)

    def __init__(self, explorer: Explorer, jobs: JobController, views: Views) -> None:
        super().__init__(views)
        self.explorer, self.jobs, self.views = explorer, jobs, views
        self.state = ComparedRom()
        self.other: Other | None = None
        self._opened: Opened | None = None
        self._wanted = ""
        """The ROM that was to be compared last."""
        views.ds.compare(self.state)
        jobs.compare_frame = self._with_before
        jobs.opened.connect(self._rom_opened)
        explorer.place_changed.connect(self._mark)

    # --- begin and end

    def open(self, path: str) -> None:
        """Compare with a ROM, in the background."""
        opened = self.jobs.rom
        if opened is None:
            return
        self._wanted = path
        self.jobs.busy.emit(f"Comparing with {path} …")

        def read(task: Task) -> tuple[Other, Found]:
            rom = open_rom(path)
            world = FieldWorld(rom)
            found = compare(world, opened.world)
            places = changed_places(world, opened.world, found)
            headers = headers_before(world, opened.world)
            other = Other(rom, world, PlaceRenderer(rom), PlaceRenderer(rom), headers)
            groups = listed_changes(world, opened.world, found)
            return other, Found(found, {place.header: place for place in places}, groups)

        def done(result: tuple[Other, Found]) -> None:
            self.jobs.busy.emit("")
            present = self.jobs.rom
            if self._wanted != path or present is None or present.path != opened.path:
                return
            if present is opened:
                self._take(path, *result)
            else:  # it was read again meanwhile
                self.open(path)

        def failed(error: BaseException, trace: str) -> None:
            self.jobs.busy.emit("")
            self.jobs.tell(f"{path} cannot be compared", error, trace, path)

        self.jobs.work.submit(read, done, failed, key="compare", priority=IDLE)

    def close(self) -> None:
        """Compare no more."""
        self.other, self._wanted = None, ""
        self.state.path, self.state.found, self.state.shown = "", None, Shown.AFTER
        self._changed()

    def again(self) -> None:
        """Compare again, after one of the ROMs has changed."""
        if self.state.active:
            self.open(self.state.path)

    def _take(self, path: str, other: Other, found: Found) -> None:
        self.other = other
        self.state.path, self.state.found = path, found
        self._changed()
        self.told.emit(changes_summary(found.comparison), f"{path} is the ROM before, the open one that after.")

    def _changed(self) -> None:
        self.state.changed.emit()
        self._mark()
        self.jobs.redraw()
        self.explorer.selection_changed.emit()

    def _rom_opened(self, opened: Opened) -> None:
        """Another ROM was opened, or the present one was read again."""
        before, self._opened = self._opened, opened
        if before is not None and before.path == opened.path:
            self.again()
        elif self.state.active:
            self.close()

    # --- what is shown

    def show(self, shown: Shown) -> None:
        """Show one of the ROMs, the difference, or both along a line, in the DS picture."""
        if self.views.shown not in (DS, BOTH):
            self.views.show_view(DS)
        self.state.show(shown)

    def go(self, step: int) -> None:
        """Go to the next changed place, or the one before, by header."""
        place, found = self.explorer.place, self.state.found
        if place is None or found is None or not found.places:
            return
        headers = sorted(found.places, reverse=step < 0)
        beyond = [header for header in headers if (header - place.header.id) * step > 0]
        self.jobs.go((beyond or headers)[0])

    def _with_before(self, frame: RenderedFrame) -> RenderedFrame:
        """A frame with the picture of the same view in the other ROM. Called in the worker that draws."""
        other = self.other
        header = None if other is None else other.headers.get(frame.request.header)
        if other is None or header is None:
            return frame
        try:
            return replace(frame, before=other.draw.frame(_of_other(frame.request, other, header)).picture)
        except RomChangedError:
            return frame  # it is read again
        except (FormatError, RomError, PlaceError, ValueError):
            return frame  # the view says that there is no picture

    def _mark(self) -> None:
        """Mark what differs on the present map, as soon as a worker has found it."""
        place, found, other = self.explorer.place, self.state.found, self.other
        changed = None if place is None or found is None else found.places.get(place.header.id)
        self._set_marks(None)
        if changed is not None and other is not None:
            self.jobs.ask(
                lambda renderer: _marks(other.read, renderer, changed), self._set_marks, key="changed things",
                title="The differences of this map cannot be read",
            )  # fmt: skip

    def _set_marks(self, changed: ChangedThings | None) -> None:
        if changed != self.explorer.marks.changed:
            self.explorer.marks = replace(self.explorer.marks, changed=changed)
            self.views.refresh()

    def described(self, description: Description, header: int, chosen: Subject, save: Save) -> Description:
        """A description with the values that the same thing has in the other ROM. Called in the worker that reads."""
        other = self.other
        before = None if other is None else other.headers.get(header)
        if other is None or before is None:
            return description
        if chosen.kind == "header":
            chosen = subject("header", other.headers.get(chosen.key[0], before))
        elif other.world.game is not self.explorer.game:
            return description  # numbers mean other things
        try:
            return with_values_before(description, describe(other.read.world, before, chosen, save))
        except (FormatError, RomError, PlaceError, KeyError, IndexError):
            return description  # the other ROM does not have it


def _of_other(request: FrameRequest, other: Other, header: int) -> FrameRequest:
    """A request for the same picture of the other ROM."""
    zones = tuple((tick, other.headers.get(zone, header)) for tick, zone in request.zones)
    return replace(request, header=header, zones=zones)


def _marks(before: PlaceRenderer, after: PlaceRenderer, changed: ChangedPlace) -> ChangedThings:
    """The tiles and props of a map that differ. Raises FormatError, RomError, PlaceError."""
    was = None if changed.before is None else before.place(changed.before)
    now = after.place(changed.header)
    things = [change for change in changed.changes if change.kind in _POSITIONS]
    tiles = dict.fromkeys(tile for change in things for tile in changed_tiles(was, now, change))
    matrix = now.matrix_id.value
    lands = before.world.game is after.world.game  # else numbers of lands mean other ones
    props = frozenset(
        subject("placed prop", matrix, *at) for change in things if lands for at in changed_props(now, change)
    )
    return ChangedThings(matrix, tuple(tiles), props)

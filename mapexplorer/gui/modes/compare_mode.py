"""Compares the window's ROM with another one: reads and draws the other ROM beside it, and marks what differs."""

from __future__ import annotations

from collections.abc import Mapping

from PyQt5.QtCore import QObject, pyqtSignal

from mapexplorer.compare.change import ChangedKind, Comparison
from mapexplorer.compare.changed_places import (
    ChangedPlace,
    changed_places,
    changed_props,
    changed_tiles,
    headers_before,
)
from mapexplorer.compare.comparison import compare
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.jobs.opening import Opened
from mapexplorer.gui.jobs.requests import IDLE
from mapexplorer.gui.jobs.worker import Task
from mapexplorer.gui.model.comparison import ComparedRom, Shown
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.modes.other_rom import OtherRom
from mapexplorer.gui.rendering.place_renderer import PlaceRenderer
from mapexplorer.gui.views.area import BOTH, DS, Views
from mapexplorer.inspector.facts import ListedGroup
from mapexplorer.inspector.roms.changes import changes_summary, listed_changes
from mapexplorer.world import FieldWorld
from mapexplorer.world.opening import open_rom
from mapexplorer.world.subject import Subject, subject

_POSITIONS = (ChangedKind.TILE, ChangedKind.PROP, ChangedKind.EVENT, ChangedKind.WARP)
"""The kinds that are marked over the picture."""


class CompareMode(QObject):
    """The comparison of the window's ROM, which is the one after, with another one, which is the one before.

    `notified`: title and sentence about the outcome.
    """

    notified = pyqtSignal(str, str)

    def __init__(self, explorer: Explorer, jobs: JobController, views: Views) -> None:
        super().__init__(views)
        self.explorer, self.jobs, self.views = explorer, jobs, views
        self.state = ComparedRom()
        self._opened: Opened | None = None
        self._wanted = ""
        """The ROM that was to be compared last."""
        self._swap: tuple[str, str, int | None] | None = None
        """A ROM that is being opened, the one that it is to be compared with, and the map to show."""
        views.ds.compare(self.state)
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

        def read(task: Task) -> tuple[OtherRom, Comparison, Mapping[int, ChangedPlace], tuple[ListedGroup, ...]]:
            world = FieldWorld(open_rom(path))
            comparison = compare(world, opened.world)
            places = changed_places(world, opened.world, comparison)
            headers = headers_before(world, opened.world)
            other = OtherRom(world, PlaceRenderer(world), PlaceRenderer(world), headers)
            groups = listed_changes(world, opened.world, comparison)
            return other, comparison, {place.header: place for place in places}, groups

        def done(result: tuple[OtherRom, Comparison, Mapping[int, ChangedPlace], tuple[ListedGroup, ...]]) -> None:
            self.jobs.busy.emit("")
            present = self.jobs.rom
            if self._wanted != path or present is None or present.path != opened.path:
                return
            if present is opened:
                self.jobs.other = result[0]
                self._set(path, *result[1:])
                self.notified.emit(changes_summary(result[1]), f"{path} is the ROM before, the open ROM the one after.")
            else:  # it was read again meanwhile
                self.open(path)

        def failed(error: BaseException, trace: str) -> None:
            self.jobs.busy.emit("")
            self.jobs.notify(f"{path} cannot be compared", error, trace, path)

        self.jobs.work.submit(read, done, failed, key="compare", priority=IDLE)

    def close(self) -> None:
        """Compare no more."""
        self.jobs.other, self._wanted = None, ""
        self.state.shown = Shown.AFTER
        self._set("", None, {}, ())

    def swap(self) -> None:
        """Open the other ROM at the same map, and compare it with the one that is open now."""
        place, other = self.explorer.place, self.jobs.other
        if place is not None and other is not None:
            self._swap = self.state.path, self.explorer.rom_path, other.headers.get(place.header.id)
            self.jobs.open(self.state.path)

    def again(self) -> None:
        """Compare again, after one of the ROMs has changed."""
        if self.state.active:
            self.open(self.state.path)

    def _set(
        self,
        path: str,
        comparison: Comparison | None,
        places: Mapping[int, ChangedPlace],
        groups: tuple[ListedGroup, ...],
    ) -> None:
        state = self.state
        state.path, state.comparison, state.places, state.groups = path, comparison, places, groups
        state.changed.emit()
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
        swap, self._swap = self._swap, None
        if swap is not None and swap[0] == opened.path:
            self.open(swap[1])
            if swap[2] is not None:
                self.jobs.go(swap[2])

    # --- what is shown

    def show(self, shown: Shown) -> None:
        """Show one of the ROMs, the difference, or both along a line, in the DS picture."""
        if self.views.shown not in (DS, BOTH):
            self.views.show_view(DS)
        self.state.show(shown)

    def go(self, step: int) -> None:
        """Go to the next changed place, or the one before, by header."""
        place, places = self.explorer.place, self.state.places
        if place is None or not places:
            return
        headers = sorted(places, reverse=step < 0)
        beyond = [header for header in headers if (header - place.header.id) * step > 0]
        self.jobs.go((beyond or headers)[0])

    def _mark(self) -> None:
        """Mark what differs on the present map, as soon as a worker has found it."""
        place, other = self.explorer.place, self.jobs.other
        changed = None if place is None else self.state.places.get(place.header.id)
        self.explorer.mark(changed=None)
        if changed is not None and other is not None:
            self.jobs.request(
                lambda renderer: _marks(other.read, renderer, changed),
                lambda things: self.explorer.mark(changed=things),
                key="changed things",
                title="The differences of this map cannot be read",
            )


def _marks(before: PlaceRenderer, after: PlaceRenderer, changed: ChangedPlace) -> frozenset[Subject]:
    """The tiles and placed props of a map that differ. Raises FormatError, RomError, PlaceError."""
    was = None if changed.before is None else before.place(changed.before)
    now = after.place(changed.header)
    things = [change for change in changed.changes if change.kind in _POSITIONS]
    matrix = now.matrix_id.value
    tiles = {subject("tile", matrix, *at) for change in things for at in changed_tiles(was, now, change)}
    lands = before.world.game.name == after.world.game.name  # else numbers of lands mean other ones
    props = {subject("placed prop", matrix, *at) for change in things if lands for at in changed_props(now, change)}
    return frozenset(tiles | props)

"""The list of maps: a filter, groups, and thumbnails that are drawn while the workers are idle."""

from __future__ import annotations

from PyQt5.QtCore import QPoint, QSize
from PyQt5.QtWidgets import QLineEdit

from mapexplorer.gui.docks.panel import Copied, Extra, Panel, copied_rows
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.jobs.loader import Loader
from mapexplorer.gui.jobs.requests import IDLE
from mapexplorer.gui.model.maplist import GROUPINGS, LOCATION, grouped
from mapexplorer.gui.rendering.pictures import Pictures
from mapexplorer.gui.widgets import icons
from mapexplorer.gui.widgets.controls import ComboBox, copy_text, show_text
from mapexplorer.gui.widgets.layout import MUTED, column, label, line_edit, row, timer
from mapexplorer.gui.widgets.listing import ThingsView
from mapexplorer.inspector.facts import ListedGroup, ListedThing
from mapexplorer.world import Header
from mapexplorer.world.headers.header import header_json
from mapexplorer.world.subject import Subject, subject

_THUMBNAIL = QSize(52, 39)
_AT_ONCE = 2
"""Thumbnails that are requested at once."""
_FEW = 40
"""Maps of a list whose groups are all open."""


class MapsPanel(Panel):
    """All maps of the ROM. `chosen`: one that is not shown (Subject)."""

    name, title = "maps", "Maps"

    def __init__(self, jobs: JobController) -> None:
        super().__init__(jobs.explorer)
        self.jobs = jobs
        self._left_over: Loader[int, str] = Loader(
            lambda header, _, take, fail: jobs.request(
                lambda renderer: renderer.left_over(header), take, priority=IDLE, failed=fail
            ),
            lambda *_: self.list.viewport().update(),
        )
        """Why headers count as left over."""
        self._rom_path = ""
        self._filter_timer = timer(self, 60, self.rebuild)
        self.count = label(role=MUTED, wrap=False)
        groupings = [(title, grouping) for grouping, title in GROUPINGS.items()]
        self.groups = ComboBox(groupings, hint="How the maps are grouped", letters=7)
        self.groups.choose(self.explorer.settings.get("grouping", LOCATION))
        self.groups.currentIndexChanged.connect(lambda _: self.explorer.settings.set("grouping", self.grouping))
        self.groups.currentIndexChanged.connect(self.rebuild)
        self.thumbnails = Pictures(
            jobs,
            self,
            kinds=("header",),
            read=lambda renderer, header: renderer.thumbnail(header.key[0]),
            at_once=_AT_ONCE,
            priority=IDLE,
        )
        self.list = ThingsView(
            self.explorer, self.thumbnails, "map list", marked=self._present, lines=self._lines, size=_THUMBNAIL
        )
        self.list.chosen.connect(lambda header: self.chosen.emit(header) if header != self._present() else None)
        self.list.activated.connect(self.left)
        self.first = self.filter = line_edit(
            "Filter maps",
            lambda _: self._filter_timer.start(),
            name="map filter",
            rows=self.list,
            choose_first=self._choose_first,
        )
        self.filter.addAction(icons.icon("search"), QLineEdit.LeadingPosition)
        self.filter.returnPressed.connect(self._open_first)
        self.offer_copy(self.list, self._copy_name)
        self.nothing = label(role=MUTED)
        self.nothing.hide()
        choices = row((self.count, 1), self.groups)
        self.setLayout(column(self.filter, choices, self.nothing, (self.list, 1), margins=(8, 2, 4, 4), spacing=6))
        self.explorer.rom_changed.connect(self._rom_changed)
        self.explorer.place_changed.connect(self.list.mark)

    @property
    def grouping(self) -> str:
        """How the maps are grouped."""
        return str(self.groups.currentData())

    @property
    def headers(self) -> list[Header]:
        """The maps of the list, as it is filtered and grouped."""
        world = self.explorer.world
        return [] if world is None else [world.headers[_number(thing)] for thing in self.list.shown]

    # --- contents

    def _rom_changed(self) -> None:
        self._left_over.clear()
        if self.explorer.rom_path != self._rom_path:
            self._rom_path = self.explorer.rom_path
            self.filter.clear()
        self.list.show_groups(())
        self._filter_timer.start()  # in a turn of its own: it takes as long as all else that follows another ROM

    def rebuild(self) -> None:
        """Fill the list with the maps that match the filter."""
        self._filter_timer.stop()
        text = self.filter.text().strip()
        headers = self.explorer.world.headers if self.explorer.world is not None else ()
        groups = grouped(headers, self.grouping, text)
        total, every = sum(map(len, groups.values())), len(headers)
        is_open = bool(text) or len(groups) <= 2 or total <= _FEW
        self.list.verticalScrollBar().setValue(0)
        self.list.show_groups(
            [ListedGroup(title, tuple(map(self._row, group)), not is_open) for title, group in groups.items()]
        )
        self.count.setText(f"{total} maps" if total == every else f"{total} of {every} maps")
        missing = every and not total
        show_text(self.nothing, f"No map has all of “{text}” in its names, number or kind." if missing else "")

    def _row(self, header: Header) -> ListedThing:
        title = (self.grouping == LOCATION and header.room) or header.title
        lines = (f"{header.internal_name} · {header.kind}",)
        return ListedThing(subject("header", header.id), title, lines, str(header.id))

    def _lines(self, thing: ListedThing) -> tuple[str, ...]:
        """What is below the title of a map, with why it counts as left over as soon as that is read."""
        self._left_over.want_first(_number(thing))
        left_over = self._left_over.get(_number(thing))
        return (f"{thing.lines[0]} · {left_over}",) if left_over else thing.lines

    def _present(self) -> Subject | None:
        place = self.explorer.place
        return None if place is None else subject("header", place.header.id)

    def _choose_first(self) -> bool:
        self.rebuild()
        return self.list.choose_first()

    def _open_first(self) -> None:
        if self._choose_first():
            self.left.emit()

    def copied(self) -> Copied:
        """The maps of the list, as it is filtered and grouped."""
        return copied_rows(
            [header_json(header) | {"matrix": header.matrix, "area": header.area} for header in self.headers]
        )

    def _copy_name(self, point: QPoint) -> Extra:
        thing, world = self.list.thing(self.list.indexAt(point)), self.explorer.world
        if thing is None or world is None:
            return []
        name = world.headers[_number(thing)].internal_name
        return [(f"Copy “{name}”", lambda: copy_text(name))]

    def neighbour(self, step: int) -> int | None:
        """The header `step` rows on in the list as it is shown; None at its ends."""
        order = [header.id for header in self.headers]
        if not order or self.explorer.place is None:
            return None
        header = self.explorer.place.header.id
        at = order.index(header) + step if header in order else 0
        return order[at] if 0 <= at < len(order) else None


def _number(thing: ListedThing) -> int:
    """The header of a row."""
    assert thing.subject is not None
    return int(thing.subject.key[0])

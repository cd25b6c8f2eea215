"""The panel of a comparison: the changed places with their differences, what the picture shows, and the table of all
differences, which is a window of its own."""

from __future__ import annotations

import html
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from PyQt5.QtCore import QModelIndex, Qt
from PyQt5.QtGui import QKeySequence
from PyQt5.QtWidgets import QAction, QDialog, QGridLayout, QPushButton, QShortcut, QSizePolicy, QWidget

from mapexplorer.catalogue.kinds import header_of
from mapexplorer.gui.docks.panel import Copied, Panel
from mapexplorer.gui.model.search import filtered
from mapexplorer.gui.modes.compare_mode import CompareMode
from mapexplorer.gui.rendering.images import image_of, png_of
from mapexplorer.gui.rendering.pictures import Pictures, Pixels, small_picture
from mapexplorer.gui.rendering.place_renderer import PlaceRenderer
from mapexplorer.gui.widgets.controls import fit_to_screen
from mapexplorer.gui.widgets.layout import (
    MUTED,
    bring_up,
    browser,
    button,
    chosen_value,
    column,
    label,
    line_edit,
    table,
    table_row,
    tool_button,
)
from mapexplorer.gui.widgets.listing import ThingsView
from mapexplorer.inspector.facts import ListedGroup, ListedThing
from mapexplorer.inspector.roms.changes import changes_json, changes_lines, changes_summary, in_a_line
from mapexplorer.values import count

_NOTHING: Final = (
    "Compare with another ROM to see what differs: that ROM counts as the one before, the open one as the one after."
)
_HINT: Final = "Filter changes"
_MOST: Final = 200
"""The most rows of a group of the list."""
_MOST_IN_TABLE: Final = 2000
"""The most rows of the table, which takes as long as the window may need for them."""

_SPACE: Final = 8
"""Pixels beside each of two pictures."""

Row = tuple[ListedGroup, ListedThing]
"""A difference, and the heading of the list under which it is."""


class ChangesPanel(Panel):
    """A button for each way to show the picture, one that opens the table, a filter, the list, and both values of the
    row that was chosen last."""

    name, title = "changes", "Changes"

    def __init__(self, mode: CompareMode, pictures: Pictures) -> None:
        super().__init__(mode.explorer)
        self.mode = mode
        self._groups: object = None
        self.message = label(_NOTHING, MUTED)
        self.ways = QWidget()
        self.ways.setObjectName("choices")
        self._grid = QGridLayout(self.ways)
        self._grid.setSpacing(2)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self.list = ThingsView(self.explorer, pictures, "changes list", lines=_lines)
        self.list.chosen.connect(lambda _: self._choose(_row(self.list.currentIndex())))
        self.first = self.filter = line_edit(
            _HINT,
            self.list.set_filter,
            name="changes filter",
            rows=self.list,
            choose_first=self.list.choose_first,
        )
        self.open = QPushButton("Compare with …")
        self.all = button("All changes …", self.show_table, "A table of all differences with their values")
        self.values = label(selectable=True)
        self.values.setTextFormat(Qt.RichText)
        self.found = QWidget()
        """What is shown while two ROMs are compared."""
        parts = self.ways, self.all, self.filter, (self.list, 1), self.values
        self.found.setLayout(column(*parts, margins=(0, 0, 0, 0), spacing=6))
        whole = column(self.message, self.open, (self.found, 1), margins=(8, 4, 4, 4), spacing=6)
        whole.addStretch()
        self.setLayout(whole)
        self.offer_copy(self.list)
        self._create_table()
        mode.state.changed.connect(self._update)
        self._update()

    def _create_table(self) -> None:
        """The window with the table, and both values of its present row."""
        self.page = QDialog(self)
        self.page.setWindowTitle("All changes")
        fit_to_screen(self.page, 1000, 640)
        self.table = table("all changes", "Where", "What", "Before", "After")
        self.table.header().setDefaultSectionSize(210)
        self.table.setColumnWidth(1, 320)
        self.table.currentItemChanged.connect(lambda *_: self._choose(chosen_value(self.table, tuple)))
        self.words = line_edit(_HINT, lambda _: self._fill(), name="all changes filter", rows=self.table)
        self.pair = browser("change before and after")
        QShortcut(QKeySequence(QKeySequence.Find), self.page, self.words.setFocus)
        self.page.setLayout(column(self.words, (self.table, 2), (self.pair, 1)))

    def set_actions(self, actions: list[QAction], open_image: QAction) -> None:
        """The actions that choose what the picture shows, as buttons, and the one that begins."""
        for number, action in enumerate(actions):
            button = tool_button(action)
            button.setToolButtonStyle(Qt.ToolButtonTextOnly)
            button.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Fixed)
            self._grid.addWidget(button, number // 2, number % 2, 1, 2 if action is actions[-1] else 1)
        self.open.clicked.connect(open_image.trigger)
        self._update()

    def _update(self) -> None:
        state, comparison = self.mode.state, self.mode.state.comparison
        if state.groups is not self._groups:
            self._groups = state.groups
            self.list.show_groups([_limited(group) for group in state.groups])
            self.values.clear()
            self._fill()
        self.message.setText(_NOTHING if comparison is None else f"Before: {state.path}\n{changes_summary(comparison)}")
        self.open.setVisible(not state.active)
        self.page.setVisible(self.page.isVisible() and state.active)
        self.found.setVisible(state.active)

    # --- the table

    def show_table(self) -> None:
        """Show the table of all differences."""
        bring_up(self.page)
        self.words.setFocus(Qt.OtherFocusReason)
        self._fill()

    def _fill(self) -> None:
        """Show the rows that have the words of the filter, when the table is visible."""
        rows = [(group, thing) for group in self.mode.state.groups for thing in group.rows if thing.lines]
        kept = filtered(self.words.text(), rows if self.page.isVisible() else (), lambda row: " ".join(_columns(*row)))
        self.table.clear()
        for row in kept[:_MOST_IN_TABLE]:
            texts = _columns(*row)
            table_row(self.table, texts, row, dict(enumerate(texts)))
        more = f", of which the first {_MOST_IN_TABLE:,} are shown" if len(kept) > _MOST_IN_TABLE else ""
        self.pair.setText(f"{len(kept):,} of {count(len(rows), 'row')}{more}.")

    # --- the row that was chosen last

    def _choose(self, row: Row | None) -> None:
        """Show both values of a row, and what it leads to; a thing that is on no map with the map of its heading."""
        place, other = self.explorer.place, self.mode.jobs.other
        if row is None or place is None or other is None:
            return
        group, thing = row

        def show(pictures: Sequence[Pixels | None]) -> None:
            for widget in (self.values, self.pair):
                room = widget.width() // 2 - _SPACE
                widget.setText(_side_by_side(thing.lines[1:], pictures, room) if thing.lines else "")

        def read(renderer: PlaceRenderer) -> list[Pixels | None]:
            sides = (other.read, thing.before), (renderer, thing.picture)
            return [None if shown is None else small_picture(side, shown) for side, shown in sides]

        show((None, None))
        self.mode.jobs.request(read, show, key="change", title="The pictures of this change cannot be read")
        if thing.subject is not None:
            self.chosen.emit(thing.subject)
            if group.place is not None and header_of(thing.subject) is None and group.place.key[0] != place.header.id:
                self.mode.jobs.go(group.place.key[0], thing.subject)

    def copied(self) -> Copied:
        """The differences, as the command line prints them."""
        other, world, comparison = self.mode.jobs.other, self.explorer.world, self.mode.state.comparison
        if other is None or world is None or comparison is None:
            return "", None
        compared = other.world, world, comparison
        return "\n".join([*changes_lines(*compared), ""]), changes_json(*compared)


def _row(index: QModelIndex) -> Row:
    """The row of the list with an index."""
    return index.parent().data(Qt.UserRole), index.data(Qt.UserRole)


def _lines(thing: ListedThing) -> Sequence[str]:
    """What is said of a row of the list below its title."""
    return [in_a_line(*thing.lines)] if thing.lines else ()


def _columns(group: ListedGroup, thing: ListedThing) -> tuple[str, ...]:
    """Where, what, before, after."""
    what, was, now = thing.lines
    return group.title, f"{thing.title}: {what}", was, now


def _limited(group: ListedGroup) -> ListedGroup:
    """The first rows of a group, and how many more there are."""
    more = len(group.rows) - _MOST
    others = [ListedThing(group.place, f"And {more:,} more")] if more > 0 else []
    return replace(group, rows=(*group.rows[:_MOST], *others))


def _side_by_side(values: Sequence[str], pictures: Sequence[Pixels | None], room: int) -> str:
    """Two values and their pictures as rich text, each in a room of some pixels; a text of the game has its lines."""
    cells = []
    for title, value, picture in zip(("Before", "After"), values, pictures, strict=True):
        data = "" if picture is None else b64encode(png_of(image_of(picture))).decode("ascii")
        width = 0 if picture is None else min(picture.shape[1], room)
        image = f"<img width='{width}' src='data:image/png;base64,{data}'><br>" if data else ""
        text = html.escape(value).replace("\\n", "<br>").replace("\\f", "<br>").replace("\\r", "<br>")
        cells.append(f"<td width='50%'><b>{title}</b><br>{image}{text or '–'}</td>")
    return f"<table width='100%'><tr>{''.join(cells)}</tr></table>"

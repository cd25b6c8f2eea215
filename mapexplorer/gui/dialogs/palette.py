"""The command palette: everything with a name and all actions, by a few letters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from typing import Final

from PyQt5.QtCore import QEvent, QModelIndex, QObject, QSize, Qt, pyqtSignal
from PyQt5.QtGui import QColor, QKeyEvent, QPainter
from PyQt5.QtWidgets import QApplication, QFrame, QLineEdit, QStyleOptionViewItem, QWidget

from mapexplorer.catalogue.kinds import stroke_of
from mapexplorer.gui.model.search import filtered
from mapexplorer.gui.rendering.pictures import Pictures
from mapexplorer.gui.widgets import icons, theme
from mapexplorer.gui.widgets.controls import show_text
from mapexplorer.gui.widgets.layout import MUTED, bring_up, column, label, line_edit, list_row, list_view, timer
from mapexplorer.gui.widgets.listing import RowDelegate, paint_row, paint_thing
from mapexplorer.inspector.facts import ListedThing
from mapexplorer.naming import joined

_PICTURE: Final = QSize(44, 33)
_REST: Final = 300
"""Milliseconds without a letter after which pictures of maps are drawn."""


@dataclass(frozen=True)
class PaletteItem:
    """A row, and what it does."""

    shown: ListedThing
    run: Callable[[], object]

    @property
    def title(self) -> str:
        """The title of the row."""
        return self.shown.title


Take = Callable[[list[PaletteItem], str], None]
"""Gets what was found, best first, and a sentence about a problem, empty without one."""
Search = Callable[[str, Take], None]
"""Searches the names for a text and calls a function with what was found."""


class CommandPalette(QFrame):
    """A field, and what `search` finds and `offer` has: actions and bookmarks. Enter runs the chosen item, Escape
    closes. It lies over the window, or is a part of a `page`, where the list is there while there is a text. `closed`:
    by one of these keys. `asked`: something else is shown, for a text or for none.

    `pictures`: those of maps, which are drawn slowly, and those of other things."""

    closed = pyqtSignal()
    asked = pyqtSignal(bool)

    def __init__(
        self,
        parent: QWidget,
        pictures: tuple[Pictures, Pictures],
        offer: Callable[[], list[PaletteItem]],
        search: Search,
        *,
        page: bool = False,
    ) -> None:
        super().__init__(parent)
        self._pictures, self._offer, self._find, self._is_part = pictures, offer, search, page
        self.field = line_edit("A map, an action, a species, an item, a text …", self._search)
        self.field.addAction(icons.icon("search"), QLineEdit.LeadingPosition)
        self.field.returnPressed.connect(self._run)
        self.field.installEventFilter(self)
        self.list = list_view("What was found")
        self.list.setItemDelegate(RowDelegate(self.list, lambda *_: QSize(200, _PICTURE.height() + 8), self._paint))
        self.list.setUniformItemSizes(True)
        self.list.itemClicked.connect(lambda _: self._run())
        self._rest = timer(self, _REST, self.list.viewport().update)
        for several in pictures:
            several.changed.connect(self.list.viewport().update)
        self.message = label(role=MUTED)
        self.message.setAlignment(Qt.AlignTop)
        margins = (0, 0, 0, 0) if page else (8, 8, 8, 8)
        self.setLayout(column(self.field, (self.list, 1), self.message, margins=margins))
        self._offered: list[PaletteItem] = []
        self._found: list[PaletteItem] = []
        self._searched, self._problem = "", ""
        self._certain = 0
        self._run_when_found = False
        if not page:
            self.setObjectName("palette")
            self.setFrameShape(QFrame.StyledPanel)
            self.setAutoFillBackground(True)
            self.hide()

    def open(self) -> None:
        """Show over the window."""
        parent = self.parentWidget()
        width = min(620, parent.width() - 80)
        self.setGeometry((parent.width() - width) // 2, 70, width, min(440, parent.height() - 140))
        bring_up(self)
        self.begin()

    def begin(self) -> None:
        """Empty the field and give it the keys."""
        self._offered = self._offer()
        self.field.clear()
        self._search("")
        self.field.setFocus(Qt.ShortcutFocusReason)

    @property
    def _searching(self) -> bool:
        return self._searched != self.field.text().strip()

    def _search(self, text: str) -> None:
        self._run_when_found = False
        self._rest.start()
        wanted = text.strip()
        if not wanted:
            self._searched, self._problem, self._found = "", "", []
        else:
            self._find(wanted, partial(self._take, wanted))
        self._show()

    def _take(self, wanted: str, items: list[PaletteItem], problem: str) -> None:
        if wanted != self.field.text().strip():
            return
        self._searched, self._found, self._problem = wanted, items, problem
        self._show()
        if self._run_when_found:
            self._run()

    def _show(self) -> None:
        """The actions with such a title, the names that begin with the text, the actions that do, the other names, and
        the actions that have all of its words; all actions for no text."""
        text = self.field.text().strip()
        whole, actions = joined(text), filtered(text, self._offered, lambda item: item.title)
        called = [item for item in actions if whole and joined(item.title) == whole]
        begin = [item for item in actions if item not in called and joined(item.title).startswith(whole)]
        first = list(takewhile(lambda item: joined(item.title).startswith(whole), self._found))
        rest = [item for item in actions if item not in called and item not in begin]
        self._certain = len(called)
        self.list.clear()
        for item in (*called, *first, *begin, *self._found[len(first) :], *rest):
            list_row(self.list, item.title, item, "\n".join((item.title, *item.shown.lines)))
        self.list.setCurrentRow(0)
        self.list.setVisible(self.list.count() > 0 and (bool(text) or not self._is_part))
        nothing = "Searching …" if self._searching else f"Nothing has “{text}” in its name." if text else ""
        show_text(self.message, self._problem or ("" if self.list.count() else nothing))
        self.asked.emit(bool(text))

    def _run(self) -> None:
        """Run the chosen item; one that other names may still precede when the names have been searched."""
        if self._searching and not 0 <= self.list.currentRow() < self._certain:
            self._run_when_found = True
            return
        item = self.list.currentItem()
        if item is not None and not self.list.isHidden():
            self.close_palette()
            item.data(Qt.UserRole).run()

    def _paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        """Paint a row: a picture or the icon of a kind, the title, kind and number, and a line of what is known."""
        thing: ListedThing = index.data(Qt.UserRole).shown
        paint_row(painter, option)
        slow = self._pictures[0]
        picture = None
        if thing.subject is not None:
            for pictures in filter(lambda pictures: pictures.has(thing.subject), self._pictures):
                picture = pictures.get(thing.subject, wanted=pictures is not slow or not self._rest.isActive())
            if picture is None and stroke_of(thing.subject.kind):
                picture = icons.pixmap(stroke_of(thing.subject.kind), QColor(theme.colors().muted))
        lines = [" · ".join(thing.lines)] if thing.lines else []
        paint_thing(painter, option, thing, lines, picture, _PICTURE)

    def close_palette(self) -> None:
        """Hide, or leave the page."""
        if not self._is_part:
            self.hide()
        self.closed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Up and down move in the list; Escape and a click elsewhere close."""
        if event.type() == QEvent.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key_Escape:
                self.close_palette()
                return True
            if event.key() in (Qt.Key_Down, Qt.Key_Up, Qt.Key_PageDown, Qt.Key_PageUp):
                return QApplication.sendEvent(self.list, event)
        elif event.type() == QEvent.FocusOut and not self._is_part and not self.list.hasFocus():
            self.hide()
        return bool(super().eventFilter(watched, event))

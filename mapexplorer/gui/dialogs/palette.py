"""The command palette: maps, actions and everything else with a name, by a few letters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PyQt5.QtCore import QEvent, QModelIndex, QObject, QPointF, QRectF, QSize, Qt, pyqtSignal
from PyQt5.QtGui import QColor, QKeyEvent, QPainter
from PyQt5.QtWidgets import (
    QFrame,
    QLineEdit,
    QListWidget,
    QStyle,
    QStyleOptionViewItem,
    QWidget,
)

from mapexplorer.catalogue.kinds import stroke_of
from mapexplorer.gui.model.search import best, matches
from mapexplorer.gui.rendering.pictures import Pictures
from mapexplorer.gui.widgets import icons, theme
from mapexplorer.gui.widgets.layout import bring_up, column, list_row
from mapexplorer.gui.widgets.listing import RowDelegate
from mapexplorer.naming import comparable_name
from mapexplorer.world.subject import Subject

LIMIT = 40
_STEPS: Final[dict[int, int]] = {Qt.Key_Down: 1, Qt.Key_Up: -1, Qt.Key_PageDown: 10, Qt.Key_PageUp: -10}
"""Rows that a key moves the selection by."""


@dataclass(frozen=True)
class PaletteItem:
    """A row: its title, at the right its kind or its keys, what it does, and the thing whose picture it has."""

    title: str
    side: str
    run: Callable[[], object]
    thing: Subject | None = None


Search = Callable[[str, Callable[[list[PaletteItem]], None]], None]
"""Searches the names for a text and calls a function with what was found."""


class CommandPalette(QFrame):
    """A field and a list over the window; Enter runs the chosen item, Escape closes. `closed`: by one of these;
    `nothing_found`: there is no item for a text."""

    closed = pyqtSignal()
    nothing_found = pyqtSignal(str)

    def __init__(self, parent: QWidget, pictures: Pictures) -> None:
        super().__init__(parent)
        self.setObjectName("palette")
        self.setFrameShape(QFrame.StyledPanel)
        self.setAutoFillBackground(True)
        self.field = QLineEdit()
        self.field.setPlaceholderText("A map, an action, a species, an item, a text …")
        self._search_icon = self.field.addAction(icons.icon("search"), QLineEdit.LeadingPosition)
        self.field.textChanged.connect(self._search)
        self.field.returnPressed.connect(self._run)
        self.field.installEventFilter(self)
        self.list = QListWidget()
        self._pictures = pictures
        self.list.setItemDelegate(RowDelegate(self.list, lambda *_: QSize(200, 28), self._paint))
        pictures.changed.connect(self.list.viewport().update)
        self.list.setUniformItemSizes(True)
        self.list.itemClicked.connect(lambda _: self._run())
        self.setLayout(column(self.field, self.list, margins=(8, 8, 8, 8)))
        self._items: list[tuple[str, PaletteItem]] = []
        self._find: Search | None = None
        self._found: list[PaletteItem] = []
        self._searched = ""
        self._certain = 0
        self._run_when_found = False
        self.hide()

    def open(self, items: list[PaletteItem], find: Search) -> None:
        """Show with items; what else has a name is found by `find`."""
        self._items = _with_text(items)
        self._find = find
        parent = self.parentWidget()
        width = min(620, parent.width() - 80)
        self.setGeometry((parent.width() - width) // 2, 70, width, min(440, parent.height() - 140))
        self._search_icon.setIcon(icons.icon("search"))  # in the colours of the theme
        self.field.clear()
        self._search("")
        bring_up(self)
        self.field.setFocus(Qt.ShortcutFocusReason)

    def run_first(self, items: list[PaletteItem], find: Search, text: str) -> None:
        """Run what Enter would run for a text, without showing the palette."""
        self._items = _with_text(items)
        self._find = find
        self.field.clear()
        self.field.setText(text)
        self._run()

    @property
    def _searching(self) -> bool:
        return self._searched != self.field.text().strip()

    def _search(self, text: str) -> None:
        self._run_when_found = False
        wanted = text.strip()
        if not wanted:
            self._searched, self._found = "", []
        elif self._find is not None:
            self._find(wanted, lambda items: self._take(wanted, items))
        self._show()

    def _take(self, wanted: str, items: list[PaletteItem]) -> None:
        if wanted != self.field.text().strip():
            return
        self._searched, self._found = wanted, items
        self._show()
        if self._run_when_found:
            self._run()

    def _show(self) -> None:
        """Maps and actions that have the words, then what else has such a name, then those that only have the
        letters."""
        self.list.clear()
        text = self.field.text()
        near = best(text, self._items, LIMIT)
        wanted = comparable_name(text)
        near.sort(key=lambda item: wanted not in comparable_name(item.side).lstrip("#").split()[:2])  # number and code
        words = comparable_name(text).split()
        whole = [item for item in near if matches(words, comparable_name(f"{item.title} {item.side}"))]
        self._certain = len(whole)
        rest = [] if self._found else [item for item in near if item not in whole]
        for item in (*whole, *self._found, *rest):
            list_row(self.list, item.title, item)
        self.list.setCurrentRow(0)

    def _run(self) -> None:
        """Run the chosen item; one that other names may still precede when the names have been searched."""
        if self._searching and not 0 <= self.list.currentRow() < self._certain:
            self._run_when_found = True
            return
        item = self.list.currentItem()
        self.close_palette()
        if item is not None:
            item.data(Qt.UserRole).run()
        else:
            self.nothing_found.emit(self.field.text())

    def _paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        """Paint a row: a picture, a title, and at the right its kind or its keys."""
        colors = theme.colors()
        area = QRectF(option.rect)
        if option.state & QStyle.State_Selected:
            painter.fillRect(area, QColor(colors.selection))
        item: PaletteItem = index.data(Qt.UserRole)
        picture = self._pictures.get(item.thing) if item.thing and self._pictures.has(item.thing) else None
        if picture is not None:
            side = int(area.height()) - 2
            spot = QRectF(area.x() + 4, area.y() + 1, side, side)
            painter.setRenderHint(QPainter.SmoothPixmapTransform, picture.height() > side)
            painter.drawPixmap(spot.toAlignedRect(), picture)
        elif item.thing is not None and stroke_of(item.thing.kind):
            stroke = icons.pixmap(stroke_of(item.thing.kind), QColor(colors.muted))
            painter.drawPixmap(QPointF(area.x() + 10, area.center().y() - 8), stroke)
        right = item.side
        width = painter.fontMetrics().horizontalAdvance(right) + 12
        painter.setPen(QColor(colors.muted))
        painter.drawText(area.adjusted(0, 0, -10, 0), int(Qt.AlignVCenter | Qt.AlignRight), right)
        painter.setPen(QColor(colors.text))
        title = area.adjusted(36, 0, -width, 0)
        text = painter.fontMetrics().elidedText(item.title, Qt.ElideRight, int(title.width()))
        painter.drawText(title, Qt.AlignVCenter, text)

    def close_palette(self) -> None:
        """Hide."""
        self.hide()
        self.closed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Up and down move in the list; Escape and a click elsewhere close."""
        if event.type() == QEvent.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key_Escape:
                self.close_palette()
                return True
            step = _STEPS.get(event.key())
            if step is not None:
                row = min(self.list.count() - 1, max(0, self.list.currentRow() + step))
                self.list.setCurrentRow(row)
                return True
        elif event.type() == QEvent.FocusOut and not self.list.hasFocus():
            self.hide()
        return bool(super().eventFilter(watched, event))


def _with_text(items: list[PaletteItem]) -> list[tuple[str, PaletteItem]]:
    """Items with the text in which they are searched."""
    return [(f"{item.title} {item.side}" if item.side.startswith("#") else item.title, item) for item in items]

"""The command palette: maps and actions by a few letters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PyQt5.QtCore import QEvent, QModelIndex, QObject, QRectF, QSize, Qt, pyqtSignal
from PyQt5.QtGui import QColor, QKeyEvent, QPainter
from PyQt5.QtWidgets import (
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from mapexplorer.gui import icons, theme
from mapexplorer.gui.model.search import best

LIMIT = 40
_STEPS: Final[dict[int, int]] = {Qt.Key_Down: 1, Qt.Key_Up: -1, Qt.Key_PageDown: 10, Qt.Key_PageUp: -10}
"""Rows that a key moves the selection by."""


class _Row(QStyledItemDelegate):
    """A row with a title, and at the right its kind or its keys."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        return QSize(200, 28)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        colors = theme.colors()
        area = QRectF(option.rect)
        painter.save()
        if option.state & QStyle.State_Selected:
            painter.fillRect(area, QColor(colors.selection))
        right = index.data(Qt.UserRole + 1)
        width = painter.fontMetrics().horizontalAdvance(right) + 12
        painter.setPen(QColor(colors.muted))
        painter.drawText(area.adjusted(0, 0, -10, 0), int(Qt.AlignVCenter | Qt.AlignRight), right)
        painter.setPen(QColor(colors.text))
        title = area.adjusted(10, 0, -width, 0)
        text = painter.fontMetrics().elidedText(index.data(Qt.DisplayRole), Qt.ElideRight, int(title.width()))
        painter.drawText(title, Qt.AlignVCenter, text)
        painter.restore()


class CommandPalette(QFrame):
    """A field and a list over the window; Enter runs the chosen item, Escape closes. `closed`: by one of these."""

    closed = pyqtSignal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("palette")
        self.setFrameShape(QFrame.StyledPanel)
        self.setAutoFillBackground(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        self.field = QLineEdit()
        self.field.setPlaceholderText("A map or an action")
        self._search_icon = self.field.addAction(icons.icon("search"), QLineEdit.LeadingPosition)
        self.field.textChanged.connect(self._search)
        self.field.returnPressed.connect(self._run)
        self.field.installEventFilter(self)
        self.list = QListWidget()
        self.list.setItemDelegate(_Row(self))
        self.list.setUniformItemSizes(True)
        self.list.itemClicked.connect(lambda _: self._run())
        column.addWidget(self.field)
        column.addWidget(self.list)
        self._items: list[tuple[str, tuple[str, str, Callable[[], None]]]] = []
        self.hide()

    def open(self, items: list[tuple[str, str, Callable[[], None]]]) -> None:
        """Show with items (title, kind, callable)."""
        self._items = _searched(items)
        parent = self.parentWidget()
        width = min(620, parent.width() - 80)
        self.setGeometry((parent.width() - width) // 2, 70, width, min(440, parent.height() - 140))
        self._search_icon.setIcon(icons.icon("search"))  # in the colours of the theme
        self.field.clear()
        self._search("")
        self.show()
        self.raise_()
        self.field.setFocus(Qt.ShortcutFocusReason)

    def _search(self, text: str) -> None:
        self.list.clear()
        for title, kind, run in best(text, self._items, LIMIT):
            item = QListWidgetItem(title)
            item.setData(Qt.UserRole + 1, kind)
            item.setData(Qt.UserRole, run)
            self.list.addItem(item)
        self.list.setCurrentRow(0)

    def _run(self) -> None:
        item = self.list.currentItem()
        self.close_palette()
        if item is not None:
            item.data(Qt.UserRole)()

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

    def run_best(self, items: list[tuple[str, str, Callable[[], None]]], text: str) -> bool:
        """Run the item that fits a text best, without showing the palette; whether there is one."""
        self._items = _searched(items)
        found = best(text, self._items, 1)
        for _, _, run in found:
            run()
        return bool(found)


def _searched(
    items: list[tuple[str, str, Callable[[], None]]],
) -> list[tuple[str, tuple[str, str, Callable[[], None]]]]:
    """Items with the text in which they are searched."""
    return [(f"{title} {kind}" if kind.startswith("#") else title, (title, kind, run)) for title, kind, run in items]

"""A list of the lines of a script, which shows values of the inspector."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from PyQt5.QtCore import QModelIndex, QPoint, QRectF, QSize, QStringListModel, Qt, pyqtSignal
from PyQt5.QtGui import QColor, QFont, QFontMetricsF, QKeySequence, QMouseEvent, QPainter, QResizeEvent
from PyQt5.QtWidgets import QAbstractItemView, QAction, QListView, QStyle, QStyleOptionViewItem

from mapexplorer.gui.model.search import matches
from mapexplorer.gui.widgets import theme
from mapexplorer.gui.widgets.controls import copy_text
from mapexplorer.gui.widgets.layout import fixed_font_style
from mapexplorer.gui.widgets.listing import RowDelegate
from mapexplorer.inspector.script.script_lines import LinePart, PartRole, plain_text
from mapexplorer.inspector.script.script_text import ScriptRow
from mapexplorer.naming import comparable_name
from mapexplorer.world.subject import Subject

_HANG: Final = 9
"""The characters by which the rest of a long line is indented: as wide as the offset before a command."""

_LEAST: Final = 30
"""The fewest characters of a line."""


_BREAKS: Final = {"\\n": "↵ ", "\\r": "▼ ", "\\f": "▼ "}
"""How a listing writes the breaks of a text (`script_lines.quoted`) -> the sign that is shown: the next line; a key is
waited for."""


class ShownLine(NamedTuple):
    """A line of the view: the row, the characters of it, and the column at which they begin."""

    row: int
    start: int
    stop: int
    column: int


def broken(text: str, columns: int) -> list[tuple[int, int, int]]:
    """Pieces (start, stop, column) of a text in lines of `columns` characters, where possible at spaces."""
    pieces, start, column = [], 0, 0
    while len(text) - start > columns - column:
        stop = start + columns - column
        space = text.rfind(" ", start + 1, stop + 1)
        if space > start and text[start:space].strip():
            stop = space + 1
        pieces.append((start, stop, column))
        start, column = stop, _HANG
    return [*pieces, (start, len(text), column)]


def shown_text(part: LinePart) -> str:
    """The text of a part with signs for the breaks of a message, as long as its own."""
    text = part.text
    if part.role is PartRole.MESSAGE:
        for written, sign in _BREAKS.items():
            text = text.replace(written, sign)
    return text


def part_color(part: LinePart) -> str:
    """The colour of a part of a line in the present theme."""
    colors = theme.colors()
    if part.role is PartRole.MESSAGE:
        return colors.message
    if part.target is not None:
        return colors.accent
    if part.role in (PartRole.COMMAND, PartRole.HEADING):
        return colors.text
    return colors.muted


class ScriptView(QListView):
    """The rows of a script, broken into lines that fit. `followed`: a link was clicked; `line_chosen`: a line was
    clicked, by the byte offset of its row."""

    followed = pyqtSignal(object)
    line_chosen = pyqtSignal(object)
    left = 4.0
    """Pixels before the first column."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("script")
        self.setStyleSheet(fixed_font_style())
        self.rows: Sequence[ScriptRow] = ()
        self.texts: list[str] = []
        self.lines: list[ShownLine] = []
        self._fitted = 0
        """The characters of the lines."""
        self._line_of: dict[int, int] = {}
        """Byte offset of a command -> its first line."""
        self._model = QStringListModel(self)
        self.setModel(self._model)
        self.setEditTriggers(QAbstractItemView.NoEditTriggers)
        self.setItemDelegate(RowDelegate(self, lambda *_: QSize(100, self.line_height), self._paint))
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.ExtendedSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollPerPixel)
        self.setMouseTracking(True)
        copy = QAction("Copy lines", self)
        copy.setShortcut(QKeySequence.Copy)
        copy.setShortcutContext(Qt.WidgetShortcut)
        copy.triggered.connect(lambda _=False: copy_text(self.selected_text()))
        self.addAction(copy)

    def _paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        """Paint the parts of a line in their colours."""
        area = QRectF(option.rect)
        if option.state & QStyle.State_Selected:
            painter.fillRect(area, QColor(theme.colors().selection))
        line = self.lines[index.row()]
        row = self.rows[line.row]
        if row.dead:
            painter.setOpacity(0.5)
        passed, character, font = 0, self.character, QFont(self.font())
        x = self.left + line.column * character
        for part in row.parts:
            text = shown_text(part)[max(0, line.start - passed) : max(0, line.stop - passed)]
            passed += len(part.text)
            if text:
                painter.setPen(QColor(part_color(part)))
                font.setBold(part.role is PartRole.HEADING)
                painter.setFont(font)
                painter.drawText(QRectF(x, area.y(), 4000, area.height()), Qt.AlignVCenter, text)
                x += len(text) * character

    @property
    def character(self) -> float:
        """The width of a character in pixels."""
        return QFontMetricsF(self.font()).horizontalAdvance("0" * 64) / 64

    @property
    def line_height(self) -> int:
        """The height of a line in pixels."""
        return round(QFontMetricsF(self.font()).lineSpacing()) + 2

    @property
    def columns(self) -> int:
        """The characters that fit into a line."""
        return int((self.viewport().width() - 2 * self.left) / self.character)

    def show_rows(self, rows: Sequence[ScriptRow]) -> None:
        """Show other rows, from the first."""
        self.rows, self.texts = rows, [plain_text(row.parts) for row in rows]
        self._fitted = 0
        self._fit()
        self.scrollToTop()

    def _fit(self) -> bool:
        """Break the rows into lines of the characters that fit; whether that changed the lines."""
        columns = max(_LEAST, self.columns)
        if columns == self._fitted:
            return False
        self._fitted = columns
        pieces = [(number, piece) for number, text in enumerate(self.texts) for piece in broken(text, columns)]
        self.lines = [ShownLine(number, *piece) for number, piece in pieces]
        offsets = ((self.rows[line.row].offset, at) for at, line in reversed(list(enumerate(self.lines))))
        self._line_of = {offset: at for offset, at in offsets if offset is not None}
        self._model.setStringList(
            [" " * line.column + self.texts[line.row][line.start : line.stop] for line in self.lines]
        )
        return True

    def part_at(self, line: int, column: int) -> LinePart | None:
        """The part at a column of a line."""
        shown = self.lines[line]
        at = column - shown.column + shown.start
        if not shown.start <= at < shown.stop:
            return None
        for part in self.rows[shown.row].parts:
            if at < len(part.text):
                return part
            at -= len(part.text)
        return None

    def has(self, offset: int) -> bool:
        """Whether there is a command at a byte offset."""
        return offset in self._line_of

    def go_to(self, offset: int) -> bool:
        """Select and show the command at a byte offset; false where there is none."""
        if not self.has(offset):
            return False
        index = self._model.index(self._line_of[offset])
        self.setCurrentIndex(index)
        self.scrollTo(index, QAbstractItemView.PositionAtCenter)
        return True

    def go_to_text(self, text: str, *, again: bool) -> bool:
        """Select and show the next line whose row has all words of a text; `again`: not the present one. False where
        no line has them."""
        words, present = comparable_name(text).split(), self.currentIndex()
        first = self.lines[present.row()].row + again if present.isValid() else 0
        order = (*range(first, len(self.rows)), *range(first)) if words else ()
        matching = next((row for row in order if matches(words, comparable_name(self.texts[row]))), None)
        self._restore(None, matching)
        self.scrollTo(self.currentIndex(), QAbstractItemView.PositionAtCenter)
        return matching is not None

    def selected_text(self) -> str:
        """The selected rows as text."""
        rows = sorted({self.lines[index.row()].row for index in self.selectedIndexes()})
        return "".join(f"{self.texts[row]}\n" for row in rows)

    def link_at(self, point: QPoint) -> Subject | int | None:
        """The target of the link at a point of the view."""
        index = self.indexAt(point)
        if not index.isValid():
            return None
        part = self.part_at(index.row(), int((point.x() - self.left) / self.character))
        return part.target if part is not None else None

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break the lines anew; what is selected and what is at the top stays so."""
        super().resizeEvent(event)
        lines = self.lines
        top, present = self.indexAt(QPoint(0, 0)).row(), self.currentIndex().row()
        rows = [lines[at].row if 0 <= at < len(lines) else None for at in (top, present)]
        if self._fit():
            self._restore(*rows)

    def _restore(self, top: int | None, present: int | None) -> None:
        """Select and show the first lines of some rows again."""
        first: dict[int, int] = {}
        for at, line in enumerate(self.lines):
            first.setdefault(line.row, at)
        if present is not None:
            self.setCurrentIndex(self._model.index(first[present], 0))
        if top is not None:
            self.scrollTo(self._model.index(first[top], 0), QAbstractItemView.PositionAtTop)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Links have a hand."""
        hand = self.link_at(event.pos()) is not None
        self.viewport().setCursor(Qt.PointingHandCursor if hand else Qt.ArrowCursor)
        super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Follow a link, else choose the line."""
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.pos())
        if event.button() != Qt.LeftButton or not index.isValid() or len(self.selectedIndexes()) > 1:
            return
        target = self.link_at(event.pos())
        if target is not None:
            self.followed.emit(target)
        else:
            self.line_chosen.emit(self.rows[self.lines[index.row()].row].offset)

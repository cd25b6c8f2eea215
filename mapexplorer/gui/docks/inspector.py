"""The inspector: the facts about the selection, with links, and its bytes with the fields marked."""

from __future__ import annotations

from typing import Any

from PyQt5.QtCore import Qt, QUrl, pyqtSignal
from PyQt5.QtGui import QColor, QFontDatabase, QResizeEvent, QTextCharFormat, QTextCursor
from PyQt5.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QTextBrowser,
    QTextEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from mapexplorer.gui import theme
from mapexplorer.gui.rich_text import rich_text
from mapexplorer.gui.widgets import as_json, copy_text, is_seen, offer_copy, rows_as_text
from mapexplorer.inspector.facts import Description, RawBytes
from mapexplorer.inspector.output import description_json, text_lines
from mapexplorer.world.layer_colors import hue
from mapexplorer.world.subject import Subject

BYTES_SHOWN = 4096
LINE_START = 10
"""Characters of a line of the hex view before its first byte."""


class InspectorPanel(QWidget):
    """A description as text with links, and buttons to copy it."""

    followed = pyqtSignal(object)

    def __init__(self) -> None:
        super().__init__()
        self.description: Description | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 2, 8, 4)
        column.setSpacing(6)
        self.browser = QTextBrowser()
        self.browser.setObjectName("inspector")
        self.browser.setOpenLinks(False)
        self.browser.setHorizontalScrollBarPolicy(Qt.ScrollBarAlwaysOff)
        self.browser.anchorClicked.connect(self._follow)
        self.browser.document().setDocumentMargin(8)
        column.addWidget(self.browser, 1)
        row = QHBoxLayout()
        row.addStretch(1)
        for title, made in (("Copy text", self.as_text), ("Copy JSON", lambda: as_json(self.as_value()))):
            button = QPushButton(title)
            button.clicked.connect(lambda _=False, made=made: copy_text(made()))
            row.addWidget(button)
        column.addLayout(row)
        offer_copy(self, self.browser)

    def as_text(self) -> str:
        """The description as plain text."""
        return "\n".join([*text_lines(self.description), ""]) if self.description is not None else ""

    def as_value(self) -> Any:
        """The description as plain values."""
        return description_json(self.description) if self.description is not None else None

    def show_description(self, description: Description | None) -> None:
        """Show another description."""
        same = (
            description is not None and self.description is not None and description.subject == self.description.subject
        )
        place = self.browser.verticalScrollBar().value() if same else 0
        self.description = description
        self.refresh()
        self.browser.verticalScrollBar().setValue(place)

    def refresh(self) -> None:
        """Redraw in the colours of the theme."""
        colors = theme.colors()
        if self.description is None:
            self.browser.setHtml(
                f"<p style='color:{colors.muted}'>Click anything in the picture to learn what it is.</p>"
            )
        else:
            self.browser.setHtml(rich_text(self.description, colors))

    def _follow(self, url: QUrl) -> None:
        self.followed.emit(Subject.at(url.toString()))


class BytesPanel(QWidget):
    """The bytes of the selection: a hex view whose fields are coloured, and the list of fields."""

    def __init__(self) -> None:
        super().__init__()
        self.raw: RawBytes | None = None
        self._filled = True
        self._row = 16
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 2, 8, 4)
        column.setSpacing(6)
        self.title = QLabel("Nothing selected that has bytes of its own.")
        self.title.setWordWrap(True)
        self.title.setTextInteractionFlags(Qt.TextSelectableByMouse)
        column.addWidget(self.title)
        self.hex = QPlainTextEdit()
        self.hex.setObjectName("bytes")
        self.hex.setReadOnly(True)
        self.hex.setLineWrapMode(QPlainTextEdit.NoWrap)
        font = QFontDatabase.systemFont(QFontDatabase.FixedFont)
        font.setPointSizeF(font.pointSizeF() * 0.9)
        self.hex.setStyleSheet(f"font-family: '{font.family()}'; font-size: {font.pointSizeF():.1f}pt;")
        column.addWidget(self.hex, 2)
        self.fields = QTreeWidget()
        self.fields.setObjectName("byte fields")
        self.fields.setHeaderLabels(["Offset", "Field", "Value"])
        self.fields.setRootIsDecorated(False)
        self.fields.setUniformRowHeights(True)
        self.fields.currentItemChanged.connect(self._field_chosen)
        column.addWidget(self.fields, 3)
        row = QHBoxLayout()
        row.addStretch(1)
        copy = QPushButton("Copy bytes")
        copy.clicked.connect(self._copy)
        row.addWidget(copy)
        column.addLayout(row)
        for widget in (self.hex, self.fields):
            offer_copy(self, widget)

    def as_text(self) -> str:
        """Offset, name and value of the fields."""
        if self.raw is None:
            return ""
        rows = [(f"0x{self.raw.offset + span.start:X}", span.length, span.name, span.value) for span in self.raw.spans]
        return f"{self.raw.path}\n{rows_as_text(rows)}"

    def as_value(self) -> Any:
        """The bytes and their fields as plain values."""
        if self.raw is None:
            return None
        fields = [
            {"offset": self.raw.offset + span.start, "length": span.length, "name": span.name, "value": span.value}
            for span in self.raw.spans
        ]
        return {"path": self.raw.path, "offset": self.raw.offset, "bytes": self.raw.data.hex(), "fields": fields}

    def resizeEvent(self, event: QResizeEvent) -> None:
        """As many bytes in a line as fit without scrolling: 16 or 8."""
        super().resizeEvent(event)
        room = self.hex.viewport().width() / max(1, self.hex.fontMetrics().horizontalAdvance("0"))
        row = 16 if room >= LINE_START + 16 * 4 + 3 else 8
        if row != self._row:
            self._row = row
            self.show_raw(self.raw)

    def show_raw(self, raw: RawBytes | None) -> None:
        """Show other bytes, when the panel is visible."""
        self.raw = raw
        self._filled = False
        self.look()

    def look(self) -> None:
        """Fill the panel with what was deferred while it was not visible."""
        if not self._filled and is_seen(self):
            self._filled = True
            self._fill(self.raw)

    def _fill(self, raw: RawBytes | None) -> None:
        self.fields.clear()
        if raw is None:
            self.title.setText("Nothing selected that has bytes of its own.")
            self.hex.clear()
            return
        more = f", the first {BYTES_SHOWN} shown" if len(raw.data) > BYTES_SHOWN else ""
        self.title.setText(f"{raw.path}, {len(raw.data)} bytes from 0x{raw.offset:X}{more}")
        self.hex.setPlainText(hex_text(raw.data[:BYTES_SHOWN], raw.offset, self._row))
        selections = []
        for index, span in enumerate(raw.spans[:400]):
            item = QTreeWidgetItem([f"0x{raw.offset + span.start:X}", span.name, span.value])
            item.setData(0, Qt.UserRole, (span.start, span.length))
            item.setToolTip(2, span.value)
            self.fields.addTopLevelItem(item)
            color = QColor(*hue(index, 0.5, 0.75))
            color.setAlpha(90)
            selections += self._marks(span.start, span.length, color)
        self.fields.resizeColumnToContents(0)
        self.fields.resizeColumnToContents(1)
        self.hex.setExtraSelections(selections)

    def _marks(self, start: int, length: int, color: QColor) -> list[Any]:
        marks: list[Any] = []
        end = min(start + length, BYTES_SHOWN)
        while start < end and len(marks) < 64:
            stop = min(end, start // self._row * self._row + self._row)
            cursor = self._cursor(start, stop - start)
            mark = QTextEdit.ExtraSelection()
            mark.cursor = cursor
            mark.format = QTextCharFormat()
            mark.format.setBackground(color)
            marks.append(mark)
            start = stop
        return marks

    def _field_chosen(self, item: QTreeWidgetItem | None, _: Any) -> None:
        if item is None:
            return
        start, length = item.data(0, Qt.UserRole)
        if self.raw is not None and start < min(len(self.raw.data), BYTES_SHOWN):
            self.hex.setTextCursor(self._cursor(start, length))

    def _cursor(self, start: int, length: int) -> QTextCursor:
        """The bytes from `start`, up to the end of their line."""
        block = self.hex.document().findBlockByNumber(start // self._row)
        first = start % self._row
        last = min(first + length, self._row)
        cursor = QTextCursor(block)
        cursor.setPosition(block.position() + LINE_START + first * 3)
        cursor.setPosition(block.position() + LINE_START + last * 3 - 1, QTextCursor.KeepAnchor)
        return cursor

    def _copy(self) -> None:
        if self.raw is not None:
            copy_text(self.raw.data.hex(" "))


def hex_text(data: bytes, offset: int, row: int = 16) -> str:
    """Lines of `row` bytes: offset, hexadecimal, characters."""
    lines = []
    for start in range(0, len(data), row):
        part = data[start : start + row]
        letters = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in part)
        lines.append(f"{offset + start:08X}  {part.hex(' '):<{row * 3 - 1}}  {letters}")
    return "\n".join(lines)

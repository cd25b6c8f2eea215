"""The inspector: everything about what is selected, with links; and its bytes with the fields marked."""

from __future__ import annotations

from typing import Any

from PyQt5.QtCore import Qt, QUrl, pyqtSignal
from PyQt5.QtGui import QColor, QFontDatabase, QTextCharFormat, QTextCursor
from PyQt5.QtWidgets import (
    QApplication,
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
from mapexplorer.gui.model.facts import Description, RawBytes
from mapexplorer.gui.model.subject import Subject
from mapexplorer.world.layer_colors import hue

BYTES_SHOWN = 4096


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
        for title, text in (("Copy text", lambda d: d.text()), ("Copy JSON", lambda d: d.json_text())):
            button = QPushButton(title)
            button.clicked.connect(lambda _=False, text=text: self._copy(text))
            row.addWidget(button)
        column.addLayout(row)

    def show_description(self, description: Description | None) -> None:
        """Take another description."""
        same = (
            description is not None and self.description is not None and description.subject == self.description.subject
        )
        place = self.browser.verticalScrollBar().value() if same else 0
        self.description = description
        self.refresh()
        self.browser.verticalScrollBar().setValue(place)

    def refresh(self) -> None:
        """Draw anew, in the colours in force."""
        colors = theme.colors()
        if self.description is None:
            self.browser.setHtml(
                f"<p style='color:{colors.muted}'>Click anything in the picture to learn what it is.</p>"
            )
        else:
            self.browser.setHtml(self.description.html(colors.muted, colors.accent, colors.border, colors.raised))

    def _copy(self, text: Any) -> None:
        if self.description is not None:
            QApplication.clipboard().setText(text(self.description))

    def _follow(self, url: QUrl) -> None:
        self.followed.emit(Subject.at(url.toString(QUrl.FullyDecoded)))


class BytesPanel(QWidget):
    """The bytes of what is selected: a hex view whose fields are coloured, and the list of fields."""

    def __init__(self) -> None:
        super().__init__()
        self.raw: RawBytes | None = None
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

    def show_raw(self, raw: RawBytes | None) -> None:
        """Take other bytes."""
        self.raw = raw
        self.fields.clear()
        if raw is None:
            self.title.setText("Nothing selected that has bytes of its own.")
            self.hex.clear()
            return
        more = f", the first {BYTES_SHOWN} shown" if len(raw.data) > BYTES_SHOWN else ""
        self.title.setText(f"{raw.path}, {len(raw.data)} bytes from 0x{raw.offset:X}{more}")
        self.hex.setPlainText(hex_text(raw.data[:BYTES_SHOWN], raw.offset))
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
            line = start // 16
            stop = min(end, line * 16 + 16)
            block = self.hex.document().findBlockByNumber(line)
            cursor = QTextCursor(block)
            cursor.setPosition(block.position() + 10 + (start % 16) * 3)
            cursor.setPosition(block.position() + 10 + (stop - line * 16) * 3 - 1, QTextCursor.KeepAnchor)
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
        block = self.hex.document().findBlockByNumber(start // 16)
        if not block.isValid():
            return
        cursor = QTextCursor(block)
        cursor.setPosition(block.position() + 10 + start % 16 * 3)
        last = min(start % 16 + length, 16)
        cursor.setPosition(block.position() + 10 + last * 3 - 1, QTextCursor.KeepAnchor)
        self.hex.setTextCursor(cursor)

    def _copy(self) -> None:
        if self.raw is not None:
            QApplication.clipboard().setText(self.raw.data.hex(" "))


def hex_text(data: bytes, offset: int) -> str:
    """Lines of sixteen bytes: offset, hexadecimal, characters."""
    lines = []
    for start in range(0, len(data), 16):
        part = data[start : start + 16]
        letters = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in part)
        lines.append(f"{offset + start:08X}  {part.hex(' '):<47}  {letters}")
    return "\n".join(lines)

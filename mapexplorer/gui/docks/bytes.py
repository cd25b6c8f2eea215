"""The bytes of the file of the selection: a hex view of the whole file, and its fields."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import groupby
from typing import Any, Final

from PyQt5.QtCore import QRect, Qt, pyqtSignal
from PyQt5.QtGui import QColor, QKeyEvent, QMouseEvent, QPaintEvent, QResizeEvent
from PyQt5.QtWidgets import QAbstractScrollArea, QHeaderView, QTreeWidgetItem

from formats.field.field_types import FieldSpan
from mapexplorer.gui.docks.panel import Copied, LoadedPanel, Wanted
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.widgets import theme
from mapexplorer.gui.widgets.controls import copy_text, rows_as_text
from mapexplorer.gui.widgets.layout import button, column, fixed_font_style, label, row, table, table_row
from mapexplorer.gui.widgets.painting import painting
from mapexplorer.inspector.raw_bytes import RawBytes
from mapexplorer.world.colors import hue

_NO_BYTES: Final = "Nothing selected that has bytes of its own."
_LINE_START: Final = 10
"""Characters of a line before its first byte."""


class HexView(QAbstractScrollArea):
    """Lines of offset, hexadecimal digits and characters, of which those in view are painted. The thing's own bytes are
    in the colours of their fields, and `marked`, offset and size, in the accent colour; `at` is the byte of the cursor.
    `moved`: the user chose a byte."""

    moved = pyqtSignal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("bytes")
        self.setFocusPolicy(Qt.StrongFocus)
        self.setStyleSheet(fixed_font_style())
        self.raw: RawBytes | None = None
        self.marked, self.at = (0, 0), 0
        self.row = 16
        """The bytes of a line: as many as fit, 16, 8 or 4."""

    def show_bytes(self, raw: RawBytes | None) -> None:
        """Show another file from its beginning."""
        self.raw, self.marked, self.at = raw, (0, 0), 0
        self.resizeEvent(None)

    def mark(self, offset: int, size: int, at: int) -> None:
        """Mark bytes, and bring the byte `at` into view as the cursor."""
        self.marked, self.at = (offset, size), at
        bar, line = self.verticalScrollBar(), at // self.row
        if not bar.value() <= line < bar.value() + bar.pageStep():
            bar.setValue(line - bar.pageStep() // 3)
        self.viewport().update()

    def place_of(self, offset: int) -> QRect:
        """Where the digits of a byte are."""
        line, at = divmod(offset, self.row)
        wide, high = self.fontMetrics().horizontalAdvance("0"), self.fontMetrics().height()
        return QRect((_LINE_START + 3 * at) * wide, (line - self.verticalScrollBar().value()) * high, 2 * wide, high)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """As many bytes in a line as fit, and as many lines as that makes."""
        room = self.viewport().width() // self.fontMetrics().horizontalAdvance("0")
        self.row = next((row for row in (16, 8) if room > _LINE_START + row * 4), 4)
        bar, count = self.verticalScrollBar(), len(self.raw.data) if self.raw is not None else 0
        bar.setPageStep(max(1, self.viewport().height() // self.fontMetrics().height()))
        bar.setRange(0, max(0, -(-count // self.row) - bar.pageStep()))
        self.mark(*self.marked, self.at)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the lines in view."""
        if self.raw is None:
            return
        colors, bar = theme.colors(), self.verticalScrollBar()
        with painting(self.viewport()) as painter:
            wide, end = self.fontMetrics().horizontalAdvance("0"), (bar.value() + bar.pageStep() + 1) * self.row
            for offset, byte in enumerate(self.raw.data[bar.value() * self.row : end], bar.value() * self.row):
                place, marked = self.place_of(offset), self.marked[0] <= offset < sum(self.marked)
                if marked or self.raw.is_own(offset):
                    own = QColor(*hue(self.raw.field_at(offset).offset, 0.5, 0.75), 90)
                    painter.fillRect(place.adjusted(-2, 0, 2, 0), QColor(colors.accent) if marked else own)
                painter.setPen(QColor(colors.accent_text if marked else colors.text))
                painter.drawText(place, Qt.AlignCenter, f"{byte:02x}")
                painter.setPen(QColor(colors.text))
                letters = place.translated((1 + 3 * self.row - 2 * (offset % self.row)) * wide, 0)
                painter.drawText(letters, Qt.AlignLeft, chr(byte) if 32 <= byte < 127 else ".")
                if offset % self.row == 0:
                    painter.drawText(place.adjusted(-place.left(), 0, 0, 0), Qt.AlignLeft, f"{offset:08X}")
            painter.drawRect(self.place_of(self.at).adjusted(-2, 0, 1, -1))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the byte of the digits or of the character there."""
        first = self.place_of(self.verticalScrollBar().value() * self.row)
        line, character = event.y() // first.height(), (event.x() - first.left()) * 2 // first.width()
        at = character // 3 if character < 3 * self.row else character - 3 * self.row - 1
        self.moved.emit((line + self.verticalScrollBar().value()) * self.row + max(0, min(at, self.row - 1)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose a byte beside the cursor, a line or a page away, at an end of the line or, with Ctrl, of the file."""
        page, whole = self.verticalScrollBar().pageStep() * self.row, bool(event.modifiers() & Qt.ControlModifier)
        steps: dict[int, int] = {
            Qt.Key_Left: -1,
            Qt.Key_Right: 1,
            Qt.Key_Up: -self.row,
            Qt.Key_Down: self.row,
            Qt.Key_PageUp: -page,
            Qt.Key_PageDown: page,
            Qt.Key_Home: -self.at if whole else -(self.at % self.row),
            Qt.Key_End: 1 << 32 if whole else self.row - 1 - self.at % self.row,
        }
        if event.key() in steps:
            self.moved.emit(self.at + steps[event.key()])
        else:
            super().keyPressEvent(event)


class BytesPanel(LoadedPanel):
    """The bytes of the selection in their file, and the fields of the file: a byte leads to its field, and a field to
    its bytes."""

    name, title = "bytes", "Bytes"

    def __init__(self, jobs: JobController) -> None:
        super().__init__(jobs)
        self.raw: RawBytes | None = None
        self.heading = label(_NO_BYTES, selectable=True)
        self.hex = self.first = HexView()
        self.hex.moved.connect(self._byte_chosen)
        self.said = label(selectable=True)
        self.said.setMinimumHeight(2 * self.said.fontMetrics().lineSpacing())
        self.fields = table("byte fields", "Field", "Value", "Offset", tree=True)
        self.fields.header().setSectionResizeMode(QHeaderView.ResizeToContents)
        self.fields.itemExpanded.connect(self._fill)
        self.fields.currentItemChanged.connect(self._row_chosen)
        buttons = row(None, button("Copy bytes", self._copy))
        parts = self.heading, (self.hex, 2), self.said, (self.fields, 3), buttons
        self.setLayout(column(*parts, margins=(4, 2, 8, 4), spacing=6))
        for widget in (self.hex, self.fields):
            self.offer_copy(widget)

    def copied(self) -> Copied:
        """Offset, length, name, value and its meaning of the fields of the selection; as values also the bytes."""
        raw = self.raw
        if raw is None:
            return "", None
        rows = [(field.offset, field.size, field.name, field.text, raw.meaning(field)) for field in raw.selected]
        text = rows_as_text([(f"0x{offset:X}", *others) for offset, *others in rows])
        fields = [dict(zip(("offset", "length", "name", "value", "meaning"), row, strict=True)) for row in rows]
        start, end = rows[0][0], max(offset + size for offset, size, *_ in rows)
        return f"{raw.path}\n{text}", {
            "path": raw.path,
            "offset": start,
            "bytes": raw.data[start:end].hex(),
            "fields": fields,
        }

    def show_raw(self, raw: RawBytes | None) -> None:
        """Show other bytes, when the panel is visible."""
        self.raw = raw
        self.load()

    def wanted(self) -> Wanted | None:
        """The fields of the file."""
        raw = self.raw
        return None if raw is None else (raw, lambda _: raw.selected)

    def clear(self) -> None:
        """Show no bytes."""
        self.heading.setText(_NO_BYTES)
        self.said.clear()
        self.fields.clear()
        self.hex.show_bytes(None)

    def show_loaded(self, answer: Any) -> None:
        """Show a file at the first byte of the selection."""
        self.clear()
        if self.raw is not None:
            self.heading.setText(f"{self.raw.path}, {len(self.raw.data):,} bytes")
            self.hex.show_bytes(self.raw)
            self._add(self.fields.invisibleRootItem(), self.raw.fields, 0)
            self._byte_chosen(answer[0].offset)

    def _add(self, parent: QTreeWidgetItem, fields: Sequence[FieldSpan], depth: int) -> None:
        """Rows of fields below a row: one for each, and one for all with the same further part of their path."""

        def title(field: FieldSpan) -> tuple[str | int, ...]:
            return field.path[: depth + 1] if depth + 1 < len(field.path) else (*field.path, field.offset)

        for _, same in groupby(fields, title):
            inner = list(same)
            first, several, size = inner[0], len(inner) > 1, inner[-1].offset + inner[-1].size - inner[0].offset
            begin = depth - isinstance(first.path[depth], int)  # "warps 0", not "0"
            group = FieldSpan(first.path[: depth + 1], first.offset, size, f"{size:,} bytes")
            shown, below = (group, (inner, depth + 1)) if several else (first, ([], len(first.path)))
            texts = shown._replace(path=shown.path[begin:]).name, shown.text, f"0x{first.offset:X}"
            item = table_row(parent, texts, (shown, *below), {1: shown.text})
            if several or first.elements:
                item.setChildIndicatorPolicy(QTreeWidgetItem.ShowIndicator)

    def _fill(self, item: QTreeWidgetItem) -> None:
        """Add the rows below a row when they are asked for first."""
        shown, inner, depth = item.data(0, Qt.UserRole)
        if item.childCount() == 0:
            self._add(item, inner or [part for at in range(shown.elements) for part in shown.element(at)], depth)

    def _row_chosen(self, item: QTreeWidgetItem | None, _: Any) -> None:
        if item is not None:
            field: FieldSpan = item.data(0, Qt.UserRole)[0]
            self._show(field, field.offset)

    def _byte_chosen(self, offset: int) -> None:
        """Mark the field of a byte, or of the nearest one in the file, and choose its row."""
        if self.raw is None or not self.raw.data:
            return
        offset, item = max(0, min(offset, len(self.raw.data) - 1)), self.fields.invisibleRootItem()
        while item.childCount():
            starts = [item.child(at).data(0, Qt.UserRole)[0].offset for at in range(item.childCount())]
            item = item.child(bisect_right(starts, offset) - 1)
            self._fill(item)
        self.fields.setCurrentItem(item)
        self._show(self.raw.field_at(offset), offset)

    def _show(self, field: FieldSpan, at: int) -> None:
        """Mark a field, and say its name, value, meaning, and how it is stored."""
        self.hex.mark(field.offset, field.size, at)
        more = "; ".join(filter(None, (self.raw.meaning(field) if self.raw is not None else "", field.how)))
        self.said.setText(f"0x{field.offset:X}  {field.name}: {field.text}" + f" ({more})" * bool(more))
        self.hex.setAccessibleDescription(self.said.text())

    def _copy(self) -> None:
        """Copy the bytes that are marked, else the file."""
        if self.raw is not None:
            start, size = self.hex.marked
            copy_text((self.raw.data[start : start + size] if size else self.raw.data).hex(" "))

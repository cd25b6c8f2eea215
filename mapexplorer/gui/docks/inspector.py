"""The inspector: the facts about the selection, with links, and its bytes with the fields marked."""

from __future__ import annotations

from typing import Any

from PyQt5.QtCore import Qt, QUrl
from PyQt5.QtGui import QColor, QResizeEvent, QTextCharFormat, QTextCursor, QTextDocument
from PyQt5.QtWidgets import QPlainTextEdit, QTextEdit, QTreeWidgetItem

from mapexplorer.gui.docks.panel import Copied, Panel
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.rendering.images import image_of
from mapexplorer.gui.widgets import theme
from mapexplorer.gui.widgets.controls import copy_text, is_seen, rows_as_text
from mapexplorer.gui.widgets.layout import (
    browser,
    button,
    check_box,
    column,
    fixed_font_style,
    label,
    row,
    table,
    table_row,
)
from mapexplorer.gui.widgets.rich_text import rich_text
from mapexplorer.inspector.facts import Description, RawBytes
from mapexplorer.inspector.output import description_json, text_lines
from mapexplorer.world.colors import hue

_NO_BYTES = "Nothing selected that has bytes of its own."
BYTES_SHOWN = 4096
LINE_START = 10
"""Characters of a line of the hex view before its first byte."""


class InspectorPanel(Panel):
    """A description as text with links, and buttons to copy it. `chosen`: a link was followed."""

    name, title = "inspector", "Inspector"

    def __init__(self, explorer: Explorer) -> None:
        super().__init__(explorer)
        self.description: Description | None = None
        self.browser = browser("inspector", self.chosen.emit)
        self.browser.document().setDocumentMargin(8)
        hint = "Where each fact was read; else a hint says it while the mouse is over the fact"
        self.sources = check_box(
            "Sources", self._show_sources, checked=explorer.settings.get("sources", False), hint=hint
        )
        buttons = row(self.sources, None, button("Copy text", self.copy_text), button("Copy JSON", self.copy_json))
        self.setLayout(column((self.browser, 1), buttons, margins=(4, 2, 8, 4), spacing=6))
        self.offer_copy(self.browser)

    def copied(self) -> Copied:
        """The description."""
        if self.description is None:
            return "", None
        return "\n".join([*text_lines(self.description), ""]), description_json(self.description)

    def show_description(self, description: Description | None) -> None:
        """Show another description."""
        bar, before = self.browser.verticalScrollBar(), self.description
        same = description is not None and before is not None and description.subject == before.subject
        place = bar.value() if same else 0
        self.description = description
        self.refresh()
        bar.setValue(place)

    def refresh(self) -> None:
        """Redraw in the colours of the theme."""
        colors = theme.colors()
        if self.description is None:
            self.browser.setHtml(
                f"<p style='color:{colors.muted}'>Click anything in the picture to learn what it is.</p>"
            )
        else:
            for thing, pixels in self.description.pictures.items():
                address, picture = QUrl(thing.address), image_of(pixels)
                self.browser.document().addResource(QTextDocument.ImageResource, address, picture)
            self.browser.setHtml(rich_text(self.description, colors, sources=self.sources.isChecked()))

    def _show_sources(self, shown: bool) -> None:
        self.explorer.settings.set("sources", shown)
        self.show_description(self.description)


class BytesPanel(Panel):
    """The bytes of the selection: a hex view whose fields are coloured, and the list of fields."""

    name, title = "bytes", "Bytes"

    def __init__(self, explorer: Explorer) -> None:
        super().__init__(explorer)
        self.raw: RawBytes | None = None
        self._filled = True
        self._row = 16
        self.heading = label(_NO_BYTES, selectable=True)
        self.hex = QPlainTextEdit()
        self.hex.setObjectName("bytes")
        self.hex.setReadOnly(True)
        self.hex.setLineWrapMode(QPlainTextEdit.NoWrap)
        self.hex.setStyleSheet(fixed_font_style())
        self.fields = table("byte fields", "Offset", "Field", "Value")
        self.fields.currentItemChanged.connect(self._field_chosen)
        parts = self.heading, (self.hex, 2), (self.fields, 3), row(None, button("Copy bytes", self._copy))
        self.setLayout(column(*parts, margins=(4, 2, 8, 4), spacing=6))
        for widget in (self.hex, self.fields):
            self.offer_copy(widget)

    def copied(self) -> Copied:
        """Offset, length, name and value of the fields; as values also the bytes."""
        raw = self.raw
        if raw is None:
            return "", None
        rows = [(span.offset, span.size, span.name, span.text) for span in raw.spans]
        text = rows_as_text([(f"0x{offset:X}", *others) for offset, *others in rows])
        fields = [dict(zip(("offset", "length", "name", "value"), row, strict=True)) for row in rows]
        value = {"path": raw.path, "offset": raw.offset, "bytes": raw.data.hex(), "fields": fields}
        return f"{raw.path}\n{text}", value

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
        self.visibility_changed()

    def visibility_changed(self) -> None:
        """Fill the panel with what was deferred while it was not visible."""
        if not self._filled and is_seen(self):
            self._filled = True
            self._fill(self.raw)

    def _fill(self, raw: RawBytes | None) -> None:
        self.fields.clear()
        if raw is None:
            self.heading.setText(_NO_BYTES)
            self.hex.clear()
            return
        more = f", the first {BYTES_SHOWN} shown" if len(raw.data) > BYTES_SHOWN else ""
        self.heading.setText(f"{raw.path}, {len(raw.data)} bytes from 0x{raw.offset:X}{more}")
        self.hex.setPlainText(hex_text(raw.data[:BYTES_SHOWN], raw.offset, self._row))
        selections = []
        for index, span in enumerate(raw.spans[:400]):
            start = span.offset - raw.offset
            table_row(self.fields, (f"0x{span.offset:X}", span.name, span.text), (start, span.size), {2: span.text})
            selections += self._marks(start, span.size, QColor(*hue(index, 0.5, 0.75), 90))
        self.fields.resizeColumnToContents(0)
        self.fields.resizeColumnToContents(1)
        self.hex.setExtraSelections(selections)

    def _marks(self, start: int, length: int, color: QColor) -> list[Any]:
        """The parts of a field in each line, at most 64, in a colour."""
        end = min(start + length, BYTES_SHOWN)
        lines = range(start // self._row * self._row, end, self._row)
        marks = []
        for line in lines[:64] if length else ():
            mark = QTextEdit.ExtraSelection()
            mark.cursor = self._cursor(max(start, line), end - max(start, line))
            mark.format = QTextCharFormat()
            mark.format.setBackground(color)
            marks.append(mark)
        return marks

    def _field_chosen(self, item: QTreeWidgetItem | None, _: Any) -> None:
        start, length = item.data(0, Qt.UserRole) if item is not None else (BYTES_SHOWN, 0)
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

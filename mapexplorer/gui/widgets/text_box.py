"""The text box of the game: what somebody or something says, over the lower edge of the picture, page by page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PyQt5.QtCore import QRectF, Qt, pyqtSignal
from PyQt5.QtGui import QMouseEvent
from PyQt5.QtWidgets import QWidget

from mapexplorer.gui.widgets.layout import MUTED, column, label, row
from mapexplorer.gui.widgets.overlay import OverlayFrame

_STEPS: Final[dict[int, int]] = {Qt.Key_Up: -1, Qt.Key_W: -1, Qt.Key_Down: 1, Qt.Key_S: 1}
"""Answers that a key moves the choice by."""

_SCREEN: Final = 192
"""Lines of the screen of the DS, of which a line of letters has _LETTER."""
_LETTER: Final = 9
_MARGIN: Final = 4


class TextBox(OverlayFrame):
    """Pages of a text, and at the last one the answers to choose from. `answered`: the number of the answer that the
    user chose, after which `show_pages` is expected. `area` is the picture, in pixels of the parent."""

    answered = pyqtSignal(int)

    def __init__(self, parent: QWidget, area: Callable[[], QRectF]) -> None:
        super().__init__(parent)
        self.setProperty("role", "text box")
        self._area = area
        self.show_pages((), (), "")
        self.text, self.answers, self.note = label(), label(wrap=False), label(role=MUTED)
        self.text.setAlignment(Qt.AlignTop)
        parts = row((self.text, 1), self.answers, spacing=12)
        self.setLayout(column((parts, 1), self.note, margins=(14, 8, 14, 6), spacing=2))

    def show_pages(self, pages: Sequence[str], answers: Sequence[str], note: str, first: int = 0) -> None:
        """Show pages from the `first` one on; there is nothing to show where there is none. `note`: what is to be known
        about the last page."""
        self._pages, self._answers, self._note = pages, answers, note
        self._at, self._chosen = first, 0
        self._show()

    @property
    def _asks(self) -> bool:
        return bool(self._answers) and self._at + 1 == len(self._pages)

    def _show(self) -> None:
        """Show the present page, or hide behind the last one."""
        self.setVisible(self._at < len(self._pages))
        if self.isVisible():
            self.raise_()
            self.place()

    def place(self) -> None:
        """Show the present page at the lower edge of the picture."""
        area, is_last = self._area(), self._at + 1 == len(self._pages)
        font = f"font-size: {max(11, round(area.height() * _LETTER / _SCREEN))}px; color: #2c2f36;"
        for part in (self.text, self.answers):
            part.setStyleSheet(font)
        self.text.setText(self._pages[self._at])
        rows = [f"{'▶' if at == self._chosen else '▷'} {answer}" for at, answer in enumerate(self._answers)]
        self.answers.setText("\n".join(rows) if self._asks else "")
        keys = "Enter chooses" if self._asks else "Enter ends" if is_last else "Enter goes on"
        place = f"{self._at + 1} of {len(self._pages)} · {keys}"
        self.note.setText(f"{place} · {self._note}" if is_last and self._note else place)
        self.setAccessibleName(self._pages[self._at])
        width = round(area.width()) - 2 * _MARGIN
        height = max(round(area.height() / 4), self.layout().totalHeightForWidth(width))
        self.setGeometry(round(area.left()) + _MARGIN, round(area.bottom()) - height - _MARGIN, width, height)

    def press(self, key: int) -> None:
        """A key went down: Enter goes on, Escape ends, arrows choose an answer."""
        if key == Qt.Key_Escape:
            self.hide()
        elif key in (Qt.Key_Return, Qt.Key_Enter, Qt.Key_E, Qt.Key_Space):
            self.go_on()
        elif self._asks:
            self._chosen = (self._chosen + _STEPS.get(key, 0)) % len(self._answers)
            self._show()

    def go_on(self) -> None:
        """Show the next page, give the chosen answer, or end."""
        if self._asks:
            self.answered.emit(self._chosen)
        else:
            self._at += 1
            self._show()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click goes on."""
        self.go_on()

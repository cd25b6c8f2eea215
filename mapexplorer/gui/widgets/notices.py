"""Notices over the lower right corner of the picture about events and errors, with details on request."""

from __future__ import annotations

from collections.abc import Sequence

from PyQt5.QtCore import Qt, QTimer
from PyQt5.QtGui import QFontDatabase
from PyQt5.QtWidgets import QFrame, QPlainTextEdit, QPushButton, QWidget

from mapexplorer.gui.widgets.controls import copy_text
from mapexplorer.gui.widgets.layout import HEADING, button, column, icon_button, label, row
from mapexplorer.gui.widgets.overlay import OverlayFrame

INFO, WARNING, ERROR = "info", "warning", "error"
PLACE, ROM, ROUTE, JOB = "place", "rom", "route", "job"
"""What a notice is about: when that ends, it goes, too."""
SECONDS = {INFO: 6, WARNING: 15}
MOST = 3
_WIDTH = 460
"""Pixels of the width of a notice, where the picture has them."""


class Notice(QFrame):
    """One notice: a title, a sentence, details that can be expanded and copied, actions, and a close button."""

    def __init__(
        self, level: str, title: str, sentence: str, details: str, about: str, actions: Sequence[QPushButton]
    ) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self.setProperty("level", level)
        self.level, self.title, self.sentence, self.details, self.about = level, title, sentence, details, about
        self._more = button("Details", self._unfold)
        self._more.setCheckable(True)
        self._cross = icon_button("close", "Dismiss", self.dismiss)
        self._details = QPlainTextEdit(details)
        self._details.setReadOnly(True)
        self._details.setFixedHeight(140)
        self._details.setFont(QFontDatabase.systemFont(QFontDatabase.FixedFont))
        self._copy = button("Copy details", lambda: copy_text(f"{title}\n{sentence}\n{details}"))
        self._unfold()
        top = row((label(title, HEADING), 1), *([self._more] if details else []), self._cross)
        text = [label(sentence)] if sentence else []
        copy = row(None, *actions, self._copy)
        self.setLayout(column(top, *text, self._details, copy, margins=(10, 7, 6, 7), spacing=4))
        if level in SECONDS and not details and not actions:
            QTimer.singleShot(SECONDS[level] * 1000, self.dismiss)

    def _unfold(self) -> None:
        for part in (self._details, self._copy):
            part.setVisible(self._more.isChecked())

    def dismiss(self) -> None:
        """Remove the notice."""
        self.hide()
        self.deleteLater()


class Notices(OverlayFrame):
    """The notices that are shown over a widget, the latest last."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.AlignBottom | Qt.AlignRight)
        self._column = column(margins=(8, 8, 8, 8), spacing=6)
        self.setLayout(self._column)

    def place(self) -> None:
        """Lie in the lower right corner, or hide without a notice."""
        room = self.parentWidget().rect()
        width = min(_WIDTH, room.width())
        height = min(self._column.totalHeightForWidth(width), room.height())
        self.setGeometry(room.right() + 1 - width, room.bottom() + 1 - height, width, height)
        self.setVisible(bool(self.shown))
        self.raise_()

    @property
    def shown(self) -> list[Notice]:
        """The visible notices."""
        return [notice for notice in self.findChildren(Notice) if not notice.isHidden()]

    def end(self, *about: str) -> None:
        """Remove the notices about what has ended."""
        for notice in self.shown:
            if notice.about in about:
                notice.dismiss()

    def notify(
        self,
        level: str,
        title: str,
        sentence: str = "",
        details: str = "",
        about: str = PLACE,
        actions: Sequence[QPushButton] = (),
    ) -> Notice:
        """Add a notice; a repeated one is shown once, and the oldest is removed when there are too many. `actions`:
        buttons in it, with which it stays until it is dismissed."""
        for notice in self.shown:
            if (notice.title, notice.sentence) == (title, sentence):
                return notice
        for notice in self.shown[: -(MOST - 1)]:
            notice.dismiss()
        notice = Notice(level, title, sentence, details, about, actions)
        self._column.addWidget(notice)
        notice.show()
        self.place()
        return notice

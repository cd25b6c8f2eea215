"""Non-modal notices: lines at the bottom of the view about events and errors, with details on request."""

from __future__ import annotations

from PyQt5.QtCore import Qt, QTimer
from PyQt5.QtGui import QFontDatabase
from PyQt5.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from mapexplorer.gui import icons

INFO, WARNING, ERROR = "info", "warning", "error"
SECONDS = {INFO: 6, WARNING: 15}
MOST = 3


class Notice(QFrame):
    """One notice: a title, a sentence, details that can be expanded and copied, an action, and a close button."""

    def __init__(self, level: str, title: str, sentence: str, details: str = "") -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self.setProperty("level", level)
        self.level, self.title, self.sentence, self.details = level, title, sentence, details
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 7, 6, 7)
        column.setSpacing(4)
        row = QHBoxLayout()
        heading = QLabel(title)
        heading.setProperty("role", "heading")
        heading.setWordWrap(True)
        row.addWidget(heading, 1)
        if details:
            button = QPushButton("Details")
            button.setCheckable(True)
            button.toggled.connect(self._unfold)
            row.addWidget(button)
        self._cross = QToolButton()
        self._cross.setToolTip("Dismiss")
        self._cross.clicked.connect(self.dismiss)
        row.addWidget(self._cross)
        self.refresh()
        column.addLayout(row)
        if sentence:
            text = QLabel(sentence)
            text.setWordWrap(True)
            column.addWidget(text)
        self._details = QPlainTextEdit(details)
        self._details.setReadOnly(True)
        self._details.setFixedHeight(140)
        self._details.setFont(QFontDatabase.systemFont(QFontDatabase.FixedFont))
        self._details.hide()
        column.addWidget(self._details)
        self._copy = QPushButton("Copy details")
        self._copy.clicked.connect(lambda: QApplication.clipboard().setText(f"{title}\n{sentence}\n{details}"))
        self._copy.hide()
        column.addWidget(self._copy, 0, Qt.AlignRight)
        if level in SECONDS and not details:
            QTimer.singleShot(SECONDS[level] * 1000, self.dismiss)

    def refresh(self) -> None:
        """Update to the colours of the theme."""
        self._cross.setIcon(icons.icon("close"))

    def _unfold(self, shown: bool) -> None:
        self._details.setVisible(shown)
        self._copy.setVisible(shown)

    def dismiss(self) -> None:
        """Remove the notice."""
        self.hide()
        self.deleteLater()


class Notices(QWidget):
    """The notices that are shown, the latest last."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(8, 0, 8, 0)
        self._column.setSpacing(6)

    @property
    def shown(self) -> list[Notice]:
        """The visible notices."""
        return [notice for notice in self.findChildren(Notice) if not notice.isHidden()]

    def tell(self, level: str, title: str, sentence: str = "", details: str = "") -> Notice:
        """Add a notice; a repeated one is shown once, and the oldest is removed when there are too many."""
        for notice in self.shown:
            if (notice.title, notice.sentence) == (title, sentence):
                return notice
        for notice in self.shown[: -(MOST - 1)]:
            notice.dismiss()
        notice = Notice(level, title, sentence, details)
        self._column.addWidget(notice)
        notice.show()
        return notice

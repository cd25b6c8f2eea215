"""The welcome page: an introduction over the picture of the demo world."""

from __future__ import annotations

from PyQt5.QtCore import QEvent, QObject, Qt, pyqtSignal
from PyQt5.QtGui import QKeyEvent
from PyQt5.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget


class Welcome(QFrame):
    """A page in the middle of the view. `open_wanted`: the button for opening a ROM was clicked."""

    open_wanted = pyqtSignal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("welcome")
        column = QVBoxLayout(self)
        column.setContentsMargins(26, 22, 26, 20)
        column.setSpacing(10)
        title = QLabel("See every map of Pokémon Platinum")
        title.setProperty("role", "title")
        title.setWordWrap(True)
        column.addWidget(title)
        for words in (
            "Behind this page is the demo world, a small original map in the game's own file formats. Open your own "
            "ROM to see all of Sinnoh: the exact picture of the console, every prop, plate and event, and why it is "
            "there.",
            "Drop an .nds image, an unpacked folder, or model and texture files anywhere on this window. Nothing is "
            "written into the ROM, and nothing is sent anywhere.",
        ):
            label = QLabel(words)
            label.setWordWrap(True)
            column.addWidget(label)
        hint = QLabel("Ctrl+K finds anything · H shows every key · a click shows what a thing is")
        hint.setProperty("role", "muted")
        hint.setWordWrap(True)
        column.addWidget(hint)
        row = QHBoxLayout()
        row.addStretch(1)
        explore = QPushButton("Explore the demo world")
        explore.clicked.connect(self.hide)
        opened = QPushButton("Open a ROM …")
        opened.setDefault(True)
        opened.setProperty("default", True)
        opened.clicked.connect(lambda: self.open_wanted.emit())
        row.addWidget(explore)
        row.addWidget(opened)
        column.addSpacing(4)
        column.addLayout(row)
        parent.installEventFilter(self)
        self.hide()

    def open(self) -> None:
        """Show the page."""
        self._place()
        self.show()
        self.raise_()
        self.setFocus(Qt.OtherFocusReason)

    def _place(self) -> None:
        parent = self.parentWidget()
        width = min(520, parent.width() - 40)
        self.setFixedWidth(width)
        height = self.heightForWidth(width) if self.hasHeightForWidth() else self.sizeHint().height()
        height = max(height, self.layout().totalHeightForWidth(width))
        self.setGeometry((parent.width() - width) // 2, max(10, (parent.height() - height) // 2), width, height)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the page centred."""
        if event.type() == QEvent.Resize and not self.isHidden():
            self._place()
        return bool(super().eventFilter(watched, event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes."""
        if event.key() == Qt.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)

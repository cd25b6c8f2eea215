"""Parts that lie over another widget."""

from __future__ import annotations

from PyQt5.QtCore import QEvent, QObject, Qt
from PyQt5.QtWidgets import QFrame, QStyle, QWidget

_MARGIN = 8
"""Pixels between the edges of the parent and a frame in its corner."""


class OverlayFrame(QFrame):
    """A frame over its parent, which is hidden at first. `place` gives it its place when the parent has another size:
    a corner, also when its contents change; where no corner is given, what a subclass does."""

    def __init__(self, parent: QWidget, corner: Qt.Alignment | Qt.AlignmentFlag | None = None) -> None:
        super().__init__(parent)
        self._corner = corner
        parent.installEventFilter(self)
        self.hide()

    def place(self) -> None:
        """Move to where it belongs over the parent."""
        assert self._corner is not None
        room = self.parentWidget().rect().adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        size = self.sizeHint().boundedTo(room.size())
        self.setGeometry(QStyle.alignedRect(Qt.LeftToRight, Qt.Alignment(self._corner), size, room))

    def event(self, event: QEvent) -> bool:
        """Follow the size of the contents."""
        if event.type() == QEvent.LayoutRequest and self._corner is not None:
            self.place()
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the parent."""
        if event.type() == QEvent.Resize and not self.isHidden():
            self.place()
        return False

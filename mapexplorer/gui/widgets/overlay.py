"""Parts that lie over another widget."""

from __future__ import annotations

from PyQt5.QtCore import QEvent, QObject
from PyQt5.QtWidgets import QFrame, QWidget


class OverlayFrame(QFrame):
    """A frame over its parent, which is hidden at first; `place` gives it its place when the parent has another
    size."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        parent.installEventFilter(self)
        self.hide()

    def place(self) -> None:
        """Move to where it belongs over the parent."""
        raise NotImplementedError  # of subclasses: ABCMeta cannot be the metaclass of a QWidget

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the parent."""
        if event.type() == QEvent.Resize and not self.isHidden():
            self.place()
        return False

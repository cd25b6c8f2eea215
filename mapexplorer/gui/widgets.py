"""Small widgets that several panels use."""

from __future__ import annotations

from typing import Any

from PyQt5.QtCore import QPointF, Qt
from PyQt5.QtGui import QColor, QPainter, QPen, QPolygonF
from PyQt5.QtWidgets import QComboBox

from mapexplorer.gui import theme


class ComboBox(QComboBox):
    """A drop-down list with a drawn arrow, which leaves the wheel to the panel around it."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(5)

    def wheelEvent(self, event: Any) -> None:
        """Not for this list: scrolling past it must not change it."""
        event.ignore()

    def paintEvent(self, event: Any) -> None:
        """The list as the style has it, and the arrow."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.Antialiasing)
        painter.setPen(QPen(QColor(theme.colors().muted), 1.5, Qt.SolidLine, Qt.RoundCap, Qt.RoundJoin))
        x, y = self.width() - 13.0, self.height() / 2
        painter.drawPolyline(QPolygonF([QPointF(x - 3.5, y - 2), QPointF(x, y + 2), QPointF(x + 3.5, y - 2)]))

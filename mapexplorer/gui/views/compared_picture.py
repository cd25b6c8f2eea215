"""The picture of the DS view while two ROMs are compared: the one before, the difference, or both along a line."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
from PyQt5.QtCore import QPointF, QRectF
from PyQt5.QtGui import QColor, QImage, QPainter, QPen

from mapexplorer.compare.pictures import difference_picture
from mapexplorer.gui.model.comparison import ComparedRom, Shown
from mapexplorer.gui.rendering.images import enlarged_image
from mapexplorer.gui.rendering.place_renderer import RenderedFrame
from mapexplorer.gui.views.overlay_painter import paint_plate
from mapexplorer.gui.widgets.painting import painting

_GRIP: Final = 8
"""Pixels from the line in which it can be taken."""
_MOST: Final = 0.9
"""The share of pixels that differ above which the user is told what may be left out."""
_MOST_DIFFER: Final = "Most pixels differ: weather can be left out"
_BACKGROUND: Final = QColor(0, 0, 0, 150)
_FOREGROUND: Final = QColor(255, 255, 255)


class ComparedPicture:
    """Paints what a comparison shows over the picture of the present ROM."""

    def __init__(self) -> None:
        self.state = ComparedRom()
        self._kept: tuple[RenderedFrame, Shown, QImage] | None = None

    def paint(self, painter: QPainter, frame: RenderedFrame, area: QRectF, ratio: float) -> None:
        """Paint over a frame in a rectangle of the widget; `ratio`: pixels of the screen to one of the widget."""
        state = self.state
        if not state.active or state.shown is Shown.AFTER or frame.before is None:
            return
        image = self._image(frame, frame.before, round(area.width() * ratio), round(area.height() * ratio))
        image.setDevicePixelRatio(ratio)
        with painting(painter):
            if state.shown is Shown.SLIDER:
                painter.setClipRect(QRectF(area.left(), area.top(), self._line(area) - area.left(), area.height()))
            painter.drawImage(area.topLeft(), image)

    def paint_labels(self, painter: QPainter, frame: RenderedFrame, area: QRectF) -> None:
        """Paint which ROM is where, and the line of the slider, over the picture and its layers."""
        state = self.state
        if not state.active:
            return
        if frame.before is None and state.shown is not Shown.AFTER:
            _tag(painter, area, "No picture of the other ROM", 0)
            return
        if state.shown is Shown.SLIDER:
            _line(painter, area, self._line(area))
        if state.shown is not Shown.AFTER:
            _tag(painter, area, "Difference" if state.shown is Shown.DIFFERENCE else "Before", 0)
        if state.shown in (Shown.AFTER, Shown.SLIDER):
            _tag(painter, area, "After", 1)
        both = state.shown in (Shown.DIFFERENCE, Shown.SLIDER)
        if both and frame.before is not None:
            share = np.mean((frame.before != frame.picture).any(-1))
            if not share or share > _MOST:
                _tag(painter, area, _MOST_DIFFER if share else "No pixel differs", 0.5)

    def is_on_line(self, area: QRectF, point: QPointF) -> bool:
        """Whether a point of the widget is on the line of the slider."""
        slides = self.state.active and self.state.shown is Shown.SLIDER
        return slides and area.contains(point) and abs(point.x() - self._line(area)) <= _GRIP

    def _line(self, area: QRectF) -> float:
        return area.left() + self.state.slider * area.width()

    def _image(self, frame: RenderedFrame, before: npt.NDArray[np.uint8], width: int, height: int) -> QImage:
        """The picture before, or the difference, enlarged. The last one is kept."""
        what = Shown.DIFFERENCE if self.state.shown is Shown.DIFFERENCE else Shown.BEFORE
        kept = self._kept
        if kept is None or kept[:2] != (frame, what) or (kept[2].width(), kept[2].height()) != (width, height):
            picture = before
            if what is Shown.DIFFERENCE:
                picture = frame.picture.copy()
                picture[..., :3] = difference_picture(before, frame.picture)
            self._kept = kept = frame, what, enlarged_image(picture, width, height)
        return kept[2]


def _line(painter: QPainter, area: QRectF, line: float) -> None:
    """The line of the slider with its grip."""
    with painting(painter, smooth=True):
        for color, width in ((_BACKGROUND, 4.0), (_FOREGROUND, 2.0)):
            painter.setPen(QPen(color, width))
            painter.drawLine(QPointF(line, area.top()), QPointF(line, area.bottom()))
        painter.setBrush(_FOREGROUND)
        painter.setPen(QPen(_BACKGROUND, 1.0))
        painter.drawRoundedRect(QRectF(line - 5, area.center().y() - 16, 10, 32), 5, 5)


def _tag(painter: QPainter, area: QRectF, text: str, place: float) -> None:
    """A text at the upper edge: at the left for 0, in the middle for 0.5, at the right for 1."""
    box = QRectF(painter.fontMetrics().boundingRect(text)).adjusted(-7, -3, 7, 3)
    box.moveTopLeft(QPointF(area.left() + 8 + place * (area.width() - 16 - box.width()), area.top() + 8))
    with painting(painter):
        paint_plate(painter, box, text, _BACKGROUND, 4)

"""Icons drawn by code in the colours of the theme: strokes in a 16 x 16 grid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PyQt5.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PyQt5.QtGui import QColor, QIcon, QIconEngine, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

from mapexplorer.gui.widgets import theme
from mapexplorer.gui.widgets.painting import painting

_LINES = {
    "back": "10,3 5,8 10,13",
    "forward": "6,3 11,8 6,13",
    "open": "2,12.5 2,3.5 6,3.5 7.5,5.5 13,5.5 13,7 ; 2,12.5 4.5,7.5 15,7.5 12.5,12.5 2,12.5",
    "export": "8,2 8,10 ; 4.8,6.8 8,10 11.2,6.8 ; 2.5,10.5 2.5,13.5 13.5,13.5 13.5,10.5",
    "step": "4,3 9,8 4,13 ; 11.5,3 11.5,13",
    "restart": "12,3 7,8 12,13 ; 4.5,3 4.5,13",
    "search": "10.3,10.3 14,14",
    "top": "2.5,2.5 13.5,2.5 13.5,13.5 2.5,13.5 2.5,2.5 ; 2.5,8 13.5,8 ; 8,2.5 8,13.5",
    "game": "1.5,4.5 10.5,4.5 10.5,11.5 1.5,11.5 1.5,4.5 ; 10.5,7 14.5,5 14.5,11 10.5,9",
    "fly": "1.5,7.5 14.5,2 9.5,14 7.3,9.2 1.5,7.5 ; 7.3,9.2 14.5,2",
    "walk": "8,1.5 9.5,3 8,4.5 6.5,3 8,1.5 ; 8,4.5 8,9.5 ; 4.5,8 8,6 11.5,8 ; 4.5,14.5 8,9.5 11,14.5",
    "closed": "6,4 10,8 6,12",
    "opened": "4,6 8,10 12,6",
    "close": "4,4 12,12 ; 12,4 4,12",
    "copy": "5.5,5.5 13.5,5.5 13.5,13.5 5.5,13.5 5.5,5.5 ; 3,10.5 2.5,10.5 2.5,2.5 10.5,2.5 10.5,3",
    "matrix": (
        "2.5,2.5 13.5,2.5 13.5,13.5 2.5,13.5 2.5,2.5 ; "
        "2.5,6.2 13.5,6.2 ; "
        "2.5,9.8 13.5,9.8 ; "
        "6.2,2.5 6.2,13.5 ; "
        "9.8,2.5 9.8,13.5"
    ),
    "map": "2,4 6,2.5 10,4 14,2.5 14,12 10,13.5 6,12 2,13.5 2,4 ; 6,2.5 6,12 ; 10,4 10,13.5",
    "item": "8,2 12.2,3.8 14,8 12.2,12.2 8,14 3.8,12.2 2,8 3.8,3.8 8,2 ; 2,8 14,8",
    "script": "5.5,3.5 2,8 5.5,12.5 ; 10.5,3.5 14,8 10.5,12.5",
    "text": "2.5,3 13.5,3 13.5,11 8,11 5,14 5,11 2.5,11 2.5,3 ; 5,6 11,6 ; 5,8.5 9,8.5",
    "flag": "4,14.5 4,2.5 12.5,2.5 10,5.5 12.5,8.5 4,8.5",
    "variable": "3,4 6,12 ; 9,4 4,12.5 ; 11,12 14,12",
    "music": "5,12 5,3.5 12.5,2 12.5,10.5 ; 3,12 5,12 ; 10.5,10.5 12.5,10.5",
    "tree": "8,14.5 8,9 ; 3,10 8,2 13,10 3,10",
    "weather": "3,9.5 5,6 8,5 11,6 13,9.5 3,9.5 ; 5.5,11.5 5,14 ; 10.5,11.5 10,14",
    "move": "9.5,1.5 4,9 8,9 6.5,14.5 12,7 8,7 9.5,1.5",
    "list": "2.5,3 5.5,3 5.5,6 2.5,6 2.5,3 ; 8,4.5 14,4.5 ; 2.5,10 5.5,10 5.5,13 2.5,13 2.5,10 ; 8,11.5 14,11.5",
    "grass": "2,13.5 14,13.5 ; 5,13.5 2.5,7 ; 6,13.5 6,5 ; 8,13.5 9,2.5 ; 10,13.5 13.5,5.5",
    "files": "3,1.5 9.5,1.5 13,5 13,14.5 3,14.5 3,1.5 ; 9.5,1.5 9.5,5 13,5",
    "changes": "2,5 13.5,5 10.5,2 ; 14,11 2.5,11 5.5,14",
    "layers": "8,2 14.5,5.5 8,9 1.5,5.5 8,2 ; 1.5,8.5 8,12 14.5,8.5 ; 1.5,11 8,14.5 14.5,11",
    "split": "1.5,3.5 14.5,3.5 14.5,12.5 1.5,12.5 1.5,3.5 ; 8,3.5 8,12.5",
    "camera": (
        "1.5,5.7 1.9,4.9 2.7,4.5 13.3,4.5 14.1,4.9 14.5,5.7 14.5,12.3 14.1,13.1 13.3,13.5 2.7,13.5 1.9,13.1 1.5,12.3 "
        "1.5,5.7 ; 5.5,4.5 6.5,2.5 9.5,2.5 10.5,4.5"
    ),
    "people": "3,13.5 3.4,11.8 4.5,10.3 6.1,9.3 8,9 9.9,9.3 11.5,10.3 12.6,11.8 13,13.5",
}
"""Strokes: points `x,y` in order, strokes parted by semicolons."""

_POLYGONS: Final[dict[str, list[list[tuple[float, float]]]]] = {
    "play": [[(4.5, 2.5), (13, 8), (4.5, 13.5)]],
    "pause": [[(4, 3), (6.5, 3), (6.5, 13), (4, 13)], [(9.5, 3), (12, 3), (12, 13), (9.5, 13)]],
    "orbit": [[(6, 7.2), (7.2, 6), (8.8, 6), (10, 7.2), (10, 8.8), (8.8, 10), (7.2, 10), (6, 8.8)]],
}
"""Filled corners."""

_ELLIPSES: Final[dict[str, list[tuple[float, float, float, float]]]] = {
    "search": [(2.5, 2.5, 8.5, 8.5)],
    "orbit": [(1.5, 5, 13, 6)],
    "camera": [(5.5, 6.5, 5, 5)],
    "people": [(5.5, 2, 5, 5)],
}
"""Left, top, width and height."""


class StrokeIcon(QIconEngine):
    """Draws an icon in the colours that the theme has at that time; nothing for an unknown name."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def clone(self) -> QIconEngine:
        """Another one."""
        return StrokeIcon(self._name)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        """Paint the icon."""
        painter.drawPixmap(rect, self.pixmap(rect.size(), mode, state))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """The icon as a picture."""
        colors = theme.colors()
        made = pixmap(self._name, QColor(colors.border if mode == QIcon.Disabled else colors.text), size.width() / 16)
        made.setDevicePixelRatio(1)  # Qt sets that of the screen
        return made


def icon(name: str) -> QIcon:
    """An icon in the colours of the theme."""
    return QIcon(StrokeIcon(name))


def pixmap(name: str, color: QColor, scale: float = 2) -> QPixmap:
    """An icon of 16 x 16 in a colour, for a scale factor."""
    made = QPixmap(round(16 * scale), round(16 * scale))
    made.fill(Qt.transparent)
    with painting(made, smooth=True) as painter:
        painter.scale(scale, scale)
        _draw(painter, name, color)
    made.setDevicePixelRatio(scale)
    return made


def _draw(painter: QPainter, name: str, color: QColor) -> None:
    pen = QPen(color, 1.5)
    pen.setCapStyle(Qt.RoundCap)
    pen.setJoinStyle(Qt.RoundJoin)
    painter.setPen(pen)
    for stroke in _LINES.get(name, "").split(";"):
        points = [QPointF(*map(float, pair.split(","))) for pair in stroke.split()]
        painter.drawPolyline(QPolygonF(points))
    for polygon in _POLYGONS.get(name, ()):
        _fill(painter, color, polygon)
    for x, y, width, height in _ELLIPSES.get(name, ()):
        painter.drawEllipse(QRectF(x, y, width, height))


def _fill(painter: QPainter, color: QColor, points: Sequence[tuple[float, float]]) -> None:
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in points]))
    path.closeSubpath()
    painter.fillPath(path, color)


def app_icon() -> QIcon:
    """The program's own icon: a map cell with a path and a plate."""
    result = QIcon()
    for size in (16, 32, 64, 128, 256):
        pixmap = QPixmap(size, size)
        pixmap.fill(Qt.transparent)
        with painting(pixmap, smooth=True) as painter:
            painter.scale(size / 64, size / 64)
            path = QPainterPath()
            path.addRoundedRect(QRectF(4, 4, 56, 56), 12, 12)
            painter.fillPath(path, QColor("#2b6cb8"))
            for points, color in (
                ([(12, 34), (32, 22), (52, 34), (32, 46)], "#7cc36a"),
                ([(12, 34), (32, 46), (32, 54), (12, 42)], "#8a6a48"),
                ([(52, 34), (32, 46), (32, 54), (52, 42)], "#6e5238"),
                ([(26, 25.6), (32, 22), (52, 34), (46, 37.6)], "#e8d9a8"),
            ):
                _fill(painter, QColor(color), points)
        result.addPixmap(pixmap)
    return result

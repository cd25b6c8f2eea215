"""What is painted over the cells of the map where the matrix is shown: their numbers, in colours."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from PyQt5.QtCore import QRectF, Qt
from PyQt5.QtGui import QColor, QPainter, QPen

from mapexplorer.gui.model.map_camera import MapCamera, Size
from mapexplorer.gui.widgets import theme
from mapexplorer.gui.widgets.painting import painting
from mapexplorer.world.cells import ALTITUDE_UNITS, CELL_UNITS, Cell
from mapexplorer.world.colors import FILLER, hue
from mapexplorer.world.place import FieldPlace

HEADERS, LANDS, ALTITUDES = "headers", "lands", "altitudes"
MODES: Final = {HEADERS: "Headers", LANDS: "Lands", ALTITUDES: "Altitudes"}
NUMBERS: Final[dict[str, Callable[[Cell], int]]] = {
    HEADERS: lambda cell: cell.header,
    LANDS: lambda cell: cell.land,
    ALTITUDES: lambda cell: cell.altitude * ALTITUDE_UNITS,
}
"""Mode -> the number that is written on a cell."""

_NAMED: Final = 44.0
"""Pixels of the side of a cell from which it has the name of its header."""
_FONT: Final = 0.75, 1.6
"""The smallest and the greatest size of the letters as a factor of the size of the widget's font."""
_ROOM: Final = 3
"""Pixels that a cell has beside its number."""
_GROWING: Final = 120.0
"""Pixels of the side of a cell in which letters have the size of the widget's font."""


def paint_cells(
    painter: QPainter,
    place: FieldPlace,
    mode: str,
    loaded: Collection[tuple[int, int]],
    camera: MapCamera,
    size: Size,
) -> None:
    """The cells of a matrix in the colours of what the mode shows, with numbers where these have room, and frames
    around those that the picture loads."""
    with painting(painter):
        font, side = painter.font(), CELL_UNITS * camera.scale
        font.setPointSizeF(font.pointSizeF() * min(_FONT[1], max(_FONT[0], side / _GROWING)))
        painter.setFont(font)
        picture, metrics = QRectF(0, 0, *size), painter.fontMetrics()
        for cell in place.matrix_cells.values():
            box = QRectF(*camera.pixel(cell.x * CELL_UNITS, cell.z * CELL_UNITS, size), side, side)
            if not box.intersects(picture):
                continue
            painter.fillRect(box, QColor(theme.colors().view))
            painter.fillRect(box.adjusted(0.3, 0.3, -0.3, -0.3), _color(cell, mode))
            number = str(NUMBERS[mode](cell))
            if side >= max(12, metrics.horizontalAdvance(number) + _ROOM):
                named = mode == HEADERS and side >= _NAMED and not cell.filler
                name = f"\n{place.world.headers[cell.header].internal_name}" if named else ""
                dark = mode == ALTITUDES or not cell.filler
                painter.setPen(QColor(20, 24, 30) if dark else QColor(theme.ON_VIEW))
                painter.drawText(box, Qt.AlignCenter, number + name)
            if (cell.x, cell.z) in loaded:
                painter.setPen(QPen(QColor(255, 255, 255, 230), 1.6))
                painter.drawRect(box.adjusted(1, 1, -1, -1))


def _color(cell: Cell, mode: str) -> QColor:
    """That of the header or land, or a brightness by altitude."""
    if mode == ALTITUDES:
        steps = min(cell.altitude, 28)  # two more than the highest cell of the game
        return QColor.fromHsv(34, 160 - 5 * steps, 140 + 4 * steps)
    return QColor(*FILLER) if cell.filler else QColor(*hue(NUMBERS[mode](cell), 0.35, 0.72))

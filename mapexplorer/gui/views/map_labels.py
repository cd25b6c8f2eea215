"""Paints the names on the map: by zoom, the important ones first, without overlap."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PyQt5.QtCore import QPointF, QRectF
from PyQt5.QtGui import QColor, QFont, QFontMetricsF, QPainter

from mapexplorer.gui.model.map_camera import MapCamera, Size
from mapexplorer.gui.views.overlay_painter import paint_plate
from mapexplorer.gui.widgets.painting import painting
from mapexplorer.world.headers.place_labels import PlaceLabel, Rank

SMALLEST: Final = {Rank.TOWN: 0.0, Rank.PLACE: 0.045, Rank.BUILDING: 0.45}
"""The scale in pixels per unit from which on names of a kind appear."""
_SIZES: Final = {Rank.TOWN: 1.08, Rank.PLACE: 0.95, Rank.BUILDING: 0.86}
"""The size of the letters by kind, as a factor of the size of the widget's font."""
_PLATES: Final = {Rank.TOWN: (16, 20, 27, 205), Rank.PLACE: (16, 20, 27, 165), Rank.BUILDING: (58, 36, 84, 205)}
"""The colour of the plate behind a name."""
_GAP: Final = 2.0
"""Pixels that are left between names."""
_SHIFTS: Final = ((0.0, 0.0), (0.0, 1.1), (0.0, -1.1), (0.6, 0.55), (-0.6, 0.55))
"""Where a name is tried, in widths of it to the east and heights of it to the south of its place."""
_BESIDE: Final = 0.09
"""The scale in pixels per unit below which names are beside their places: a cell is then less than 46 pixels wide."""
_SMALL: Final = 0.85
"""The factor of the size of letters below this scale."""


PlacedLabel = tuple[PlaceLabel, QRectF, bool]
"""A name and its box in the picture, and whether its letters are small."""


class MapLabels:
    """Places and paints names."""

    def __init__(self, font: QFont) -> None:
        self._fonts: dict[tuple[Rank, bool], QFont] = {}
        for rank, factor in _SIZES.items():
            for small in (False, True):
                own = QFont(font)
                own.setPointSizeF(font.pointSizeF() * factor * (_SMALL if small else 1.0))
                own.setBold(rank is Rank.TOWN)
                self._fonts[rank, small] = own
        self._metrics = {kind: QFontMetricsF(own) for kind, own in self._fonts.items()}

    def placed(self, labels: Iterable[PlaceLabel], camera: MapCamera, size: Size) -> list[PlacedLabel]:
        """The names that are shown in a picture of this size, in the order of `labels`; one that would cover another is
        moved by its height or left out. A name of several maps that are near each other is shown once."""
        small = camera.scale < _BESIDE
        picture = QRectF(0, 0, *size)
        placed: list[PlacedLabel] = []
        taken: list[QRectF] = []
        for label in labels:
            if camera.scale < SMALLEST[label.rank]:
                continue
            x, y = camera.pixel(label.x, label.z, size)
            if not (0 <= x < size[0] and 0 <= y < size[1]):
                continue
            width, height = self._size(label, small)
            if label.rank is Rank.BUILDING or small:
                y -= height  # above the door, and above a place that is smaller than its name
            x = min(max(x, width / 2 + _GAP), size[0] - width / 2 - _GAP)
            y = min(max(y, height / 2 + _GAP), size[1] - height / 2 - _GAP)
            if label.rank is not Rank.BUILDING and any(
                other.text == label.text and (box.center() - QPointF(x, y)).manhattanLength() < 2 * width
                for other, box, _ in placed
            ):
                continue
            for right, down in _SHIFTS:
                box = QRectF(x + (right - 0.5) * width, y + (down - 0.5) * height, width, height)
                if picture.contains(box) and not any(box.intersects(other) for other in taken):
                    placed.append((label, box, small))
                    taken.append(box.adjusted(-_GAP, -_GAP, _GAP, _GAP))
                    break
        return placed

    def paint(self, painter: QPainter, placed: Iterable[PlacedLabel]) -> None:
        """Paint names."""
        with painting(painter, smooth=True):
            for label, box, small in placed:
                painter.setFont(self._fonts[label.rank, small])
                paint_plate(painter, box, label.text, QColor(*_PLATES[label.rank]))

    def _size(self, label: PlaceLabel, small: bool) -> tuple[float, float]:
        metrics = self._metrics[label.rank, small]
        return metrics.horizontalAdvance(label.text) + 9, metrics.height() + 2

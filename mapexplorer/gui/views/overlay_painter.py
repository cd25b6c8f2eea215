"""Paints collision, behaviours, plates, events and the grid over a picture, through that picture's camera."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
from PyQt5.QtCore import QPointF, QRectF, Qt
from PyQt5.QtGui import QBrush, QColor, QFont, QPainter, QPen, QPolygonF, QTransform

from mapexplorer.games import DEFAULT
from mapexplorer.gui.images import image_of
from mapexplorer.gui.model.layers import Layers
from mapexplorer.gui.model.overlay import Marker, Overlay
from mapexplorer.gui.model.projection import Projection
from mapexplorer.inspector.subject import Subject
from mapexplorer.world.cell_ground import CellGround
from mapexplorer.world.layer_colors import (
    BLOCKED,
    CELL_LINE,
    EVENTS,
    FLAT_PLATE,
    NORMAL,
    SLOPED_PLATE,
    STRIP,
    TILE_LINE,
    Rgb,
    hue,
)

Array = npt.NDArray[np.float64]
Point = tuple[float, float, float]
Marks = tuple[Sequence[Point], Sequence[Point]]

SMALLEST_TILE = 8.0
"""Tiles that are fewer pixels wide are drawn as one picture for each cell."""
LABELLED_TILE = 30.0
"""Tiles at least so wide carry the name of their behaviour."""


class OverlayPainter:
    """Draws layers of an overlay into a rectangle of a widget."""

    def __init__(
        self, painter: QPainter, rectangle: QRectF, projection: Projection, layers: Layers, *, marks_only: bool = False
    ) -> None:
        """`marks_only`: of the layers only their labels, because the picture shows the rest."""
        self.painter = painter
        self.rectangle = rectangle
        self.projection = projection
        self.layers = layers
        self.marks_only = marks_only

    def paint(self, overlay: Overlay, selection: Subject | None, marks: Marks = ((), ())) -> None:
        """Everything that is visible, then what is selected, then a walk's trail and the tile that refused."""
        painter = self.painter
        painter.save()
        painter.setClipRect(self.rectangle)
        painter.setRenderHint(QPainter.Antialiasing)
        for part in overlay.cells:
            if not self.marks_only:
                self._areas(part)
            if self.layers.shown("behaviours") and not self._small(part):
                self._names(part)
        if self.layers.shown("events"):
            self._events(overlay.markers, self.layers["events"].opacity)
        if selection is not None:
            self._selection(overlay, selection)
        self._walk(*marks)
        painter.restore()

    def _areas(self, part: CellGround) -> None:
        layers = self.layers
        if self._small(part):
            self._tile_picture(part)
        else:
            if layers.shown("behaviours"):
                self._behaviours(part, layers["behaviours"].opacity)
            if layers.shown("collision"):
                self._tiles(part, part.blocked, BLOCKED, layers["collision"].opacity)
        if layers.shown("plates"):
            self._plates(part, layers["plates"].opacity)
        if layers.shown("grid"):
            self._grid(part, layers["grid"].opacity)

    def _walk(self, trail: Sequence[Point], refused: Sequence[Point]) -> None:
        if trail:
            flat, front = self.projection.project(np.array(trail, float))
            area = self.rectangle
            pixels = flat * (area.width(), area.height()) + (area.x(), area.y())
            self.painter.setPen(QPen(QColor(255, 255, 255, 150), 2.0, Qt.DotLine))
            for index in range(len(trail) - 1):
                if front[index] and front[index + 1]:
                    self.painter.drawLine(QPointF(*pixels[index]), QPointF(*pixels[index + 1]))
        if refused:
            shape, touching = self._flat(np.array(refused, float))
            if touching:
                self._draw([shape], color(BLOCKED, 0.5), color(BLOCKED, 1.0), 2.0)

    def _flat(self, corners: Array) -> tuple[Array, npt.NDArray[np.bool_]]:
        """Corners in pixels, and which shapes are wholly in front of the camera and touch the picture."""
        flat, front = self.projection.project(corners)
        touching = front.all(-1) & (flat.max(-2) >= 0).all(-1) & (flat.min(-2) <= 1).all(-1)
        area = self.rectangle
        return flat * (area.width(), area.height()) + (area.x(), area.y()), touching

    def _draw(self, shapes: Iterable[Array], fill: QColor, outline: QColor | None = None, width: float = 1.0) -> None:
        painter = self.painter
        painter.setBrush(QBrush(fill))
        painter.setPen(QPen(outline, width) if outline is not None else Qt.NoPen)
        for shape in shapes:
            painter.drawPolygon(polygon(shape))

    def _tiles(self, part: CellGround, chosen: npt.NDArray[np.bool_], rgb: Rgb, opacity: float) -> None:
        if not chosen.any():
            return
        flat, touching = self._flat(part.tiles[chosen])
        shapes = flat[touching]
        self._draw(shapes, color(rgb, opacity), color(rgb, min(1.0, opacity * 1.4)), 0.8)

    def _small(self, part: CellGround) -> bool:
        """Whether a cell's tiles are too small to be drawn one by one."""
        flat, front = self._flat(part.tiles[[0, 0, 31, 31, 16], [0, 31, 0, 31, 16]])
        return bool(front.any()) and _width(flat[front]) < SMALLEST_TILE

    def _tile_picture(self, part: CellGround) -> None:
        """All tiles of a cell as one picture, laid over the cell's corners."""
        colors = np.zeros((32, 32, 4), np.uint8)
        if self.layers.shown("behaviours"):
            for number in np.unique(part.behaviours).tolist():
                if number:
                    opacity = self.layers["behaviours"].opacity
                    colors[part.behaviours == number] = (*hue(number), round(255 * opacity))
        if self.layers.shown("collision"):
            colors[part.blocked] = (*BLOCKED, round(255 * self.layers["collision"].opacity))
        ends = part.tiles[[0, 31, 31, 0], [0, 0, 31, 31], [0, 1, 2, 3]]
        flat, touching = self._flat(ends)
        if not touching or not colors.any():
            return
        # Corners in the order of the picture's: north-west, north-east, south-east, south-west.
        whole = polygon(np.array([[0, 0], [32, 0], [32, 32], [0, 32]], float))
        transform = QTransform()
        if not QTransform.quadToQuad(whole, polygon(flat[[0, 3, 2, 1]]), transform):
            return
        image = image_of(colors)
        self.painter.save()
        self.painter.setTransform(transform, True)
        self.painter.drawImage(0, 0, image)
        self.painter.restore()

    def _behaviours(self, part: CellGround, opacity: float) -> None:
        for number in np.unique(part.behaviours).tolist():
            if not number:
                continue
            self._tiles(part, part.behaviours == number, hue(number), opacity)

    def _names(self, part: CellGround) -> None:
        for number in np.unique(part.behaviours).tolist():
            if not number:
                continue
            flat, touching = self._flat(part.tiles[part.behaviours == number])
            shapes = flat[touching]
            if len(shapes) and _width(shapes) >= LABELLED_TILE:
                self._labels(shapes, DEFAULT.tables.behaviour_name(number))

    def _labels(self, shapes: Array, text: str) -> None:
        painter = self.painter
        font = QFont(painter.font())
        font.setPointSizeF(max(5.5, font.pointSizeF() * 0.62))
        painter.setFont(font)
        painter.setPen(QColor(255, 255, 255))
        for shape in shapes:
            low, high = shape.min(0), shape.max(0)
            box = QRectF(low[0], low[1], high[0] - low[0], high[1] - low[1])
            painter.drawText(box, Qt.AlignCenter | Qt.TextWordWrap, text)

    def _plates(self, part: CellGround, opacity: float) -> None:
        if not len(part.plates):
            return
        flat, touching = self._flat(part.plates)
        for chosen, rgb in ((~part.sloped, FLAT_PLATE), (part.sloped, SLOPED_PLATE)):
            shapes = flat[touching & chosen]
            self._draw(shapes, color(rgb, opacity * 0.55), color(rgb, min(1.0, opacity + 0.3)), 1.2)
        self._normals(part, touching, opacity)
        self._strips(part, opacity)

    def _normals(self, part: CellGround, touching: npt.NDArray[np.bool_], opacity: float) -> None:
        flat, front = self._flat(part.stems)
        self.painter.setPen(QPen(color(NORMAL, min(1.0, opacity + 0.2)), 1.2))
        for start, end in flat[front & touching]:
            self.painter.drawLine(QPointF(*start), QPointF(*end))

    def _strips(self, part: CellGround, opacity: float) -> None:
        self.painter.setPen(QPen(color(STRIP, opacity * 0.6), 1.0, Qt.DashLine))
        for start, end in part.strip_lines:
            self._line(start, end)

    def _line(self, start: Array, end: Array) -> None:
        points = np.linspace(start, end, 9)
        flat, front = self.projection.project(points)
        area = self.rectangle
        pixels = flat * (area.width(), area.height()) + (area.x(), area.y())
        for index in range(len(points) - 1):
            if front[index] and front[index + 1]:
                self.painter.drawLine(QPointF(*pixels[index]), QPointF(*pixels[index + 1]))

    def _grid(self, part: CellGround, opacity: float) -> None:
        if not self._small(part):
            flat, touching = self._flat(part.tiles.reshape(-1, 4, 3))
            self._draw(flat[touching], QColor(0, 0, 0, 0), color(TILE_LINE, opacity * 0.7), 0.7)
        self.painter.setPen(QPen(color(CELL_LINE, min(1.0, opacity + 0.35)), 1.8))
        for start, end in zip(part.border, np.roll(part.border, -1, 0), strict=True):
            self._line(start, end)

    def _events(self, markers: Iterable[Marker], opacity: float) -> None:
        painter = self.painter
        font = QFont(painter.font())
        font.setPointSizeF(max(6.5, font.pointSizeF() * 0.78))
        for marker in markers:
            flat, touching = self._flat(marker.corners)
            if not touching:
                continue
            rgb = EVENTS[marker.subject.kind]
            if not self.marks_only:
                self._draw([flat], color(rgb, opacity * 0.5), color(rgb, opacity), 1.6)
            if flat[:, 0].max() - flat[:, 0].min() < 9:
                continue
            painter.setFont(font)
            metrics = painter.fontMetrics()
            middle = flat.mean(0)
            box = QRectF(metrics.boundingRect(marker.label)).adjusted(-3, -1, 3, 1)
            box.moveCenter(QPointF(middle[0], flat[:, 1].min() - box.height() / 2 - 1))
            painter.setPen(Qt.NoPen)
            painter.setBrush(color(rgb, min(1.0, opacity)))
            painter.drawRoundedRect(box, 3, 3)
            painter.setPen(QColor(255, 255, 255))
            painter.drawText(box, Qt.AlignCenter, marker.label)

    def _selection(self, overlay: Overlay, selection: Subject) -> None:
        outline = QColor(255, 235, 60)
        if selection.kind == "placed prop":
            for box in overlay.props:
                if box.subject == selection:
                    self._box(box.low, box.high, outline)
            return
        corners = selected_corners(overlay, selection)
        if corners is not None:
            flat, touching = self._flat(corners)
            if touching:
                self._draw([flat], QColor(255, 235, 60, 60), QColor(0, 0, 0, 160), 4.0)
                self._draw([flat], QColor(0, 0, 0, 0), outline, 2.0)

    def _box(self, low: Array, high: Array, outline: QColor) -> None:
        self.painter.setPen(QPen(outline, 1.8))
        ends = [low, high]
        corners = [np.array([ends[i & 1][0], ends[i >> 1 & 1][1], ends[i >> 2 & 1][2]]) for i in range(8)]
        for first in range(8):
            for bit in (1, 2, 4):
                if not first & bit:
                    self._line(corners[first], corners[first | bit])


def selected_corners(overlay: Overlay, selection: Subject) -> Array | None:
    """The corners (4, 3) of a selected tile, cell, plate or event; None for other things."""
    if selection.kind in EVENTS:
        return next((marker.corners for marker in overlay.markers if marker.subject == selection), None)
    if selection.kind not in ("tile", "plate", "cell"):
        return None
    _, x, z = selection.key[:3]
    at = (x // 32, z // 32) if selection.kind == "tile" else (x, z)
    part = next((part for part in overlay.cells if (part.cell.x, part.cell.z) == at), None)
    if part is None:
        return None
    if selection.kind == "tile":
        tile: Array = part.tiles[z % 32, x % 32]
        return tile
    if selection.kind == "plate":
        return part.plates[selection.key[3]] if selection.key[3] < len(part.plates) else None
    return None


def color(rgb: Rgb, opacity: float) -> QColor:
    """A colour with an opacity from 0 to 1."""
    return QColor(*rgb, round(255 * min(1.0, max(0.0, opacity))))


def polygon(points: Array) -> QPolygonF:
    """Pixels (n, 2) as a polygon."""
    return QPolygonF([QPointF(x, y) for x, y in points.tolist()])


def _width(shapes: Array) -> float:
    return float(np.median(shapes[..., 0].max(-1) - shapes[..., 0].min(-1)))

"""What is painted over the map beside its layers and names: the place, the ruler."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

import numpy as np
from PyQt5.QtCore import QLineF, QPointF, QRect, QRectF, Qt
from PyQt5.QtGui import QColor, QImage, QPainter, QPen

from mapexplorer.gui.model.map_camera import Box, MapCamera, Size
from mapexplorer.gui.model.marks import ReachedTiles
from mapexplorer.gui.rendering.images import image_of
from mapexplorer.gui.views.map_navigation import Ruler
from mapexplorer.gui.views.map_tiles import box_of
from mapexplorer.gui.views.overlay_painter import REACHED
from mapexplorer.gui.widgets import theme
from mapexplorer.gui.widgets.painting import painting
from mapexplorer.world.cells import CELL_TILES, CELL_UNITS, TILE_UNITS
from mapexplorer.world.colors import Rgb
from mapexplorer.world.place import FieldPlace

_RULER: Final = QColor(255, 214, 64)
_REACHED_ALPHA: Final = 150
_SMALLEST: Final = 3.0
"""Pixels of the side of a marked tile."""
_MOST_CELLS: Final = 200
"""Cells of the largest place that has an outline."""


def paint_place(painter: QPainter, place: FieldPlace, tile: tuple[float, float], camera: MapCamera, size: Size) -> None:
    """The outline of a place's cells in a matrix of several places, and the tile at which the other views look."""
    with painting(painter, smooth=True):
        if place.matrix.headers is not None and len(place.cells) < _MOST_CELLS:
            sides = _outline({(cell.x, cell.z) for cell in place.cells}, camera, size)
            for color, width in ((QColor(0, 0, 0, 150), 3.6), (QColor(theme.colors().accent), 1.8)):
                painter.setPen(QPen(color, width))
                painter.drawLines(sides)
        painter.setPen(QPen(QColor(0, 0, 0, 170), 1.2))
        painter.setBrush(QColor(255, 225, 60))
        painter.drawEllipse(QPointF(*camera.pixel(tile[0] * TILE_UNITS, tile[1] * TILE_UNITS, size)), 4.5, 4.5)


def _outline(cells: set[tuple[int, int]], camera: MapCamera, size: Size) -> list[QLineF]:
    """The sides of cells that have no other of them beside."""

    def corner(x: int, z: int) -> QPointF:
        return QPointF(*camera.pixel(x * CELL_UNITS, z * CELL_UNITS, size))

    sides = []
    for x, z in cells:
        corners = corner(x, z), corner(x + 1, z), corner(x + 1, z + 1), corner(x, z + 1)
        beside = (x, z - 1), (x + 1, z), (x, z + 1), (x - 1, z)
        sides += [QLineF(corners[at], corners[(at + 1) % 4]) for at in range(4) if beside[at] not in cells]
    return sides


def paint_tiles(painter: QPainter, tiles: Iterable[tuple[int, int]], rgb: Rgb, camera: MapCamera, size: Size) -> None:
    """Marked tiles (x, z), at least a few pixels large."""
    with painting(painter):
        painter.setPen(QPen(QColor(*rgb), 1.4))
        painter.setBrush(QColor(*rgb, 70))
        side = max(_SMALLEST, camera.scale * TILE_UNITS)
        for x, z in tiles:
            middle = QPointF(*camera.pixel((x + 0.5) * TILE_UNITS, (z + 0.5) * TILE_UNITS, size))
            painter.drawRect(QRectF(middle.x() - side / 2, middle.y() - side / 2, side, side))


def reached_picture(reached: ReachedTiles) -> tuple[QImage, Box]:
    """The tiles that can be reached, a pixel each, and the box of the picture in units."""
    cells = {(int(cell.key[1]), int(cell.key[2])): mask for cell, mask in reached.items()}
    columns, rows = zip(*cells, strict=True)
    west, north = min(columns), min(rows)
    size = (max(rows) + 1 - north) * CELL_TILES, (max(columns) + 1 - west) * CELL_TILES
    pixels = np.zeros((*size, 4), np.uint8)
    for (x, z), mask in cells.items():
        top, left = (z - north) * CELL_TILES, (x - west) * CELL_TILES
        pixels[top : top + CELL_TILES, left : left + CELL_TILES][mask] = (*REACHED, _REACHED_ALPHA)
    return image_of(pixels), box_of(cells)


def paint_ruler(painter: QPainter, ruler: Ruler, camera: MapCamera, size: Size) -> None:
    """A line between two points, with its length."""
    ends = [QPointF(*camera.pixel(*end, size)) for end in ruler]
    with painting(painter, smooth=True):
        for color, width in ((QColor(0, 0, 0, 160), 4.0), (_RULER, 2.0)):
            painter.setPen(QPen(color, width))
            painter.drawLine(*ends)
        painter.setBrush(_RULER)
        painter.setPen(QPen(QColor(0, 0, 0, 160), 1))
        for end in ends:
            painter.drawEllipse(end, 3.5, 3.5)
        text = ruler_text(*ruler)
        box = QRectF(painter.fontMetrics().boundingRect(QRect(0, 0, 400, 100), Qt.AlignLeft, text)).adjusted(
            -6, -3, 6, 3
        )
        box.moveTo(ends[1] + QPointF(12, 12))
        box.moveTo(
            min(max(4.0, box.x()), size[0] - box.width() - 4),
            min(max(4.0, box.y()), size[1] - box.height() - 4),
        )
        painter.setPen(Qt.NoPen)
        painter.setBrush(QColor(16, 20, 27, 240))
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(QColor(255, 255, 255))
        painter.drawText(box.adjusted(6, 3, -6, -3), Qt.AlignLeft, text)


def ruler_text(start: tuple[float, float], end: tuple[float, float]) -> str:
    """The distance of two points in tiles, cells and units, and its parts to the east and south, in tiles."""
    east, south = end[0] - start[0], end[1] - start[1]
    length = math.hypot(east, south)
    parts = [
        f"{abs(value) / TILE_UNITS:.1f} {name if value > 0 else other}"
        for value, name, other in ((east, "east", "west"), (south, "south", "north"))
        if abs(value) >= 0.05 * TILE_UNITS
    ]
    text = f"{length / TILE_UNITS:.1f} tiles\n{length / CELL_UNITS:.2f} cells\n{length:.0f} units"
    return f"{text}\n{', '.join(parts)}" if parts else text

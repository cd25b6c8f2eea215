"""The matrix panel: a grid of cells in the colours of their headers, with names, pictures and the camera's position."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np
from PyQt5.QtCore import QEvent, QPointF, QRectF, QSizeF, Qt, pyqtSignal
from PyQt5.QtGui import (
    QColor,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PyQt5.QtWidgets import QWidget

from mapexplorer.gui.docks.panel import Copied, Panel, copied_rows
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.map_camera import Box
from mapexplorer.gui.rendering.tile_renderer import ImageTile
from mapexplorer.gui.views.map_tiles import MapTiles, TilePyramid
from mapexplorer.gui.widgets import theme
from mapexplorer.gui.widgets.controls import ComboBox
from mapexplorer.gui.widgets.layout import MUTED, column, label, row, timer
from mapexplorer.world.cells import ALTITUDE_UNITS, CELL_TILES, CELL_UNITS, Cell
from mapexplorer.world.colors import hue

SCALES = (3.0, 160.0)
PICTURES, HEADERS, LANDS, ALTITUDES = "pictures", "headers", "lands", "altitudes"
MODES: Final = {PICTURES: "Pictures", HEADERS: "Headers", LANDS: "Lands", ALTITUDES: "Altitudes"}
_NUMBERS: Final[dict[str, Callable[[Cell], int]]] = {
    HEADERS: lambda cell: cell.header,
    LANDS: lambda cell: cell.land,
    ALTITUDES: lambda cell: cell.altitude * ALTITUDE_UNITS,
}
"""Mode -> the number that is written on a cell."""


class MatrixGrid(QWidget):
    """The grid: drag to move, wheel to zoom, click to go to a cell."""

    cell_chosen = pyqtSignal(int, int, float, float)
    described = pyqtSignal(str)

    def __init__(self, explorer: Explorer, tiles: MapTiles) -> None:
        super().__init__()
        self.setObjectName("matrix grid")
        self.explorer, self.tiles = explorer, tiles
        self.mode = PICTURES
        self._scale = 16.0
        self._origin = QPointF(0, 0)
        self._matrix = -1
        self._cells: QPixmap | None = None
        self._texts: QPixmap | None = None
        self._last: QPointF | None = None
        self._dragged = False
        self.resident: frozenset[tuple[int, int]] = frozenset()
        self.setMouseTracking(True)
        self.setMinimumSize(160, 120)
        self.setAccessibleName("Grid of the matrix")
        self._timer = timer(self, 150, self._request_tiles)
        tiles.drawn.connect(self._drawn)
        tiles.restarted.connect(self._renew)
        explorer.rom_changed.connect(self._rom_changed)
        explorer.place_changed.connect(self._place_changed)
        explorer.camera_changed.connect(self.update)

    def _rom_changed(self) -> None:
        self._matrix = -1

    def _place_changed(self) -> None:
        place = self.explorer.place
        if place is None:
            return
        if place.matrix_id.value != self._matrix:
            self._matrix = place.matrix_id.value
            self.fit()
        self._show_place()
        self._renew()

    def fit(self) -> None:
        """Show the whole matrix, or of a large one the part around the place that is still readable."""
        place = self.explorer.place
        if place is None or not self.width():
            return
        matrix = place.matrix
        whole = min((self.width() - 8) / matrix.width, (self.height() - 8) / matrix.height)
        self._scale = min(SCALES[1], max(whole, 18.0 if matrix.width * matrix.height > 64 else whole))
        self._show_place(always=True)

    def _show_place(self, always: bool = False) -> None:
        place = self.explorer.place
        if place is None:
            return
        matrix = place.matrix
        size = QPointF(matrix.width * self._scale, matrix.height * self._scale)
        x, z = (value / CELL_TILES * self._scale for value in self.explorer.tile)
        here = QPointF(x, z) + self._origin
        if always or not QRectF(self.rect()).adjusted(8, 8, -8, -8).contains(here):
            self._origin = QPointF(self.width() / 2 - x, self.height() / 2 - z)
        for axis, extent, total in (("x", self.width(), size.x()), ("y", self.height(), size.y())):
            value = getattr(self._origin, axis)()
            value = (extent - total) / 2 if total <= extent else min(4.0, max(extent - total - 4.0, value))
            (self._origin.setX if axis == "x" else self._origin.setY)(value)
        self._cells = self._texts = None

    def paintEvent(self, event: QPaintEvent) -> None:
        """Cells, names, the resident block and the camera."""
        painter = QPainter(self)
        place = self.explorer.place
        painter.fillRect(self.rect(), QColor(theme.colors().panel))
        if place is None:
            return
        size = self.size() * self.devicePixelRatioF()
        if self._cells is None or self._cells.size() != size:
            self._cells = self._paint_cells()
        if self._texts is None or self._texts.size() != size:
            self._texts = self._paint_texts()
        painter.drawPixmap(0, 0, self._cells)
        painter.drawPixmap(0, 0, self._texts)
        painter.setRenderHint(QPainter.Antialiasing)
        for cell in self.resident:
            self._frame(painter, cell, QColor(255, 255, 255, 230), 1.6)
        own = {(cell.x, cell.z) for cell in place.cells}
        if len(own) < 200:
            for cell in own:
                self._frame(painter, cell, QColor(theme.colors().accent), 1.4)
        x, z = self.explorer.tile
        point = self._origin + QPointF(x / CELL_TILES * self._scale, z / CELL_TILES * self._scale)
        painter.setPen(QPen(QColor(0, 0, 0, 170), 1.2))
        painter.setBrush(QColor(255, 225, 60))
        painter.drawEllipse(point, 4.5, 4.5)

    def _rect(self, x: int, z: int) -> QRectF:
        return QRectF(self._origin.x() + x * self._scale, self._origin.y() + z * self._scale, self._scale, self._scale)

    def _frame(self, painter: QPainter, cell: tuple[int, int], color: QColor, width: float) -> None:
        painter.setPen(QPen(color, width))
        painter.setBrush(Qt.NoBrush)
        painter.drawRect(self._rect(*cell).adjusted(0.5, 0.5, -0.5, -0.5))

    def _layer(self, background: QColor) -> QPixmap:
        """An image of the size of the grid."""
        ratio = self.devicePixelRatioF()
        pixmap = QPixmap(self.size() * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(background)
        return pixmap

    def _visible(self) -> Iterator[tuple[Cell, QRectF]]:
        """The cells in view and their rectangles."""
        place = self.explorer.place
        assert place is not None
        area = QRectF(self.rect())
        for (x, z), cell in place.matrix_cells.items():
            box = self._rect(x, z)
            if box.intersects(area):
                yield cell, box

    def _paint_cells(self) -> QPixmap:
        """The cells without texts."""
        pixmap = self._layer(QColor(theme.colors().panel))
        painter = QPainter(pixmap)
        if self.mode == PICTURES and self._pyramid is not None:
            self._paint_picture(painter, self._pyramid)
        else:
            for cell, box in self._visible():
                painter.fillRect(box.adjusted(0.3, 0.3, -0.3, -0.3), self._color(cell))
        painter.end()
        return pixmap

    @property
    def _pyramid(self) -> TilePyramid | None:
        """What is drawn of the matrix."""
        pyramid = self.tiles.pyramid
        return pyramid if pyramid is not None and pyramid.key[0] == self._matrix else None

    def _paint_picture(self, painter: QPainter, pyramid: TilePyramid) -> None:
        """The picture of the whole matrix."""
        wanted = self._scale * self.devicePixelRatioF() / CELL_UNITS
        best = min((scale for scale in pyramid.overviews if scale >= wanted), default=max(pyramid.overviews))
        image = pyramid.overviews[best]
        share = self._scale / (CELL_UNITS * best)
        painter.setRenderHint(QPainter.SmoothPixmapTransform)
        painter.drawImage(QRectF(self._origin, QSizeF(image.width() * share, image.height() * share)), image)

    def _paint_texts(self) -> QPixmap:
        """The numbers and names of the cells. They are a layer of their own, so that a tile of the picture below them
        can be drawn anew without painting them."""
        pixmap = self._layer(QColor(Qt.transparent))
        painter = QPainter(pixmap)
        names: dict[int, list[QRectF]] = {}
        font = painter.font()
        font.setPointSizeF(max(6.0, font.pointSizeF() * 0.75))
        painter.setFont(font)
        for cell, box in self._visible():
            number = str(_NUMBERS[self.mode](cell)) if self.mode in _NUMBERS else ""
            if self._scale >= max(12, painter.fontMetrics().horizontalAdvance(number)):
                dark = self.mode == ALTITUDES or not cell.filler
                painter.setPen(QColor(20, 24, 30) if dark else QColor(theme.colors().muted))
                painter.drawText(box, Qt.AlignCenter, number)
            if not cell.filler:
                names.setdefault(cell.header, []).append(box)
        if self._scale >= 14 and self.mode in (PICTURES, HEADERS):
            self._paint_names(painter, names)
        painter.end()
        return pixmap

    def _color(self, cell: Cell) -> QColor:
        """The fill colour of a cell without a picture: that of its header or land, or a brightness by altitude."""
        if self.mode == ALTITUDES:
            steps = min(cell.altitude, 28)  # two more than the highest cell of the game
            return QColor.fromHsv(34, 160 - 5 * steps, 140 + 4 * steps)
        number = cell.land if self.mode == LANDS else cell.header
        return QColor(theme.colors().raised) if cell.filler else QColor(*hue(number, 0.35, 0.72))

    def _paint_names(self, painter: QPainter, names: dict[int, list[QRectF]]) -> None:
        world = self.explorer.world
        assert world is not None
        metrics = painter.fontMetrics()
        painted: list[QRectF] = []
        for header, boxes in names.items():
            if header >= len(world.headers):
                continue
            label = world.headers[header].internal_name
            first = boxes[0]
            box = QRectF(metrics.boundingRect(label)).adjusted(-2, 0, 2, 0)
            if box.width() > self._scale * 2.2:
                continue
            box.moveTopLeft(first.topLeft() + QPointF(1, 1))
            if any(map(box.intersects, painted)):
                continue
            painted.append(box)
            painter.fillRect(box, QColor(20, 24, 30, 165))
            painter.setPen(QColor(255, 255, 255))
            painter.drawText(box, Qt.AlignCenter, label)

    # --- pictures

    def _request_tiles(self) -> None:
        """Request the tiles of the map that are in view."""
        if self._pyramid is None or self.mode != PICTURES or not self.isVisible():
            self.tiles.want(self, (), (0.0, 0.0), overview=True)
            return
        share = CELL_UNITS / self._scale
        west, north = -self._origin.x() * share, -self._origin.y() * share
        box: Box = (west, north, west + self.width() * share, north + self.height() * share)
        x, z = (value * CELL_UNITS / CELL_TILES for value in self.explorer.tile)
        self.tiles.want(self, self.tiles.tiles_in(box, 0), (x, z), overview=True)

    def _drawn(self, tile: ImageTile) -> None:
        """Paint the part of the picture that was drawn anew."""
        if tile.level or self._pyramid is None or self.mode != PICTURES:
            return
        self._cells = None
        west, north, east, south = (value * self._scale / CELL_UNITS for value in tile.box)
        area = QRectF(QPointF(west, north) + self._origin, QPointF(east, south) + self._origin)
        self.update(area.toAlignedRect().adjusted(-1, -1, 1, 1))  # smoothing mixes neighbouring pixels

    def _renew(self) -> None:
        """Paint the cells anew, and request their tiles."""
        self._cells = self._texts = None
        self.update()
        self._timer.start()

    def set_mode(self, mode: str) -> None:
        """PICTURES of the cells, or colours and numbers of their HEADERS, LANDS or ALTITUDES."""
        self.mode = mode
        self._renew()

    def set_resident(self, cells: frozenset[tuple[int, int]]) -> None:
        """The cells that the present picture loads."""
        if cells != self.resident:
            self.resident = cells
            self.update()

    # --- mouse

    def _cell_at(self, point: QPointF) -> tuple[int, int, float, float]:
        x = (point.x() - self._origin.x()) / self._scale
        z = (point.y() - self._origin.y()) / self._scale
        return int(np.floor(x)), int(np.floor(z)), x * 32, z * 32

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click or a drag."""
        self._last = QPointF(event.localPos())
        self._dragged = False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag, or show the cell under the cursor."""
        here = QPointF(event.localPos())
        if self._last is None or not event.buttons():
            self._describe(here)
            return
        delta = here - self._last
        if self._dragged or delta.manhattanLength() > 4:
            self._dragged = True
            self._origin += delta
            self._last = here
            self._renew()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Go to the clicked cell."""
        if not self._dragged and self.explorer.place is not None:
            x, z, tile_x, tile_z = self._cell_at(QPointF(event.localPos()))
            if (x, z) in self.explorer.place.matrix_cells:
                self.cell_chosen.emit(x, z, tile_x, tile_z)
        self._last = None

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom to the cursor."""
        factor = 1.2 ** (event.angleDelta().y() / 120)
        scale = min(SCALES[1], max(SCALES[0], self._scale * factor))
        point = QPointF(event.position()) if hasattr(event, "position") else QPointF(event.posF())
        self._origin = point - (point - self._origin) * (scale / self._scale)
        self._scale = scale
        self._renew()

    def leaveEvent(self, event: QEvent) -> None:
        """No cell is under the mouse."""
        self.described.emit("")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the grid to the new size."""
        self.fit()
        self._timer.start()

    def showEvent(self, event: QShowEvent) -> None:
        """Request tiles."""
        self._timer.start()

    def _describe(self, point: QPointF) -> None:
        place, world = self.explorer.place, self.explorer.world
        if place is None or world is None:
            return
        x, z, _, _ = self._cell_at(point)
        cell = place.matrix_cells.get((x, z))
        if cell is None:
            self.described.emit("")
            return
        name = world.headers[cell.header].title if cell.header < len(world.headers) else "?"
        raised = f", raised {cell.altitude * ALTITUDE_UNITS} units" if cell.altitude else ""
        self.described.emit(f"Cell ({x}, {z}): land {cell.land}, {'filler' if cell.filler else name}{raised}")


class MatrixPanel(Panel):
    """The grid with its title and the choice of what its cells show."""

    name, title = "matrix", "Matrix"

    def __init__(self, explorer: Explorer, tiles: MapTiles) -> None:
        super().__init__(explorer)
        self.grid = MatrixGrid(explorer, tiles)
        self.heading = label(role=MUTED, wrap=False)
        hint = (
            "What the cells show: pictures, the colours and names of their headers, or the altitudes of their terrain "
            "in units"
        )
        modes = [(title, mode) for mode, title in MODES.items()]
        self.modes = ComboBox(modes, lambda _: self._mode_changed(), name="matrix mode", hint=hint, letters=6)
        self.modes.setMaximumWidth(104)
        self.modes.choose(explorer.settings.get("matrix mode", PICTURES))
        below = row((self.heading, 1), self.modes)
        self.setLayout(column((self.grid, 1), below, margins=(8, 2, 4, 6), spacing=4))
        self.offer_copy(self.grid)
        explorer.place_changed.connect(self._place_changed)

    def refresh(self) -> None:
        """Redraw in the colours of the theme."""
        self.grid.fit()

    def _mode_changed(self) -> None:
        mode = self.modes.currentData()
        self.explorer.settings.set("matrix mode", mode)
        self.grid.set_mode(mode)

    def copied(self) -> Copied:
        """The cells with land, one in a line: x, z, land, header, altitude."""
        place = self.explorer.place
        if place is None:
            return "", None
        cells = [
            {
                "x": x,
                "z": z,
                "land": cell.land,
                "header": None if cell.filler else cell.header,
                "altitude": cell.altitude,
            }
            for (x, z), cell in sorted(place.matrix_cells.items(), key=lambda entry: entry[0][::-1])
        ]
        size = {"width": place.matrix.width, "height": place.matrix.height}
        return copied_rows(cells)[0], {"matrix": place.matrix_id.value, **size, "cells": cells}

    def _place_changed(self) -> None:
        place = self.explorer.place
        if place is not None:
            matrix = place.matrix
            self.heading.setText(f"Matrix {place.matrix_id.value}: {matrix.width} × {matrix.height}")

"""The height panel: the query at a point with its candidates, and irregularities of the cell's plates."""

from __future__ import annotations

import math
from dataclasses import asdict

import numpy as np
from PyQt5.QtCore import QPointF, QRectF, QSignalBlocker, Qt, pyqtBoundSignal, pyqtSignal
from PyQt5.QtGui import QColor, QMouseEvent, QPaintEvent, QPen, QTransform
from PyQt5.QtWidgets import QDoubleSpinBox, QSizePolicy, QWidget

from formats.binary import FormatError
from formats.field.height_plates import HeightPlates
from formats.fixed import ONE
from mapexplorer.gui.docks.panel import Copied, Panel
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.jobs.requests import SOON
from mapexplorer.gui.model.camera import Point
from mapexplorer.gui.views.overlay_painter import polygon
from mapexplorer.gui.widgets import theme
from mapexplorer.gui.widgets.layout import browser, check_box, column, row
from mapexplorer.gui.widgets.painting import painting
from mapexplorer.gui.widgets.rich_text import show_facts
from mapexplorer.inspector.output import text_lines
from mapexplorer.inspector.places.heights import HeightFacts, PlateReport, ask, describe_height, height_json, report
from mapexplorer.world.cells import CELL_UNITS, TILE_UNITS, Cell
from mapexplorer.world.colors import BLOCKED, SLOPED_PLATE, HeightScale, height_color, height_scale
from mapexplorer.world.subject import subject
from mapexplorer.world.terrain.plates import plate_corners, sloped_plates

_HALF_CELL = CELL_UNITS // 2
_FIELDS = (
    ("x", "Units east of the matrix' corner"),
    ("z", "Units south of the matrix' corner"),
    ("near", "Height of the player, in units"),
)
"""Titles and hints of the fields for a point."""
_FIELD_WIDTH = 66
_FARTHEST = 65536.0
"""Units; the largest coordinate that can be typed."""


class PlateMap(QWidget):
    """The plates of one cell from above in the colours of their heights, overlaps darker, holes red, the strip and the
    candidates of an answer marked. `pointed` and `pressed`: where the mouse is and was pressed, a Point."""

    pointed = pyqtSignal(object)
    pressed = pyqtSignal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("plate map")
        self.setMinimumHeight(150)
        self.setSizePolicy(QSizePolicy.Expanding, QSizePolicy.Expanding)
        self.setMouseTracking(True)
        self.answer: HeightFacts | None = None
        self.show_cell(None, None, ())

    def show_cell(self, cell: Cell | None, bdhc: HeightPlates | None, scale: HeightScale) -> None:
        """Show another cell's plates in the colours of a scale; the `report` on their irregularities is set later."""
        corners = plate_corners(bdhc) if bdhc is not None else np.zeros((0, 4, 3))
        self.cell = cell
        self.corner = (cell.x * CELL_UNITS, cell.z * CELL_UNITS) if cell is not None else (0, 0)
        self.outlines = corners[..., [0, 2]] + self.corner + _HALF_CELL
        self.colors = [QColor(*height_color(height, scale)) for height in corners[..., 1].mean(-1).tolist()]
        self.sloped = sloped_plates(bdhc).tolist() if bdhc is not None else []
        middle = self.corner[1] + _HALF_CELL
        self.scanlines = [strip.scanline / ONE + middle for strip in bdhc.strips] if bdhc is not None else []
        self.report: PlateReport | None = None
        self.update()

    @property
    def _to_pixels(self) -> QTransform:
        """From matrix-wide units."""
        scale = (min(self.width(), self.height()) - 2) / CELL_UNITS
        west, north = self.corner
        middle = QTransform.fromTranslate(self.width() / 2, 1 + _HALF_CELL * scale)
        return middle.scale(scale, scale).translate(-west - _HALF_CELL, -north - _HALF_CELL)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint plates, holes, strip, candidates and the point."""
        to_pixels, answer, (west, north) = self._to_pixels, self.answer, self.corner
        with painting(self, smooth=True) as painter:
            painter.fillRect(
                to_pixels.mapRect(QRectF(west, north, CELL_UNITS, CELL_UNITS)), QColor(theme.colors().raised)
            )
            for index, (corners, color, sloped) in enumerate(zip(self.outlines, self.colors, self.sloped, strict=True)):
                painter.setBrush(QColor(color.red(), color.green(), color.blue(), 110))
                painter.setPen(QPen(QColor(*SLOPED_PLATE) if sloped else color, 1))
                if answer is not None and index in answer.plates:
                    painter.setPen(QPen(QColor(theme.colors().text), 2.6 if index == answer.answer.plate else 1.6))
                painter.drawPolygon(to_pixels.map(polygon(corners)))
            painter.setPen(Qt.NoPen)
            painter.setBrush(QColor(*BLOCKED, 170))
            for x, z in self.report.holes if self.report and len(self.report.holes) < 1024 else ():
                hole = QRectF(west + x * TILE_UNITS, north + z * TILE_UNITS, TILE_UNITS, TILE_UNITS)
                painter.drawRect(to_pixels.mapRect(hole).adjusted(1, 1, -1, -1))
            if answer is None or self.cell is None:
                return
            strip, lines = answer.answer.strip, [-math.inf, *self.scanlines]
            if strip is not None and 0 <= strip < len(self.scanlines):
                low, high = (min(max(line, north), north + CELL_UNITS) for line in lines[strip : strip + 2])
                painter.setBrush(QColor(255, 255, 255, 45))
                painter.setPen(QPen(QColor(theme.colors().text), 1, Qt.DashLine))
                painter.drawRect(to_pixels.mapRect(QRectF(west, low, CELL_UNITS, high - low)))
            painter.setPen(QPen(QColor(0, 0, 0, 200), 1))
            painter.setBrush(QColor(255, 225, 60))
            painter.drawEllipse(to_pixels.map(QPointF(answer.x, answer.z)), 4, 4)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Ask at the cursor."""
        self._emit_point(event, self.pointed)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Pin the point and select the plate that the query chooses there."""
        self._emit_point(event, self.pressed)

    def _emit_point(self, event: QMouseEvent, signal: pyqtBoundSignal) -> None:
        """Emit the point of the cell under the mouse, at the height of the last answer."""
        at, (west, north) = self._to_pixels.inverted()[0].map(QPointF(event.localPos())), self.corner
        inside = 0 <= at.x() - west <= CELL_UNITS and 0 <= at.y() - north <= CELL_UNITS
        if inside and self.cell is not None and self.answer is not None:
            signal.emit((at.x(), self.answer.near, at.y()))


class HeightsPanel(Panel):
    """The panel with the query under the cursor, in the picture or in the map of plates. A click pins the point, so
    that the mouse can reach the answer; the point can also be typed."""

    name, title = "heights", "Heights"

    def __init__(self, jobs: JobController) -> None:
        super().__init__(jobs.explorer)
        self.jobs = jobs
        self.map = PlateMap()
        self.map.pointed.connect(self.hover)
        self.map.pressed.connect(self._pressed)
        self.fields = [self._field(title, hint) for title, hint in _FIELDS]
        self.first = self.fields[0]
        hint = "Keep this point; otherwise the panel follows the mouse. A click in the picture pins."
        self.pinned = check_box("Pinned", hint=hint)
        self.text = browser("height answer", self.chosen.emit)
        point = row(*((field, 1) for field in self.fields))
        self.setLayout(column((self.map, 4), point, (self.text, 5), self.pinned, margins=(4, 4, 8, 4), spacing=6))
        for widget in (self.text, self.map):
            self.offer_copy(widget)
        self.explorer.place_changed.connect(self._place_changed)

    def _field(self, title: str, hint: str) -> QDoubleSpinBox:
        field = QDoubleSpinBox()
        field.setRange(-_FARTHEST, _FARTHEST)
        field.setDecimals(1)
        field.setPrefix(f"{title} ")
        field.setToolTip(hint)
        field.setButtonSymbols(QDoubleSpinBox.NoButtons)
        field.setKeyboardTracking(False)
        field.setMinimumWidth(_FIELD_WIDTH)
        field.valueChanged.connect(self._typed)
        return field

    @property
    def answer(self) -> HeightFacts | None:
        """What is shown; None before the first query on a map."""
        return self.map.answer

    def copied(self) -> Copied:
        """The answer, and as values also the report on the cell."""
        cell = asdict(self.map.report) if self.map.report is not None else None
        if self.answer is None:
            return "", {"answer": None, "cell": cell}
        text = "\n".join((*text_lines(describe_height(self.answer, self.map.report)), ""))
        return text, {"answer": height_json(self.answer), "cell": cell}

    def _place_changed(self) -> None:
        self.map.answer = None
        self.map.show_cell(None, None, ())
        self.pinned.setChecked(False)
        self.visibility_changed()

    def visibility_changed(self) -> None:
        """Query the point that the camera looks at, unless another one is pinned."""
        x, y, z = self.explorer.camera.target
        self.hover((x, y, z))

    def hover(self, point: Point) -> None:
        """Query the point under the mouse, unless another one is pinned."""
        if not self.pinned.isChecked():
            self.query(point[0], point[2], point[1])

    def pin(self, point: Point) -> None:
        """Query a point and keep it; ignored while the panel is not visible."""
        if self.isVisible():
            self.pinned.setChecked(True)
            self.query(point[0], point[2], point[1])

    def _typed(self) -> None:
        x, z, near = (field.value() for field in self.fields)
        self.pin((x, near, z))

    def query(self, x: float, z: float, near: float) -> None:
        """Show the query at a point in units; ignored while the panel is not visible."""
        place = self.explorer.place
        if place is None or not self.isVisible():
            return
        try:
            answer = ask(place, x, z, near)
            cell = place.terrain.cells.get(answer.answer.cell)
            if cell != self.map.cell:
                scale = height_scale(*place.plate_heights(whole=False))
                self.map.show_cell(cell, place.terrain.bdhc(cell) if cell is not None else None, scale)
                if cell is not None:
                    self._request_report(place.header.id, cell)
        except FormatError as error:
            self.text.setPlainText(str(error))
            return
        for field, value in zip(self.fields, (x, z, near), strict=True):
            with QSignalBlocker(field):
                field.setValue(value)
        self.map.answer = answer
        self.refresh()

    def _request_report(self, header: int, cell: Cell) -> None:
        def take(report: PlateReport) -> None:
            if cell == self.map.cell:
                self.map.report = report
                self.refresh()

        self.jobs.request(
            lambda renderer: report(renderer.world.place(header).terrain.bdhc(cell)),
            take,
            key="plates",
            priority=SOON,
            failed=lambda error: None,
        )

    def refresh(self) -> None:
        """Redraw in the colours of the theme."""
        if self.answer is not None:
            show_facts(self.text, describe_height(self.answer, self.map.report))
        self.map.update()

    def _pressed(self, point: Point) -> None:
        """Pin a point, and select the plate that the query chooses there."""
        self.pin(point)
        cell, answer = self.map.cell, self.answer
        if cell is not None and answer is not None and answer.answer.plate is not None:
            self.chosen.emit(subject("plate", cell.matrix, cell.x, cell.z, answer.answer.plate))

"""The height panel: the query at a point with its candidates, and irregularities of the cell's plates."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
from PyQt5.QtCore import QPointF, QRectF, QSignalBlocker, Qt, pyqtSignal
from PyQt5.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PyQt5.QtWidgets import QDoubleSpinBox, QSizePolicy, QWidget

from formats.binary import FormatError
from formats.fixed import ONE
from mapexplorer.gui.docks.panel import Copied, Panel
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.jobs.requests import SOON
from mapexplorer.gui.model.camera import Point
from mapexplorer.gui.widgets import theme
from mapexplorer.gui.widgets.controls import is_seen
from mapexplorer.gui.widgets.layout import browser, button, check_box, column, row
from mapexplorer.gui.widgets.rich_text import rich_text
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
    candidates marked."""

    pointed = pyqtSignal(float, float)
    pressed = pyqtSignal(float, float)
    plate_chosen = pyqtSignal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("plate map")
        self.setMinimumHeight(150)
        self.setSizePolicy(QSizePolicy.Expanding, QSizePolicy.Expanding)
        self.setMouseTracking(True)
        self.outlines = np.zeros((0, 4, 2))
        self.colors: list[QColor] = []
        self.sloped: list[bool] = []
        self.scanlines: list[float] = []
        self.report: PlateReport | None = None
        self.candidates: tuple[int, ...] = ()
        self.winner: int | None = None
        self.strip: int | None = None
        self.spot: tuple[float, float] | None = None

    def show_cell(self, bdhc: Any, scale: HeightScale) -> None:
        """Show another cell's plates in the colours of a scale; the `report` on their irregularities is set later."""
        corners = plate_corners(bdhc) if bdhc is not None else np.zeros((0, 4, 3))
        self.outlines = corners[..., [0, 2]]
        self.colors = [QColor(*height_color(height, scale)) for height in corners[..., 1].mean(-1).tolist()]
        self.sloped = sloped_plates(bdhc).tolist() if bdhc is not None else []
        self.scanlines = [strip.scanline / ONE for strip in bdhc.strips] if bdhc is not None else []
        self.report = None
        self.update()

    def show_answer(self, answer: HeightFacts, local: tuple[float, float] | None) -> None:
        """Mark the strip, the candidates and the chosen plate at a point (units from the cell's centre)."""
        self.candidates = tuple(answer.plates)
        self.winner = answer.answer.plate
        self.strip = answer.answer.strip
        self.spot = local
        self.update()

    def _area(self) -> QRectF:
        side = min(self.width(), self.height()) - 2
        return QRectF((self.width() - side) / 2, 1, side, side)

    def _point(self, x: float, z: float) -> QPointF:
        area = self._area()
        scale = area.width() / CELL_UNITS
        return QPointF(area.x() + (x + _HALF_CELL) * scale, area.y() + (z + _HALF_CELL) * scale)

    def _rect(self, west: float, north: float, east: float, south: float) -> QRectF:
        return QRectF(self._point(west, north), self._point(east, south))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint plates, holes, strip, candidates and the point."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.Antialiasing)
        painter.fillRect(self._area(), QColor(theme.colors().raised))
        outlines = zip(self.outlines.tolist(), self.colors, self.sloped, strict=True)
        for index, (corners, color, sloped) in enumerate(outlines):
            painter.setBrush(QColor(color.red(), color.green(), color.blue(), 110))
            painter.setPen(QPen(QColor(*SLOPED_PLATE) if sloped else color, 1))
            if index in self.candidates:
                painter.setPen(QPen(QColor(theme.colors().text), 2.6 if index == self.winner else 1.6))
            painter.drawPolygon(QPolygonF([self._point(x, z) for x, z in corners]))
        painter.setPen(Qt.NoPen)
        painter.setBrush(QColor(*BLOCKED, 170))
        for x, z in self.report.holes if self.report and len(self.report.holes) < 1024 else ():
            west, north = x * TILE_UNITS - _HALF_CELL, z * TILE_UNITS - _HALF_CELL
            painter.drawRect(self._rect(west, north, west + TILE_UNITS, north + TILE_UNITS).adjusted(1, 1, -1, -1))
        if self.strip is not None and 0 <= self.strip < len(self.scanlines):
            low = max(-_HALF_CELL, self.scanlines[self.strip - 1] if self.strip else -_HALF_CELL)
            high = min(_HALF_CELL, self.scanlines[self.strip])
            painter.setBrush(QColor(255, 255, 255, 45))
            painter.setPen(QPen(QColor(theme.colors().text), 1, Qt.DashLine))
            painter.drawRect(self._rect(-_HALF_CELL, low, _HALF_CELL, high))
        if self.spot is not None:
            point = self._point(*self.spot)
            painter.setPen(QPen(QColor(0, 0, 0, 200), 1))
            painter.setBrush(QColor(255, 225, 60))
            painter.drawEllipse(point, 4, 4)

    def _local(self, point: QPointF) -> tuple[float, float] | None:
        area = self._area()
        if not area.contains(point):
            return None
        return (point.x() - area.x()) / area.width() * CELL_UNITS - _HALF_CELL, (
            point.y() - area.y()
        ) / area.height() * CELL_UNITS - _HALF_CELL

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Ask at the cursor."""
        local = self._local(QPointF(event.localPos()))
        if local is not None:
            self.pointed.emit(*local)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Pin the point and select the plate that the query chooses there."""
        local = self._local(QPointF(event.localPos()))
        if local is None:
            return
        self.pressed.emit(*local)
        if self.winner is not None:
            self.plate_chosen.emit(self.winner)


class HeightsPanel(Panel):
    """The panel with the query under the cursor, in the picture or in the map of plates. A click pins the point, so
    that the mouse can reach the answer; the point can also be typed."""

    name, title = "heights", "Heights"
    export_wanted = pyqtSignal()

    def __init__(self, jobs: JobController) -> None:
        super().__init__(jobs.explorer)
        self.jobs = jobs
        self.answer: HeightFacts | None = None
        self._cell: Cell | None = None
        self._report: PlateReport | None = None
        self.map = PlateMap()
        self.map.pointed.connect(self._pointed)
        self.map.pressed.connect(self._pressed)
        self.map.plate_chosen.connect(self._plate_chosen)
        self.fields = [self._field(title, hint) for title, hint in _FIELDS]
        self.first = self.fields[0]
        hint = "Keep this point; otherwise the panel follows the mouse. A click in the picture pins."
        self.pinned = check_box("Pinned", hint=hint)
        self.text = browser("height answer", self.chosen.emit)
        layers = self.explorer.layers
        self.follow = check_box(
            "Show plates in the picture", lambda on: layers.show("plates", on), checked=layers.shown("plates")
        )
        layers.changed.connect(lambda _: self.follow.setChecked(layers.shown("plates")))
        point = row(*((field, 1) for field in self.fields), self.pinned)
        last = row((self.follow, 1), button("Export …", self.export_wanted.emit))
        self.setLayout(column((self.map, 4), point, (self.text, 5), last, margins=(4, 4, 8, 4), spacing=6))
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

    def copied(self) -> Copied:
        """The answer, and as values also the report on the cell."""
        cell = asdict(self._report) if self._report is not None else None
        if self.answer is None:
            return "", {"answer": None, "cell": cell}
        text = "\n".join((*text_lines(describe_height(self.answer, self._report)), ""))
        return text, {"answer": height_json(self.answer), "cell": cell}

    def _place_changed(self) -> None:
        self.answer = self._cell = self._report = None
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
        if is_seen(self):
            self.pinned.setChecked(True)
            self.query(point[0], point[2], point[1])

    def _typed(self) -> None:
        x, z, near = (field.value() for field in self.fields)
        self.pin((x, near, z))

    def query(self, x: float, z: float, near: float) -> None:
        """Show the query at a point in units; ignored while the panel is not visible."""
        place = self.explorer.place
        if place is None or not is_seen(self):
            return
        try:
            answer = ask(place, x, z, near)
            cell = place.terrain.cells.get(answer.answer.cell)
            if cell != self._cell:
                self._cell = cell
                self._report = None
                scale = height_scale(*place.plate_heights(whole=self.explorer.options.all_cells))
                self.map.show_cell(place.terrain.bdhc(cell) if cell is not None else None, scale)
                if cell is not None:
                    self._request_report(place.header.id, cell)
        except FormatError as error:
            self.text.setPlainText(str(error))
            return
        self.answer = answer
        for field, value in zip(self.fields, (x, z, near), strict=True):
            with QSignalBlocker(field):
                field.setValue(value)
        local = (
            (x - cell.x * CELL_UNITS - _HALF_CELL, z - cell.z * CELL_UNITS - _HALF_CELL) if cell is not None else None
        )
        self.map.show_answer(answer, local)
        self.refresh()

    def _request_report(self, header: int, cell: Cell) -> None:
        def take(report: PlateReport) -> None:
            if cell == self._cell:
                self._report = self.map.report = report
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
            self.text.setHtml(rich_text(describe_height(self.answer, self._report), theme.colors()))
        self.map.update()

    def _pointed(self, x: float, z: float) -> None:
        if self._cell is not None:
            self.hover(self._point(self._cell, x, z))

    def _pressed(self, x: float, z: float) -> None:
        if self._cell is not None:
            self.pin(self._point(self._cell, x, z))

    def _point(self, cell: Cell, x: float, z: float) -> Point:
        near = self.answer.near if self.answer is not None else 0.0
        return cell.x * CELL_UNITS + _HALF_CELL + x, near, cell.z * CELL_UNITS + _HALF_CELL + z

    def _plate_chosen(self, plate: int) -> None:
        if self._cell is not None:
            self.chosen.emit(subject("plate", self._cell.matrix, self._cell.x, self._cell.z, plate))

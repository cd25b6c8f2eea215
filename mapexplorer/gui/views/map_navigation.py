"""Mouse and keyboard over the map of a matrix."""

from __future__ import annotations

from collections.abc import Callable

from PyQt5.QtCore import QPointF, QRectF, Qt, pyqtSignal
from PyQt5.QtGui import QMouseEvent, QWheelEvent
from PyQt5.QtWidgets import QWidget

from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.map_camera import Box, MapCamera, Size
from mapexplorer.gui.views.navigation import Navigation, direction

_SPEED = 900.0
"""Pixels per second that a held key moves the map by."""
_STEP = 64.0
"""Pixels that a pressed key moves the map by at once."""
_HELD_AFTER = 0.25
"""Seconds after which a held key moves the map on."""

Ruler = tuple[tuple[float, float], tuple[float, float]]
"""Two points of the matrix in units."""


class MapNavigation(Navigation):
    """Moves the camera of a map.

    `moved`: the camera or the ruler changed; `entered`: a point of the matrix in units was double-clicked. `limits` is
    the box in which the middle of the picture stays. While `measures` is set, a drag draws the `ruler`.
    """

    moved = pyqtSignal()
    entered = pyqtSignal(float, float)

    def __init__(self, view: QWidget, picture: Callable[[], QRectF], explorer: Explorer) -> None:
        super().__init__(view, picture, explorer)
        self.camera = MapCamera()
        self.limits: Box = (0.0, 0.0, 512.0, 512.0)
        self.measures = False
        self.ruler: Ruler | None = None
        self._ruled = False

    @property
    def size(self) -> Size:
        """The size of the picture in logical pixels."""
        area = self._picture()
        return max(1.0, area.width()), max(1.0, area.height())

    def set_camera(self, camera: MapCamera) -> None:
        """Set the camera."""
        camera = camera.within(self.limits)
        if camera != self.camera:
            self.camera = camera
            self.moved.emit()

    def set_ruler(self, ruler: Ruler | None) -> None:
        """Set the ruler, or remove it."""
        self.ruler = ruler
        self.moved.emit()

    def point(self, position: QPointF) -> tuple[float, float]:
        """The point of the matrix at a position in the view."""
        corner = self._picture().topLeft()
        return self.camera.point(position.x() - corner.x(), position.y() - corner.y(), self.size)

    def press(self, event: QMouseEvent) -> None:
        """A mouse button went down."""
        super().press(event)
        self._ruled = self.measures and event.button() == Qt.LeftButton
        if self._ruled:
            self._start = self.point(QPointF(event.localPos()))

    def drag(self, here: QPointF, delta: QPointF) -> None:
        """The mouse moves with a button held."""
        if self._ruled:
            self.set_ruler((self._start, self.point(here)))
        else:
            self.set_camera(self.camera.panned(-delta.x(), -delta.y()))

    def double_click(self, event: QMouseEvent) -> None:
        """A double click."""
        if event.button() == Qt.LeftButton:
            self.entered.emit(*self.point(QPointF(event.localPos())))

    def wheel(self, event: QWheelEvent) -> None:
        """The wheel turned: zoom toward the cursor."""
        steps = event.angleDelta().y() / 120
        if steps:
            self.set_camera(self.camera.zoomed(steps, self.point(QPointF(event.position()))))

    @property
    def flies(self) -> bool:
        """Whether keys move the camera up and down."""
        return False

    def _step(self, name: str) -> float:
        self._pan({name}, _STEP)
        return _HELD_AFTER

    def _advance(self, elapsed: float) -> None:
        self._pan(self._held, _SPEED * elapsed)

    def _pan(self, held: set[str], length: float) -> None:
        right, _, forward = direction(held)
        length *= 4.0 if self._fast else 1.0
        self.set_camera(self.camera.panned(right * length, -forward * length))

"""Mouse and keyboard over the map of a matrix."""

from __future__ import annotations

import time
from collections.abc import Callable

from PyQt5.QtCore import QObject, QPointF, QRectF, Qt, pyqtSignal
from PyQt5.QtGui import QKeyEvent, QMouseEvent, QWheelEvent

from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.map_camera import Box, MapCamera, Size
from mapexplorer.gui.views.navigation import HELD, Navigation, direction

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

    def __init__(self, view: QObject, picture: Callable[[], QRectF], explorer: Explorer) -> None:
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

    def look(self, camera: MapCamera) -> None:
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
            self.look(self.camera.panned(-delta.x(), -delta.y()))

    def double_click(self, event: QMouseEvent) -> None:
        """A double click."""
        if event.button() == Qt.LeftButton:
            self.entered.emit(*self.point(QPointF(event.localPos())))

    def wheel(self, event: QWheelEvent) -> None:
        """The wheel turned: zoom toward the cursor."""
        steps = event.angleDelta().y() / 120
        if steps:
            self.look(self.camera.zoomed(steps, self.point(QPointF(event.position()))))

    def key_press(self, event: QKeyEvent) -> bool:
        """A key went down; whether it was one that moves the map."""
        name = HELD.get(event.key())
        if name in (None, "up", "down") or event.modifiers() & (Qt.ControlModifier | Qt.AltModifier | Qt.MetaModifier):
            return False
        assert name is not None
        self._fast = bool(event.modifiers() & Qt.ShiftModifier)
        if not event.isAutoRepeat():
            self._pan({name}, _STEP)
            self._held.add(name)
            self._moved_at = time.perf_counter() + _HELD_AFTER
            self._timer.start()
        return True

    def _move(self) -> None:
        now = time.perf_counter()
        elapsed = now - self._moved_at
        if elapsed > 0:
            self._moved_at = now
            self._pan(self._held, _SPEED * min(0.1, elapsed))

    def _pan(self, held: set[str], length: float) -> None:
        right, _, forward = direction(held)
        length *= 4.0 if self._fast else 1.0
        self.look(self.camera.panned(right * length, -forward * length))

"""Mouse and keyboard over a picture: the same for the DS picture and for the OpenGL view."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from PyQt5.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, Qt, pyqtSignal
from PyQt5.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PyQt5.QtWidgets import QWidget

from mapexplorer.gui.model.camera import FLY, GAME, ORBIT, TOP, Point
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.widgets.layout import timer

HELD: Final[dict[int, str]] = {
    Qt.Key_W: "forward",
    Qt.Key_Up: "forward",
    Qt.Key_S: "backward",
    Qt.Key_Down: "backward",
    Qt.Key_A: "left",
    Qt.Key_Left: "left",
    Qt.Key_D: "right",
    Qt.Key_Right: "right",
    Qt.Key_Q: "down",
    Qt.Key_E: "up",
}
TILE = 16.0
CLICK_PIXELS = 4
DEGREES = 0.35
"""Turned for each pixel that the mouse moves."""


class Navigation(QObject):
    """Turns events of a view into camera moves, and says where the view was clicked or hovered.

    Points are fractions of the picture from its top left; `picture` gives the picture's rectangle in the view,
    `ground` the ground at a point, or None.
    """

    clicked = pyqtSignal(float, float)
    double_clicked = pyqtSignal(float, float)
    hovered = pyqtSignal(float, float)
    left = pyqtSignal()
    menu_wanted = pyqtSignal(float, float, QPoint)

    def __init__(self, view: QWidget, picture: Callable[[], QRectF], explorer: Explorer) -> None:
        super().__init__(view)
        self.ground: Callable[[float, float], Point | None] = lambda x, y: None
        self._picture = picture
        self.explorer = explorer
        self._last = QPointF()
        self._pressed: QPointF | None = None
        self._button = Qt.NoButton
        self._held: set[str] = set()
        self._fast = False
        self._moved_at = 0.0
        self._timer = timer(self, 16, self._move, repeats=True)
        self._view = view
        self._handlers: dict[int, Callable[[Any], bool | None]] = {
            QEvent.MouseButtonPress: self.press,
            QEvent.MouseMove: self.move,
            QEvent.MouseButtonRelease: self.release,
            QEvent.MouseButtonDblClick: self.double_click,
            QEvent.Wheel: self.wheel,
            QEvent.KeyPress: self.key_press,
            QEvent.KeyRelease: self.key_release,
            QEvent.FocusOut: self.focus_lost,
            QEvent.Leave: self.leave,
        }
        """Kinds of events that are handled; False: the view handles them, too."""
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the mouse and the keys of the view."""
        handler = self._handlers.get(event.type())
        return handler is not None and handler(event) is not False

    @property
    def holding(self) -> bool:
        """Whether a mouse button or a key that moves the camera is held."""
        return self._button != Qt.NoButton or bool(self._held)

    def press(self, event: QMouseEvent) -> None:
        """A mouse button went down."""
        self._view.setFocus(Qt.MouseFocusReason)
        self._last = self._pressed = QPointF(event.localPos())
        self._button = event.button()

    def move(self, event: QMouseEvent) -> None:
        """The mouse moved."""
        here = QPointF(event.localPos())
        if self._button == Qt.NoButton:
            point = self._fraction(here)
            if point is not None:
                self.hovered.emit(*point)
            else:
                self.left.emit()
            return
        delta = here - self._last
        if self._pressed is not None and (here - self._pressed).manhattanLength() < CLICK_PIXELS:
            return
        self._pressed = None
        self._last = here
        self.drag(here, delta)

    def drag(self, here: QPointF, delta: QPointF) -> None:
        """The mouse moves with a button held, to `here` by `delta`."""
        camera = self.explorer.camera
        if self._button == Qt.LeftButton and camera.kind in (ORBIT, FLY):
            self.explorer.set_camera(camera.turned(delta.x() * DEGREES, delta.y() * DEGREES))
        else:
            scale = self._units_per_pixel()
            self.explorer.set_camera(camera.panned(-delta.x() * scale, delta.y() * scale))

    def release(self, event: QMouseEvent) -> None:
        """A mouse button came up: a click, or with the right one a wish for the menu, when the mouse stayed in its
        place."""
        point = self._fraction(QPointF(event.localPos())) if self._pressed is not None else None
        if point is not None and self._button == Qt.LeftButton:
            self.clicked.emit(*point)
        elif point is not None and self._button == Qt.RightButton:
            self.menu_wanted.emit(*point, event.globalPos())
        self._button = Qt.NoButton
        self._pressed = None

    def double_click(self, event: QMouseEvent) -> None:
        """A double click."""
        point = self._fraction(QPointF(event.localPos()))
        if point is not None:
            self.double_clicked.emit(*point)

    def wheel(self, event: QWheelEvent) -> None:
        """The wheel turned: zoom toward the cursor, with Ctrl set the flying speed."""
        steps = event.angleDelta().y() / 120
        if event.modifiers() & Qt.ControlModifier:
            self.explorer.set_camera(self.explorer.camera.faster(steps))
            return
        point = self._fraction(QPointF(event.position()))
        self.explorer.zoom(steps, self.ground(*point) if point is not None else None)

    @property
    def flies(self) -> bool:
        """Whether keys move the camera up and down."""
        return self.explorer.camera.kind == FLY

    def key_press(self, event: QKeyEvent) -> bool:
        """A key went down; whether it was one that moves the camera."""
        name = HELD.get(event.key())
        if name is None or event.modifiers() & (Qt.ControlModifier | Qt.AltModifier | Qt.MetaModifier):
            return False
        if name in ("up", "down") and not self.flies:
            return False
        self._fast = bool(event.modifiers() & Qt.ShiftModifier)
        if not event.isAutoRepeat():
            self._moved_at = self._step(name) + time.perf_counter()
            self._held.add(name)
            self._timer.start()
        return True

    def key_release(self, event: QKeyEvent) -> bool:
        """A key came up."""
        name = HELD.get(event.key())
        if name is not None and not event.isAutoRepeat():
            self._held.discard(name)
        self._fast = bool(event.modifiers() & Qt.ShiftModifier)
        if not self._held:
            self._timer.stop()
        return False

    def focus_lost(self, event: QFocusEvent) -> bool:
        """Keys that are held no longer count."""
        self._held.clear()
        self._timer.stop()
        return False

    def leave(self, event: QEvent) -> bool:
        """The mouse is elsewhere."""
        self.left.emit()
        return False

    def _step(self, name: str) -> float:
        """Move at once by a key that is pressed; the seconds after which it moves on while it is held."""
        if self.explorer.camera.kind in (GAME, TOP):
            right, forward = direction({name})[::2]
            length = TILE * (4 if self._fast else 1)
            self.explorer.set_camera(self.explorer.camera.panned(right * length, forward * length))
        return 0.0

    def _move(self) -> None:
        now = time.perf_counter()
        elapsed = now - self._moved_at
        if elapsed > 0:
            self._moved_at = now
            self._advance(min(0.1, elapsed))

    def _advance(self, elapsed: float) -> None:
        """Move by the keys that are held for some seconds."""
        camera = self.explorer.camera
        right, up, forward = direction(self._held)
        fast = 4.0 if self._fast else 1.0
        if camera.kind == FLY:
            length = camera.speed * fast * elapsed
            self.explorer.set_camera(camera.flown(right * length, up * length, forward * length))
        else:
            length = 160.0 * fast * elapsed / (camera.scale * 2 if camera.kind == TOP else 1.0)
            self.explorer.set_camera(camera.panned(right * length, forward * length))

    def _fraction(self, point: QPointF) -> tuple[float, float] | None:
        area = self._picture()
        if area.isEmpty() or not area.contains(point):
            return None
        return (point.x() - area.x()) / area.width(), (point.y() - area.y()) / area.height()

    def _units_per_pixel(self) -> float:
        height = max(1.0, self._picture().height())
        camera = self.explorer.camera
        if camera.kind == TOP:
            return 192 / camera.scale / height
        distance = camera.distance if camera.kind == ORBIT else 420.0
        return distance * 0.75 / height


def direction(held: set[str]) -> tuple[float, float, float]:
    """Right, up and forward of the keys that are held, each -1, 0 or 1."""
    return (
        float(("right" in held) - ("left" in held)),
        float(("up" in held) - ("down" in held)),
        float(("forward" in held) - ("backward" in held)),
    )

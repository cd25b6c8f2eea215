"""What the views share: mouse and keys go to the navigation, layers are painted over the picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PyQt5.QtCore import QPointF, QRectF, QSize, Qt
from PyQt5.QtGui import QPainter, QPixmap

from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.marks import Marks
from mapexplorer.gui.model.overlay import MapOverlay
from mapexplorer.gui.model.projection import Projection
from mapexplorer.gui.rendering.place_renderer import FrameRequest
from mapexplorer.gui.views.navigation import Navigation
from mapexplorer.gui.views.overlay_painter import OverlayPainter
from mapexplorer.gui.widgets.painting import painting
from mapexplorer.inspector.facts import Description
from mapexplorer.world.layers.overlay_picking import Point, Ray
from mapexplorer.world.layers.shapes import ShapeSubject
from mapexplorer.world.subject import Subject

Explained = Callable[[Description, "tuple[FrameRequest, int, int] | None"], None]
"""Gets an explanation, whose subject a click selects, and of the DS picture the frame, column and row of the pixel."""

if TYPE_CHECKING:
    from PyQt5.QtWidgets import QWidget as Base
else:
    Base = object


class Canvas(Base):
    """To be inherited before the widget's class; `prepare` is called once the widget exists."""

    explorer: Explorer
    navigation: Navigation
    overlay: MapOverlay | None
    marks_only = False
    """Whether only labels, the selection and a walk's marks are painted: the rest is part of the picture."""

    def prepare(self, explorer: Explorer) -> None:
        """Follow the mouse and the keys."""
        self.explorer = explorer
        self.navigation = self.make_navigation()
        self.overlay = None
        self._painted: QPixmap | None = None
        self._painted_through: Projection | None = None
        self._painted_marks = Marks()
        self._tags: list[tuple[QRectF, ShapeSubject]] = []
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.StrongFocus)
        self.setMinimumSize(256, 192)

    def make_navigation(self) -> Navigation:
        """What gets the events."""
        return Navigation(self, self.picture, self.explorer)

    def sizeHint(self) -> QSize:
        """Twice the size of the screen of a DS."""
        return QSize(512, 384)

    def projection(self) -> Projection | None:
        """The camera of the picture that is shown; None when there is none."""
        raise NotImplementedError  # of subclasses: ABCMeta cannot be the metaclass of a QWidget

    def ray(self, x: float, y: float) -> Ray | None:
        """The line of sight at a fraction of the picture; None when there is none."""
        projection = self.projection()
        return None if projection is None else projection.ray(x, y)

    def pick(self, x: float, y: float, tile: Subject | None, answer: Explained) -> None:
        """Have explained what a fraction of the picture shows, terrain as the `tile` that is there."""
        raise NotImplementedError  # of subclasses: ABCMeta cannot be the metaclass of a QWidget

    def seen_point(self, x: float, y: float) -> Point | None:
        """The point of a model, in units, that hides what the layers have behind it at a fraction of the picture; None
        where nothing hides them: by default they lie over the whole picture."""
        return None

    def labelled(self, x: float, y: float) -> ShapeSubject | None:
        """The event whose label is at a fraction of the picture."""
        area = self.picture()
        point = QPointF(area.x() + x * area.width(), area.y() + y * area.height())
        return next((thing for box, thing in self._tags if box.contains(point)), None)

    def picture(self) -> QRectF:
        """Where the picture is in the widget."""
        return QRectF(self.rect())

    def show_overlay(self, overlay: MapOverlay | None) -> None:
        """Take other things to draw over the picture."""
        self.overlay = overlay
        self.refresh()

    def refresh(self) -> None:
        """Draw anew: a layer or the selection changed."""
        self._painted, self._tags = None, []
        self.update()

    @property
    def marks(self) -> Marks:
        """The marks that are painted with the layers."""
        return replace(self.explorer.marks, absent=self.explorer.absent)

    @property
    def has_overlay(self) -> bool:
        """Whether there is something to paint over the picture."""
        explorer = self.explorer
        return self.overlay is not None and OverlayPainter.paints(
            explorer.layers, explorer.selection, self.marks, marks_only=self.marks_only
        )

    def paint_overlay(self, painter: QPainter, projection: Projection) -> None:
        """Paint the layers, or what was painted of them the last time, if nothing changed since."""
        if self.overlay is None or not self.has_overlay:
            return
        ratio = self.devicePixelRatioF()
        size = self.size() * ratio
        marks = self.marks
        same = projection.same(self._painted_through) and marks == self._painted_marks
        if self._painted is None or self._painted.size() != size or not same:
            self._painted, self._painted_through, self._painted_marks = QPixmap(size), projection, marks
            self._painted.setDevicePixelRatio(ratio)
            self._painted.fill(Qt.transparent)
            with painting(self._painted) as own:
                own.setFont(self.font())
                layers = OverlayPainter(
                    own, self.picture(), projection, self.explorer.layers, marks_only=self.marks_only
                )
                layers.paint(self.overlay, self.explorer.selection, marks)
            self._tags = layers.tags
        painter.drawPixmap(QPointF(0, 0), self._painted)

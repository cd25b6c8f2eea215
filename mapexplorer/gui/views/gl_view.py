"""The OpenGL view: the same field at the window's own resolution. Nothing is drawn while nothing changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from PyQt5.QtCore import QSize, QTimer, pyqtSignal
from PyQt5.QtGui import QColor, QImage, QPaintEvent, QShowEvent
from PyQt5.QtWidgets import QWidget

from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.projection import Projection
from mapexplorer.gui.rendering.place_renderer import FrameRequest
from mapexplorer.gui.views.canvas import Canvas, Explained
from mapexplorer.gui.widgets import theme
from mapexplorer.gui.widgets.layout import timer
from mapexplorer.gui.widgets.painting import painting
from mapexplorer.inspector.places.pixel import explained_pick
from mapexplorer.world.layers.overlay_picking import Point
from mapexplorer.world.subject import Subject

if TYPE_CHECKING:
    from mapexplorer.gui.views.gl_contents import Change, Contents
    from mapexplorer.gui.views.gl_painter import GlPainter, GlPicture
    from mapexplorer.opengl.camera import CameraMatrices
    from mapexplorer.opengl.picking import Pick
    from mapexplorer.opengl.state import FrameState


GATHERED = 25
"""Milliseconds for which things that arrive one by one are gathered before they are painted."""


class GlView(Canvas, QWidget):
    """Draws what is resident on the GPU through the model's camera."""

    failed = pyqtSignal(str)
    first_picture = pyqtSignal()
    drawn = pyqtSignal()
    marks_only = True

    def __init__(self, explorer: Explorer, jobs: JobController) -> None:
        super().__init__()
        self.setObjectName("gl view")
        self.jobs = jobs
        self.contents: Contents | None = None
        self.frame_state: Callable[..., FrameState] | None = None
        """Makes the state of a picture; see `frame_states`."""
        self.painter: GlPainter | None = None
        self.shown: GlPicture | None = None
        """The parameters of the picture that is shown."""
        self._image = QImage()
        self._started = self._drawing = self._ticked = False
        self._stale = self._wanted = True
        self.has_picture = False
        self.prepare(explorer)
        self.setAccessibleName("Picture of the map by OpenGL")
        self._timer = timer(self, 0, self._follow)
        self._late = timer(self, GATHERED, self._draw_anew)
        self._soon = timer(self, 0, self._draw)
        self._connections = [
            (explorer.camera_changed, self.changed),
            (explorer.place_changed, self.changed),
            (explorer.scene_changed, self.changed),
            (explorer.clock.changed, self._tick_changed),
        ]
        for signal, receiver in self._connections:
            signal.connect(receiver)

    def leave(self) -> None:
        """Follow the model no longer, so that the view can be deleted."""
        for signal, receiver in self._connections:
            signal.disconnect(receiver)

    # --- contents

    def changed(self) -> None:
        """Camera or place changed: draw anew, and load what comes into view. The camera of a walk is that of the frame
        in which the player is drawn."""
        self._stale = True
        if self.isVisible():
            self._timer.start()
            if self._walk is not None:
                self._ticked = True
            else:
                self.refresh()

    def _tick_changed(self) -> None:
        """The clock changed. People and weather are made in a worker; the picture is drawn when they are there."""
        self._stale = True
        if self.isVisible():
            self._ticked = True
            self._timer.start()

    def _follow(self) -> None:
        ticked, self._ticked = self._ticked, False
        if self.contents is not None:
            self.contents.follow()
            if ticked and not self.contents.awaits_moment:
                self._draw_anew()

    def refresh(self) -> None:
        """A layer or the selection changed."""
        self._timer.start()
        self._draw_anew()
        super().refresh()

    def _draw_anew(self) -> None:
        self._stale = self._wanted = True
        self._soon.start()

    def _upload(self, change: Change) -> None:
        assert self.painter is not None and self.contents is not None
        self.painter.change(change)
        if self.contents.complete and not self._timer.isActive():
            self._draw_anew()
        else:
            # More is on its way: what comes together is drawn together.
            self._stale = True
            self._late.start()

    def _upload_moment(self, change: Change) -> None:
        assert self.painter is not None
        self.painter.change(change)
        self._draw_anew()

    @property
    def _pixels(self) -> tuple[int, int]:
        """The size of the picture."""
        ratio = self.devicePixelRatioF()
        return max(1, round(self.width() * ratio)), max(1, round(self.height() * ratio))

    @property
    def complete(self) -> bool:
        """Whether everything that the model asks for is on the GPU and in the picture."""
        there = self.contents is not None and self.contents.complete and self.painter is not None and self.painter.idle
        return there and not (self._stale or self._drawing or self._timer.isActive())

    # --- drawing

    def _start(self) -> None:
        from mapexplorer.gui.views.gl_contents import Contents
        from mapexplorer.gui.views.gl_frame_state import frame_states
        from mapexplorer.gui.views.gl_painter import GlPainter

        def start_contents() -> None:
            self.contents = Contents(self.explorer, self.jobs, self._upload, self._upload_moment)
            self._timer.start()

        self.frame_state = frame_states(self.explorer)
        self.painter = GlPainter(self.jobs.paint, self.failed.emit, self._defective)
        self.painter.start(start_contents)

    def _draw(self) -> None:
        """Have a picture of the model's present state drawn; after the one that is being drawn, if there is one."""
        if not (self._wanted and self.isVisible()) or self._drawing:
            return
        picture = self._picture(*self._pixels)
        if picture is None or self.painter is None:
            return
        ratio = self.devicePixelRatioF()
        self._stale = self._wanted = False
        self._drawing = True

        def show(image: QImage) -> None:
            image.setDevicePixelRatio(ratio)
            self.shown, self._image, self._drawing = picture, image, False
            self.update()
            self.drawn.emit()
            if not self.has_picture:
                self.has_picture = True
                self.first_picture.emit()
            if self._wanted:
                self._soon.start()

        self.painter.draw(picture, show)

    def _defective(self, error: BaseException, trace: str) -> None:
        self._drawing = False
        self.jobs.notify("The OpenGL view cannot draw this", error, trace)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The field with its layers, then labels and marks."""
        with painting(self) as painter:
            if self._image.isNull():
                painter.fillRect(self.rect(), QColor(theme.colors().view))
            else:
                # After a change of the size, until the picture in the new one is drawn, the old one is stretched.
                painter.drawImage(self.rect(), self._image)
                projection = self.projection() if self.has_overlay else None
                if projection is not None:
                    self.paint_overlay(painter, projection)
            if self._image.size() != QSize(*self._pixels):
                self._draw_anew()

    def _picture(self, width: int, height: int) -> GlPicture | None:
        """A picture of the model's present state; None without a place, and before its first cell is there."""
        from mapexplorer.gui.views.gl_painter import GlPicture

        camera = self._camera(width / height)
        if camera is None or self.contents is None or self.contents.empty:
            return None
        assert self.frame_state is not None
        state = self.frame_state(self._tick, self.contents.weather, self.contents.sky)
        return GlPicture(width, height, camera, state)

    @property
    def _tick(self) -> int:
        walk = self._walk
        return walk.view.tick if walk is not None else self.explorer.clock.tick

    @property
    def _walk(self) -> FrameRequest | None:
        """While the player walks, the frame that they are shown in: camera and figure stay together, also when the
        player has entered another map of the matrix meanwhile."""
        shown = self.contents.moment if self.contents is not None else None
        place, world = self.explorer.place, self.explorer.world
        if shown is None or shown.player is None or self.jobs.walking.figure is None or place is None or world is None:
            return None
        return shown if world.headers[shown.header].matrix == place.matrix_id.value else None

    def _camera(self, aspect: float) -> CameraMatrices | None:
        from mapexplorer.gui.rendering.gl_preparer import field_camera
        from mapexplorer.scene.conditions import Conditions

        place, walk = self.explorer.place, self._walk
        if place is None:
            return None
        view = self.explorer.view if walk is None else walk.view
        feature = self.explorer.feature if walk is None else walk.feature
        conditions = Conditions.of_view(place, view, feature=feature)
        return field_camera(view.scene_camera(conditions.camera), aspect)

    def projection(self) -> Projection | None:
        """The camera of the picture that is shown."""
        return of_field(self.shown.camera) if self.shown is not None else None

    # --- asking

    def pick(self, x: float, y: float, tile: Subject | None, answer: Explained) -> None:
        """Have the model that is seen at a fraction of the picture explained."""

        def explain(picked: Pick | None) -> None:
            place = self.explorer.place
            if picked is not None and place is not None:
                answer(explained_pick(picked, tile, place, whole=self.explorer.options.all_cells), None)

        if self.painter is not None and self.shown is not None:
            self.painter.pick(self.shown, x, y, explain)

    def seen_point(self, x: float, y: float) -> Point | None:
        """The point of a model that is seen at a fraction of the picture: it hides what lies behind it. Waits for the
        thread that draws."""
        if self.painter is None or self.shown is None:
            return None
        picked = self.painter.picked(self.shown, x, y)
        return picked.point if picked is not None else None

    def showEvent(self, event: QShowEvent) -> None:
        """Cells are wanted now."""
        super().showEvent(event)
        if not self._started:
            self._started = True
            QTimer.singleShot(0, self._start)
        self.changed()


def of_field(camera: CameraMatrices) -> Projection:
    """The matrix of an OpenGL camera."""
    view = np.zeros((4, 4))
    view[:, :3] = camera.view
    view[3, 3] = 1
    return Projection(view @ camera.projection)

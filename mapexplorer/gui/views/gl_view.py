"""The OpenGL view: the same field at the window's own resolution. Nothing is drawn while nothing changes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PyQt5.QtCore import QRectF, QSize, QTimer, pyqtSignal
from PyQt5.QtGui import QColor, QImage, QPainter, QPaintEvent, QShowEvent
from PyQt5.QtWidgets import QWidget

from mapexplorer.gui import theme
from mapexplorer.gui.images import image_of
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.projection import Projection
from mapexplorer.gui.place_renderer import FrameRequest
from mapexplorer.gui.views.canvas import Canvas
from mapexplorer.gui.views.overlay_painter import OverlayPainter
from mapexplorer.world.overlay_picking import Point

if TYPE_CHECKING:
    from mapexplorer.gui.views.gl_contents import Contents
    from mapexplorer.gui.views.gl_context import GlContext
    from mapexplorer.gui.views.gl_frame_state import GlFrameState
    from mapexplorer.opengl.camera import CameraMatrices
    from mapexplorer.opengl.offscreen import RenderTarget
    from mapexplorer.opengl.picking import Pick
    from mapexplorer.opengl.renderer import FieldRenderer
    from mapexplorer.opengl.state import FrameState


STEP = 5
"""Milliseconds between the steps of showing the view for the first time, so that the window handles events."""


GATHERED = 25
"""Milliseconds for which things that arrive one by one are gathered before they are painted."""


class GlView(Canvas, QWidget):
    """Draws what is resident on the GPU through the model's camera."""

    failed = pyqtSignal(str)
    failed_picture = pyqtSignal(str)
    first_picture = pyqtSignal()
    drawn = pyqtSignal()
    picked = pyqtSignal(object, float, float)  # Pick, x, y: what was asked for, and where in the picture (0..1)
    marks_only = True

    def __init__(self, explorer: Explorer, jobs: JobController) -> None:
        super().__init__()
        self.setObjectName("gl view")
        self.jobs = jobs
        self.renderer: FieldRenderer | None = None
        self.contents: Contents | None = None
        self.moment: GlFrameState | None = None
        self._context: GlContext | None = None
        self._target: RenderTarget | None = None
        self._image = QImage()
        self._started = self._warm = self._warming = self._ticked = False
        self._stale = True
        self.has_picture = False
        self.prepare(explorer)
        self.setAccessibleName("Picture of the map by OpenGL")
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._follow)
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(GATHERED)
        self._late.timeout.connect(self._draw_anew)
        for signal in (explorer.camera_changed, explorer.place_changed, explorer.scene_changed):
            signal.connect(self.changed)
        explorer.clock.changed.connect(self._tick_changed)

    def sizeHint(self) -> QSize:
        """Twice the size of the screen of a DS."""
        return QSize(512, 384)

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
        self._stale = True
        super().refresh()

    def _draw_anew(self) -> None:
        self._stale = True
        self.update()

    def current(self) -> AbstractContextManager[None]:
        """A block in which the context is current."""
        assert self._context is not None
        return self._context.current()

    def _upload(self, work: Callable[[], None]) -> None:
        with self.current():
            work()
        self._stale = True
        if self._warm and self.complete:
            self.update()
        elif self._warm:
            # More is on its way: what comes together is painted together.
            self._late.start()
        elif not self._warming and self.contents is not None and self.contents.cells:
            self._warming = True
            QTimer.singleShot(STEP, lambda: self._warm_up(8, 8, edges=False))

    def _upload_moment(self, work: Callable[[], None]) -> None:
        with self.current():
            work()
        if self._warm:
            self._draw_anew()

    def _warm_up(self, width: int, height: int, *, edges: bool = True) -> None:
        """Draw the first cell off screen: small without edge marking, small, then in the size of the view. A driver
        that compiles shaders and allocates memory at the first draw does so before the first paint, in steps."""
        from mapexplorer.opengl.errors import GlError
        from mapexplorer.opengl.offscreen import RenderTarget

        try:
            with self.current():
                target = RenderTarget(width, height)
                self._draw(target.framebuffer, width, height, edges=edges)
                target.release()
        except GlError as error:
            self.failed.emit(str(error))
            return
        self._warm = edges and (width, height) == self._pixels
        size = self._pixels if edges else (width, height)
        QTimer.singleShot(STEP, self.refresh if self._warm else lambda: self._warm_up(*size))

    @property
    def _pixels(self) -> tuple[int, int]:
        """The size of the picture."""
        ratio = self.devicePixelRatioF()
        return max(1, round(self.width() * ratio)), max(1, round(self.height() * ratio))

    @property
    def complete(self) -> bool:
        """Whether everything that the model asks for is on the GPU and can be shown."""
        return self._warm and self.contents is not None and self.contents.complete and not self._timer.isActive()

    # --- drawing

    def _make_context(self) -> None:
        from mapexplorer.gui.views.gl_context import GlContext
        from mapexplorer.opengl.errors import GlError

        try:
            self._context = GlContext()
        except GlError as error:
            self.failed.emit(str(error))
            return
        QTimer.singleShot(STEP, self._start)

    def _start(self) -> None:
        from mapexplorer.gui.views.gl_contents import Contents
        from mapexplorer.gui.views.gl_frame_state import GlFrameState
        from mapexplorer.opengl.errors import GlError
        from mapexplorer.opengl.renderer import FieldRenderer

        renderer = FieldRenderer()
        try:
            with self.current():
                renderer.initialize()
        except (GlError, RuntimeError) as error:
            self.failed.emit(str(error))
            return
        self.renderer = renderer
        self.moment = GlFrameState(self.explorer)
        self.contents = Contents(self.explorer, self.jobs, renderer, self._upload, self._upload_moment)
        self._timer.start()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The field with its layers, then labels and marks."""
        size = QSize(*self._pixels)
        if self._warm and (self._stale or self._image.size() != size):
            self._draw_image(size)
        painter = QPainter(self)
        if self._image.size() != size:
            painter.fillRect(self.rect(), QColor(theme.colors().view))
        else:
            painter.drawImage(0, 0, self._image)
            projection = self.projection() if self.has_overlay else None
            if projection is not None:
                self.paint_overlay(painter, projection)
        painter.end()

    def _draw_image(self, size: QSize) -> None:
        """Draw the picture and read it back."""
        from mapexplorer.opengl.errors import GlError
        from mapexplorer.opengl.offscreen import RenderTarget

        width, height = size.width(), size.height()
        try:
            with self.current():
                if self._target is None or (self._target.width, self._target.height) != (width, height):
                    if self._target is not None:
                        self._target.release()
                    self._target = None
                    self._target = RenderTarget(width, height)
                if not self._draw(self._target.framebuffer, width, height):
                    return
                # Qt draws this format fastest; its bytes are blue, green, red.
                self._image = image_of(self._target.pixels(bgra=True), QImage.Format_RGB32)
        except GlError as error:
            QTimer.singleShot(0, partial(self.failed.emit, str(error)))
            return
        self._image.setDevicePixelRatio(self.devicePixelRatioF())
        self._stale = False
        self.drawn.emit()
        if not self.has_picture:
            self.has_picture = True
            QTimer.singleShot(0, self.first_picture.emit)  # its receivers may change what is painted

    def _draw(self, framebuffer: int, width: int, height: int, overlays: bool = True, *, edges: bool = True) -> bool:
        camera = self._camera(width / height)
        if self.renderer is None or self.moment is None or camera is None:
            return False
        state = self._state(overlays)
        self.renderer.draw(framebuffer, width, height, camera, state if edges else replace(state, edge_colors=None))
        return True

    def _state(self, overlays: bool = True) -> FrameState:
        """The state of the picture beside its camera."""
        assert self.moment is not None
        weather, sky = (None, None) if self.contents is None else (self.contents.weather, self.contents.sky)
        return self.moment.state(self._tick, overlays, weather, sky, all_cells=self.jobs.whole_matrix)

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
        if shown is None or shown.player is None or self.jobs.player() is None or place is None or world is None:
            return None
        return shown if world.headers[shown.header].matrix == place.matrix_id.value else None

    def _camera(self, aspect: float) -> CameraMatrices | None:
        from mapexplorer.gui.gl_preparer import field_camera
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
        camera = self._camera(self.width() / max(1, self.height()))
        return of_field(camera) if camera is not None else None

    def rendered(self, width: int, height: int, overlays: bool) -> QImage:
        """The picture at another size; a null image where there is none."""
        if self.renderer is None or self.explorer.place is None:
            return QImage()
        from mapexplorer.opengl.errors import GlError
        from mapexplorer.opengl.offscreen import RenderTarget

        try:
            with self.current():
                target = RenderTarget(width, height)
                self._draw(target.framebuffer, width, height, overlays)
                image = image_of(target.pixels(bgra=True), QImage.Format_RGB32)
                target.release()
        except GlError as error:
            self.failed_picture.emit(str(error))
            return QImage()
        camera = self._camera(width / height)
        if overlays and self.overlay is not None and camera is not None:
            painter = QPainter(image)
            area = QRectF(0, 0, width, height)
            layers = OverlayPainter(painter, area, of_field(camera), self.explorer.layers, marks_only=True)
            layers.paint(self.overlay, None)
            painter.end()
        return image

    # --- asking

    def ask_pixel(self, x: float, y: float) -> None:
        """Emit `picked` with the model that is seen at a fraction of the picture."""
        found = self._pick(x, y)
        if found is not None:
            self.picked.emit(found, x, y)

    def seen_point(self, x: float, y: float) -> Point | None:
        """The point of a model that is seen at a fraction of the picture: it hides what lies behind it."""
        found = self._pick(x, y)
        return found.point if found is not None else None

    def _pick(self, x: float, y: float) -> Pick | None:
        width, height = self._pixels
        camera = self._camera(width / height)
        if self.renderer is None or self.moment is None or camera is None:
            return None
        with self.current():
            return self.renderer.pick(x * width, y * height, width, height, camera, self._state())

    def showEvent(self, event: QShowEvent) -> None:
        """Cells are wanted now."""
        super().showEvent(event)
        if not self._started:
            self._started = True
            QTimer.singleShot(STEP, self._make_context)
        self.changed()


def of_field(camera: CameraMatrices) -> Projection:
    """The matrix of an OpenGL camera."""
    view = np.zeros((4, 4))
    view[:, :3] = camera.view
    view[3, 3] = 1
    return Projection(view @ camera.projection)

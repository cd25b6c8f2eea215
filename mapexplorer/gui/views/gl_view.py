"""The OpenGL view: the same field at the window's own resolution. Nothing is drawn while nothing changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PyQt5.QtCore import QRectF, QSize, QTimer, pyqtSignal
from PyQt5.QtGui import QImage, QPainter, QShowEvent
from PyQt5.QtWidgets import QOpenGLWidget

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
    from mapexplorer.gui.views.gl_frame_state import GlFrameState
    from mapexplorer.opengl.camera import CameraMatrices
    from mapexplorer.opengl.picking import Pick
    from mapexplorer.opengl.renderer import FieldRenderer
    from mapexplorer.opengl.state import FrameState


STEP = 5
"""Milliseconds between the steps of showing the view for the first time, so that the window handles events."""


GATHERED = 25
"""Milliseconds for which things that arrive one by one are gathered before they are painted."""


class GlView(Canvas, QOpenGLWidget):
    """Draws what is resident on the GPU through the model's camera."""

    failed = pyqtSignal(str)
    failed_picture = pyqtSignal(str)
    first_picture = pyqtSignal()
    picked = pyqtSignal(object, float, float)  # Pick, x, y: what was asked for, and where in the picture (0..1)
    marks_only = True

    def __init__(self, explorer: Explorer, jobs: JobController) -> None:
        super().__init__()
        self.setObjectName("gl view")
        self.jobs = jobs
        self.renderer: FieldRenderer | None = None
        self.contents: Contents | None = None
        self.moment: GlFrameState | None = None
        self._warm = self._warming = False
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
        self._late.timeout.connect(super().refresh)
        for signal in (explorer.camera_changed, explorer.place_changed, explorer.scene_changed):
            signal.connect(self.changed)
        explorer.clock.changed.connect(self.changed)

    def sizeHint(self) -> QSize:
        """Twice the size of the screen of a DS."""
        return QSize(512, 384)

    # --- contents

    def changed(self) -> None:
        """Camera, clock or place changed: draw anew, and load what comes into view."""
        if self.isVisible():
            self._timer.start()
            self.refresh()

    def _follow(self) -> None:
        if self.contents is not None:
            self.contents.follow()

    def refresh(self) -> None:
        """A layer or the selection changed."""
        self._timer.start()
        super().refresh()

    def _upload(self, work: Callable[[], None]) -> None:
        self.makeCurrent()
        work()
        self.doneCurrent()
        if self._warm and self.complete:
            super().refresh()
        elif self._warm:
            # More is on its way: what comes together is painted together.
            self._late.start()
        elif not self._warming and self.contents is not None and self.contents.cells:
            self._warming = True
            QTimer.singleShot(STEP, lambda: self._warm_up(8, 8, edges=False))

    def _warm_up(self, width: int, height: int, *, edges: bool = True) -> None:
        """Draw the first cell off screen: small without edge marking, small, then in the size of the view. A driver
        that compiles shaders and allocates memory at the first draw does so before the first paint, in steps."""
        from mapexplorer.opengl.errors import GlError
        from mapexplorer.opengl.offscreen import RenderTarget

        self.makeCurrent()
        try:
            target = RenderTarget(width, height)
            self._draw(target.framebuffer, width, height, edges=edges)
            target.release()
        except GlError as error:
            self.failed.emit(str(error))
            return
        finally:
            self.doneCurrent()
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

    def initializeGL(self) -> None:
        """The shaders are compiled when the window has shown its first frame: together they would take too long."""
        self.frameSwapped.connect(self._start_soon)

    def _start_soon(self) -> None:
        self.frameSwapped.disconnect(self._start_soon)
        QTimer.singleShot(STEP, self._start)

    def _start(self) -> None:
        from mapexplorer.gui.views.gl_contents import Contents
        from mapexplorer.gui.views.gl_frame_state import GlFrameState
        from mapexplorer.opengl.errors import GlError
        from mapexplorer.opengl.renderer import FieldRenderer

        renderer = FieldRenderer()
        self.makeCurrent()
        try:
            renderer.initialize()
        except (GlError, RuntimeError) as error:
            self.failed.emit(str(error))
            return
        finally:
            self.doneCurrent()
        self.renderer = renderer
        self.moment = GlFrameState(self.explorer)
        self.contents = Contents(self.explorer, self.jobs, renderer, self._upload)
        self._timer.start()

    def paintGL(self) -> None:
        """The field with its layers, then labels and marks."""
        if not self._warm:
            return
        if self._draw(self.defaultFramebufferObject(), *self._pixels):
            projection = self.projection()
            painter = QPainter(self)
            if projection is not None:
                self.paint_overlay(painter, projection)
            painter.end()
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
        """While the player walks, the frame that they are shown in: camera and figure stay together."""
        shown = self.contents.moment if self.contents is not None else None
        place = self.explorer.place
        if shown is None or shown.player is None or self.jobs.player() is None:
            return None
        return shown if place is not None and shown.header == place.header.id else None

    def _camera(self, aspect: float) -> CameraMatrices | None:
        from mapexplorer.gui.gl_preparer import field_camera
        from mapexplorer.scene.conditions import Conditions

        place, walk = self.explorer.place, self._walk
        if place is None:
            return None
        view = self.explorer.view if walk is None else walk.view
        conditions = Conditions.of_view(place, view) if walk is None else walk.conditions(place)
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

        self.makeCurrent()
        try:
            target = RenderTarget(width, height)
        except GlError as error:
            self.doneCurrent()
            self.failed_picture.emit(str(error))
            return QImage()
        self._draw(target.framebuffer, width, height, overlays)
        pixels = target.pixels()
        target.release()
        self.doneCurrent()
        image = image_of(pixels, QImage.Format_RGBX8888).convertToFormat(QImage.Format_RGB32)
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
        self.makeCurrent()
        found = self.renderer.pick(x * width, y * height, width, height, camera, self._state())
        self.doneCurrent()
        self.update()
        return found

    def showEvent(self, event: QShowEvent) -> None:
        """Cells are wanted now."""
        super().showEvent(event)
        self.changed()


def of_field(camera: CameraMatrices) -> Projection:
    """The matrix of an OpenGL camera."""
    view = np.zeros((4, 4))
    view[:, :3] = camera.view
    view[3, 3] = 1
    return Projection(view @ camera.projection)

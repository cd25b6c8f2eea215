"""The OpenGL view: the same field at the window's own resolution. Cells are prepared in a worker and uploaded one by
one; nothing is drawn while nothing changes."""

from __future__ import annotations

from typing import Any

import numpy as np
from PyQt5.QtCore import QPoint, QRectF, QSize, Qt, QTimer, pyqtSignal
from PyQt5.QtGui import QColor, QImage, QPainter, QPixmap
from PyQt5.QtWidgets import QOpenGLWidget

from formats.binary import FormatError
from mapexplorer.errors import RomError
from mapexplorer.gui import theme
from mapexplorer.gui.director import SOON, Director
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.overlay import Overlay
from mapexplorer.gui.model.projection import Projection
from mapexplorer.gui.model.subject import Subject, subject
from mapexplorer.gui.studio import Studio, field_camera, people_of, scene_camera
from mapexplorer.gui.views.navigation import Navigation
from mapexplorer.gui.views.overlay_painter import OverlayPainter

RADIUS = 3
"""Cells that are loaded to each side of the camera's when the whole matrix is shown."""
KEPT = 220
"""Cells that stay on the card."""


class GlView(QOpenGLWidget):
    """Draws what is resident on the card through the model's camera."""

    failed = pyqtSignal(str)
    failed_picture = pyqtSignal(str)

    def __init__(self, explorer: Explorer, director: Director) -> None:
        super().__init__()
        self.setObjectName("gl view")
        self.explorer, self.director = explorer, director
        self.navigation = Navigation(self, explorer)
        self.overlay: Overlay | None = None
        self.renderer: Any = None
        self.problem = ""
        self._matrix: tuple[str, int] | None = None
        self._preparer: Any = None
        self._asked: set[tuple[int, int]] = set()
        self._ready: set[tuple[int, int]] = set()
        self._people: tuple[Any, ...] | None = None
        self._layer: QPixmap | None = None
        self._lights: tuple[Any, dict[int, Any]] = (None, {})
        self._entered: Any = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.StrongFocus)
        self.setMinimumSize(256, 192)
        self.setAccessibleName("Picture of the map by OpenGL")
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._need_cells)
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
            self._layer = None
            self._timer.start()
            self.update()

    def _need_cells(self) -> None:
        place, rom = self.explorer.place, self.director.rom
        if place is None or rom is None or self.renderer is None:
            return
        if self._matrix != (rom.path, place.matrix_id.value):
            self._restart(rom.path, place.matrix_id.value)
        x, z = (int(value) for value in self.explorer.tile)
        if self.director.whole_matrix:
            near = [
                (x // 32 + dx, z // 32 + dz) for dx in range(-RADIUS, RADIUS + 1) for dz in range(-RADIUS, RADIUS + 1)
            ]
            near.sort(key=lambda cell: (cell[0] - x // 32) ** 2 + (cell[1] - z // 32) ** 2)
            wanted = [cell for cell in near if cell in place.matrix_cells]
        else:
            wanted = [(cell.x, cell.z) for cell in place.terrain.resident(x, z).cells]
            self._drop([cell for cell in self._ready if cell not in wanted])
        if len(self._ready) > KEPT:
            far = sorted(self._ready, key=lambda cell: -((cell[0] - x // 32) ** 2) - (cell[1] - z // 32) ** 2)
            self._drop([cell for cell in far[: len(self._ready) - KEPT] if cell not in wanted])
        for cell in wanted:
            if cell not in self._asked:
                self._ask(place.header.id, cell)
        self._need_people()

    def _restart(self, path: str, matrix: int) -> None:
        self.makeCurrent()
        self.renderer.clear()
        self.doneCurrent()
        self._matrix = (path, matrix)
        self._preparer = None
        self._asked.clear()
        self._ready.clear()
        self._people = None

    def _drop(self, cells: list[tuple[int, int]]) -> None:
        if cells:
            self.makeCurrent()
            self.renderer.remove([("cell", x, z) for x, z in cells])
            self.doneCurrent()
            self._asked -= set(cells)
            self._ready -= set(cells)

    def _ask(self, header: int, cell: tuple[int, int]) -> None:
        self._asked.add(cell)
        matrix = self._matrix

        def prepare(studio: Studio) -> Any:
            return studio.prepared(header, matrix, cell)

        self.director.ask(
            prepare, lambda result: self._take(matrix, cell, result), priority=SOON, title="A cell cannot be shown"
        )

    def _take(self, matrix: Any, cell: tuple[int, int], prepared: tuple[Any, Any]) -> None:
        if matrix != self._matrix or self.renderer is None or cell not in self._asked:
            return
        self.makeCurrent()
        self.renderer.add(*prepared)
        self.doneCurrent()
        self._ready.add(cell)
        self.update()

    def _need_people(self) -> None:
        request = self.director.wanted()
        if request is None:
            return
        key = (
            request.header,
            tuple(int(value) // 16 for value in request.tile),
            request.second // 3600,
            request.player,
        )
        if key == self._people:
            return
        self._people = key
        matrix = self._matrix
        self.director.ask(
            lambda studio: people_of(studio, request, matrix),
            lambda result: self._take_people(matrix, result), key="gl people", priority=SOON,
            failed=lambda error: None,
        )  # fmt: skip

    def _take_people(self, matrix: Any, prepared: Any) -> None:
        if matrix == self._matrix and self.renderer is not None:
            self.makeCurrent()
            self.renderer.add(*prepared)
            self.doneCurrent()
            self.update()

    # --- drawing

    def initializeGL(self) -> None:
        """Compile the shaders."""
        from mapexplorer.opengl.errors import GlError
        from mapexplorer.opengl.renderer import FieldRenderer

        renderer = FieldRenderer()
        try:
            renderer.initialize()
        except (GlError, RuntimeError) as error:
            self.problem = str(error)
            QTimer.singleShot(0, lambda: self.failed.emit(self.problem))
            return
        self.renderer = renderer
        self._timer.start()

    def paintGL(self) -> None:
        """The field, then what lies over it."""
        if self.renderer is None or self.explorer.place is None:
            return
        ratio = self.devicePixelRatioF()
        width, height = round(self.width() * ratio), round(self.height() * ratio)
        self.renderer.draw(self.defaultFramebufferObject(), width, height, self._camera(), self._state())
        projection = self.projection()
        if self.overlay is not None and projection is not None:
            self._paint_overlay(projection)

    def _paint_overlay(self, projection: Projection) -> None:
        assert self.overlay is not None
        if self._layer is None:
            ratio = self.devicePixelRatioF()
            self._layer = QPixmap(self.size() * ratio)
            self._layer.setDevicePixelRatio(ratio)
            self._layer.fill(Qt.transparent)
            own = QPainter(self._layer)
            own.setFont(self.font())
            OverlayPainter(own, self.picture(), projection, self.explorer.layers).paint(
                self.overlay, self.explorer.selection, self.explorer.marks
            )
            own.end()
        painter = QPainter(self)
        painter.drawPixmap(QPoint(0, 0), self._layer)
        painter.end()

    def _camera(self) -> Any:
        assert self.explorer.place is not None
        aspect = self.width() / max(1, self.height())
        return field_camera(scene_camera(self.explorer.place, self.explorer.camera), aspect)

    def _state(self) -> Any:
        from mapexplorer.opengl.state import FrameState
        from mapexplorer.scene.camera import projection_matrix
        from mapexplorer.scene.registers import weather_fog

        place, explorer = self.explorer.place, self.explorer
        assert place is not None
        weather = explorer.weather
        number = place.world.weather(place.header).value if weather is True else int(weather)
        shade = QColor(theme.colors().view)
        layers = explorer.layers
        opacity = {
            name: layers[layer].opacity if layers.shown(layer) else 0.0
            for name, layer in (("terrain", "terrain"), ("prop", "props"), ("people", "people"))
        }
        return FrameState(
            tick=explorer.clock.tick,
            lights=self._lights_now(),
            fog=weather_fog(number),
            fog_projection=projection_matrix(place.camera),
            opacity=opacity,
            background=(shade.redF(), shade.greenF(), shade.blueF()),
            missing=layers.shown("missing"),
            wireframe=layers.shown("wireframe"),
        )

    def _lights_now(self) -> dict[int, Any]:
        from mapexplorer.opengl.state import lights_at
        from mapexplorer.world.paths import AREA_LIGHT

        place = self.explorer.place
        assert place is not None
        key = (self._matrix, place.header.id, self.explorer.clock.second)
        if self._lights[0] != key:
            world = place.world
            archive = world.archive(AREA_LIGHT)
            try:
                count = len(archive) if archive is not None else 0
                found = lights_at(world, count, self.explorer.clock.second, place.light_set().value)
            except (FormatError, RomError):
                found = {}
            self._lights = (key, found)
        return self._lights[1]

    def projection(self) -> Projection | None:
        """The camera of the picture that is shown."""
        if self.explorer.place is None:
            return None
        return of_field(self._camera())

    def picture(self) -> QRectF:
        """The whole widget."""
        return QRectF(self.rect())

    def show_overlay(self, overlay: Overlay | None) -> None:
        """Take other things to draw over the picture."""
        self.overlay = overlay
        self.refresh()

    def refresh(self) -> None:
        """A layer or the selection changed."""
        self._layer = None
        self.update()

    @property
    def complete(self) -> bool:
        """Whether every cell that was asked for is on the card."""
        return self.renderer is not None and bool(self._asked) and self._asked == self._ready

    def rendered(self, width: int, height: int, overlays: bool) -> QImage:
        """The picture at another size; a null image where there is none."""
        if self.renderer is None or self.explorer.place is None:
            return QImage()
        from mapexplorer.opengl.errors import GlError
        from mapexplorer.opengl.offscreen import Target

        camera = field_camera(scene_camera(self.explorer.place, self.explorer.camera), width / height)
        self.makeCurrent()
        try:
            target = Target(width, height)
        except GlError as error:
            self.doneCurrent()
            self.failed_picture.emit(str(error))
            return QImage()
        self.renderer.draw(target.framebuffer, width, height, camera, self._state())
        pixels = target.pixels()
        target.release()
        self.doneCurrent()
        image = QImage(pixels.data, width, height, width * 4, QImage.Format_RGBX8888).convertToFormat(
            QImage.Format_RGB32
        )
        if overlays and self.overlay is not None:
            painter = QPainter(image)
            area = QRectF(0, 0, width, height)
            OverlayPainter(painter, area, of_field(camera), self.explorer.layers).paint(self.overlay, None)
            painter.end()
        return image

    # --- asking

    def ask_pixel(self, x: float, y: float, window: Any) -> None:
        """Select what lies at a fraction of the picture."""
        if self.renderer is None:
            return
        ratio = self.devicePixelRatioF()
        width, height = round(self.width() * ratio), round(self.height() * ratio)
        self.makeCurrent()
        picked = self.renderer.pick(x * width, y * height, width, height, self._camera(), self._state())
        self.doneCurrent()
        self.update()
        chosen = self._chosen(picked)
        if chosen is not None:
            self.explorer.select(chosen)
            window.show_dock("inspector")

    def _chosen(self, picked: Any) -> Subject | None:
        from mapexplorer.gui.model.describe.pixel import owner_of_source
        from mapexplorer.gui.model.overlay import tile_of

        if picked is None or self.explorer.place is None:
            return None
        source = getattr(picked.source, "source", picked.source)
        found = owner_of_source(source)
        if found is not None:
            return found
        return subject("tile", self.explorer.place.matrix_id.value, *tile_of(picked.point[0], picked.point[2]))

    # --- events, all of them for the navigation

    def resizeGL(self, width: int, height: int) -> None:
        """The overlay has another size now."""
        self._layer = None

    def showEvent(self, event: Any) -> None:
        """Cells are wanted now."""
        super().showEvent(event)
        self.changed()

    def mousePressEvent(self, event: Any) -> None:
        """See `Navigation`."""
        self.setFocus(Qt.MouseFocusReason)
        self.navigation.press(event)

    def mouseMoveEvent(self, event: Any) -> None:
        """See `Navigation`."""
        self.navigation.move(event)

    def mouseReleaseEvent(self, event: Any) -> None:
        """See `Navigation`."""
        self.navigation.release(event)

    def mouseDoubleClickEvent(self, event: Any) -> None:
        """See `Navigation`."""
        self.navigation.double_click(event)

    def wheelEvent(self, event: Any) -> None:
        """See `Navigation`."""
        self.navigation.wheel(event)

    def keyPressEvent(self, event: Any) -> None:
        """See `Navigation`."""
        if not self.navigation.key_press(event):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: Any) -> None:
        """See `Navigation`."""
        self.navigation.key_release(event)
        super().keyReleaseEvent(event)

    def focusOutEvent(self, event: Any) -> None:
        """See `Navigation`."""
        self.navigation.focus_lost()

    def leaveEvent(self, event: Any) -> None:
        """The mouse is elsewhere."""
        self.navigation.left.emit()


def of_field(camera: Any) -> Projection:
    """The matrix of an OpenGL camera."""
    view = np.zeros((4, 4))
    view[:, :3] = camera.view
    view[3, 3] = 1
    return Projection(view @ camera.projection)

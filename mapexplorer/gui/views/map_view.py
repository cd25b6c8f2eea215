"""The map of the whole matrix as a view: tiles of the exact picture from above at any scale, names, layers, a ruler."""

from __future__ import annotations

from typing import Final

from PyQt5.QtCore import QPointF, QRectF, Qt, pyqtSignal
from PyQt5.QtGui import QColor, QImage, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PyQt5.QtWidgets import QSizePolicy, QWidget

from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.map_camera import Box, MapCamera, Size
from mapexplorer.gui.model.marks import Marks, ReachedTiles
from mapexplorer.gui.model.projection import Projection
from mapexplorer.gui.rendering.tile_renderer import LEVELS, ImageTile
from mapexplorer.gui.views.canvas import Canvas, Explained
from mapexplorer.gui.views.map_cells import paint_cells
from mapexplorer.gui.views.map_labels import MapLabels, PlacedLabel
from mapexplorer.gui.views.map_layers import MapLayers
from mapexplorer.gui.views.map_marks import paint_place, paint_ruler, paint_tiles, reached_picture
from mapexplorer.gui.views.map_mosaic import Mosaic, mosaic_of
from mapexplorer.gui.views.map_navigation import MapNavigation
from mapexplorer.gui.views.map_tiles import MapTiles, TilePyramid, box_of
from mapexplorer.gui.views.overlay_painter import OverlayPainter, marked_tiles
from mapexplorer.gui.widgets import theme
from mapexplorer.gui.widgets.layout import timer
from mapexplorer.gui.widgets.painting import painting
from mapexplorer.world.cells import TILE_UNITS
from mapexplorer.world.headers.place_labels import Rank
from mapexplorer.world.layers.events import EVENTS
from mapexplorer.world.layers.overlay_picking import cell_of, tile_of
from mapexplorer.world.subject import Subject, subject
from mapexplorer.world.terrain.ground import room_box

_LARGEST: Final = 12_000_000
"""Pixels of the largest picture of tiles; on a larger screen the next smaller scale is shown."""
_WHOLE: Final = 0.125
"""The largest scale in pixels per unit at which the picture of the whole matrix is shown instead of tiles."""


class MapView(Canvas, QWidget):
    """Shows the matrix of the model."""

    navigation: MapNavigation
    cell_chosen = pyqtSignal(int, int, float, float)
    """A cell with a number was clicked: its column and row, the tile with fraction."""

    def __init__(self, explorer: Explorer, jobs: JobController, tiles: MapTiles) -> None:
        super().__init__()
        self.setObjectName("map view")
        self.jobs, self.tiles = jobs, tiles
        self._mosaic: Mosaic | None = None
        self._pyramid: TilePyramid | None = None
        self._labels: MapLabels | None = None
        self._reached: tuple[ReachedTiles, tuple[QImage, Box]] | None = None
        self._fitted = False
        self._covered = 0
        self._shown: tuple[str, int] | None = None
        self.cells = ""
        """The mode of the numbers of the cells; empty: the cells have none."""
        self.loaded: frozenset[tuple[int, int]] = frozenset()
        """The cells that the other views load."""
        self.prepare(explorer)
        self.setSizePolicy(QSizePolicy.Expanding, QSizePolicy.Expanding)
        self.setAccessibleName("Map of the matrix")
        self._follow_timer = timer(self, 0, self._follow)
        self._layers = MapLayers(explorer, jobs, self._follow_timer.start)
        self.navigation.moved.connect(self._moved)
        tiles.drawn.connect(self._drawn)
        tiles.restarted.connect(self._restarted)
        explorer.camera_changed.connect(self.update)
        for signal in (explorer.place_changed, explorer.scene_changed, explorer.clock.changed, explorer.state_chosen):
            signal.connect(self._follow_model)
        explorer.layers.changed.connect(lambda name: self._follow_model() if explorer.layers[name].scene else None)

    def make_navigation(self) -> MapNavigation:
        """What gets the events."""
        return MapNavigation(self, self.picture, self.explorer)

    # --- camera

    @property
    def camera(self) -> MapCamera:
        """The camera of the map."""
        return self.navigation.camera

    @property
    def area(self) -> Size:
        """The size of the picture in logical pixels."""
        return self.navigation.size

    def projection(self) -> Projection | None:
        """The camera as a matrix; None without a matrix."""
        return self.camera.projection(self.area) if self.tiles.pyramid is not None else None

    def set_camera(self, camera: MapCamera) -> None:
        """Set the camera."""
        self._fitted = False
        self.navigation.set_camera(camera)

    def look_at(self, x: float, z: float, scale: float | None = None) -> None:
        """Show a point in units in the middle, by default at the present scale."""
        self.set_camera(MapCamera(x, z, self.camera.scale if scale is None else scale))

    def zoom(self, steps: float) -> None:
        """Zoom in by wheel steps."""
        self.set_camera(self.camera.zoomed(steps))

    def fit_region(self) -> None:
        """Show the whole matrix; of a room, the room."""
        if self._pyramid is not None and self._pyramid.place.matrix.headers is None:
            self.fit_place()
            self._fitted = True
        elif self._pyramid is not None:
            self._fit(self._pyramid.land)
            self._fitted = True

    def fit_place(self) -> None:
        """Show the cells of the place; of a room, the room."""
        place = self.explorer.place
        if place is None or not place.cells:
            return
        room = room_box(place)
        box = box_of((cell.x, cell.z) for cell in place.cells)
        if room is not None:
            (west, _, north), (east, _, south) = room
            box = west, north, east, south
        self._fit(box)

    def _fit(self, box: Box) -> None:
        """Show a box below what lies over the upper edge of the picture."""
        width, height = self.area
        self.set_camera(self.camera.fitting(box, (width, height - self._covered)).panned(0, -self._covered / 2))

    def _moved(self) -> None:
        self.update()
        self._follow_timer.start()

    def _restarted(self) -> None:
        """Another matrix or moment is shown."""
        pyramid, before = self.tiles.pyramid, self._pyramid
        self._pyramid = pyramid
        shown = None if pyramid is None else (self.explorer.rom_path, pyramid.key[0])
        if pyramid is not None and shown != self._shown:
            self._shown = shown
            self.navigation.limits = pyramid.box
            self.navigation.ruler = None
            self.fit_region()
        if pyramid is not before:
            self._layers.clear()
            self._mosaic = None
        self.refresh()

    def _follow_model(self) -> None:
        """Show the matrix and the moment of the model; nothing is drawn or read for a hidden map."""
        if self.isVisible():
            self.tiles.follow()
            self.update()

    def showEvent(self, event: QShowEvent) -> None:
        """What has changed meanwhile is followed."""
        super().showEvent(event)
        self._follow_model()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A whole matrix stays whole."""
        super().resizeEvent(event)
        if self._fitted:
            self.fit_region()
        self._follow_timer.start()

    # --- what is needed

    @property
    def level(self) -> int | None:
        """The level of the tiles that are shown; None for an overview. Its scale is the next above that of the screen,
        because reduced tiles look better than enlarged ones."""
        scale = self.camera.scale * self.devicePixelRatioF()
        if scale <= _WHOLE:
            return None
        level = next((number for number, level in enumerate(LEVELS) if level >= scale * 0.999), len(LEVELS) - 1)
        width, height = (side / self.camera.scale * LEVELS[level] for side in self.area)
        return level - 1 if level and width * height > _LARGEST else level

    @property
    def complete(self) -> bool:
        """Whether everything that is in view is drawn."""
        return not self._follow_timer.isActive() and self.tiles.complete(self) and self._layers.complete

    def _follow(self) -> None:
        """Request the tiles and the layers that are in view."""
        if not self.isVisible() or self.tiles.pyramid is None:
            self.tiles.want(self, (), (0.0, 0.0), overview=True)
            return
        box, level = self.camera.box(self.area), self.level
        tiles, middle = self.tiles.tiles_in(box, level or 0), (self.camera.x, self.camera.z)
        self.tiles.want(self, tiles, middle, overview=level is None)
        overlay = self._layers.overlay(self.tiles.pyramid, self.camera, self.area)
        if (() if overlay is None else overlay.cells) != (() if self.overlay is None else self.overlay.cells):
            self.overlay = overlay
            super().refresh()

    def _drawn(self, tile: ImageTile) -> None:
        if not self.isVisible():
            return
        mosaic, pyramid, image = self._mosaic, self.tiles.pyramid, self.tiles.tile(tile)
        if mosaic is not None and pyramid is not None and mosaic.key == pyramid.key and image is not None:
            mosaic.put(tile, image)
        if self.complete:
            self.jobs.notify_damaged(self.tiles.damaged)
        self.update(self._rectangle(tile.box).adjusted(-1, -1, 1, 1).toAlignedRect())

    def _rectangle(self, box: Box) -> QRectF:
        """A box of the matrix in the widget."""
        (left, top), (right, bottom) = (self.camera.pixel(*corner, self.area) for corner in (box[:2], box[2:]))
        return QRectF(QPointF(left, top), QPointF(right, bottom))

    def refresh(self) -> None:
        """A layer or the selection changed."""
        super().refresh()
        self._follow_timer.start()

    def show_cells(self, mode: str, covered: int) -> None:
        """Show the numbers of the cells, by a mode of `map_cells`, or none; `covered`: pixels at the upper edge of the
        picture over which something lies."""
        self.cells, self._covered = mode, covered
        if self._fitted:
            self.fit_region()
        self.update()

    def set_loaded(self, cells: frozenset[tuple[int, int]]) -> None:
        """The cells that the other views load."""
        self.loaded = cells
        self.update()

    # --- asking

    def pick(self, x: float, y: float, tile: Subject | None, answer: Explained) -> None:
        """Have the pixel of the drawn tile at a fraction of the picture explained."""
        pyramid = self.tiles.pyramid
        if pyramid is None:
            return
        width, height = self.area
        east, south = self.camera.point(x * width, y * height, self.area)
        tile_x, tile_z = tile_of(east, south)
        if cell_of(east, south) not in pyramid.place.matrix_cells:
            return
        level = self.level or 0
        drawn = ImageTile(
            level, int(east // ImageTile(level, 0, 0).size[0]), int(south // ImageTile(level, 0, 0).size[1])
        )
        column, row = (
            int((value - corner) * LEVELS[level]) for value, corner in zip((east, south), drawn.box[:2], strict=True)
        )
        if self.cells:
            self.cell_chosen.emit(*cell_of(east, south), east / TILE_UNITS, south / TILE_UNITS)
            return
        chosen, moment = subject("tile", pyramid.key[0], tile_x, tile_z), pyramid.moment
        self.jobs.request_map(
            lambda renderer: renderer.explained(moment, drawn, column, row, chosen),
            lambda explanation: answer(explanation, None),
            priority=-1,
        )

    # --- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Tiles, the place, layers, names, the ruler."""
        with painting(self) as painter:
            painter.fillRect(event.rect(), QColor(theme.colors().view))
            pyramid = self.tiles.pyramid
            if pyramid is not None:
                self._paint_map(painter, pyramid)
                if self.cells:
                    paint_cells(painter, pyramid.place, self.cells, self.loaded, self.camera, self.area)
                projection = self.projection()
                if projection is not None:
                    self._paint_reached(painter, pyramid)
                    self.paint_overlay(painter, projection)
                for marked, rgb in marked_tiles(self.explorer.marks):
                    tiles = [
                        thing.key[1:] for thing in marked if thing.kind == "tile" and thing.key[0] == pyramid.key[0]
                    ]
                    paint_tiles(painter, tiles, rgb, self.camera, self.area)
                if self.explorer.place is not None:
                    paint_place(painter, self.explorer.place, self.explorer.tile, self.camera, self.area)
                labels = self.placed_labels()
                if self._labels is not None:
                    self._labels.paint(painter, labels)
                if projection is not None:  # over the names, which cover most of a small region
                    steps = OverlayPainter(painter, self.picture(), projection, self.explorer.layers)
                    steps.paint(None, None, self.explorer.marks)
                if self.navigation.ruler is not None:
                    paint_ruler(painter, self.navigation.ruler, self.camera, self.area)

    def _paint_map(self, painter: QPainter, pyramid: TilePyramid) -> None:
        level, ratio = self.level, self.devicePixelRatioF()
        if level is None:
            scale = self.camera.scale * ratio
            best = min((size for size in pyramid.overviews if size >= scale), default=max(pyramid.overviews))
            image, box, drawn = pyramid.overviews[best], pyramid.box, best
        else:
            mosaic = self._mosaic = mosaic_of(self.tiles, pyramid, level, self.camera.box(self.area), self._mosaic)
            image, box, drawn = mosaic.image, mosaic.box, LEVELS[level]
        target, whole = self._rectangle(box), self._rectangle(pyramid.box)
        # At whole pixels of the screen nothing flickers while the map is moved.
        moved = QPointF(round(target.x() * ratio) / ratio, round(target.y() * ratio) / ratio) - target.topLeft()
        painter.setRenderHint(QPainter.SmoothPixmapTransform, drawn > self.camera.scale * ratio * 1.001)
        with painting(painter):
            painter.setClipRect(whole.translated(moved), Qt.IntersectClip)  # the last tiles reach over the border
            painter.drawImage(target.translated(moved), image)

    @property
    def marks(self) -> Marks:
        """None: those of the map are painted at every scale, also where no layer is."""
        return Marks()

    def _paint_reached(self, painter: QPainter, pyramid: TilePyramid) -> None:
        reached = self.explorer.marks.reached
        if not reached or next(iter(reached)).key[0] != pyramid.key[0]:
            self._reached = None
            return
        if self._reached is None or self._reached[0] is not reached:
            self._reached = reached, reached_picture(reached)
        image, box = self._reached[1]
        # Smoothly where a tile is smaller than a pixel, else in whole tiles.
        smooth = self.camera.scale * TILE_UNITS * self.devicePixelRatioF() < 1
        painter.setRenderHint(QPainter.SmoothPixmapTransform, smooth)
        painter.drawImage(self._rectangle(box), image)

    def placed_labels(self) -> list[PlacedLabel]:
        """The names that are shown."""
        pyramid = self.tiles.pyramid
        if pyramid is None or not pyramid.names or self.cells:
            return []
        if self._labels is None:
            self._labels = MapLabels(self.font())
        names = pyramid.names
        if self.explorer.layers.shown(EVENTS.id):  # warps are labelled with the maps to which they lead
            names = tuple(name for name in names if name.rank is not Rank.BUILDING)
        return self._labels.placed(names, self.camera, self.area)

"""The map of the whole matrix as a view: tiles of the exact picture from above at any scale, names, layers, a ruler."""

from __future__ import annotations

import math
from collections import OrderedDict
from dataclasses import dataclass
from functools import partial
from typing import Final

from PyQt5.QtCore import QLineF, QPointF, QRect, QRectF, QSize, Qt, QTimer, pyqtSignal
from PyQt5.QtGui import QColor, QFont, QImage, QPainter, QPaintEvent, QPen, QResizeEvent
from PyQt5.QtWidgets import QSizePolicy, QWidget

from mapexplorer.gui import theme
from mapexplorer.gui.jobs.controller import SOON, JobController
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.map_camera import Box, MapCamera, Size
from mapexplorer.gui.model.overlay import MapOverlay
from mapexplorer.gui.model.projection import Projection
from mapexplorer.gui.place_renderer import PlaceRenderer
from mapexplorer.gui.tile_renderer import HEIGHT, LEVELS, WIDTH, MapMoment, Tile
from mapexplorer.gui.views.canvas import Canvas
from mapexplorer.gui.views.map_labels import MapLabels, PlacedLabel
from mapexplorer.gui.views.map_navigation import MapNavigation
from mapexplorer.gui.views.map_tiles import MapTiles, Sheet, SheetKey, box_of
from mapexplorer.inspector.subject import Subject, subject
from mapexplorer.world.cells import CELL_UNITS, TILE_UNITS
from mapexplorer.world.ground import room_box
from mapexplorer.world.overlay_picking import Point, cell_of, tile_of
from mapexplorer.world.overlay_shapes import EVENT_LAYER, LAYERS, CellOverlay
from mapexplorer.world.place_labels import Rank

SMALLEST_TILE: Final = 3.0
"""Layers are drawn from this width of a tile in pixels on."""
_PAINTED_TILE: Final = 8.0
"""The width of a tile from which on the shapes of a layer are drawn one by one."""
_CELLS_KEPT: Final = 160
"""Cells whose layers are kept."""
_CELLS_ASKED: Final = 4
"""Cells whose layers are requested at once."""
_LARGEST: Final = 12_000_000
"""Pixels of the largest picture of tiles; on a larger screen the next smaller scale is shown."""
_WHOLE: Final = 0.125
"""The largest scale in pixels per unit at which the picture of the whole matrix is shown instead of tiles."""
_RULER: Final = QColor(255, 214, 64)
_BAR: Final = 130.0
"""Pixels of the longest scale bar."""

CellKey = tuple[SheetKey, frozenset[str], int, int]


@dataclass(eq=False)
class Mosaic:
    """Neighbouring tiles of a level as one picture, whose first tile is (`column`, `row`): tiles that are enlarged or
    reduced one by one would have visible borders."""

    key: SheetKey
    level: int
    column: int
    row: int
    image: QImage

    @property
    def box(self) -> Box:
        """West, north, east and south in units."""
        west, north, _, _ = Tile(self.level, self.column, self.row).box
        scale = LEVELS[self.level]
        return west, north, west + self.image.width() / scale, north + self.image.height() / scale

    def place(self, tile: Tile) -> QPointF | None:
        """Where a tile is in the picture; None for one that is not in it."""
        x, y = (tile.column - self.column) * WIDTH, (tile.row - self.row) * HEIGHT
        inside = tile.level == self.level and 0 <= x < self.image.width() and 0 <= y < self.image.height()
        return QPointF(x, y) if inside else None


class MapView(Canvas, QWidget):
    """Shows the matrix of the model.

    `pixel_asked`: what a pixel of a tile shows is wanted: MapMoment, Tile, column, row, Subject of the tile of the map.
    `entered`: a point in units was double-clicked; `left`: Escape.
    """

    pixel_asked = pyqtSignal(object, object, int, int, object)
    entered = pyqtSignal(float, float)
    closed = pyqtSignal()
    camera_moved = pyqtSignal()
    navigation: MapNavigation

    def __init__(self, explorer: Explorer, jobs: JobController, tiles: MapTiles) -> None:
        super().__init__()
        self.setObjectName("map view")
        self.jobs, self.tiles = jobs, tiles
        self._mosaic: Mosaic | None = None
        self._sheet: Sheet | None = None
        self._cells: OrderedDict[CellKey, CellOverlay] = OrderedDict()
        self._asked: set[CellKey] = set()
        self._labels: MapLabels | None = None
        self._fitted = False
        self._shown: tuple[str, int] | None = None
        self.prepare(explorer)
        self.setSizePolicy(QSizePolicy.Expanding, QSizePolicy.Expanding)
        self.setAccessibleName("Map of the matrix")
        self._follow_timer = QTimer(self)
        self._follow_timer.setSingleShot(True)
        self._follow_timer.setInterval(0)
        self._follow_timer.timeout.connect(self._follow)
        self.navigation.moved.connect(self._moved)
        self.navigation.entered.connect(self.entered)
        tiles.drawn.connect(self._drawn)
        tiles.restarted.connect(self._restarted)
        explorer.selection_changed.connect(self.refresh)
        explorer.camera_changed.connect(self.update)
        explorer.place_changed.connect(self.update)

    def make_navigation(self) -> MapNavigation:
        """What gets the events."""
        return MapNavigation(self, self.picture, self.explorer)

    def sizeHint(self) -> QSize:
        """As the other views."""
        return QSize(512, 384)

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
        return self.camera.projection(self.area) if self.tiles.sheet is not None else None

    def look(self, camera: MapCamera) -> None:
        """Set the camera."""
        self._fitted = False
        self.navigation.look(camera)

    def look_at(self, x: float, z: float, scale: float | None = None) -> None:
        """Show a point in units in the middle, by default at the present scale."""
        self.look(MapCamera(x, z, self.camera.scale if scale is None else scale))

    def zoom(self, steps: float) -> None:
        """Zoom in by wheel steps."""
        self.look(self.camera.zoomed(steps))

    def fit_region(self) -> None:
        """Show the whole matrix; of a room, the room."""
        if self._sheet is not None and self._sheet.place.matrix.headers is None:
            self.fit_place()
            self._fitted = True
        elif self._sheet is not None:
            self.look(self.camera.fitting(self._sheet.land, self.area))
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
        self.look(self.camera.fitting(box, self.area))

    def _moved(self) -> None:
        self.update()
        self._follow_timer.start()
        self.camera_moved.emit()

    def _restarted(self) -> None:
        """Another matrix or moment is shown."""
        sheet, before = self.tiles.sheet, self._sheet
        self._sheet = sheet
        shown = None if sheet is None else (self.explorer.rom_path, sheet.key[0])
        if sheet is not None and shown != self._shown:
            self._shown = shown
            self.navigation.limits = sheet.box
            self.navigation.ruler = None
            self.fit_region()
        if sheet is not before:
            self._cells.clear()
            self._mosaic = None
        self.refresh()

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
        level = next((number for number, one in enumerate(LEVELS) if one >= scale * 0.999), len(LEVELS) - 1)
        width, height = (side / self.camera.scale * LEVELS[level] for side in self.area)
        return level - 1 if level and width * height > _LARGEST else level

    @property
    def complete(self) -> bool:
        """Whether everything that is in view is drawn."""
        return not self._follow_timer.isActive() and self.tiles.complete(self) and not self._asked

    def _follow(self) -> None:
        """Request the tiles and the layers that are in view."""
        if not self.isVisible() or self.tiles.sheet is None:
            self.tiles.want(self, (), (0.0, 0.0), overview=True)
            return
        box, level = self.camera.box(self.area), self.level
        tiles, middle = self.tiles.tiles_in(box, level or 0), (self.camera.x, self.camera.z)
        self.tiles.want(self, tiles, middle, overview=level is None)
        self._follow_layers()

    def _drawn(self, tile: Tile) -> None:
        if not self.isVisible():
            return
        mosaic, sheet = self._mosaic, self.tiles.sheet
        if mosaic is not None and sheet is not None and mosaic.key == sheet.key:
            place, image = mosaic.place(tile), self.tiles.tile(tile)
            if place is not None and image is not None:
                painter = QPainter(mosaic.image)
                painter.setCompositionMode(QPainter.CompositionMode_Source)
                painter.drawImage(place, image)
                painter.end()
        self.update(self._rectangle(tile.box).adjusted(-1, -1, 1, 1).toAlignedRect())

    def _rectangle(self, box: Box) -> QRectF:
        """A box of the matrix in the widget."""
        (left, top), (right, bottom) = (self.camera.pixel(*corner, self.area) for corner in (box[:2], box[2:]))
        return QRectF(QPointF(left, top), QPointF(right, bottom))

    # --- layers

    def _follow_layers(self) -> None:
        """Request the layers of the cells in view, the nearest first, and of the cell of a selected tile."""
        place, sheet = self.explorer.place, self.tiles.sheet
        if place is None or sheet is None:
            return
        wanted = self._wanted_cells()
        missing = [key for key in wanted if key not in self._cells and key not in self._asked]
        layers = [layer for layer in LAYERS if self.explorer.layers.shown(layer)]
        fine = self.camera.scale * TILE_UNITS >= _PAINTED_TILE
        for key in missing[: max(0, _CELLS_ASKED - len(self._asked))]:
            self._asked.add(key)
            self.jobs.ask(
                partial(_read_layers, header=place.header.id, key=key, layers=layers if fine else []),
                partial(self._take_layers, key), priority=SOON, failed=partial(self._layers_failed, key),
            )  # fmt: skip
        shown = tuple(self._cells[key] for key in wanted if key in self._cells)
        before = () if self.overlay is None else self.overlay.cells
        if before != shown:
            self.overlay = MapOverlay(place.header.id, shown, (), None, place.known) if shown else None
            super().refresh()

    def _wanted_cells(self) -> list[CellKey]:
        place, sheet = self.explorer.place, self.tiles.sheet
        assert place is not None and sheet is not None
        cells: list[tuple[int, int]] = []
        if self.camera.scale * TILE_UNITS < SMALLEST_TILE:
            return []
        chosen = self.explorer.selection
        if chosen is not None and chosen.kind == "tile" and chosen.key[0] == sheet.key[0]:
            cells.append((chosen.key[1] // 32, chosen.key[2] // 32))
        if any(self.explorer.layers.shown(layer) for layer in LAYERS):
            west, north, east, south = (math.floor(value / CELL_UNITS) for value in self.camera.box(self.area))
            around = [(x, z) for z in range(north, south + 1) for x in range(west, east + 1)]
            x, z = self.camera.x / CELL_UNITS - 0.5, self.camera.z / CELL_UNITS - 0.5
            cells += sorted(around, key=lambda cell: (cell[0] - x) ** 2 + (cell[1] - z) ** 2)[:_CELLS_KEPT]
        found = [cell for cell in dict.fromkeys(cells) if cell in place.matrix_cells]
        return [(sheet.key, place.known, *cell) for cell in found]

    def _take_layers(self, key: CellKey, part: CellOverlay) -> None:
        self._asked.discard(key)
        self._cells[key] = part
        while len(self._cells) > _CELLS_KEPT + 1:
            self._cells.popitem(last=False)
        self._follow_timer.start()

    def _layers_failed(self, key: CellKey, error: BaseException) -> None:
        self._asked.discard(key)

    def refresh(self) -> None:
        """A layer or the selection changed."""
        super().refresh()
        self._follow_timer.start()

    # --- asking

    def ask_pixel(self, x: float, y: float) -> None:
        """Emit `pixel_asked` with the pixel of the tile at a fraction of the picture."""
        sheet = self.tiles.sheet
        if sheet is None:
            return
        width, height = self.area
        east, south = self.camera.point(x * width, y * height, self.area)
        tile_x, tile_z = tile_of(east, south)
        if cell_of(east, south) not in sheet.place.matrix_cells:
            return
        level = self.level or 0
        tile = Tile(level, int(east // Tile(level, 0, 0).size[0]), int(south // Tile(level, 0, 0).size[1]))
        column, row = (
            int((value - corner) * LEVELS[level]) for value, corner in zip((east, south), tile.box[:2], strict=True)
        )
        chosen: Subject = subject("tile", sheet.key[0], tile_x, tile_z)
        moment: MapMoment = sheet.moment
        self.pixel_asked.emit(moment, tile, column, row, chosen)

    def seen_point(self, x: float, y: float) -> Point | None:
        """None: the layers lie over the whole picture."""
        return None

    # --- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Tiles, the place, layers, names, the ruler."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(theme.colors().view))
        sheet = self.tiles.sheet
        if sheet is not None:
            self._paint_map(painter, sheet)
            projection = self.projection()
            if projection is not None:
                self.paint_overlay(painter, projection)
            self._paint_place(painter)
            self._paint_names(painter, sheet)
            self._paint_scale(painter)
            self._paint_ruler(painter)
        painter.end()

    def _paint_map(self, painter: QPainter, sheet: Sheet) -> None:
        level, ratio = self.level, self.devicePixelRatioF()
        if level is None:
            scale = self.camera.scale * ratio
            best = min((one for one in sheet.overviews if one >= scale), default=max(sheet.overviews))
            image, box, drawn = sheet.overviews[best], sheet.box, best
        else:
            mosaic = self._mosaic_of(sheet, level)
            image, box, drawn = mosaic.image, mosaic.box, LEVELS[level]
        target = self._rectangle(box)
        # At whole pixels of the screen nothing flickers while the map is moved.
        target.moveTo(round(target.x() * ratio) / ratio, round(target.y() * ratio) / ratio)
        painter.setRenderHint(QPainter.SmoothPixmapTransform, drawn > self.camera.scale * ratio * 1.001)
        painter.drawImage(target, image)

    def _mosaic_of(self, sheet: Sheet, level: int) -> Mosaic:
        """The picture of the tiles of a level in view, made anew when the view has left it."""
        width, height = Tile(level, 0, 0).size
        whole, view = sheet.box, self.camera.box(self.area)
        last = math.ceil(whole[2] / width) - 1, math.ceil(whole[3] / height) - 1
        west, north = (
            min(max(0, math.floor(value)), end)
            for value, end in zip((view[0] / width, view[1] / height), last, strict=True)
        )
        east, south = (
            min(max(0, math.floor(value)), end)
            for value, end in zip((view[2] / width, view[3] / height), last, strict=True)
        )
        before = self._mosaic
        if before is not None and (before.key, before.level) == (sheet.key, level):
            corners = before.place(Tile(level, west, north)), before.place(Tile(level, east, south))
            if None not in corners:
                return before
        # One more tile at each side, so that small moves need no other picture.
        west, north, east, south = max(0, west - 1), max(0, north - 1), min(last[0], east + 1), min(last[1], south + 1)
        image = QImage((east - west + 1) * WIDTH, (south - north + 1) * HEIGHT, QImage.Format_ARGB32_Premultiplied)
        image.fill(Qt.transparent)
        made = self._mosaic = Mosaic(sheet.key, level, west, north, image)
        painter = QPainter(image)
        painter.setCompositionMode(QPainter.CompositionMode_Source)
        cells = sheet.place.matrix_cells
        for row in range(north, south + 1):
            for column in range(west, east + 1):
                tile = Tile(level, column, row)
                place = made.place(tile)
                assert place is not None
                if (drawn := self.tiles.tile(tile)) is not None:
                    painter.drawImage(place, drawn)
                elif tile.may_show(cells):
                    self._paint_instead(painter, QRectF(place.x(), place.y(), WIDTH, HEIGHT), tile, sheet, before)
        painter.end()
        return made

    def _paint_instead(
        self, painter: QPainter, target: QRectF, tile: Tile, sheet: Sheet, before: Mosaic | None
    ) -> None:
        """Paint what is known of a tile that is not drawn yet: a part of the overview and of the former picture."""
        best = max(sheet.overviews)
        west, north, east, south = (value * best for value in tile.box)
        painter.drawImage(target, sheet.overviews[best], QRectF(QPointF(west, north), QPointF(east, south)))
        if before is None or before.key != sheet.key:
            return
        left, top, right, bottom = (
            pick(one, other) for pick, one, other in zip((max, max, min, min), tile.box, before.box, strict=True)
        )
        if left >= right or top >= bottom:
            return
        scale, old = LEVELS[tile.level], LEVELS[before.level]
        source = QRectF(
            (left - before.box[0]) * old, (top - before.box[1]) * old, (right - left) * old, (bottom - top) * old
        )
        part = QRectF(
            target.x() + (left - tile.box[0]) * scale, target.y() + (top - tile.box[1]) * scale,
            (right - left) * scale, (bottom - top) * scale,
        )  # fmt: skip
        painter.drawImage(part, before.image, source)

    def _paint_place(self, painter: QPainter) -> None:
        """The outline of the place's cells in a matrix of several places, and where the other views look."""
        place = self.explorer.place
        if place is None:
            return
        painter.save()
        painter.setRenderHint(QPainter.Antialiasing)
        if place.matrix.headers is not None and len(place.cells) < 200:
            own = {(cell.x, cell.z) for cell in place.cells}
            sides = []
            for x, z in own:
                box = self._rectangle(tuple(float(value * CELL_UNITS) for value in (x, z, x + 1, z + 1)))  # type: ignore[arg-type]
                for (dx, dz), line in (
                    ((0, -1), QLineF(box.topLeft(), box.topRight())),
                    ((0, 1), QLineF(box.bottomLeft(), box.bottomRight())),
                    ((-1, 0), QLineF(box.topLeft(), box.bottomLeft())),
                    ((1, 0), QLineF(box.topRight(), box.bottomRight())),
                ):
                    if (x + dx, z + dz) not in own:
                        sides.append(line)
            for color, width in ((QColor(0, 0, 0, 150), 3.6), (QColor(theme.colors().accent), 1.8)):
                painter.setPen(QPen(color, width))
                painter.drawLines(sides)
        east, south = (value * TILE_UNITS for value in self.explorer.tile)
        spot = QPointF(*self.camera.pixel(east, south, self.area))
        painter.setPen(QPen(QColor(0, 0, 0, 170), 1.2))
        painter.setBrush(QColor(255, 225, 60))
        painter.drawEllipse(spot, 4.5, 4.5)
        painter.restore()

    def placed_labels(self) -> list[PlacedLabel]:
        """The names that are shown."""
        sheet = self.tiles.sheet
        if sheet is None or not sheet.names:
            return []
        if self._labels is None:
            self._labels = MapLabels(self.font())
        names = sheet.names
        if self.explorer.layers.shown(EVENT_LAYER):  # warps are labelled with the maps to which they lead
            names = tuple(name for name in names if name.rank is not Rank.BUILDING)
        return self._labels.placed(names, self.camera, self.area)

    def _paint_names(self, painter: QPainter, sheet: Sheet) -> None:
        placed = self.placed_labels()
        if self._labels is not None:
            self._labels.paint(painter, placed)

    def _paint_scale(self, painter: QPainter) -> None:
        """A bar with its length, at the lower left."""
        tile = self.camera.scale * TILE_UNITS
        length = max(
            (
                count
                for exponent in range(4)
                for count in (10**exponent, 2 * 10**exponent, 5 * 10**exponent)
                if count * tile <= _BAR
            ),
            default=1,
        )
        text = f"{length} tile{'s' if length != 1 else ''}"
        painter.save()
        font = QFont(painter.font())
        font.setPointSizeF(font.pointSizeF() * 0.85)
        painter.setFont(font)
        width = max(length * tile, float(painter.fontMetrics().horizontalAdvance(text)))
        left, bottom = 12.0, self.height() - 12.0
        painter.setPen(Qt.NoPen)
        painter.setBrush(QColor(16, 20, 27, 165))
        painter.drawRoundedRect(QRectF(left - 6, bottom - 24, width + 12, 30), 4, 4)
        painter.setPen(QColor(255, 255, 255))
        painter.drawText(QRectF(left, bottom - 22, width, 16), int(Qt.AlignLeft | Qt.AlignVCenter), text)
        painter.setPen(QPen(QColor(255, 255, 255), 2))
        painter.drawLine(QPointF(left, bottom), QPointF(left + length * tile, bottom))
        painter.restore()

    def _paint_ruler(self, painter: QPainter) -> None:
        ruler = self.navigation.ruler
        if ruler is None:
            return
        ends = [QPointF(*self.camera.pixel(*end, self.area)) for end in ruler]
        painter.save()
        painter.setRenderHint(QPainter.Antialiasing)
        for color, width in ((QColor(0, 0, 0, 160), 4.0), (_RULER, 2.0)):
            painter.setPen(QPen(color, width))
            painter.drawLine(*ends)
        painter.setBrush(_RULER)
        painter.setPen(QPen(QColor(0, 0, 0, 160), 1))
        for end in ends:
            painter.drawEllipse(end, 3.5, 3.5)
        text = ruler_words(*ruler)
        box = QRectF(painter.fontMetrics().boundingRect(QRect(0, 0, 400, 100), Qt.AlignLeft, text)).adjusted(
            -6, -3, 6, 3
        )
        box.moveTo(ends[1] + QPointF(12, 12))
        box.moveTo(
            min(max(4.0, box.x()), self.width() - box.width() - 4),
            min(max(4.0, box.y()), self.height() - box.height() - 4),
        )
        painter.setPen(Qt.NoPen)
        painter.setBrush(QColor(16, 20, 27, 240))
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(QColor(255, 255, 255))
        painter.drawText(box.adjusted(6, 3, -6, -3), Qt.AlignLeft, text)
        painter.restore()


def _read_layers(renderer: PlaceRenderer, header: int, key: CellKey, layers: list[str]) -> CellOverlay:
    """The layers of a cell; those in `layers` are computed now, because the window's thread would be blocked."""
    _, known, x, z = key
    part = renderer.cell_overlay(header, (x, z), known, whole=True)
    for layer in layers:
        _ = part[layer]
    return part


def ruler_words(start: tuple[float, float], end: tuple[float, float]) -> str:
    """The distance of two points in tiles, cells and units, and its parts to the east and south, in tiles."""
    east, south = end[0] - start[0], end[1] - start[1]
    length = math.hypot(east, south)
    parts = [
        f"{abs(value) / TILE_UNITS:.1f} {name if value > 0 else other}"
        for value, name, other in ((east, "east", "west"), (south, "south", "north"))
        if abs(value) >= 0.05 * TILE_UNITS
    ]
    words = f"{length / TILE_UNITS:.1f} tiles\n{length / CELL_UNITS:.2f} cells\n{length:.0f} units"
    return f"{words}\n{', '.join(parts)}" if parts else words

"""Neighbouring tiles of the map as one picture."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PyQt5.QtCore import QPointF, QRectF, Qt
from PyQt5.QtGui import QImage, QPainter

from mapexplorer.gui.model.map_camera import Box
from mapexplorer.gui.rendering.tile_renderer import HEIGHT, LEVELS, WIDTH, ImageTile
from mapexplorer.gui.views.map_tiles import MapTiles, PyramidKey, TilePyramid
from mapexplorer.gui.widgets.painting import painting, put


@dataclass(eq=False)
class Mosaic:
    """Neighbouring tiles of a level as one picture, whose first tile is (`column`, `row`): tiles that are enlarged or
    reduced one by one would have visible borders."""

    key: PyramidKey
    level: int
    column: int
    row: int
    image: QImage

    @property
    def box(self) -> Box:
        """West, north, east and south in units."""
        west, north, _, _ = ImageTile(self.level, self.column, self.row).box
        scale = LEVELS[self.level]
        return west, north, west + self.image.width() / scale, north + self.image.height() / scale

    def place(self, tile: ImageTile) -> QPointF | None:
        """Where a tile is in the picture; None for one that is not in it."""
        x, y = (tile.column - self.column) * WIDTH, (tile.row - self.row) * HEIGHT
        inside = tile.level == self.level and 0 <= x < self.image.width() and 0 <= y < self.image.height()
        return QPointF(x, y) if inside else None

    def put(self, tile: ImageTile, image: QImage) -> None:
        """Paint a tile, if it is one of the picture."""
        place = self.place(tile)
        if place is not None:
            put(self.image, place, image)


def mosaic_of(tiles: MapTiles, pyramid: TilePyramid, level: int, view: Box, before: Mosaic | None) -> Mosaic:
    """The picture of the tiles of a level in a box: the one `before`, if it holds them, else a new one, with what is
    known of tiles that are not drawn yet."""
    width, height = ImageTile(level, 0, 0).size
    last = math.ceil(pyramid.box[2] / width) - 1, math.ceil(pyramid.box[3] / height) - 1
    west, east = (min(max(0, math.floor(value / width)), last[0]) for value in (view[0], view[2]))
    north, south = (min(max(0, math.floor(value / height)), last[1]) for value in (view[1], view[3]))
    if before is not None and (before.key, before.level) == (pyramid.key, level):
        corners = before.place(ImageTile(level, west, north)), before.place(ImageTile(level, east, south))
        if None not in corners:
            return before
    # One more tile at each side, so that small moves need no other picture.
    west, north, east, south = max(0, west - 1), max(0, north - 1), min(last[0], east + 1), min(last[1], south + 1)
    image = QImage((east - west + 1) * WIDTH, (south - north + 1) * HEIGHT, QImage.Format_ARGB32_Premultiplied)
    image.fill(Qt.transparent)
    made = Mosaic(pyramid.key, level, west, north, image)
    with painting(image) as painter:
        painter.setCompositionMode(QPainter.CompositionMode_Source)
        for row in range(north, south + 1):
            for column in range(west, east + 1):
                tile = ImageTile(level, column, row)
                place = made.place(tile)
                assert place is not None
                if (drawn := tiles.tile(tile)) is not None:
                    painter.drawImage(place, drawn)
                elif tile.may_show(pyramid.place.matrix_cells):
                    _paint_instead(painter, QRectF(place.x(), place.y(), WIDTH, HEIGHT), tile, pyramid, before)
    return made


def _paint_instead(
    painter: QPainter, target: QRectF, tile: ImageTile, pyramid: TilePyramid, before: Mosaic | None
) -> None:
    """Paint what is known of a tile that is not drawn yet: a part of the overview and of the former picture."""
    best = max(pyramid.overviews)
    west, north, east, south = (value * best for value in tile.box)
    painter.drawImage(target, pyramid.overviews[best], QRectF(QPointF(west, north), QPointF(east, south)))
    if before is None or before.key != pyramid.key:
        return
    left, top, right, bottom = (
        pick(here, there) for pick, here, there in zip((max, max, min, min), tile.box, before.box, strict=True)
    )
    if left >= right or top >= bottom:
        return
    scale, old = LEVELS[tile.level], LEVELS[before.level]
    source = QRectF(
        (left - before.box[0]) * old, (top - before.box[1]) * old, (right - left) * old, (bottom - top) * old
    )
    part = QRectF(
        target.x() + (left - tile.box[0]) * scale,
        target.y() + (top - tile.box[1]) * scale,
        (right - left) * scale,
        (bottom - top) * scale,
    )
    painter.drawImage(part, before.image, source)

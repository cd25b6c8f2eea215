"""The drawn tiles of the map, for all widgets that show it: kept within a budget, requested one by one."""

from __future__ import annotations

import itertools
import json
import math
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from PyQt5.QtCore import QObject, QPointF, QRectF, QSize, Qt, pyqtSignal
from PyQt5.QtGui import QColor, QImage

from formats.binary import FormatError
from mapexplorer.errors import PlaceError, RomError
from mapexplorer.export.poster_bands import header_of_matrix
from mapexplorer.gui.jobs.controller import JobController
from mapexplorer.gui.jobs.loader import Fail, Loader, Take
from mapexplorer.gui.jobs.opening import Opened
from mapexplorer.gui.jobs.worker import Task
from mapexplorer.gui.model.explorer import SCENE_LAYERS, Explorer
from mapexplorer.gui.model.map_camera import Box
from mapexplorer.gui.rendering import kept_overviews
from mapexplorer.gui.rendering.images import image_of, pixels_of
from mapexplorer.gui.rendering.place_renderer import reduced
from mapexplorer.gui.rendering.tile_renderer import LEVELS, OVERVIEWS, ImageTile, MapMoment, TileRenderer
from mapexplorer.gui.widgets.painting import painting, put
from mapexplorer.scene.conditions import Conditions
from mapexplorer.scene.view import ENTERED
from mapexplorer.world import FieldPlace, FieldWorld
from mapexplorer.world.cells import CELL_UNITS
from mapexplorer.world.colors import FILLER, hue
from mapexplorer.world.headers.place_labels import PlaceLabel
from mapexplorer.world.saved_game import saved_stamp
from mapexplorer.world.sources.damage import Damage

BUDGET: Final = 160 << 20
"""Bytes of tiles that are kept."""
_PYRAMIDS: Final = 3
"""Matrices whose overviews are kept."""
_IN_FLIGHT: Final = 2
"""Tiles that are requested at once: one that is drawn and one that waits, so that the worker is never idle and a change
of the view leaves little to be drawn in vain."""
_LARGEST: Final = 1 << 24
"""Pixels of the largest overview."""
_SMALL: Final = 1 << 21
"""Pixels of the largest overview at the scale of the base."""
_FORM: Final = QImage.Format_ARGB32_Premultiplied

PyramidKey = tuple[int, int]
"""A matrix, and the header through which it is entered."""
TileKey = tuple[PyramidKey, ImageTile]
Drawn = tuple[QImage, dict[float, QImage], tuple[Damage, ...]]
"""A drawn tile, of the base with its reductions to the scales of overviews, and what is left out so far because it
cannot be read."""


@dataclass(eq=False)
class TilePyramid:
    """The pictures of a matrix from above: tiles in levels, and overviews that are reduced from those of the lowest
    level, the base."""

    key: PyramidKey
    """The matrix."""
    place: FieldPlace
    """The place through which it is drawn."""
    moment: MapMoment
    """What its pictures show."""
    version: int
    """The number of the moment; the moments of all pyramids are counted together."""
    fresh: set[ImageTile] = field(default_factory=set)
    """The tiles that were drawn of this moment, of the base those that are in the overviews."""
    names: tuple[PlaceLabel, ...] | None = None
    """The names on the matrix; None until they are read."""
    kept: bool = False
    """Whether the picture of this moment is in the cache folder, or being written there."""

    @property
    def box(self) -> Box:
        """The matrix in units."""
        matrix = self.place.matrix
        return 0.0, 0.0, float(matrix.width * CELL_UNITS), float(matrix.height * CELL_UNITS)

    @cached_property
    def sizes(self) -> dict[float, QSize]:
        """The pixels of the overviews by their scales in pixels per unit."""
        matrix, sizes = self.place.matrix, {}
        for scale in OVERVIEWS:
            side = round(CELL_UNITS * scale)
            size = QSize(matrix.width * side, matrix.height * side)
            if size.width() * size.height() <= (_SMALL if scale == LEVELS[0] else _LARGEST):
                sizes[scale] = size
        return sizes

    @cached_property
    def overviews(self) -> dict[float, QImage]:
        """Pictures of the whole matrix by their scales; before its tiles are drawn, the cells in the colours of their
        headers. They are made when they are first shown: that of a region takes some hundredths of a second."""
        return {scale: _overview(self.place, size) for scale, size in self.sizes.items()}

    @cached_property
    def base(self) -> frozenset[ImageTile]:
        """All tiles of the base with land."""
        width, height = ImageTile(0, 0, 0).size
        columns, rows = math.ceil(self.box[2] / width), math.ceil(self.box[3] / height)
        tiles = (ImageTile(0, column, row) for row in range(rows) for column in range(columns))
        return frozenset(tile for tile in tiles if tile.may_show(self.place.matrix_cells))

    @property
    def land(self) -> Box:
        """The cells with land in units."""
        return box_of(self.place.matrix_cells)


class MapTiles(QObject):
    """The tiles of the matrix that the model shows.

    `drawn`: a tile was drawn anew (Tile); `restarted`: another matrix is shown, or the names have been read. `damaged`:
    what is left out of what was drawn because it cannot be read.
    """

    drawn = pyqtSignal(object)
    restarted = pyqtSignal()

    def __init__(self, explorer: Explorer, jobs: JobController) -> None:
        super().__init__()
        self.explorer, self.jobs = explorer, jobs
        self.pyramid: TilePyramid | None = None
        self.damaged: tuple[Damage, ...] = ()
        self._rom: Opened | None = None
        self._pyramids: OrderedDict[PyramidKey, TilePyramid] = OrderedDict()
        self._versions = itertools.count()
        self._tiles: Loader[TileKey, Drawn] = Loader(
            self._load, self._take, at_once=_IN_FLIGHT, budget=BUDGET, size=lambda drawn: drawn[0].sizeInBytes()
        )
        self._seconds: dict[object, int] = {}
        self._digests: dict[TileRenderer, str] = {}

    # --- what is shown

    def follow(self) -> None:
        """Show the matrix and the moment of the model."""
        explorer, rom = self.explorer, self.jobs.rom
        place = explorer.place
        if place is None or rom is None or place.world is not rom.world:
            return
        if rom is not self._rom:
            self._rom = rom
            self._pyramids.clear()
            self._tiles.clear()
            self._seconds.clear()
            self.pyramid = None
        if not place.matrix_cells:
            self.pyramid = None
            self._tiles.want_nothing()
            self.restarted.emit()
            return
        header = self._entered(place, rom.world)
        key, moment = (place.matrix_id.value, header), self._moment(place, header)
        pyramid = self._pyramids.get(key)
        if pyramid is None:
            pyramid = self._pyramids[key] = TilePyramid(key, place, moment, next(self._versions))
            self._read_names(pyramid)
            self._read_kept(pyramid)
            while len(self._pyramids) > _PYRAMIDS:
                del self._pyramids[next(iter(self._pyramids))]
        self._pyramids.move_to_end(key)
        if moment != pyramid.moment:
            pyramid.place, pyramid.moment, pyramid.version = place, moment, next(self._versions)
            pyramid.fresh.clear()
            self._read_kept(pyramid)
        elif pyramid is self.pyramid:
            return
        self.pyramid = pyramid
        self._tiles.want_nothing()
        self.restarted.emit()

    def _entered(self, place: FieldPlace, world: FieldWorld) -> int:
        """The header through which the matrix is drawn. Cells that name their headers look the same through any of
        these, so that the tiles of one serve all, without what code adds to the map of a single header."""
        if place.matrix.headers is None:
            return place.header.id
        try:
            return header_of_matrix(world, place.matrix_id.value)
        except PlaceError:
            return place.header.id

    def _moment(self, place: FieldPlace, header: int) -> MapMoment:
        explorer = self.explorer
        layers, second = explorer.layers, explorer.clock.second
        # Tiles depend on the blocks of the light in force, not on the second.
        conditions = Conditions(place, second)
        light: list[object] = [explorer.game.tables.time_of_day(second)]
        for area in sorted({cell.area.value for cell in place.matrix_cells.values()}):
            with suppress(FormatError, RomError):  # a damaged area is reported by the picture of its place
                light.append((area, conditions.light_block(place.world.area(area).light_set)))
        shown = tuple(name for name in SCENE_LAYERS if layers.shown(name))
        return MapMoment(
            header,
            self._seconds.setdefault(tuple(light), second),
            shown,
            json.dumps(explorer.features, sort_keys=True),
            layers.shown("missing_ds"),
            explorer.options.all_objects,
            explorer.options.save if explorer.has_saved_game else ENTERED,
            saved_stamp(explorer.options.save),
        )

    # --- pictures of whole matrices in the cache folder

    def _read_kept(self, pyramid: TilePyramid) -> None:
        """Show the kept picture of a large matrix, before its tiles are requested."""
        pyramid.kept = False
        moment, scales = pyramid.moment, tuple(pyramid.sizes)
        if len(pyramid.place.matrix_cells) < kept_overviews.SMALLEST or moment.save != ENTERED:
            return

        def read(renderer: TileRenderer) -> dict[float, QImage] | None:
            image = kept_overviews.load(self._digest(renderer), moment)
            return None if image is None else _reductions(image, scales)

        def take(overviews: dict[float, QImage] | None) -> None:
            sizes = {scale: image.size() for scale, image in (overviews or {}).items()}
            if not overviews or moment != pyramid.moment or sizes != pyramid.sizes:
                return
            pyramid.overviews = overviews
            pyramid.fresh |= pyramid.base
            pyramid.kept = True
            if pyramid is self.pyramid:
                self.restarted.emit()

        self.jobs.request_map(read, take, lambda error: None, priority=-1)

    def _keep_overview(self, pyramid: TilePyramid) -> None:
        """Keep the picture of a large matrix, if it is complete and lacks nothing."""
        whole = not pyramid.kept and pyramid.base <= pyramid.fresh
        few = len(pyramid.place.matrix_cells) < kept_overviews.SMALLEST
        if not whole or self.damaged or few or pyramid.moment.save != ENTERED:  # nothing of a saved game is kept
            return
        pyramid.kept = True
        moment, image = pyramid.moment, pyramid.overviews[max(pyramid.overviews)].copy()
        self.jobs.request_map(
            lambda renderer: kept_overviews.store(self._digest(renderer), moment, image),
            lambda _: None,
            lambda error: None,
            priority=1,
        )

    def _digest(self, renderer: TileRenderer) -> str:
        """The key of a renderer's ROM; made in the worker."""
        if renderer not in self._digests:
            self._digests = {renderer: kept_overviews.pictures_key(renderer.world.rom)}
        return self._digests[renderer]

    def _read_names(self, pyramid: TilePyramid) -> None:
        def take(names: tuple[PlaceLabel, ...]) -> None:
            pyramid.names = names
            if pyramid is self.pyramid:
                self.restarted.emit()

        header = pyramid.place.header.id
        self.jobs.request_map(lambda renderer: renderer.labels(header), take, lambda error: None)

    # --- tiles

    def tile(self, tile: ImageTile) -> QImage | None:
        """A tile as it was drawn last; None for one that is not kept."""
        if self.pyramid is None:
            return None
        drawn = self._tiles.get((self.pyramid.key, tile))
        return None if drawn is None else drawn[0]

    def tiles_in(self, box: Box, level: int) -> Iterator[ImageTile]:
        """The tiles of a level in a box that have land, row by row."""
        pyramid = self.pyramid
        if pyramid is None:
            return
        width, height = ImageTile(level, 0, 0).size
        whole = pyramid.box
        west, north = max(box[0], 0.0), max(box[1], 0.0)
        east, south = min(box[2], whole[2]), min(box[3], whole[3])
        cells = pyramid.place.matrix_cells
        for row in range(int(north // height), math.ceil(south / height)):
            for column in range(int(west // width), math.ceil(east / width)):
                tile = ImageTile(level, column, row)
                if tile.may_show(cells):
                    yield tile

    def want(self, owner: QObject, tiles: Iterable[ImageTile], middle: tuple[float, float], *, overview: bool) -> None:
        """Set which tiles a widget needs, with `overview` only what the overviews have of them; they are drawn nearest
        to `middle` (units) first. Those that it no longer needs are not drawn."""

        def distance(tile: ImageTile) -> float:
            west, north, east, south = tile.box
            return math.hypot((west + east) / 2 - middle[0], (north + south) / 2 - middle[1])

        pyramid = self.pyramid
        missing = () if pyramid is None else (tile for tile in tiles if not (overview and tile in pyramid.fresh))
        wanted = sorted(missing, key=distance)
        self._tiles.want({} if pyramid is None else {(pyramid.key, tile): pyramid.version for tile in wanted}, owner)

    def complete(self, owner: QObject) -> bool:
        """Whether all tiles that a widget needs are drawn."""
        return self.pyramid is not None and self._tiles.complete(owner)

    def _load(self, key: TileKey, version: int, take: Take[Drawn], fail: Fail) -> Task | None:
        pyramid, tile = self._pyramids[key[0]], key[1]
        moment, scales = pyramid.moment, tuple(pyramid.sizes) if tile.level == 0 else ()
        return self.jobs.request_map(lambda renderer: _draw(renderer, moment, tile, scales), take, fail)

    def _take(self, key: TileKey, version: int, drawn: Drawn | None) -> None:
        pyramid, tile = self._pyramids.get(key[0]), key[1]
        if drawn is None or pyramid is None or version != pyramid.version:
            return
        _, reductions, self.damaged = drawn
        for scale, image in reductions.items():
            put(pyramid.overviews[scale], QPointF(tile.column * image.width(), tile.row * image.height()), image)
        pyramid.fresh.add(tile)
        if pyramid is self.pyramid:
            self.drawn.emit(tile)
        if tile.level == 0:
            self._keep_overview(pyramid)


def box_of(cells: Iterable[tuple[int, int]]) -> Box:
    """The box around cells in units."""
    columns, rows = zip(*cells, strict=True)
    west, north, east, south = min(columns), min(rows), max(columns) + 1, max(rows) + 1
    return west * CELL_UNITS, north * CELL_UNITS, east * CELL_UNITS, south * CELL_UNITS


def _draw(renderer: TileRenderer, moment: MapMoment, tile: ImageTile, scales: tuple[float, ...]) -> Drawn:
    """Draw a tile, in the worker."""
    picture = renderer.tile(moment, tile)
    image, scale = image_of(picture, _FORM), LEVELS[0]
    small = {scale: image} if scale in scales else {}
    while scales and scale > min(scales):
        picture, scale = reduced(picture, 2), scale / 2
        if scale in scales:
            small[scale] = image_of(picture, _FORM)
    return image, small, renderer.damaged


def _reductions(image: QImage, scales: tuple[float, ...]) -> dict[float, QImage]:
    """A picture of the largest of some scales, each half of the one before, at all of them."""
    reductions = {max(scales): image}
    picture = pixels_of(image)
    for scale in sorted(scales, reverse=True)[1:]:
        picture = reduced(picture, 2)
        reductions[scale] = image_of(picture, _FORM)
    return reductions


def _overview(place: FieldPlace, size: QSize) -> QImage:
    """A picture of a matrix before its tiles are drawn: the cells in the colours of their headers."""
    image = QImage(size, _FORM)
    image.fill(Qt.transparent)
    side = size.width() / place.matrix.width
    with painting(image) as painter:
        for (x, z), cell in place.matrix_cells.items():
            color = FILLER if cell.filler else hue(cell.header, 0.3, 0.55)
            painter.fillRect(QRectF(x * side, z * side, side, side), QColor(*color))
    return image

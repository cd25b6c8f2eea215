"""A map or a whole matrix from above, composed of orthographic frames of the engine.

The camera looks straight down and the scale is a whole number of 1/32 pixels per unit, so that neighbouring frames fit
exactly; the margin of every frame is discarded, because anti-aliasing and edge marking depend on neighbouring pixels.
Lands of other maps that are seen below are drawn whole. A sky is enlarged until it fills the picture.
The picture is drawn in bands of rows from north to south, so that memory use does not depend on its height.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import chain, product
from typing import Final

import numpy as np
import numpy.typing as npt

from formats.field.terrain_attribute import COLLISION
from formats.fixed import ONE, Vector
from mapexplorer.arrays import Picture
from mapexplorer.errors import PlaceError
from mapexplorer.export.maps import no_land
from mapexplorer.export.poster_overlays import OverlayGround, PlacedLayer, painted
from mapexplorer.export.request import OVERLAY_NAMES, PosterRequest
from mapexplorer.gpu.picture import displayed, displayed_before
from mapexplorer.scene.camera import TOP_LOWEST, top_camera
from mapexplorer.scene.culling import OVERHANG
from mapexplorer.scene.scene import FieldScene
from mapexplorer.scene.view import TOP, FrameOptions, View
from mapexplorer.scene.weather.composer import WeatherComposer
from mapexplorer.units import NOON
from mapexplorer.world.cells import CELL_TILES, CELL_UNITS, Cell
from mapexplorer.world.headers.place_labels import cells_by_header, map_name, middle
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.sources.damage import Damage
from mapexplorer.world.world import FieldWorld

Pixels = npt.NDArray[np.uint8]

SVG: Final = ".svg"
"""The ending of a poster whose overlays and names are shapes."""
_MARGIN: Final = 8
_WIDTH: Final = 256 - 2 * _MARGIN
_HEIGHT: Final = 192 - 2 * _MARGIN
_BACKGROUND: Final = (12, 12, 18)
_GRID: Final = np.array((255, 255, 255), np.uint16)
_COLLISION: Final = np.array((230, 30, 30), np.uint16)
_TRIAL: Final = 64
"""The side of a cell in pixels in the small picture that determines the cropping."""


def header_of_matrix(world: FieldWorld, matrix: int) -> int:
    """The header through which a matrix is entered: the first that refers to it. Raises PlaceError if there is none."""
    for header in world.headers:
        if header.matrix == matrix:
            return header.id
    raise PlaceError(f"No map header uses matrix {matrix}; name a header whose area is to be used.")


@dataclass(frozen=True)
class Region:
    """A rectangle of a poster in pixels from the north-west corner of the matrix; `right` and `lower` are exclusive."""

    left: int
    upper: int
    right: int
    lower: int


def around(corners: npt.NDArray[np.int64], size: int, reach: int = 0) -> Region:
    """The region of cells with given corners (x, z) and size, and of `reach` pixels around it."""
    left, upper = (corners.min(0) - reach).tolist()
    right, lower = (corners.max(0) + size + reach).tolist()
    return Region(left, upper, right, lower)


@dataclass
class Poster:
    """The drawing of a poster. Bands are independent of each other; one poster is used by one thread at a time.

    `chosen` is the region that is drawn; by default the matrix, or the visible part of a map's cells.
    """

    world: FieldWorld
    plan: PosterRequest
    chosen: Region | None = None
    _scenes: dict[int, FieldScene] = field(default_factory=dict)
    _layers: dict[int, list[PlacedLayer]] = field(default_factory=dict)

    @cached_property
    def place(self) -> FieldPlace:
        """The place of the matrix."""
        return self.world.place(self.plan.place, self.plan.matrix)

    @property
    def whole(self) -> bool:
        """Whether all cells of the matrix are drawn."""
        return self.plan.whole_matrix or self.plan.matrix is not None

    @cached_property
    def cells(self) -> dict[tuple[int, int], Cell]:
        """(x, z) -> cell that is drawn. Raises PlaceError for a map without cells."""
        if self.whole:
            return self.place.matrix_cells
        if not self.place.cells:
            raise no_land(self.place)
        return {(cell.x, cell.z): cell for cell in self.place.cells}

    @cached_property
    def region(self) -> Region:
        """The region that is drawn. Raises FormatError, RomError, PlaceError."""
        if self.chosen is not None:
            return self.chosen
        matrix, size = self.place.matrix, self.plan.cell_pixels
        if self.whole:
            ends = [(0, 0), (matrix.width - 1, matrix.height - 1)]
            return around(np.concatenate([self._corners, np.array(ends) * size]), size)
        return self._cropped()

    def _cropped(self) -> Region:
        """The cells of a map without empty or black edges, found in a small picture of them."""
        trial = Poster(self.world, replace(self.plan, cell_pixels=_TRIAL, second=NOON, tick=0))
        reach = 0 if self._shared else _TRIAL * OVERHANG // CELL_UNITS
        trial.chosen = cells = around(trial._corners, _TRIAL, reach)
        pixels = np.concatenate([trial.drawn(number) for number in range(trial.bands)])
        drawn = pixels[..., :3].any(-1) & (pixels[..., 3] > 0)
        across, down = np.flatnonzero(drawn.any(0)), np.flatnonzero(drawn.any(1))
        if not len(across):
            across, down = np.arange(pixels.shape[1]), np.arange(len(pixels))
        size = self.plan.cell_pixels
        return Region(
            (cells.left + max(int(across[0]) - 1, 0)) * size // _TRIAL,
            (cells.upper + max(int(down[0]) - 1, 0)) * size // _TRIAL,
            -(-min(cells.left + int(across[-1]) + 2, cells.right) * size // _TRIAL),
            -(-min(cells.upper + int(down[-1]) + 2, cells.lower) * size // _TRIAL),
        )

    @property
    def _shared(self) -> bool:
        """Whether other maps adjoin the cells of a map, so that the picture is cut at the cells."""
        return self.place.matrix.headers is not None

    @property
    def width(self) -> int:
        """Pixels."""
        return self.region.right - self.region.left

    @property
    def height(self) -> int:
        """Pixels."""
        return self.region.lower - self.region.upper

    @property
    def bands(self) -> int:
        """The number of bands."""
        return -(-self.height // _HEIGHT)

    def band(self, number: int) -> Pixels:
        """Band `number`: uint8 (rows, width, 3). Raises FormatError, RomError."""
        top = self.region.upper + number * _HEIGHT
        pixels = self._before_sky(self.drawn(number), top)
        if self.plan.collision:
            self._tint(pixels, top)
        if self.plan.overlays and self.plan.output.suffix.lower() != SVG:
            pixels = self._overlaid(pixels, top)
        if self.plan.grid:
            self._draw_grid(pixels, top)
        if self.plan.names and self.plan.output.suffix.lower() != SVG:
            self._draw_names(pixels, top)
        return pixels

    def drawn(self, number: int) -> Picture:
        """What the 3D engine draws of band `number`: uint8 (rows, width, 4), r, g, b 0..63 and alpha 0..31."""
        top = self.region.upper + number * _HEIGHT
        pixels: Picture = np.zeros((_HEIGHT, -(-self.width // _WIDTH) * _WIDTH, 4), np.uint8)
        for at in range(0, self.width, _WIDTH):
            if self._land(self.region.left + at, top):
                pixels[:, at : at + _WIDTH] = self._frame(self.region.left + at, top)
        pixels = pixels[: self.region.lower - top, : self.width]
        if not self.whole and self._shared:
            self._blank_others(pixels, top)
        return pixels

    def _before_sky(self, drawn: Picture, top: int) -> Pixels:
        """What is drawn of a band before the sky, the sky's middle being that of the poster; before the background
        colour where there is no sky."""
        sky = self._scene(top).conditions.sky
        picture = None if sky is None else self._composer.sky(sky, self.plan.tick)
        if picture is None:
            return displayed(drawn, _BACKGROUND)[..., :3]
        from PIL import Image

        height, width = picture.shape[:2]
        scale = max(self.width / width, self.height / height)
        left, upper = (
            (width - self.width / scale) / 2,
            height / 2 + (top - (self.region.upper + self.height / 2)) / scale,
        )
        box = left, max(upper, 0), left + self.width / scale, min(upper + len(drawn) / scale, height)
        behind = Image.fromarray(displayed(picture)[..., :3]).resize(drawn.shape[1::-1], Image.Resampling.BILINEAR, box)
        return displayed_before(drawn, np.asarray(behind))[..., :3]

    @property
    def damaged(self) -> tuple[Damage, ...]:
        """What is left out of the bands drawn last because its file cannot be read."""
        damaged = [damage for scene in self._scenes.values() for damage in scene.damaged]
        return tuple(dict.fromkeys([*damaged, *self._composer.damaged]))

    @cached_property
    def _composer(self) -> WeatherComposer:
        return WeatherComposer(self.world)

    @cached_property
    def _lands(self) -> list[Vector]:
        """Where the middles of the lands are that are seen below the cells, fx32."""
        return [land.position for block in self._scene(0).blocks for land in block.lands]

    @cached_property
    def _corners(self) -> npt.NDArray[np.int64]:
        """The north-west corners (x, z), in pixels, of the cells that are drawn: first those of the place, then those
        of the lands that are seen below them."""
        middles = np.array([cell.centre for cell in self.cells.values()] + self._lands, np.int64)[:, ::2] // ONE
        return (middles - CELL_UNITS // 2) * self.plan.cell_pixels // CELL_UNITS

    def _cells_of(self, top: int, rows: int) -> list[Cell]:
        """The cells with land under rows of pixels."""
        columns, lines = np.arange(self.region.left, self.region.right), np.arange(top, top + rows)
        places = product(*(np.unique(axis // self.plan.cell_pixels).tolist() for axis in (columns, lines)))
        return [self.cells[place] for place in places if place in self.cells]

    def _land(self, left: int, top: int) -> bool:
        """Whether a frame may contain cells with land; models extend a little beyond their cells."""
        size, corner = self.plan.cell_pixels, np.array((left, top))
        after = self._corners + size + size // 8 > corner
        before = self._corners - size // 8 < corner + (_WIDTH, _HEIGHT)
        return bool((after & before).all(1).any())

    def _scene(self, top: int) -> FieldScene:
        """The scene for a band; models of rows above it are released."""
        row = top // self.plan.cell_pixels
        if row not in self._scenes:
            self._scenes.clear()
            shown = {field.name: getattr(self.plan, field.name) for field in fields(FrameOptions)}
            self._scenes[row] = FieldScene(self.place, View(**shown, camera=TOP, at=(0, 0), all_cells=True))
        return self._scenes[row]

    def _frame(self, left: int, top: int) -> Picture:
        scale = self.plan.cell_pixels / CELL_UNITS
        centre_x = round((left + _WIDTH / 2) / scale * ONE)
        centre_z = round((top + _HEIGHT / 2) / scale * ONE)
        scene = self._scene(top)
        lowest = min([0, *(y // ONE for _, y, _ in self._lands)]) + TOP_LOWEST
        scene.set_camera(top_camera((centre_x, 0, centre_z), scale, lowest))
        return scene.render(self.plan.tick, raw=True)[_MARGIN:-_MARGIN, _MARGIN:-_MARGIN]

    def _blank_others(self, pixels: Picture, top: int) -> None:
        """Make the pixels outside the drawn cells transparent."""
        own = np.zeros(pixels.shape[:2], bool)
        for cell in self._cells_of(top, len(pixels)):
            own[self._part(cell, top, len(pixels))] = True
        pixels[~own] = 0

    def _part(self, cell: Cell, top: int, rows: int) -> tuple[slice, slice]:
        """The rows and columns of a band that belong to a cell."""
        size = self.plan.cell_pixels
        left, upper = cell.x * size - self.region.left, cell.z * size - top
        return slice(max(upper, 0), min(upper + size, rows)), slice(max(left, 0), min(left + size, self.width))

    def _tint(self, pixels: Pixels, top: int) -> None:
        size = self.plan.cell_pixels
        for cell in self._cells_of(top, len(pixels)):
            blocked = self.place.terrain.attributes(cell) & COLLISION != 0
            down, across = self._part(cell, top, len(pixels))
            rows = (np.arange(down.start, down.stop) + top - cell.z * size) * CELL_TILES // size
            columns = (np.arange(across.start, across.stop) + self.region.left - cell.x * size) * CELL_TILES // size
            part, mask = pixels[down, across], blocked[rows][:, columns]
            part[mask] = (part[mask] * np.uint16(2) + _COLLISION) // 3

    def _draw_grid(self, pixels: Pixels, top: int) -> None:
        size = self.plan.cell_pixels
        columns = np.arange(-(-self.region.left // size) * size, self.region.right, size) - self.region.left
        rows = np.arange(-(-top // size) * size, top + len(pixels), size) - top
        pixels[:, columns] = (pixels[:, columns] + _GRID) // 2
        pixels[rows] = (pixels[rows] + _GRID) // 2

    @cached_property
    def ground(self) -> OverlayGround:
        """What its overlays are over."""
        return OverlayGround(self.place, self.whole, self.plan.overlays or (), self.plan.cell_pixels)

    def _overlaid(self, pixels: Pixels, top: int) -> Pixels:
        """A band with the overlays of the cells in it and around it, out of which their things may reach."""
        size = self.plan.cell_pixels
        rows = range(top // size - 1, (top + len(pixels)) // size + 2)
        for row in rows:
            if row not in self._layers:
                cells = (cell for (_, z), cell in self.cells.items() if z == row)
                self._layers[row] = list(self.ground.layers(cells))
        self._layers = {row: self._layers[row] for row in rows}
        layers = sorted(chain(*self._layers.values()), key=lambda layer: OVERLAY_NAMES.index(layer.overlay))
        return painted(self.ground, pixels, (self.region.left, top), layers)

    @cached_property
    def labels(self) -> list[tuple[str, int, int, Pixels]]:
        """(text, left, top, mask) of every name, from the region's corner; a mask is (height, width, 2): letters and
        their outline, 0..255."""
        from PIL import Image, ImageDraw, ImageFont

        size, region = self.plan.cell_pixels, self.region
        labels: list[tuple[str, int, int, Pixels]] = []
        for header, cells in cells_by_header(self.place, self.cells.values()):
            name = map_name(header)
            font = ImageFont.load_default(max(10, size // 9))
            if font.getlength(name) > self.width - 4:
                font = ImageFont.load_default(max(10, int(size // 9 * (self.width - 4) / font.getlength(name))))
            left, upper, right, lower = (round(value) for value in font.getbbox(name, stroke_width=2))
            letters = Image.new("L", (right - left, lower - upper))
            ImageDraw.Draw(letters).text((-left, -upper), name, 255, font)
            outline = Image.new("L", letters.size)
            ImageDraw.Draw(outline).text((-left, -upper), name, 255, font, stroke_width=2)
            middle_x, middle_z = (region.left + region.right) / 2, (region.upper + region.lower) / 2
            if self.whole:
                middle_x, middle_z = (value * size for value in middle(cells))
            x = min(max(round(middle_x - letters.width / 2) - region.left, 0), max(self.width - letters.width, 0))
            y = min(max(round(middle_z - letters.height / 2) - region.upper, 0), max(self.height - letters.height, 0))
            labels.append((name, x, y, np.dstack([np.asarray(letters), np.asarray(outline)])))
        return labels

    def _draw_names(self, pixels: Pixels, top: int) -> None:
        top -= self.region.upper
        for _, x, y, mask in self.labels:
            first, last = max(y, top), min(y + len(mask), top + len(pixels))
            if first >= last:
                continue
            part = pixels[first - top : last - top, x : x + mask.shape[1]]
            letters, outline = np.split(mask[first - y : last - y, : part.shape[1]].astype(np.uint16), 2, axis=2)
            part[:] = (part * (255 - outline) // 255 * (255 - letters) + 255 * letters) // 255

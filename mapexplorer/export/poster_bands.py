"""A whole matrix from above: orthographic frames of the engine side by side.

The camera looks straight down and a unit is a whole number of 1/32 pixels, so that neighbouring frames meet exactly;
every frame has a margin that is thrown away, because anti-aliasing and edge marking look at neighbours. The picture is
made in bands from north to south, each a run of rows, so that a poster of any size needs little memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from formats.field.terrain_attribute import COLLISION
from mapexplorer.errors import PlaceError
from mapexplorer.export.request import PosterRequest
from mapexplorer.scene.camera import top_camera
from mapexplorer.scene.scene import Scene
from mapexplorer.scene.view import View
from mapexplorer.world.cells import CELL_TILES, CELL_UNITS, FX, Cell
from mapexplorer.world.place import Place
from mapexplorer.world.world import World

Pixels = npt.NDArray[np.uint8]

_MARGIN: Final = 8
_WIDTH: Final = 256 - 2 * _MARGIN
_HEIGHT: Final = 192 - 2 * _MARGIN
_BACKGROUND: Final = (12, 12, 18)
_GRID: Final = np.array((255, 255, 255), np.uint16)
_COLLISION: Final = np.array((230, 30, 30), np.uint16)


def header_of_matrix(world: World, matrix: int) -> int:
    """The header through which a matrix is entered: the first that names it. Raises PlaceError for one that none
    names."""
    for header in world.headers:
        if header.matrix == matrix:
            return header.id
    raise PlaceError(f"No map header uses matrix {matrix}; name a header whose area is to be used.")


@dataclass
class Poster:
    """A poster in the making. Bands are independent of each other; one poster is used by one thread at a time."""

    world: World
    plan: PosterRequest
    _scenes: dict[int, Scene] = field(default_factory=dict)

    @cached_property
    def place(self) -> Place:
        """The matrix as it is entered."""
        return self.world.place(self.plan.place, self.plan.matrix)

    @property
    def width(self) -> int:
        """Pixels."""
        return self.place.matrix.width * self.plan.cell_pixels

    @property
    def height(self) -> int:
        """Pixels."""
        return self.place.matrix.height * self.plan.cell_pixels

    @property
    def bands(self) -> int:
        """How many bands there are."""
        return -(-self.height // _HEIGHT)

    def band(self, number: int) -> Pixels:
        """Band `number`: uint8 (rows, width, 3). Raises FormatError, RomError."""
        top = number * _HEIGHT
        rows = min(_HEIGHT, self.height - top)
        pixels: Pixels = np.empty((_HEIGHT, -(-self.width // _WIDTH) * _WIDTH, 3), np.uint8)
        pixels[:] = _BACKGROUND
        for left in range(0, self.width, _WIDTH):
            if self._land(left, top):
                pixels[:, left : left + _WIDTH] = self._frame(left, top)
        pixels = pixels[:rows, : self.width]
        if self.plan.collision:
            self._tint(pixels, top)
        if self.plan.grid:
            self._draw_grid(pixels, top)
        if self.plan.names:
            self._draw_names(pixels, top)
        return pixels

    @property
    def damaged(self) -> list[str]:
        """What cannot be read and is left out of the bands drawn last, a sentence each."""
        return list(dict.fromkeys(sentence for scene in self._scenes.values() for sentence in scene.damaged))

    def _cells_of(self, left: int, top: int, width: int, height: int) -> Iterator[Cell]:
        """The cells with land under a rectangle of pixels."""
        size = self.plan.cell_pixels
        for z in range(max(top, 0) // size, (top + height - 1) // size + 1):
            for x in range(max(left, 0) // size, (left + width - 1) // size + 1):
                cell = self.place.matrix_cells.get((x, z))
                if cell is not None:
                    yield cell

    def _land(self, left: int, top: int) -> bool:
        """Whether a frame may show anything; models reach a little beyond their cells."""
        reach = self.plan.cell_pixels // 8
        cells = self._cells_of(left - reach, top - reach, _WIDTH + 2 * reach, _HEIGHT + 2 * reach)
        return next(cells, None) is not None

    def _scene(self, top: int) -> Scene:
        """The scene for a band; models of rows left behind are let go."""
        row = top // self.plan.cell_pixels
        if row not in self._scenes:
            self._scenes.clear()
            plan = self.plan
            view = View(plan.second, layers=plan.layers, at=(0, 0), weather=False, all_cells=True)
            camera = top_camera((0, 0, 0), plan.cell_pixels / CELL_UNITS)
            self._scenes[row] = Scene(self.place, view, camera=camera)
        return self._scenes[row]

    def _frame(self, left: int, top: int) -> Pixels:
        scale = self.plan.cell_pixels / CELL_UNITS
        centre_x = round((left + _WIDTH / 2) / scale * FX)
        centre_z = round((top + _HEIGHT / 2) / scale * FX)
        scene = self._scene(top)
        scene.set_camera(top_camera((centre_x, 0, centre_z), scale))
        picture = scene.render(self.plan.tick, raw=True)[_MARGIN:-_MARGIN, _MARGIN:-_MARGIN]
        colors = picture[..., :3] << 2 | picture[..., :3] >> 4
        return np.where(picture[..., 3:] > 0, colors, np.array(_BACKGROUND, np.uint8))

    def _tint(self, pixels: Pixels, top: int) -> None:
        size = self.plan.cell_pixels
        tile = size // CELL_TILES
        for cell in self._cells_of(0, top, self.width, len(pixels)):
            blocked = self.place.terrain.attributes(cell) & COLLISION != 0
            first, last = max(cell.z * size, top), min((cell.z + 1) * size, top + len(pixels))
            rows = np.minimum((np.arange(first, last) - cell.z * size) * CELL_TILES // size, CELL_TILES - 1)
            mask = np.repeat(blocked[rows], tile, axis=1)
            part = pixels[first - top : last - top, cell.x * size : cell.x * size + mask.shape[1]]
            part[mask] = (part[mask] * np.uint16(2) + _COLLISION) // 3

    def _draw_grid(self, pixels: Pixels, top: int) -> None:
        size = self.plan.cell_pixels
        for x in range(0, self.width, size):
            pixels[:, x] = (pixels[:, x] + _GRID) // 2
        for y in range(-(-top // size) * size, top + len(pixels), size):
            pixels[y - top] = (pixels[y - top] + _GRID) // 2

    @cached_property
    def _labels(self) -> list[tuple[int, int, Pixels]]:
        """(left, top, mask) of every name; a mask is (height, width, 2): letters and their outline, 0..255."""
        from PIL import Image, ImageDraw, ImageFont

        groups: dict[tuple[int, str], list[Cell]] = {}
        for cell in self.place.matrix_cells.values():
            header = self.world.headers[cell.header] if cell.header < len(self.world.headers) else None
            if header is not None and not cell.filler:
                groups.setdefault((header.id, header.location_name or header.internal_name), []).append(cell)
        size = self.plan.cell_pixels
        font = ImageFont.load_default(max(10, size // 9))
        labels: list[tuple[int, int, Pixels]] = []
        for (_, name), cells in groups.items():
            left, upper, right, lower = (round(value) for value in font.getbbox(name, stroke_width=2))
            letters = Image.new("L", (right - left, lower - upper))
            ImageDraw.Draw(letters).text((-left, -upper), name, 255, font)
            outline = Image.new("L", letters.size)
            ImageDraw.Draw(outline).text((-left, -upper), name, 255, font, stroke_width=2)
            middle_x = sum(cell.x + 0.5 for cell in cells) / len(cells) * size
            middle_z = sum(cell.z + 0.5 for cell in cells) / len(cells) * size
            x = min(max(round(middle_x - letters.width / 2), 0), max(self.width - letters.width, 0))
            labels.append(
                (x, round(middle_z - letters.height / 2), np.dstack([np.asarray(letters), np.asarray(outline)]))
            )
        return labels

    def _draw_names(self, pixels: Pixels, top: int) -> None:
        for x, y, mask in self._labels:
            first, last = max(y, top), min(y + len(mask), top + len(pixels))
            if first >= last:
                continue
            part = pixels[first - top : last - top, x : x + mask.shape[1]]
            letters, outline = np.split(mask[first - y : last - y, : part.shape[1]].astype(np.uint16), 2, axis=2)
            part[:] = (part * (255 - outline) // 255 * (255 - letters) + 255 * letters) // 255

"""The tiles of the canvas by day and by night, those of the levels above, and the pictures of maps made of them."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from mapexplorer.atlas.sheets import TILE, Sheet
from mapexplorer.export.poster_bands import Region
from mapexplorer.gpu.picture import displayed
from mapexplorer.units import NOON, SECONDS_PER_HOUR
from mapexplorer.world.world import FieldWorld

Pixels = npt.NDArray[np.uint8]
Box = tuple[int, int, int, int]
"""West, north, east and south in pixels of the canvas."""

TIMES: Final = {"day": NOON, "night": 22 * SECONDS_PER_HOUR}
"""Times of day -> the second at which tiles are drawn."""
STRIP: Final = 2
"""The rows of blocks that are drawn at a time."""
_WIDEST: Final = 640
"""Pixels of the longer side of the picture of a map."""


def tile_path(time: str, level: int, x: int, y: int) -> str:
    """The file of a tile."""
    return f"tiles/{time}/{level}/{x}_{y}.webp"


def drawn_tiles(world: FieldWorld, sheet: Sheet, row: int, level: int, save: str) -> Iterator[tuple[str, bytes]]:
    """The tiles of a strip of a sheet that begins at a row of blocks, at the level of the engine's pictures. At night
    those that look as by day are left out."""
    columns, rows = sheet.blocks
    left, upper = sheet.region.left, sheet.region.upper + row * TILE
    region = Region(left, upper, left + columns * TILE, upper + min(STRIP, rows - row) * TILE)
    by_day: dict[tuple[int, int], bytes] = {}
    for time, second in TIMES.items():
        if time != "day" and not sheet.place(world).outdoor_light:
            continue
        poster = sheet.poster(world, second, save, region)
        raw = np.concatenate([poster.drawn(number) for number in range(poster.bands)])
        pixels = displayed(raw)
        pixels[raw[..., 3] == 0] = 0
        for (down, across), tile in _cut(pixels):
            if not tile[..., 3].any():
                continue
            data = encoded(tile)
            if by_day.setdefault((down, across), data) is data or by_day[down, across] != data:
                yield tile_path(time, level, sheet.x // TILE + across, sheet.y // TILE + row + down), data


def _cut(pixels: Pixels) -> Iterator[tuple[tuple[int, int], Pixels]]:
    for down in range(pixels.shape[0] // TILE):
        for across in range(pixels.shape[1] // TILE):
            yield (down, across), pixels[down * TILE : (down + 1) * TILE, across * TILE : (across + 1) * TILE]


def encoded(pixels: Pixels) -> bytes:
    """A picture (height, width, 4) as WebP without loss."""
    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "WEBP", lossless=True, method=0, quality=30)
    return file.getvalue()


class Pyramid:
    """The tiles in a folder: `known` are the files that there are."""

    def __init__(self, folder: Path, known: frozenset[str]) -> None:
        self._folder, self._known = folder, known
        self._made: dict[str, Pixels] = {}

    def reduced(self, time: str, level: int, x: int, y: int, lowest: int) -> Iterator[tuple[str, bytes]]:
        """The tiles above those of the next levels that are in a tile, down to level `lowest`, each after those below
        it."""
        parts = [(2 * x, 2 * y), (2 * x + 1, 2 * y), (2 * x, 2 * y + 1), (2 * x + 1, 2 * y + 1)]
        if level + 1 < lowest:
            for part in parts:
                yield from self.reduced(time, level + 1, *part, lowest)
        if time == "night" and not any(self._is(time, level + 1, *part) for part in parts):
            return
        tiles = [self._tile(time, level + 1, *part) for part in parts]
        if any(tile is not None for tile in tiles):
            whole = np.zeros((2 * TILE, 2 * TILE, 4), np.uint8)
            for number, tile in enumerate(tiles):
                if tile is not None:
                    down, across = divmod(number, 2)
                    whole[down * TILE : (down + 1) * TILE, across * TILE : (across + 1) * TILE] = tile
            pixels = _smaller(whole, TILE, TILE)
            path = tile_path(time, level, x, y)
            self._made[path] = pixels
            yield path, encoded(pixels)

    def _is(self, time: str, level: int, x: int, y: int) -> bool:
        path = tile_path(time, level, x, y)
        return path in self._known or path in self._made

    def _tile(self, time: str, level: int, x: int, y: int) -> Pixels | None:
        """A tile, of the day where there is none of its time."""
        from PIL import Image

        for path in dict.fromkeys(tile_path(each, level, x, y) for each in (time, "day")):
            if path in self._made:
                return self._made[path]
            if path in self._known:
                with Image.open(self._folder / path) as image:
                    return np.asarray(image.convert("RGBA"))
        return None

    def picture(self, lowest: int, box: Box) -> bytes:
        """A part of the canvas by day, made smaller to at most _WIDEST pixels."""
        level, size = lowest, max(box[2] - box[0], box[3] - box[1])
        while size > _WIDEST and level > 0:
            size, level = size // 2, level - 1
        west, north, east, south = (value >> (lowest - level) for value in box)
        pixels = np.zeros((max(1, south - north), max(1, east - west), 4), np.uint8)
        for y in range(north // TILE, -(-south // TILE)):
            for x in range(west // TILE, -(-east // TILE)):
                tile = self._tile("day", level, x, y)
                if tile is not None:
                    _paste(pixels, tile, x * TILE - west, y * TILE - north)
        return encoded(pixels)


def _paste(pixels: Pixels, tile: Pixels, x: int, y: int) -> None:
    down, across = max(y, 0), max(x, 0)
    part = tile[down - y :, across - x :][: max(pixels.shape[0] - down, 0), : max(pixels.shape[1] - across, 0)]
    pixels[down : down + part.shape[0], across : across + part.shape[1]] = part


def _smaller(pixels: Pixels, width: int, height: int) -> Pixels:
    from PIL import Image

    return np.asarray(Image.fromarray(pixels).resize((width, height), Image.Resampling.BOX))

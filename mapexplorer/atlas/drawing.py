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
STRIP: Final = (16, 2)
"""The columns and rows of blocks that are drawn at a time."""
_WIDEST: Final = 640
"""Pixels of the longer side of the picture of a map."""


def tile_path(time: str, level: int, x: int, y: int) -> str:
    """The file of a tile."""
    return f"tiles/{time}/{level}/{x}_{y}.webp"


def strips(sheet: Sheet) -> list[tuple[int, int]]:
    """The first column and row of each part of a sheet that is drawn at a time."""
    columns, rows = (range(0, number, step) for number, step in zip(sheet.blocks, STRIP, strict=True))
    return [(column, row) for row in rows for column in columns]


def drawn_tiles(
    world: FieldWorld, sheet: Sheet, first: tuple[int, int], level: int, save: str
) -> Iterator[tuple[str, bytes]]:
    """The tiles of a strip of a sheet, at the level of the engine's pictures. At night those that look as by day are
    left out."""
    ends = [min(at + step, number) for at, step, number in zip(first, STRIP, sheet.blocks, strict=True)]
    corner = sheet.region.left, sheet.region.upper
    left, upper, right, lower = (
        at + TILE * block for at, block in zip((*corner, *corner), (*first, *ends), strict=True)
    )
    region = Region(left, upper, right, lower)
    own = sheet.own_blocks(world)[first[1] : ends[1], first[0] : ends[0]]
    by_day: dict[tuple[int, int], bytes] = {}
    for time, second in TIMES.items():
        if time != "day" and not sheet.place(world).outdoor_light:
            continue
        poster = sheet.poster(world, second, save, region)
        raw = np.concatenate([poster.drawn(number) for number in range(poster.bands)])
        pixels = displayed(raw)
        pixels[raw[..., 3] == 0] = 0
        tiles = pixels.reshape(len(pixels) // TILE, TILE, -1, TILE, 4).swapaxes(1, 2)
        for down, across in np.argwhere(tiles[..., 3].any((2, 3)) & own).tolist():
            data = encoded(tiles[down, across])
            if by_day.setdefault((down, across), data) is data or by_day[down, across] != data:
                column, row = sheet.x // TILE + first[0] + across, sheet.y // TILE + first[1] + down
                yield tile_path(time, level, column, row), data


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

    def reduced(self, time: str, level: int, x: int, y: int) -> bytes:
        """A tile, of the four of the next level."""
        from PIL import Image

        whole = Image.fromarray(self._part(time, level + 1, 2 * x * TILE, 2 * y * TILE, 2 * TILE, 2 * TILE))
        return encoded(np.asarray(whole.resize((TILE, TILE), Image.Resampling.BOX)))

    def picture(self, lowest: int, box: Box) -> bytes:
        """A part of the canvas by day, made smaller to at most _WIDEST pixels."""
        longest = max(box[2] - box[0], box[3] - box[1])
        smaller = min(((longest - 1) // _WIDEST).bit_length(), lowest)
        west, north, east, south = (value >> smaller for value in box)
        return encoded(self._part("day", lowest - smaller, west, north, max(1, east - west), max(1, south - north)))

    def _part(self, time: str, level: int, west: int, north: int, width: int, height: int) -> Pixels:
        """A part of the canvas at a level, in pixels of it."""
        pixels = np.zeros((height, width, 4), np.uint8)
        for y in range(north // TILE, -(-(north + height) // TILE)):
            for x in range(west // TILE, -(-(west + width) // TILE)):
                tile = self._tile(time, level, x, y)
                if tile is not None:
                    down, across = y * TILE - north, x * TILE - west
                    goal = pixels[max(down, 0) : down + TILE, max(across, 0) : across + TILE]
                    goal[:] = tile[max(-down, 0) :, max(-across, 0) :][: goal.shape[0], : goal.shape[1]]
        return pixels

    def _tile(self, time: str, level: int, x: int, y: int) -> Pixels | None:
        """A tile, of the day where there is none of its time."""
        from PIL import Image

        paths = (tile_path(each, level, x, y) for each in (time, "day"))
        path = next((path for path in paths if path in self._known), None)
        if path is None:
            return None
        with Image.open(self._folder / path) as image:
            return np.asarray(image.convert("RGBA"))

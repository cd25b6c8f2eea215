"""Pictures of changed places in both ROMs, by the exact engine, and what differs between two pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from formats.binary import FormatError, same
from mapexplorer.arrays import Picture
from mapexplorer.compare.change import Change, ChangedKind
from mapexplorer.compare.changed_places import Tile, changed_tiles
from mapexplorer.errors import PlaceError, RomError
from mapexplorer.kernels import DS_PICTURES, prepare
from mapexplorer.scene.scene import FieldScene
from mapexplorer.scene.start_position import default_spot
from mapexplorer.scene.view import View
from mapexplorer.units import NOON
from mapexplorer.world.cells import CELL_TILES
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.sources.damage import read_or

_WIDE: Final = 12
_HIGH: Final = 8
"""The tiles that a picture of the game's camera shows without those at its borders."""
_MOST: Final = 4
"""The most spots of a place that have pictures."""
_DIFFERENT: Final = (255, 64, 160)
"""The colour of pixels that differ."""
_FAINT: Final = 3
"""What the brightness of equal pixels is divided by."""


@dataclass(frozen=True, eq=False)
class PicturePair:
    """What both ROMs show with the player at matrix-wide tile `at` at a second of the day: uint8 (192, 256, 3); None:
    the place cannot be drawn, or the ROM does not have it."""

    at: tuple[float, float]
    second: int
    before: Picture | None
    after: Picture | None

    @property
    def equal(self) -> bool:
        """Whether both pictures are there and equal."""
        return self.before is not None and self.after is not None and bool((self.before == self.after).all())


def difference_picture(before: Picture, after: Picture) -> Picture:
    """The second picture in faint grey, with the pixels that differ in one colour, the brighter the more they differ;
    uint8 (height, width, 3) or more channels, of which the first three count."""
    old, new = before[..., :3].astype(np.int16), after[..., :3].astype(np.int16)
    far = np.abs(old - new).max(-1)
    picture = np.repeat((new.mean(-1) / _FAINT).astype(np.uint8)[..., None], 3, -1)
    strength = (0.5 + 0.5 * far[far > 0] / 255)[:, None]
    picture[far > 0] = np.rint(np.array(_DIFFERENT) * strength).astype(np.uint8)
    return picture


def picture_pairs(before: FieldPlace | None, after: FieldPlace, changes: Iterable[Change]) -> Iterator[PicturePair]:
    """The pictures of a changed place: at the tiles with differences, those near to one another together, else where a
    visit begins. Changed light is shown at an hour at which it differs."""
    prepare(DS_PICTURES)
    changes = list(changes)
    second = _second(before, after) if any(change.kind is ChangedKind.LIGHT for change in changes) else NOON
    tiles = [tile for change in changes for tile in changed_tiles(before, after, change)]
    for at in _spots(after, tiles) or [read_or((0.0, 0.0), default_spot, after)]:
        yield PicturePair(at, second, _drawn(before, at, second), _drawn(after, at, second))


def _spots(place: FieldPlace, tiles: Iterable[Tile]) -> list[tuple[float, float]]:
    """Tiles from which the game's camera shows all given ones that are on the matrix, as far as `_MOST` suffice."""
    width, height = CELL_TILES * place.matrix.width, CELL_TILES * place.matrix.height
    left = sorted({(x, z) for x, z in tiles if 0 <= x < width and 0 <= z < height}, key=lambda tile: (tile[1], tile[0]))
    spots: list[tuple[float, float]] = []
    while left and len(spots) < _MOST:
        first = left[0]
        shown = [
            position
            for position in left
            if abs(position[0] - first[0]) <= _WIDE // 2 and position[1] - first[1] <= _HIGH
        ]
        low, high = np.min(shown, axis=0), np.max(shown, axis=0)
        spots.append((float((low[0] + high[0]) // 2), float((low[1] + high[1]) // 2)))
        left = [position for position in left if position not in shown]
    return spots


def _second(before: FieldPlace | None, after: FieldPlace) -> int:
    """A second of the day at which the lights of two places differ, noon if there is none."""
    here, there = None if before is None else before.light, after.light
    if here is None or there is None:
        return NOON
    start = 0
    for old, new in zip(here.blocks, there.blocks, strict=False):
        end = min(old.end, new.end)
        if not same(old, new) and start < 2 * end:
            return (start + 2 * end) // 2
        start = 2 * end
    return NOON


def _drawn(place: FieldPlace | None, at: tuple[float, float], second: int) -> Picture | None:
    """The picture of a place; None for one that cannot be drawn."""
    if place is None or not place.matrix_cells:
        return None
    try:
        return FieldScene(place, View(second, at=at)).render()[..., :3]
    except (FormatError, RomError, PlaceError, ValueError):
        return None

"""Height plates: what the game's query needs of the ground of a cell, in every form of BDHC.

A plate is a flat polygon with a plane `nx*x + ny*y + nz*z + d = 0`. All numbers are fx32 integers (4096 = 1 unit); x
and z count from the centre of the cell, y is absolute, so y = -(nx*x + nz*z + d) / ny. Strips list the plates that are
searched for a point; the limit of ten candidates and "nearest to the present height" are those of the game's code.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from operator import index as plain

import numpy as np
import numpy.typing as npt

from formats.fixed import div, mul

MAGIC = b"BDHC"
MAX_CANDIDATES = 10
"""The game stops its search after this number of plates that contain the point."""


@dataclass(frozen=True, eq=False)
class Strip:
    """Plates that are searched together: `scanline` (fx32 z) is the southern edge of their part of the cell, `plates`
    are uint16 indices."""

    scanline: int
    plates: npt.NDArray[np.uint16]


class HeightReason(Enum):
    """How a height query chose its result."""

    ONLY_PLATE = auto()
    """One plate of the strip contains the point."""
    NEAREST_PLATE = auto()
    """Of several plates that contain the point, the one nearest to the given height was chosen."""
    NO_PLATE = auto()
    """No plate of the strip contains the point: `query` returns None, the game 0."""
    NO_LAND = auto()
    """There is no BDHC at the point: the game returns 0."""
    NOT_READ = auto()
    """The plates of the land cannot be read: what the game returns is not known."""


@dataclass(frozen=True)
class HeightAnswer:
    """The result of a height query: fx32 height, plate index, strip index, number of plates that contain the point, and
    the reason."""

    height: int
    plate: int
    strip: int
    candidates: int
    reason: HeightReason


class HeightPlates(ABC):
    """The height plates of one cell; `strips` in the order of the file."""

    strips: tuple[Strip, ...]

    @property
    @abstractmethod
    def planes(self) -> npt.NDArray[np.int64]:
        """(n, 4) fx32 nx, ny, nz and d of the plates' planes."""

    @property
    @abstractmethod
    def outlines(self) -> npt.NDArray[np.int64]:
        """(n, 4, 2) fx32 corners x, z of the plates: of a rectangle north-west, south-west, south-east, north-east; of
        a triangle the last two are equal."""

    @property
    @abstractmethod
    def corner_heights(self) -> npt.NDArray[np.float64]:
        """(n, 4) heights of the corners of `outlines`, in units."""

    @cached_property
    def scanlines(self) -> list[int]:
        """Those of the strips."""
        return [strip.scanline for strip in self.strips]

    @abstractmethod
    def candidates(self, x: int, z: int) -> tuple[int, list[tuple[int, int]]]:
        """The strip of a point and, of its plates, the first ten that contain the point, as (plate, fx32 height); strip
        -1 where there is none."""

    @abstractmethod
    def to_bytes(self) -> bytes:
        """The section. Raises ValueError for values that it cannot hold."""

    def __len__(self) -> int:
        """The number of plates."""
        return len(self.planes)

    def query(self, x: int, z: int, y: int) -> HeightAnswer | None:
        """The ground at (x, z), relative to the cell centre, that is nearest to the present height y; all fx32.

        None when no plate of the strip contains the point: the game then returns 0 with the source "none".
        """
        y = plain(y)
        strip, candidates = self.candidates(x, z)
        if not candidates:
            return None
        plate, height = _nearest(candidates, y)
        reason = HeightReason.ONLY_PLATE if len(candidates) == 1 else HeightReason.NEAREST_PLATE
        return HeightAnswer(height, plate, strip, len(candidates), reason)

    def height_at(self, x: int, z: int, y: int) -> tuple[int, int] | None:
        """`query` reduced to (height, plate)."""
        _, candidates = self.candidates(x, z)
        if not candidates:
            return None
        plate, height = _nearest(candidates, plain(y))
        return height, plate


def _nearest(candidates: list[tuple[int, int]], y: int) -> tuple[int, int]:
    """The (plate, height) nearest to y; the first wins ties."""
    return candidates[0] if len(candidates) == 1 else min(candidates, key=lambda candidate: abs(candidate[1] - y))


def plane_height(nx: int, ny: int, nz: int, d: int, x: int, z: int) -> int:
    """The fx32 height at (x, z) of a plane, rounded as the game does."""
    if ny == 0:
        # The hardware divider returns -1 or +1 for a division by zero (GBATEK), which rounds to 0.
        return 0
    return div(-(mul(nx, x) + mul(nz, z) + d), ny)

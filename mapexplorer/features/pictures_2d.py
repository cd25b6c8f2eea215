"""The members of an archive of pictures for the 2D engine, as weathers and skies use them: palettes of 16 colours,
tiles, maps of 32 x 32 entries, and the sprites of each frame; and where the field puts them.

Methods that read a member raise FormatError or RomError.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from formats.binary import FormatError
from formats.nds.objects import OBJECT
from formats.nitro.nanr import Nanr
from formats.nitro.ncer import CellData, Ncer
from formats.nitro.ncgr import Ncgr
from formats.nitro.nclr import Nclr
from formats.nitro.nscr import Nscr
from mapexplorer.games import Role
from mapexplorer.games.weather_tables import SpriteSet
from mapexplorer.gpu.registers import HEIGHT

COLORS: Final = 16
"""The colours of a palette that are used."""
BG2_MAP: Final = 0x800
BG2_TILES: Final = 0x14000
"""Where background 2 has its map and its tiles in the memory of the backgrounds."""
_SIDE: Final = 32
"""Entries of a row and of a column of a map."""
_NO_CELL: Final = CellData(np.zeros(0, OBJECT), 0, None)

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class SpriteFrame:
    """A frame of a sprite set: its sprites (dtype OBJECT, front to back) and its radius in pixels."""

    objects: npt.NDArray[Any]
    radius: int

    def is_drawn_at(self, x: int, y: int) -> bool:
        """Whether the game draws it at a pixel: not where the circle of its radius is outside the screen."""
        radius = self.radius
        return y + radius > 0 and y - radius < HEIGHT and x + radius > 0 and x - radius < 255


@dataclass(frozen=True, eq=False)
class PictureMembers:
    """Reads members; `read` returns one as a value. `role`: the archive, for errors."""

    _read: Callable[[int], Any]
    _role: Role = Role.WEATHER_PICTURES

    def colors(self, index: int, count: int = COLORS) -> npt.NDArray[np.uint16]:
        """The first colours of a palette, at most `count`."""
        return self._member(index, Nclr).colors[:count]

    def tiles(self, index: int) -> bytes:
        """The tiles of 4 bits a pixel of a picture."""
        return self._member(index, Ncgr).data

    def entries(self, index: int) -> npt.NDArray[np.uint16]:
        """The entries of a map, uint16 (32, 32); those that it lacks are 0."""
        stored = self._member(index, Nscr).entries[: _SIDE * _SIDE].astype("<u2")
        return np.pad(stored, (0, _SIDE * _SIDE - len(stored))).reshape(_SIDE, _SIDE)

    def frames(self, members: SpriteSet) -> tuple[SpriteFrame, ...]:
        """The frames of a sprite set: those of its first animation. A cell that it lacks is empty."""
        cells = self._member(members.cells, Ncer).cells
        sequences = self._member(members.animations, Nanr).sequences
        numbers = [frame.cell for sequence in sequences[:1] for frame in sequence.frames]
        shown = [cells[number] if number < len(cells) else _NO_CELL for number in numbers]
        return tuple(SpriteFrame(cell.objects, cell.radius) for cell in shown)

    def _member(self, index: int, kind: type[T]) -> T:
        value = self._read(index)
        if not isinstance(value, kind):
            raise FormatError(f"{self._role}[{index}]", 0, f"a file of type {kind.__name__}", type(value).__name__)
        return value


def copy(memory: npt.NDArray[Any], data: npt.NDArray[Any]) -> None:
    """Copy data to the start of memory, cut off at its size."""
    memory[: len(data)] = data[: len(memory)]

"""A chart of what was reached on a matrix: palette indices, one per tile."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

import numpy as np
import numpy.typing as npt

from formats.field.terrain_attribute import COLLISION
from mapexplorer.map_objects.gait import Mode
from mapexplorer.walk.reach import Reach
from mapexplorer.world.cells import CELL_TILES


class Mark(IntEnum):
    """What a tile of the chart is."""

    NO_LAND = 0
    SOLID = 1
    FREE = 2
    ON_FOOT = 3
    SURFING = 4
    RIDING = 5
    START = 6


PALETTE: Final = np.array(
    [(16, 16, 24), (72, 72, 80), (176, 120, 112), (96, 200, 96), (72, 136, 232), (240, 176, 64), (255, 255, 255)],
    np.uint8,
)
"""RGB by mark: dark, grey, red (free but not reached), green, blue, orange, white."""

_BY_MODE: Final = {Mode.FOOT: Mark.ON_FOOT, Mode.SURF: Mark.SURFING, Mode.BICYCLE: Mark.RIDING}


def chart(reach: Reach, header: int) -> npt.NDArray[np.uint8]:
    """(tiles from north to south, from west to east) marks of the matrix that is entered through `header`.

    A tile reached in several ways shows the first of: on foot, surfing, riding.
    """
    ground = reach.grounds.entered(header)
    width = (max(x for x, _ in ground.cells) + 1) * CELL_TILES
    height = (max(z for _, z in ground.cells) + 1) * CELL_TILES
    marks = np.zeros((height, width), np.uint8)
    for (x, z), cell in ground.cells.items():
        solid = (ground.attributes(cell) & COLLISION) != 0
        marks[z * CELL_TILES : (z + 1) * CELL_TILES, x * CELL_TILES : (x + 1) * CELL_TILES] = np.where(
            solid, Mark.SOLID, Mark.FREE
        )
    for mode in (Mode.BICYCLE, Mode.SURF, Mode.FOOT):
        for standing in reach.of(ground).states:
            if standing.mode is mode:
                marks[standing.z, standing.x] = _BY_MODE[mode]
    if reach.grounds.entered(reach.start.header) is ground:
        marks[reach.start.z, reach.start.x] = Mark.START
    return marks

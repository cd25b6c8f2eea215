"""Which layers and effects a pixel may have by the windows around it (GBATEK: DS Window Feature)."""

from __future__ import annotations

import numpy as np

from formats.kernel import kernel
from mapexplorer.arrays import Bytes, Int32, Int64
from mapexplorer.gpu.backgrounds import fill
from mapexplorer.gpu.integers import Int
from mapexplorer.gpu.registers import WIDTH
from mapexplorer.gpu.registers_2d import DISPCNT, WIN0V, WINDOW_SHOWN, WININ, WINOUT


@kernel
def window_masks(registers: Int64, edges: Bytes, y: Int, sprites: Int32, masks: Int32) -> None:
    """The masks (bits as in WININ) of line `y`. edges[window, line]: the left edge, and the one behind the right edge.

    `sprites` is 1 where the window of the sprites is. Window 0 is before window 1, both before the one of the sprites.
    """
    used = registers[DISPCNT] >> WINDOW_SHOWN & 7
    fill(masks, registers[WINOUT] & 63 if used else 63)
    if used & 4:
        for x in range(WIDTH):
            if sprites[x]:
                masks[x] = registers[WINOUT] >> 8 & 63
    for window in (1, 0):
        lines = registers[WIN0V + window]
        if used >> window & 1 and contains(lines >> 8 & 255, lines & 255, y):
            left, right = np.int64(edges[window, y, 0]), np.int64(edges[window, y, 1])
            for x in range(WIDTH):
                if contains(left, right, x):
                    masks[x] = registers[WININ] >> 8 * window & 63


@kernel
def contains(first: Int, end: Int, place: Int) -> bool:
    """Whether first <= place < end; an end before the first goes round the screen."""
    if first <= end:
        return bool(first <= place < end)
    return bool(place >= first or place < end)

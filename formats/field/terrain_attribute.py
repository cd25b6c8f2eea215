"""Terrain attributes: one 16-bit word per tile with the collision bit and the tile behaviour.

Bit 15 is the collision, bits 0-7 the behaviour (what the tile does: grass, water, door ...), bits 8-14 are zero in
every file of the game. Behaviour and collision are independent. The meaning of each behaviour is in the tables of the
game (`mapexplorer.games`).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from formats.binary import require

TILES = 32
"""Tiles along each edge of a cell; a tile is 16 units."""

COLLISION = 0x8000
BEHAVIOUR = 0x00FF
UNLOADED = 0x00FF
"""The word of a tile outside the loaded cells: behaviour 0xFF, which blocks, and no collision bit."""


def collides(attributes: npt.NDArray[np.uint16]) -> npt.NDArray[np.bool_]:
    """Whether the collision bit of each tile is set."""
    result: npt.NDArray[np.bool_] = (attributes & COLLISION) != 0
    return result


def behaviours(attributes: npt.NDArray[np.uint16]) -> npt.NDArray[np.uint8]:
    """The behaviour of every tile."""
    return (attributes & BEHAVIOUR).astype(np.uint8)


def attribute(behaviour: int, collision: bool = False) -> int:
    """The word of one tile. Raises ValueError for a behaviour beyond 0xFF."""
    require(0 <= behaviour <= BEHAVIOUR, f"a tile behaviour is a byte, not {behaviour}")
    return behaviour | (COLLISION if collision else 0)

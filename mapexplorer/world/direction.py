"""The four directions of the field, numbered as the game numbers them."""

from __future__ import annotations

from enum import IntEnum


class Direction(IntEnum):
    """A direction to face or step; x increases eastward, z southward."""

    NORTH = 0
    SOUTH = 1
    WEST = 2
    EAST = 3

    @property
    def letter(self) -> str:
        """N, S, W or E."""
        return self.name[0]

    @property
    def word(self) -> str:
        """`north` ..."""
        return self.name.lower()


NORTH, SOUTH, WEST, EAST = Direction
DX = (0, 0, -1, 1)
DZ = (-1, 1, 0, 0)
OPPOSITE = (SOUTH, NORTH, EAST, WEST)
BY_LETTER = {direction.letter: direction for direction in Direction}

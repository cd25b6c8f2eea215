"""What the player stands on: the ground of a map, or ground that a feature adds with an orientation of its own."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, Self

from formats.fixed import Vector, moved
from mapexplorer.world.direction import DX, DZ, Direction

_LEVEL: Final = tuple((DX[direction], 0, DZ[direction]) for direction in Direction)


class Surface(IntEnum):
    """What the player stands on, numbered as the game numbers the states of the player in the Distortion World."""

    words: str
    sprite_turn: int
    """The turn of the player's sprite in degrees."""
    deltas: tuple[Vector, ...]
    """The tiles (x, y, z) that a step in each direction goes."""

    LAND = 1, "the land", 0, _LEVEL
    FLOOR = 2, "an upper floor", 0, _LEVEL
    WEST_WALL = 3, "the west wall", 90, ((0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
    EAST_WALL = 4, "the east wall", 270, ((0, 1, 0), (0, -1, 0), (0, 0, -1), (0, 0, 1))
    CEILING = 5, "the ceiling", 180, ((0, 0, 1), (0, 0, -1), (-1, 0, 0), (1, 0, 0))

    def __new__(cls, number: int, words: str, sprite_turn: int, deltas: tuple[Vector, ...]) -> Self:
        surface = int.__new__(cls, number)
        surface._value_ = number
        surface.words, surface.sprite_turn, surface.deltas = words, sprite_turn, deltas
        return surface

    def ahead(self, tile: Vector, direction: Direction, tiles: int = 1) -> Vector:
        """The tile that `tiles` steps in a direction lead to."""
        return moved(tile, self.deltas[direction], tiles)

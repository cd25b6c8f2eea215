"""What the player stands on: the ground of a map, or ground that a feature adds with an orientation of its own."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple

from formats.fixed import Vector, moved
from mapexplorer.world.direction import DX, DZ, Direction


class Surface(IntEnum):
    """What the player stands on, numbered as the game numbers the states of the player in the Distortion World."""

    LAND = 1
    FLOOR = 2
    WEST_WALL = 3
    EAST_WALL = 4
    CEILING = 5

    @property
    def words(self) -> str:
        """`the west wall` ..."""
        return _ORIENTATIONS[self].words

    @property
    def sprite_turn(self) -> int:
        """The turn of the player's sprite in degrees."""
        return _ORIENTATIONS[self].sprite_turn

    def ahead(self, tile: Vector, direction: Direction, tiles: int = 1) -> Vector:
        """The tile that `tiles` steps in a direction lead to."""
        return moved(tile, self.deltas[direction], tiles)

    @property
    def deltas(self) -> tuple[Vector, ...]:
        """The tiles (x, y, z) that a step in each direction goes."""
        return _ORIENTATIONS[self].deltas


class _Orientation(NamedTuple):
    words: str
    sprite_turn: int
    deltas: tuple[Vector, ...]


_LEVEL: Final = tuple((DX[direction], 0, DZ[direction]) for direction in Direction)
_ORIENTATIONS: Final = {
    Surface.LAND: _Orientation("the land", 0, _LEVEL),
    Surface.FLOOR: _Orientation("an upper floor", 0, _LEVEL),
    Surface.WEST_WALL: _Orientation("the west wall", 90, ((0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))),
    Surface.EAST_WALL: _Orientation("the east wall", 270, ((0, 1, 0), (0, -1, 0), (0, 0, -1), (0, 0, 1))),
    Surface.CEILING: _Orientation("the ceiling", 180, ((0, 0, 1), (0, 0, -1), (-1, 0, 0), (1, 0, 0))),
}

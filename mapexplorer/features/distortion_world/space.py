"""Boxes of tiles, the kinds of platforms, the states of the player and their directions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import IntEnum
from typing import Any, Final

from formats.fixed import Vector
from mapexplorer.games.distortion_events import Tile
from mapexplorer.world.direction import Direction
from mapexplorer.world.terrain import TILE_LENGTH, centre


@dataclass(frozen=True)
class Box:
    """The tiles with x <= tile x <= x + size_x, and so on: the sizes are one less than the number of tiles."""

    x: int
    y: int
    z: int
    size_x: int
    size_y: int
    size_z: int

    @classmethod
    def of(cls, record: Any) -> Box:
        """The box in a record of `formats.field.distortion_floor`."""
        return cls(*(int(record[field.name]) for field in fields(cls)))

    def __contains__(self, tile: Tile) -> bool:
        x, y, z = tile
        return (
            self.x <= x <= self.x + self.size_x
            and self.y <= y <= self.y + self.size_y
            and self.z <= z <= self.z + self.size_z
        )


class PlatformKind(IntEnum):
    """What a platform is to a player on it; LAND also stands for no platform."""

    FLOOR = 0
    WEST_WALL = 1
    EAST_WALL = 2
    CEILING = 3
    LAND = 4


class AvatarState(IntEnum):
    """What the player stands on."""

    LAND = 1
    FLOOR = 2
    WEST_WALL = 3
    EAST_WALL = 4
    CEILING = 5

    @property
    def words(self) -> str:
        """What the player stands on, in words."""
        return _WORDS[self]


_WORDS: Final[Mapping[AvatarState, str]] = {
    AvatarState.LAND: "the land",
    AvatarState.FLOOR: "an upper floor",
    AvatarState.WEST_WALL: "the west wall",
    AvatarState.EAST_WALL: "the east wall",
    AvatarState.CEILING: "the ceiling",
}

STATE_ON: Final[Mapping[PlatformKind, AvatarState]] = {
    PlatformKind.FLOOR: AvatarState.FLOOR,
    PlatformKind.WEST_WALL: AvatarState.WEST_WALL,
    PlatformKind.EAST_WALL: AvatarState.EAST_WALL,
    PlatformKind.CEILING: AvatarState.CEILING,
    PlatformKind.LAND: AvatarState.LAND,
}

_LEVEL: Final = ((0, 0, -1), (0, 0, 1), (-1, 0, 0), (1, 0, 0))

DELTAS: Final[Mapping[AvatarState, tuple[Vector, ...]]] = {
    AvatarState.LAND: _LEVEL,
    AvatarState.FLOOR: _LEVEL,
    AvatarState.WEST_WALL: ((0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)),
    AvatarState.EAST_WALL: ((0, 1, 0), (0, -1, 0), (0, 0, -1), (0, 0, 1)),
    AvatarState.CEILING: ((0, 0, 1), (0, 0, -1), (-1, 0, 0), (1, 0, 0)),
}
"""By state: the tiles that a step in each direction goes."""

SPRITE_TURN: Final[Mapping[AvatarState, int]] = {
    AvatarState.LAND: 0,
    AvatarState.FLOOR: 0,
    AvatarState.WEST_WALL: 90,
    AvatarState.EAST_WALL: 270,
    AvatarState.CEILING: 180,
}
"""By state: the turn of the player's sprite in degrees."""


def moved(tile: Tile, delta: Vector, times: int = 1) -> Tile:
    """A tile some steps away."""
    return tile[0] + times * delta[0], tile[1] + times * delta[1], tile[2] + times * delta[2]


def ahead(tile: Tile, state: AvatarState, direction: Direction, tiles: int = 1) -> Tile:
    """The tile that `tiles` steps in a direction lead to."""
    return moved(tile, DELTAS[state][direction], tiles)


def position(tile: Tile) -> Vector:
    """The fx32 position of a player on a platform's tile: its centre in x and z, its lower end in y."""
    return centre(tile[0]), tile[1] * TILE_LENGTH, centre(tile[2])

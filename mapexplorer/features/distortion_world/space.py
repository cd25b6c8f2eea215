"""Boxes of tiles, and the kinds of platforms."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import IntEnum
from typing import Any, Final

from formats.fixed import Vector
from mapexplorer.features.distortion_world.commands import Tile
from mapexplorer.features.surface import Surface
from mapexplorer.world.terrain.terrain import TILE_LENGTH, centre


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

    @property
    def surface(self) -> Surface:
        """What a player on it stands on."""
        return _SURFACES[self]


_SURFACES: Final = (Surface.FLOOR, Surface.WEST_WALL, Surface.EAST_WALL, Surface.CEILING, Surface.LAND)


def position(tile: Tile) -> Vector:
    """The fx32 position of a player on a platform's tile: its centre in x and z, its lower end in y."""
    return centre(tile[0]), tile[1] * TILE_LENGTH, centre(tile[2])


def tile_of(position: Vector) -> Tile:
    """The tile of an fx32 position, the height in whole tiles."""
    x, y, z = position
    return x // TILE_LENGTH, y // TILE_LENGTH, z // TILE_LENGTH

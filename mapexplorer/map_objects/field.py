"""The field as map objects access it; implemented by `manager.MapObjectManager`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from mapexplorer.games.tables import Tables, TimeOfDay
from mapexplorer.map_objects.field_object import FieldObject
from mapexplorer.map_objects.small_random import SmallRandom
from mapexplorer.world.terrain.terrain import Terrain


class FieldSystem(Protocol):
    """The interface through which an object's movement queries the field."""

    terrain: Terrain
    tables: Tables
    random: SmallRandom
    time: TimeOfDay
    shadows: bool

    def in_range(self, mover: FieldObject, direction: int) -> bool:
        """Whether the next tile is within the object's movement range."""

    def free(self, mover: FieldObject, direction: int) -> bool:
        """Whether an object can step onto the next tile in a direction."""

    def action(self, mover: FieldObject, number: int) -> Iterator[None]:
        """The generator of a movement action of an object."""

    def partner(self, mover: FieldObject) -> FieldObject | None:
        """The other object with the same trainer."""

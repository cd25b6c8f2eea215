"""What map objects know of the field that they are in; `manager.MapObjectManager` is it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from mapexplorer.games.tables import Tables, TimeOfDay
from mapexplorer.map_objects.field_object import FieldObject
from mapexplorer.map_objects.small_random import SmallRandom
from mapexplorer.world.terrain import Terrain


class FieldSystem(Protocol):
    """The field of map objects."""

    terrain: Terrain
    tables: Tables
    random: SmallRandom
    time: TimeOfDay
    shadows: bool

    def in_range(self, mover: FieldObject, direction: int) -> bool:
        """Whether the next tile is one that an object may go to by its event."""

    def free(self, mover: FieldObject, direction: int) -> bool:
        """Whether an object may go a step."""

    def action(self, mover: FieldObject, number: int) -> Iterator[None]:
        """A movement action of an object."""

    def partner(self, mover: FieldObject) -> FieldObject | None:
        """The other object of the same trainer."""

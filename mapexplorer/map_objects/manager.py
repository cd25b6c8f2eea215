"""All map objects of a header while its map is open: made from its events, moved tick by tick.

Source: the Platinum field code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from mapexplorer.games.tables import Tables
from mapexplorer.map_objects.actions import perform
from mapexplorer.map_objects.field_object import FieldObject
from mapexplorer.map_objects.movement_types import FOLLOWING, movement_of
from mapexplorer.map_objects.obstacle import obstacle
from mapexplorer.map_objects.picture import picture_of
from mapexplorer.map_objects.setting import ObjectSetting
from mapexplorer.map_objects.small_random import SmallRandom
from mapexplorer.world.direction import DX, DZ, Direction
from mapexplorer.world.terrain import Terrain

_ENDED: Final = object()


class MapObjectManager:
    """Map objects on a terrain, in the order in which they were made, which is that in which they act and are drawn.

    `random` is what they draw their choices from.
    """

    def __init__(self, terrain: Terrain, tables: Tables, seed: int = 0) -> None:
        self.terrain = terrain
        self.tables = tables
        self.random = SmallRandom(seed)
        self.objects: list[FieldObject] = []
        self._leading: list[FieldObject] = []
        self._following: list[FieldObject] = []
        self._curve: tuple[int, ...] = tuple(tables.raw("map_objects")["jump curve"])

    def add(self, settings: Iterable[ObjectSetting]) -> list[FieldObject]:
        """Make objects, first all of them, then their pictures."""
        made = [self._make(setting) for setting in settings]
        for each in made:
            each.picture = picture_of(each.setting.graphics, self.random)
            each.draw()
        return made

    def _make(self, setting: ObjectSetting) -> FieldObject:
        made = FieldObject(setting)
        made.find_ground(self.terrain)
        made.movement = movement_of(made, self)
        self.objects.append(made)
        (self._following if setting.movement.kind in FOLLOWING else self._leading).append(made)
        return made

    def step(self) -> None:
        """One field update."""
        for mover in [*self._leading, *self._following]:
            self._step(mover)
            mover.draw()

    def _step(self, mover: FieldObject) -> None:
        if not mover.has_height:
            mover.find_ground(self.terrain)
        if mover.command is not None:
            mover.command = None if next(mover.command, _ENDED) is _ENDED else mover.command
        elif mover.movement is not None:
            next(mover.movement)

    def partner(self, mover: FieldObject) -> FieldObject | None:
        """The other object of the same trainer."""
        trainer = mover.setting.trainer
        return next((each for each in self.objects if each is not mover and each.setting.trainer == trainer), None)

    # --- what objects do

    def action(self, mover: FieldObject, number: int) -> Iterator[None]:
        """A movement action of an object. Raises KeyError for a number without meaning."""
        return perform(mover, self.tables.movement_actions[number], self.terrain, self._curve)

    def command(self, mover: FieldObject, number: int) -> None:
        """Let an object perform an action from its next tick on, in place of what it does by itself."""
        mover.command = self.action(mover, number)

    # --- where objects may go

    def in_range(self, mover: FieldObject, direction: int) -> bool:
        """Whether the next tile is one that the object may go to by its event."""
        setting = mover.setting
        x, z = mover.x + DX[direction], mover.z + DZ[direction]
        inside_x = setting.range_x < 0 or abs(x - setting.x) <= setting.range_x
        return inside_x and (setting.range_z < 0 or abs(z - setting.z) <= setting.range_z)

    def free(self, mover: FieldObject, direction: int) -> bool:
        """Whether an object may go a step."""
        if not self.in_range(mover, direction):
            return False
        if obstacle(self.terrain, mover.x, mover.z, mover.position_y, Direction(direction)) is not None:
            return False
        return not self.occupied(mover.x + DX[direction], mover.z + DZ[direction], mover.level, mover)

    def occupied(self, x: int, z: int, level: int, besides: FieldObject) -> bool:
        """Whether another object is on a tile or is just leaving it, on the same level."""
        return any(
            ((each.x == x and each.z == z) or (each.previous_x == x and each.previous_z == z))
            and each is not besides
            and abs(each.level - level) < 2
            for each in self.objects
        )

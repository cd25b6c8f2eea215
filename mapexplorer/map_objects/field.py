"""The field as map objects access it: the other objects, the ground, the time, and the effects on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from mapexplorer.games.map_object_tables import EffectBillboardShape, EffectModelShape
from mapexplorer.games.tables import Tables
from mapexplorer.map_objects.actions import perform
from mapexplorer.map_objects.drawn import EffectBillboard, EffectModel
from mapexplorer.map_objects.field_object import FieldObject
from mapexplorer.map_objects.small_random import SmallRandom
from mapexplorer.units import NOON
from mapexplorer.world.direction import DX, DZ, Direction
from mapexplorer.world.terrain.obstacle import LEVELS_APART, obstacle
from mapexplorer.world.terrain.terrain import Terrain

EFFECT_SLOTS: Final = 80


class Effect:
    """An effect of an object; with `ended` set, the manager removes it."""

    ended = False

    def __init__(self, field: FieldSystem, mover: FieldObject, name: str) -> None:
        self.field = field
        self.mover = mover
        self.name = name

    @property
    def model_shape(self) -> EffectModelShape:
        """The models of the effect in the tables."""
        return self.field.tables.field_effects.models[self.name]

    @property
    def billboard_shape(self) -> EffectBillboardShape:
        """The billboard of the effect in the tables."""
        return self.field.tables.field_effects.billboards[self.name]

    def update(self) -> None:
        """One update. The first one is in the tick after the effect was created."""

    def settle(self) -> None:
        """Set the values that it reaches when the time of day does not change."""

    def model(self) -> EffectModel | None:
        """The model to draw in this tick, None for nothing."""
        return None

    def billboard(self) -> EffectBillboard | None:
        """The billboard to draw in this tick, None for nothing."""
        return None


class FieldSystem:
    """The objects on a terrain, and their effects.

    `random` is the random generator of their movements and pictures; `player` is an obstacle of another field, which
    they do not walk into; `barred`: whether something that is no map object stands on a tile (x, z).
    """

    def __init__(self, terrain: Terrain, tables: Tables, seed: int = 0, *, shadows: bool = True) -> None:
        """`seed`: that of the random numbers; `shadows`: whether objects of this map have shadows."""
        self.terrain = terrain
        self.tables = tables
        self.random = SmallRandom(seed)
        self.shadows = shadows
        self.time = tables.time_of_day(NOON)
        self.created: list[tuple[int, FieldObject, tuple[int, ...]]] = []
        self._slots: list[Effect | None] = [None] * EFFECT_SLOTS
        self._effects: list[Effect] = []
        self.objects: list[FieldObject] = []
        self.player: FieldObject | None = None
        self.barred: Callable[[int, int], bool] = lambda x, z: False
        self._curve = tables.map_objects.jump_curve

    def make(self, effect: Effect, *numbers: int) -> None:
        """Add an effect, unless all slots are used; `numbers` are its parameters, recorded in `created`."""
        self.created.append((self._number(effect), effect.mover, numbers))
        if None in self._slots:
            self._slots[self._slots.index(None)] = effect
            self._effects.append(effect)

    def _number(self, effect: Effect) -> int:
        model = self.tables.field_effects.models.get(effect.name)
        return self.tables.field_effects.billboards[effect.name].number if model is None else model.number

    def partner(self, mover: FieldObject) -> FieldObject | None:
        """The other object with the same trainer."""
        trainer = mover.setting.trainer
        return next((each for each in self.objects if each is not mover and each.setting.trainer == trainer), None)

    def action(self, mover: FieldObject, number: int) -> Iterator[None]:
        """The generator of a movement action of an object. Raises KeyError for an unknown number."""
        return perform(mover, self.tables.movement_actions[number], self.terrain, self._curve)

    def in_range(self, mover: FieldObject, direction: int) -> bool:
        """Whether the next tile is within the movement range of the object's event."""
        setting = mover.setting
        x, z = mover.x + DX[direction], mover.z + DZ[direction]
        inside_x = setting.range_x < 0 or abs(x - setting.x) <= setting.range_x
        return inside_x and (setting.range_z < 0 or abs(z - setting.z) <= setting.range_z)

    def free(self, mover: FieldObject, direction: int) -> bool:
        """Whether an object can step onto the next tile in a direction."""
        if not self.in_range(mover, direction):
            return False
        if obstacle(self.terrain, mover.x, mover.z, mover.position_y, Direction(direction)) is not None:
            return False
        ahead = (mover.x + DX[direction], mover.z + DZ[direction])
        return not self.barred(*ahead) and not self.occupied(*ahead, mover.level, mover)

    def occupied(self, x: int, z: int, level: int, besides: FieldObject) -> bool:
        """Whether another object is on a tile, or leaves it, on the same level."""
        player = self.player
        if player is not None and player.occupies(x, z) and abs(player.level - level) < LEVELS_APART:
            return True
        return any(
            each.occupies(x, z) and each is not besides and abs(each.level - level) < LEVELS_APART
            for each in self.objects
        )

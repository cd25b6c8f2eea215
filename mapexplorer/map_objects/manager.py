"""All map objects of a header while its map is open: made from its events, moved tick by tick.

Source: the Platinum field code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from mapexplorer.games.tables import Tables, TimeOfDay
from mapexplorer.map_objects.actions import perform
from mapexplorer.map_objects.drawn import EffectBillboard, EffectModel
from mapexplorer.map_objects.effects import MOIST, Effect, ModelEffect, Sign, Snowball
from mapexplorer.map_objects.field_object import FieldObject
from mapexplorer.map_objects.movement_types import FIRST_DISGUISE, FOLLOWING, STANDING, movement_of
from mapexplorer.map_objects.obstacle import LEVELS_APART, obstacle
from mapexplorer.map_objects.renderers import picture_of
from mapexplorer.map_objects.setting import ObjectSetting
from mapexplorer.map_objects.small_random import SmallRandom
from mapexplorer.map_objects.tile_effects import APPEAR, check
from mapexplorer.units import NOON
from mapexplorer.world.direction import DX, DZ, Direction
from mapexplorer.world.terrain import Terrain

EFFECT_SLOTS: Final = 80
_ENDED: Final = object()


class MapObjectManager:
    """Map objects on a terrain, in the order in which they were made, which is that in which they act and are drawn.

    `random` is what they draw their choices from.
    """

    def __init__(self, terrain: Terrain, tables: Tables, seed: int = 0, *, shadows: bool = True) -> None:
        """`shadows`: the map is one of those on which objects cast any."""
        self.terrain = terrain
        self.tables = tables
        self.random = SmallRandom(seed)
        self.shadows = shadows
        self.time = tables.time_of_day(NOON)
        self.created: list[tuple[int, FieldObject, tuple[int, ...]]] = []
        self._slots: list[Effect | None] = [None] * EFFECT_SLOTS
        self._effects: list[Effect] = []
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
            self._furnish(each)
        return made

    def _furnish(self, made: FieldObject) -> None:
        """Make the effects that an object has from its beginning on."""
        graphics = made.setting.graphics
        member = self.tables.sign_models.get(graphics.id)
        if member is not None:
            offset = self.tables.sign_offsets.get(graphics.id, (0, 0, 0))
            self.make(Sign(self, made, member, offset), *offset)
        elif graphics.draws == "model":
            self.make(Snowball(self, made, "snowball"))
        if made.setting.grows:
            self.make(ModelEffect(self, made, "berry soil", MOIST), MOIST)
        if made.setting.movement.kind == "disguise":
            kind = made.setting.movement.id - FIRST_DISGUISE
            self.make(ModelEffect(self, made, "disguise", kind), kind)

    def _make(self, setting: ObjectSetting) -> FieldObject:
        made = FieldObject(setting)
        made.find_ground(self.terrain)
        made.movement = movement_of(made, self)
        self.objects.append(made)
        (self._following if setting.movement.kind in FOLLOWING else self._leading).append(made)
        return made

    def step(self, moving: bool = True) -> None:
        """One field update; without `moving`, objects stay where they stand, and their pictures and effects go on."""
        known = [*self._effects]
        self.created.clear()
        for mover in [*self._leading, *self._following]:
            if moving or not mover.rests:
                self._step(mover, moving)
                mover.draw()
        for effect in known:
            effect.update()
        self._take_away()
        for mover in self.objects:
            mover.events.clear()

    def _step(self, mover: FieldObject, moving: bool) -> None:
        if not mover.has_height:
            mover.find_ground(self.terrain)
        if mover.command is not None:
            if next(mover.command, _ENDED) is _ENDED:
                mover.command = None
        elif mover.movement is not None and (moving or mover.setting.movement.kind in STANDING):
            next(mover.movement)
        if not mover.appeared:
            mover.appeared = True
            check(self, mover, APPEAR)
        for event in mover.events:
            check(self, mover, event)

    def set_time(self, time: TimeOfDay) -> None:
        """Let it be another time of day, as if it had always been."""
        if time != self.time:
            self.time = time
            for effect in self._effects:
                effect.settle()

    # --- effects

    def make(self, effect: Effect, *numbers: int) -> None:
        """Let an effect be seen; `numbers` say which of its kind it is. Beyond the slots that there are, it is not."""
        self.created.append((self._number(effect), effect.mover, numbers))
        if None in self._slots:
            self._slots[self._slots.index(None)] = effect
            self._effects.append(effect)

    def _number(self, effect: Effect) -> int:
        model = self.tables.effect_models.get(effect.name)
        return self.tables.effect_billboards[effect.name].number if model is None else model.number

    def _take_away(self) -> None:
        if any(effect.ended for effect in self._effects):
            self._effects = [effect for effect in self._effects if not effect.ended]
            self._slots = [None if effect is None or effect.ended else effect for effect in self._slots]

    def effect_models(self) -> list[tuple[FieldObject, EffectModel]]:
        """The models of effects in drawing order."""
        drawn = ((effect.mover, effect.model()) for effect in self._slots if effect is not None)
        return [(mover, model) for mover, model in drawn if model is not None]

    def effect_billboards(self) -> list[tuple[FieldObject, EffectBillboard]]:
        """The billboards of effects in drawing order."""
        drawn = ((effect.mover, effect.billboard()) for effect in self._effects)
        return [(mover, billboard) for mover, billboard in drawn if billboard is not None]

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
            and abs(each.level - level) < LEVELS_APART
            for each in self.objects
        )

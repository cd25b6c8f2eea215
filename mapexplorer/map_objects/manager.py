"""The map objects of a header while its map is loaded: creation from its events and one update per tick.

Source: the Platinum field code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from mapexplorer.games.tables import Tables, TimeOfDay
from mapexplorer.map_objects.actions import perform
from mapexplorer.map_objects.drawn import EffectBillboard, EffectModel
from mapexplorer.map_objects.effects import MOIST, Effect, ModelEffect, Sign, Snowball
from mapexplorer.map_objects.field_object import FieldObject
from mapexplorer.map_objects.movement_types import FIRST_DISGUISE, FOLLOWING, STANDING, movement_of
from mapexplorer.map_objects.renderers import picture_of
from mapexplorer.map_objects.setting import ObjectSetting
from mapexplorer.map_objects.small_random import SmallRandom
from mapexplorer.map_objects.tile_effects import APPEAR, check
from mapexplorer.units import NOON
from mapexplorer.world.direction import DX, DZ, Direction
from mapexplorer.world.terrain.obstacle import LEVELS_APART, obstacle
from mapexplorer.world.terrain.terrain import Terrain

EFFECT_SLOTS: Final = 80
_ENDED: Final = object()


class MapObjectManager:
    """Map objects on a terrain. They are updated and drawn in the order of their creation.

    `random` is the random generator of their movements and pictures; `player` is an obstacle of another manager, which
    they do not walk into; `barred`: whether something that is no map object stands on a tile (x, z).
    """

    def __init__(self, terrain: Terrain, tables: Tables, seed: int = 0, *, shadows: bool = True) -> None:
        """`shadows`: whether objects of this map have shadows."""
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
        self._leading: list[FieldObject] = []
        self._following: list[FieldObject] = []
        self._curve = tables.map_objects.jump_curve

    def add(self, settings: Iterable[ObjectSetting]) -> list[FieldObject]:
        """Create objects: first the state of all, then their pictures and effects."""
        made = [self._make(setting) for setting in settings]
        for each in made:
            each.picture = picture_of(each.setting.graphics, self.random)
            each.draw()
            self._make_first_effects(each)
        return made

    def remove(self, mover: FieldObject) -> None:
        """Remove an object and its effects."""
        for movers in (self.objects, self._leading, self._following):
            if mover in movers:
                movers.remove(mover)
        for effect in self._effects:
            effect.ended |= effect.mover is mover
        self._remove_ended()

    def _make_first_effects(self, made: FieldObject) -> None:
        """Create the effects that an object has from the start."""
        graphics = made.setting.graphics
        member = self.tables.sign_models.get(graphics.id)
        if member is not None:
            offset = self.tables.field_effects.sign_offsets.get(graphics.id, (0, 0, 0))
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
        """One field update; without `moving`, objects do not move by themselves, but pictures and effects are
        updated."""
        known = [*self._effects]
        self.created.clear()
        for mover in [*self._leading, *self._following]:
            if moving or not mover.rests:
                self._step(mover, moving)
                mover.draw()
        for effect in known:
            effect.update()
        self._remove_ended()
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
        """Set the time of day; effects take their final values of it at once."""
        if time != self.time:
            self.time = time
            for effect in self._effects:
                effect.settle()

    # --- effects

    def make(self, effect: Effect, *numbers: int) -> None:
        """Add an effect, unless all slots are used; `numbers` are its parameters, recorded in `created`."""
        self.created.append((self._number(effect), effect.mover, numbers))
        if None in self._slots:
            self._slots[self._slots.index(None)] = effect
            self._effects.append(effect)

    def _number(self, effect: Effect) -> int:
        model = self.tables.field_effects.models.get(effect.name)
        return self.tables.field_effects.billboards[effect.name].number if model is None else model.number

    def _remove_ended(self) -> None:
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
        """The other object with the same trainer."""
        trainer = mover.setting.trainer
        return next((each for each in self.objects if each is not mover and each.setting.trainer == trainer), None)

    # --- actions

    def action(self, mover: FieldObject, number: int) -> Iterator[None]:
        """The generator of a movement action of an object. Raises KeyError for an unknown number."""
        return perform(mover, self.tables.movement_actions[number], self.terrain, self._curve)

    def command(self, mover: FieldObject, number: int) -> None:
        """Give an object an action, which replaces its own movement from the next tick until it ends."""
        mover.command = self.action(mover, number)

    # --- tests of tiles

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

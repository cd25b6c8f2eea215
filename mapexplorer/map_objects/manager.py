"""The map objects of a header while its map is loaded: creation from its events and one update per tick.

Source: the Platinum field code.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from mapexplorer.games.field_tables import TimeOfDay
from mapexplorer.map_objects.drawn import EffectBillboard, EffectModel
from mapexplorer.map_objects.effects import MOIST, ModelEffect, Sign
from mapexplorer.map_objects.field import FieldSystem
from mapexplorer.map_objects.field_object import FieldObject
from mapexplorer.map_objects.movement_types import FIRST_DISGUISE, FOLLOWING, STANDING, movement_of
from mapexplorer.map_objects.renderers import picture_of
from mapexplorer.map_objects.setting import ObjectSetting
from mapexplorer.map_objects.tile_effects import APPEAR, check

_ENDED: Final = object()


class MapObjectManager(FieldSystem):
    """The field in which map objects are created and updated, and drawn in the order of their creation."""

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
        self.objects.remove(mover)
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
            self.make(ModelEffect(self, made, "snowball", follows=True))
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
        return made

    def step(self, moving: bool = True) -> None:
        """One field update; without `moving`, objects do not move by themselves, but pictures and effects are
        updated."""
        known = [*self._effects]
        self.created.clear()
        for mover in sorted(self.objects, key=lambda each: each.setting.movement.kind in FOLLOWING):
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

    def command(self, mover: FieldObject, number: int) -> None:
        """Give an object an action, which replaces its own movement from the next tick until it ends."""
        mover.command = self.action(mover, number)

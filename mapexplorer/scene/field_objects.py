"""The map objects of a place and its player as a scene shows them, updated per tick."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from formats import nitro
from formats.binary import FormatError
from formats.fixed import Vector
from formats.remembered import remembered
from mapexplorer.features import Feature, FeatureEffect, LitPerson
from mapexplorer.g3d.animation.attach import AnimationFile, first_animation
from mapexplorer.games import Role
from mapexplorer.map_objects.drawn import EffectBillboard, EffectModel, ObjectBillboard, ObjectInstance
from mapexplorer.map_objects.field_object import FieldObject
from mapexplorer.map_objects.guided import guide, take_over
from mapexplorer.map_objects.manager import MapObjectManager
from mapexplorer.map_objects.movement_types import WALK_NORMAL, WALK_SLOW, direction_of
from mapexplorer.map_objects.setting import ObjectSetting, object_settings
from mapexplorer.scene.conditions import Conditions
from mapexplorer.scene.feature_objects import FeatureObjects
from mapexplorer.scene.view import NEW, View
from mapexplorer.world.direction import Direction
from mapexplorer.world.events.map_objects import MapObject
from mapexplorer.world.events.transition import entered_save
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.save import Save, fresh_save
from mapexplorer.world.sources.damage import Damage
from mapexplorer.world.sources.readable import readable_events
from mapexplorer.world.terrain.terrain import Terrain, cell_of

PLAYER_GRAPHICS: Final = 0

_FIRST_SEEN: Final = 2
"""Field updates that are run before a place is shown; after them objects have their heights and shadows."""

_PLAYER_TYPE: Final = 1
_LONGEST_JUMP: Final = 3
"""The largest number of tiles between two states of the player that counts as movement; a larger one places them
anew."""


@dataclass(frozen=True, slots=True)
class ShownObject:
    """A value to draw and the object that it belongs to, or the effect itself if a feature shows it."""

    source: ObjectInstance | FeatureEffect
    drawn: EffectModel | EffectBillboard | ObjectBillboard | FeatureEffect

    @property
    def of_feature(self) -> bool:
        """Whether it is an effect of a feature."""
        return isinstance(self.source, FeatureEffect)

    def within(self, cells: Container[tuple[int, int]]) -> bool:
        """Whether its object is in some cells (x, z)."""
        return cell_of(self.source.position) in cells


@dataclass(frozen=True)
class ShownObjects:
    """What is drawn at a moment of a walk of the objects of `header` and of the player, who is at `player` (fx32; None:
    not on the map)."""

    header: int
    player: Vector | None
    shown: tuple[ShownObject, ...]


def instance_of(mover: FieldObject) -> ObjectInstance:
    """A map object as the value that is the source of its drawings."""
    setting = mover.setting
    return ObjectInstance(
        setting.graphics.id, mover.position, mover.facing, setting.event, setting.header, setting.hidden_flag
    )


class FieldObjects:
    """The map objects of headers, created when they are first requested, the player, and the effects of the feature.

    `save` determines which objects exist on the place; `enters`: those of another header are as its scripts leave them
    when the player enters it with that save. They do not move unless `moving` is set; pictures and effects are always
    updated. `terrain`: the ground that they stand on, by default that of the place with the height plates of the
    feature; `feature`: what code adds to the map. `seed` is that of their random generators.
    """

    def __init__(
        self,
        place: FieldPlace,
        save: Save,
        *,
        terrain: Terrain | None = None,
        feature: Feature | None = None,
        second: int = 0,
        seed: int = 0,
        enters: bool = False,
    ) -> None:
        self.moving = False
        self._enters = enters
        self._feature = feature
        self._own: FeatureObjects | None = None
        self._place = place
        own = place.terrain if feature is None else place.terrain.with_plates(self._plate_height)
        self._terrain = own if terrain is None else terrain
        self.save = save
        self._seed = seed
        self._ticks = 0
        self._second = second
        self._managers: dict[int, MapObjectManager] = {}
        self._player: MapObjectManager | None = None
        self._begun: dict[FeatureEffect, int] = {}
        self.damaged: list[Damage] = []
        """The events that cannot be read and are left out."""

    @classmethod
    def of_view(cls, conditions: Conditions, view: View) -> FieldObjects:
        """The objects that a picture shows: those that exist with the save of its conditions, or all."""
        save = conditions.save or fresh_save(conditions.place.world.game)
        enters = view.save != NEW and not view.all_objects
        made = cls(
            conditions.place,
            save.showing_all() if view.all_objects else save,
            feature=conditions.feature,
            second=conditions.second or 0,
            seed=view.seed,
            enters=enters,
        )
        made.moving = True
        return made

    @property
    def feature(self) -> Feature | None:
        """What code adds to the map, in its present state; its objects follow it."""
        return self._feature

    @feature.setter
    def feature(self, feature: Feature | None) -> None:
        before, self._feature = self._feature, feature
        if self._own is not None and feature is not None and feature != before:
            self._own.follow(feature)

    def _barred(self, x: int, z: int) -> bool:
        return self.feature is not None and self.feature.occupied(x, z)

    def _plate_height(self, x: int, z: int) -> int | None:
        return None if self.feature is None else self.feature.plate_height(x, z)

    # --- time

    def step(self) -> None:
        """One field update."""
        self._ticks += 1
        for manager in self._every_manager():
            manager.step(self.moving)

    def restart(self) -> None:
        """Reset to the state after entering."""
        self._ticks = 0
        self._begun.clear()
        self._managers.clear()
        self._own = None
        if self._player is not None:
            [mover] = self._player.objects
            self._place_player(replace(instance_of(mover), tile=(mover.x, mover.z)))

    def set_second(self, second: int) -> None:
        """Set the second of the day."""
        self._second = second
        for manager in self._every_manager():
            self._set_time(manager)

    def _set_time(self, manager: MapObjectManager) -> None:
        manager.set_time(manager.tables.time_of_day(self._second))

    def _every_manager(self) -> Iterator[MapObjectManager]:
        if self._player is not None:
            yield self._player
        yield from self._managers.values()

    # --- objects and player

    def of(self, header: int) -> MapObjectManager:
        """The manager of a header's objects; it has none where the events cannot be read."""
        if header not in self._managers:
            world, save = self._place.world, self.save
            events = readable_events(world, header, self.damaged)
            if self._enters and header != self._place.header.id:
                save = entered_save(world, header, save, self.damaged)
            manager = self._made(object_settings(events, header, save), header)
            if self.feature is not None and header == self.feature.header:
                self._own = FeatureObjects(header, manager, self.save)
                self._own.follow(self.feature)
            for _ in range(_FIRST_SEEN):
                manager.step(moving=False)
            for _ in range(self._ticks):
                manager.step(self.moving)
            manager.player = self._player_object
            self._managers[header] = manager
        return self._managers[header]

    def _made(self, settings: Iterable[ObjectSetting], header: int) -> MapObjectManager:
        tables = self.save.game.tables
        shadows = header not in tables.field_effects.headers_without_shadows
        shadows = shadows and (self.feature is None or self.feature.conditions.shadows)
        manager = MapObjectManager(self._terrain, tables, self._seed, shadows=shadows)
        manager.barred = self._barred
        self._set_time(manager)
        manager.add(settings)
        return manager

    @property
    def _player_object(self) -> FieldObject | None:
        return None if self._player is None else self._player.objects[0]

    def set_player(self, player: ObjectInstance | None) -> None:
        """Set the state of the player, who is an obstacle to the objects; None removes them. A feature may change their
        graphics."""
        if player is None:
            self._player = None
        else:
            self._guide_player(player)
        for manager in self._managers.values():
            manager.player = self._player_object

    def _guide_player(self, player: ObjectInstance) -> None:
        own = self.feature.conditions.player_graphics if self.feature is not None else None
        graphics = own if own is not None and player.graphics == PLAYER_GRAPHICS else player.graphics
        to = replace(player, graphics=graphics)
        x, z = to.on
        known = self._player_object
        near = known is not None and abs(known.x - x) + abs(known.z - z) <= _LONGEST_JUMP
        if known is None or not near or known.setting.graphics.id != graphics:
            self._place_player(to)
        else:
            guide(known, to, self._terrain)

    def _place_player(self, to: ObjectInstance) -> None:
        tables = self.save.game.tables
        setting = ObjectSetting(
            255,
            tables.map_object_graphics[to.graphics],
            tables.map_objects.movement_types[_PLAYER_TYPE],
            0,
            0,
            to.direction,
            (0, 0, 0),
            0,
            0,
            *to.on,
            to.position[1],
        )
        self._player = self._made([setting], self._place.header.id)
        [mover] = self._player.objects
        take_over(mover)
        mover.previous_x, mover.previous_z = mover.x, mover.z
        guide(mover, to, self._terrain)
        mover.events.clear()
        for _ in range(_FIRST_SEEN):
            self._player.step(moving=False)

    def lead(self, moved: Iterable[MapObject]) -> None:
        """Let the objects that a walk moves step toward the tiles where it has them; they no longer move by
        themselves."""
        for goal in moved:
            manager = self._managers.get(goal.header)
            known = () if manager is None else manager.objects
            mover = next((each for each in known if each.setting.event == goal.index), None)
            if manager is None or mover is None or mover.steps:
                continue
            mover.movement = None
            way = goal.x - mover.x, goal.z - mover.z
            if way != (0, 0):
                walk = WALK_SLOW if mover.setting.graphics.pushed else WALK_NORMAL
                manager.command(mover, walk + direction_of(*way))

    # --- what is drawn

    def shown(
        self,
        headers: Iterable[int],
        cells: Container[tuple[int, int]] | None = None,
        *,
        player: bool,
        effects: bool = False,
    ) -> list[ShownObject]:
        """The values to draw for the objects of some headers in some cells (x, z; by default all), for the player, and
        with `effects` those of the feature, in drawing order: models of effects, billboards of effects, objects."""
        managers = [self.of(header) for header in headers]
        if player and self._player is not None:
            managers.insert(0, self._player)
        movers = [mover for manager in managers for mover in manager.objects]
        drawings: list[tuple[FieldObject, EffectModel | EffectBillboard | ObjectBillboard]] = [
            *(drawing for manager in managers for drawing in manager.effect_models()),
            *(drawing for manager in managers for drawing in manager.effect_billboards()),
            *((mover, board) for mover in movers if (board := mover.billboard()) is not None),
        ]
        own = self.feature_effects() if effects else ()
        return [
            *(ShownObject(effect, effect) for effect in own),
            *(
                ShownObject(instance_of(mover), drawn)
                for mover, drawn in drawings
                if (cells is None or cell_of(mover.position) in cells) and not self._removed(mover)
            ),
        ]

    def _removed(self, mover: FieldObject) -> bool:
        """Whether the feature has removed an object."""
        feature, setting = self.feature, mover.setting
        if feature is None or setting.header is None or setting.event is None:
            return False
        return feature.removed(setting.header, setting.event)

    def feature_effects(self) -> tuple[FeatureEffect, ...]:
        """The effects of the feature, which may light the people of its map and the player."""
        feature = self.feature
        if feature is None:
            return ()
        people = [] if self._player is None else [_lit(self._player.objects[0], feature.light_length(None))]
        if feature.header in self._managers:
            people += [
                _lit(mover, feature.light_length(mover.setting.trainer_type, mover.setting.parameters[0]))
                for mover in self._managers[feature.header].objects
            ]
        effects = feature.effects(self._place.terrain, people)
        begun, self._begun = self._begun, {}
        for effect in effects:
            if effect.ends:
                self._begun[effect] = begun.get(effect, self._ticks)
        return tuple(
            effect
            for effect in effects
            if not effect.ends or self._ticks - self._begun[effect] < self._duration(effect.animations)
        )

    @remembered
    def _duration(self, animations: tuple[int, ...]) -> int:
        """The number of ticks after which all of some animations of effects have ended; 0 if no file has them."""
        archive = self._place.world.archive(Role.EFFECTS)
        counts = [0]
        for number in animations:
            with suppress(FormatError, ValueError):
                file = nitro.read(archive.reader(number)) if archive is not None and number < len(archive) else None
                if isinstance(file, AnimationFile):
                    counts.append(first_animation(file).frame_count)
        return max(counts)


def _lit(mover: FieldObject, length: int) -> LitPerson:
    return LitPerson((mover.x, mover.z), mover.position, Direction(mover.facing), length)

"""The map objects of a place and its player as a scene shows them, updated per tick."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from formats.fixed import ONE, Vector
from mapexplorer.features import Feature, FeatureEffect, LitPerson
from mapexplorer.map_objects.drawn import EffectBillboard, EffectModel
from mapexplorer.map_objects.field_object import FieldObject
from mapexplorer.map_objects.guided import Guidance, guide, take_over
from mapexplorer.map_objects.manager import MapObjectManager
from mapexplorer.map_objects.setting import ObjectSetting, object_settings
from mapexplorer.world.cells import CELL_TILES, TILE_UNITS
from mapexplorer.world.direction import Direction
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.save import Save
from mapexplorer.world.terrain import Terrain

PLAYER_GRAPHICS: Final = 0
NORTH, SOUTH, WEST, EAST = range(4)

_FIRST_SEEN: Final = 2
"""Field updates that are run before a place is shown; after them objects have their heights and shadows."""

_PLAYER_TYPE: Final = 1
_LONGEST_JUMP: Final = 3
"""The largest number of tiles between two states of the player that counts as movement; a larger one places them
anew."""


@dataclass(frozen=True)
class ObjectInstance:
    """A map object or the player: `graphics` id, fx32 `position` of the feet, `direction` 0 north, 1 south, 2 west, 3
    east; the event it comes from (None for the player). For a walking player also: the `tile` that they are on or move
    to (None: that of the position), the fx32 height of a `jump`, and `phase` 0..15, the frame of the step's animation,
    of the running animation when `running`; `turn` of the sprite, degrees clockwise."""

    graphics: int
    position: Vector
    direction: int
    event: int | None = None
    header: int | None = None
    hidden_flag: int = 0
    tile: tuple[int, int] | None = None
    jump: int = 0
    phase: int = 0
    running: bool = False
    turn: float = 0


@dataclass(frozen=True, slots=True)
class ShownObject:
    """A value to draw and the object that it belongs to, or the effect itself if a feature shows it."""

    source: ObjectInstance | FeatureEffect
    drawn: EffectModel | EffectBillboard | FieldObject | FeatureEffect


def instance_of(mover: FieldObject) -> ObjectInstance:
    """A map object as the value that is the source of its drawings."""
    setting = mover.setting
    return ObjectInstance(
        setting.graphics.id, mover.position, mover.facing, setting.event, setting.header, setting.hidden_flag
    )


class FieldObjects:
    """The map objects of headers, created when they are first requested, the player, and the effects of the feature.

    Objects do not move unless `moving` is set; pictures and effects are always updated. `terrain`: the ground that they
    stand on, by default that of the place; `feature`: what code adds to the map. `seed` is that of their random
    generators.
    """

    def __init__(
        self,
        place: FieldPlace,
        save: Save,
        *,
        terrain: Terrain | None = None,
        feature: Feature | None = None,
        seed: int = 0,
    ) -> None:
        self.moving = False
        self.feature = feature
        self._place = place
        self._terrain = place.terrain if terrain is None else terrain
        self._save = save
        self._seed = seed
        self._ticks = 0
        self._second = 0
        self._managers: dict[int, MapObjectManager] = {}
        self._player: MapObjectManager | None = None

    # --- time

    def step(self) -> None:
        """One field update."""
        self._ticks += 1
        for manager in self._every_manager():
            manager.step(self.moving)

    def restart(self) -> None:
        """Reset to the state after entering."""
        self._ticks = 0
        self._managers.clear()
        if self._player is not None:
            [mover] = self._player.objects
            self._place_player(mover.setting.graphics.id, Guidance(mover.x, mover.z, mover.position, mover.facing))

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
        """The manager of a header's objects. Raises FormatError."""
        if header not in self._managers:
            settings = object_settings(self._place.world.events(header), header, self._save)
            if self.feature is not None and header == self.feature.header:
                settings += self.feature.objects(self._save)
            manager = self._made(settings, header)
            for _ in range(_FIRST_SEEN):
                manager.step(moving=False)
            for _ in range(self._ticks):
                manager.step(self.moving)
            self._managers[header] = manager
        return self._managers[header]

    def _made(self, settings: Iterable[ObjectSetting], header: int) -> MapObjectManager:
        tables = self._save.game.tables
        shadows = header not in tables.headers_without_shadows
        shadows = shadows and (self.feature is None or self.feature.conditions.shadows)
        manager = MapObjectManager(self._terrain, tables, self._seed, shadows=shadows)
        self._set_time(manager)
        manager.add(settings)
        return manager

    def set_player(self, player: ObjectInstance | None) -> None:
        """Set the state of the player; None removes them. A feature may change their graphics."""
        if player is None:
            self._player = None
            return
        own = self.feature.conditions.player_graphics if self.feature is not None else None
        graphics = own if own is not None and player.graphics == PLAYER_GRAPHICS else player.graphics
        tile = player.tile or _tile(player.position)
        to = Guidance(*tile, player.position, player.direction, player.jump, player.phase, player.running, player.turn)
        known = None if self._player is None else self._player.objects[0]
        near = known is not None and abs(known.x - to.x) + abs(known.z - to.z) <= _LONGEST_JUMP
        if self._player is None or known is None or not near or known.setting.graphics.id != graphics:
            self._place_player(graphics, to)
        else:
            guide(known, to, self._terrain)

    def _place_player(self, graphics: int, to: Guidance) -> None:
        tables = self._save.game.tables
        setting = ObjectSetting(
            255, tables.map_object_graphics[graphics], tables.movement_types[_PLAYER_TYPE], 0, 0, to.direction,
            (0, 0, 0), 0, 0, to.x, to.z, to.position[1],
        )  # fmt: skip
        self._player = self._made([setting], self._place.header.id)
        [mover] = self._player.objects
        take_over(mover)
        mover.previous_x, mover.previous_z = mover.x, mover.z
        guide(mover, to, self._terrain)
        mover.events.clear()
        for _ in range(_FIRST_SEEN):
            self._player.step(moving=False)

    # --- what is drawn

    def shown(
        self, headers: Iterable[int], cells: Iterable[tuple[int, int]], *, player: bool, effects: bool = False
    ) -> list[ShownObject]:
        """The values to draw for the objects of some headers in some cells (x, z), for the player, and with `effects`
        those of the feature, in drawing order: models of effects, billboards of effects, objects."""
        managers = [self.of(header) for header in headers]
        if player and self._player is not None:
            managers.insert(0, self._player)
        places = frozenset(cells)
        inside: Callable[[FieldObject], bool] = lambda mover: _cell(mover.position) in places  # noqa: E731
        found: list[tuple[FieldObject, EffectModel | EffectBillboard | FieldObject]] = []
        for manager in managers:
            found += manager.effect_models()
        for manager in managers:
            found += manager.effect_billboards()
        for manager in managers:
            found += [(mover, mover) for mover in manager.objects if mover.visible]
        own = self.feature_effects() if effects else ()
        return [
            *(ShownObject(effect, effect) for effect in own),
            *(ShownObject(instance_of(mover), drawn) for mover, drawn in found if inside(mover)),
        ]

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
        return feature.effects(self._place.terrain, people)


def _lit(mover: FieldObject, length: int) -> LitPerson:
    return LitPerson((mover.x, mover.z), mover.position, Direction(mover.facing), length)


def _tile(position: Vector) -> tuple[int, int]:
    return position[0] // (TILE_UNITS * ONE), position[2] // (TILE_UNITS * ONE)


def _cell(position: Vector) -> tuple[int, int]:
    unit = CELL_TILES * TILE_UNITS * ONE
    return position[0] // unit, position[2] // unit

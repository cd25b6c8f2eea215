"""Field effects of map objects: shadows, reflections, footprints, rings, dust, grass, disguises, signs, emotes.

An effect belongs to an object. It is created during the object's update and drawn in the same tick; from the next tick
on it is updated after all objects. Positions are fx32, matrix-wide. Source: the Platinum field code.
"""

from __future__ import annotations

from typing import Final

from formats.fixed import ONE, Vector, moved
from mapexplorer.map_objects.actions import END, JUMP_END
from mapexplorer.map_objects.drawn import UNIT_SCALE, EffectBillboard, EffectModel
from mapexplorer.map_objects.field import Effect, FieldSystem
from mapexplorer.map_objects.field_object import FieldObject
from mapexplorer.world.cells import TILE_UNITS
from mapexplorer.world.direction import EAST, NORTH, SOUTH, WEST
from mapexplorer.world.terrain.terrain import centre

FEET: Final = 1
WHEELS: Final = 2

MOIST: Final = 2
"""The kind of the soil model of a watered berry patch."""

_LEVEL_UNITS: Final = 8
_RIVER, _MIRROR, _PUDDLE = 1, 2, 0
_SWING: Final = ONE // 64
_WIDEST: Final = ONE * 9 // 8
_NARROWEST: Final = ONE * 7 // 8
_FOOTPRINT_TICKS: Final = 16
_FADING: Final = 2
_SHADOW_SCALE_STEP: Final = 0x10
_SHADOW_ALPHA_STEP: Final = 0x200
_HOP: Final = (6, 10, 12, 12, 10, 6, 0)
_HOP_REST: Final = 30

TRACK_VERTICAL: Final = 4
TRACK_HORIZONTAL: Final = 5
_CORNERS: Final[dict[tuple[int, int], int]] = {
    (NORTH, WEST): 7,
    (NORTH, EAST): 6,
    (SOUTH, WEST): 9,
    (SOUTH, EAST): 8,
    (WEST, NORTH): 8,
    (WEST, SOUTH): 6,
    (EAST, NORTH): 9,
    (EAST, SOUTH): 7,
}


def tile_centre(x: int, y: int, z: int) -> Vector:
    """The fx32 centre of a tile at height `y`."""
    return centre(x), y, centre(z)


def track(before: int, now: int) -> int:
    """The picture number of a bicycle track between two directions of movement."""
    straight = TRACK_VERTICAL if now in (NORTH, SOUTH) else TRACK_HORIZONTAL
    return _CORNERS.get((before, now), straight)


class ModelEffect(Effect):
    """A model at a fixed position, or, with `follows`, at that of the object."""

    def __init__(
        self,
        field: FieldSystem,
        mover: FieldObject,
        name: str,
        kind: int = 0,
        position: Vector | None = None,
        *,
        follows: bool = False,
    ) -> None:
        super().__init__(field, mover, name)
        shape = field.tables.field_effects.models[name]
        self.member = shape.members[kind]
        self.at = moved(mover.position if position is None else position, shape.offset)
        self._follows = follows

    def model(self) -> EffectModel | None:
        at = self.mover.position if self._follows else self.at
        return EffectModel(self.member, at, animation=self.model_shape.animation)


class Sign(Effect):
    """A model drawn instead of the object's billboard; it gets its position in the tick after it was created."""

    _placed = False

    def __init__(self, field: FieldSystem, mover: FieldObject, member: int, offset: Vector) -> None:
        super().__init__(field, mover, "sign")
        self.member = member
        self.offset = offset

    def update(self) -> None:
        self._placed = True

    def model(self) -> EffectModel | None:
        if not self._placed or self.mover.hidden or not self.mover.has_height:
            return None
        return EffectModel(self.member, moved(self.mover.position, self.offset))


class Shadow(Effect):
    """The shadow under an object. Size and alpha change step by step to those of the time of day."""

    _shown = True

    def __init__(self, field: FieldSystem, mover: FieldObject) -> None:
        super().__init__(field, mover, "shadow")
        self.settle()

    def _aims(self) -> tuple[tuple[int, int], int]:
        time = self.field.time
        return (round(time.shadow_x * ONE), round(time.shadow_z * ONE)), time.shadow_alpha * ONE

    def settle(self) -> None:
        self._scale, self._alpha = self._aims()

    def update(self) -> None:
        (x, z), alpha = self._aims()
        self._scale = (
            _toward(self._scale[0], x, _SHADOW_SCALE_STEP),
            _toward(self._scale[1], z, _SHADOW_SCALE_STEP),
        )
        self._alpha = _toward(self._alpha, alpha, _SHADOW_ALPHA_STEP)
        self._shown = not self.mover.shadow_hidden and not self.mover.hidden

    def model(self) -> EffectModel | None:
        if not self._shown:
            return None
        shape = self.model_shape
        scale = (self._scale[0], ONE, self._scale[1])
        return EffectModel(shape.members[0], moved(self.mover.position, shape.offset), scale, self._alpha // ONE)


def _toward(value: int, aim: int, step: int) -> int:
    return min(aim, value + step) if value < aim else max(aim, value - step)


class Reflection(Effect):
    """The reflection of the object in water, in a puddle or on a reflecting floor: its billboard upside down."""

    _scale = ONE
    _swing = _SWING

    def __init__(self, field: FieldSystem, mover: FieldObject, kind: int) -> None:
        super().__init__(field, mover, "reflection")
        self.kind = kind
        self._find_ground()

    def _find_ground(self) -> None:
        mover = self.mover
        self._height = self.field.terrain.plate_height(mover.position_x, mover.position_z, mover.position_y) or 0

    def update(self) -> None:
        mover = self.mover
        ends = END in mover.events or JUMP_END in mover.events
        if ends and reflecting(self.field, mover.x, mover.z + 1) is None:
            self.ended = True
            mover.reflects = False
            return
        self._find_ground()
        if self.kind != _MIRROR:
            self._scale += self._swing
            if not _NARROWEST < self._scale < _WIDEST:
                self._swing = -self._swing

    def billboard(self) -> EffectBillboard | None:
        mover, picture = self.mover, self.mover.picture
        if picture is None or mover.hidden:
            return None
        shape = self.billboard_shape
        x, y, z = shape.offset
        if self.kind == _RIVER:
            y += self.field.tables.field_effects.river_offset
        place = (mover.position_x + x, self._height + y, mover.position_z + z)
        graphics = mover.setting.graphics.id
        return EffectBillboard(
            shape.model, None, None, graphics, place, (self._scale, ONE, ONE), picture.animation, picture.frame
        )


def reflecting(field: FieldSystem, x: int, z: int) -> int | None:
    """The kind of a tile's reflection: 0 puddle, 1 river, 2 floor; None without reflection."""
    groups, behaviour = field.terrain.groups, field.terrain.behaviour(x, z)
    if behaviour not in groups.reflective:
        return None
    if behaviour in groups.mirror:
        return _MIRROR
    return _PUDDLE if behaviour in groups.puddle else _RIVER


class Played(Effect):
    """A billboard at a fixed position that plays its animation once and then ends."""

    frame = 0

    def __init__(self, field: FieldSystem, mover: FieldObject, name: str, position: Vector) -> None:
        super().__init__(field, mover, name)
        self.at = moved(position, self.billboard_shape.offset)

    def update(self) -> None:
        if self.frame == self.billboard_shape.last:
            self.ended = True
        else:
            self.frame += 1

    def billboard(self) -> EffectBillboard | None:
        shape = self.billboard_shape
        return EffectBillboard(
            shape.model, shape.texture, shape.sequence, None, self.at, UNIT_SCALE, 0, self.frame * ONE
        )


class Grass(Played):
    """Grass in front of an object's feet; it ends when the object is on another tile."""

    def __init__(self, field: FieldSystem, mover: FieldObject, name: str, position: Vector, finished: bool) -> None:
        super().__init__(field, mover, name, position)
        self.tile = mover.x, mover.z
        self._finished = finished

    def update(self) -> None:
        last = self.billboard_shape.last
        if self.frame == last:
            self.ended = (self.mover.x, self.mover.z) != self.tile
        else:
            self.frame = last if self._finished else self.frame + 1


class Splash(Played):
    """The splashes at the feet of an object in shallow water, until it leaves it or jumps."""

    def __init__(self, field: FieldSystem, mover: FieldObject) -> None:
        super().__init__(field, mover, "splash", mover.position)

    def update(self) -> None:
        mover, shape = self.mover, self.billboard_shape
        terrain = self.field.terrain
        if mover.jump or terrain.behaviour(mover.x, mover.z) not in terrain.groups.shallow_water:
            self.ended = True
            mover.splashes = False
            return
        self.frame = 0 if self.frame == shape.last else self.frame + 1
        self.at = moved(mover.position, shape.offset)


class Ring(ModelEffect):
    """A spreading ring on water or mud."""

    frame = 0

    def __init__(self, field: FieldSystem, mover: FieldObject, name: str, x: int, level: int, z: int) -> None:
        # The game adds the height to z as if it were fx32 too.
        position = (centre(x), (_LEVEL_UNITS * level - _LEVEL_UNITS) * ONE, centre(z) + _LEVEL_UNITS * level)
        super().__init__(field, mover, name, 0, position)

    def update(self) -> None:
        self.frame += 1
        self.ended = self.frame == self.field.tables.field_effects.ring_frames

    def model(self) -> EffectModel | None:
        return EffectModel(self.member, self.at, animation=self.model_shape.animation, frame=self.frame * ONE)


class Footprint(ModelEffect):
    """A fading footprint or track on the tile that the object left."""

    _alpha = 31
    _ticks = 0

    def __init__(self, field: FieldSystem, mover: FieldObject, name: str, picture: int) -> None:
        super().__init__(field, mover, name, picture, tile_centre(mover.previous_x, mover.position_y, mover.previous_z))

    def update(self) -> None:
        self._ticks += 1
        if self._ticks > _FOOTPRINT_TICKS:
            self._alpha -= _FADING
            self.ended = self._alpha < 0

    def model(self) -> EffectModel | None:
        return EffectModel(self.member, self.at, alpha=self._alpha)


class Emote(Played):
    """An emote above the object's head; it moves up and down once when it appears."""

    _ticks = 0

    def __init__(self, field: FieldSystem, mover: FieldObject, name: str) -> None:
        super().__init__(field, mover, name, mover.position)
        self.at = mover.position

    def update(self) -> None:
        mover, offset = self.mover, self.billboard_shape.offset
        hop = _HOP[self._ticks] * ONE if self._ticks < len(_HOP) else 0
        self.at = moved(mover.picture_position, (offset[0], offset[1] + hop, offset[2]))
        self._ticks += 1
        self.ended = self._ticks > len(_HOP) + _HOP_REST


def ground_of_corner(field: FieldSystem, mover: FieldObject) -> int:
    """The height of the ground at the north-west corner of an object's tile, at which its grass is drawn."""
    x, z = mover.x * TILE_UNITS * ONE, mover.z * TILE_UNITS * ONE
    return field.terrain.plate_height(x, z, mover.position_y) or 0

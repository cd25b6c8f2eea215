"""The effects of the tile under a map object: sinking, and the field effects that it creates.

The checks of an event run in the game's order. Source: the Platinum field code.
"""

from __future__ import annotations

from typing import Final

from mapexplorer.games.behaviour_groups import BehaviourGroups
from mapexplorer.map_objects.actions import DOUBLE_EMOTE, EMOTE, END, JUMP_END, JUMP_START, START
from mapexplorer.map_objects.effects import (
    FEET,
    WHEELS,
    Emote,
    Footprint,
    Grass,
    Played,
    Reflection,
    Ring,
    Shadow,
    Splash,
    ground_of_corner,
    reflecting,
    tile_centre,
    track,
)
from mapexplorer.map_objects.field import FieldSystem
from mapexplorer.map_objects.field_object import FieldObject

APPEAR: Final = "appear"


_SAND_FEET, _SAND_WHEELS, _SHALLOW_SNOW, _DEEP_SNOW, _SNOW_WITH_SHADOWS = range(5)
_PRINTS: Final = (
    "footprints in sand",
    "footprints in sand",
    "footprints in snow",
    "footprints in snow",
    "footprints in flat snow",
)


def check(field: FieldSystem, mover: FieldObject, moment: str) -> None:
    """Run the checks of a tile for an event of an object: appearing, the start or end of a step or jump, an emote."""
    if moment in (EMOTE, DOUBLE_EMOTE):
        field.make(Emote(field, mover, moment))
        return
    groups, now = field.terrain.groups, field.terrain.behaviour(mover.x, mover.z)
    before = field.terrain.behaviour(mover.previous_x, mover.previous_z)
    if moment in (APPEAR, END, JUMP_END):
        mover.sink = field.tables.movement.sink.get(now, 0)
    if not field.tables.field_effects.billboards:  # a game whose field effects are not known
        return
    _covers(field, mover, moment, now)
    if moment == START:
        _footprints(field, mover, before)
    _shade(field, mover, moment, now)
    if moment != JUMP_START and now in groups.shallow_water and not mover.splashes:
        mover.splashes = True
        field.make(Splash(field, mover), 1 if moment == APPEAR else 0)
    _rings(field, mover, moment, now, before)
    if moment == JUMP_END and not _soft(groups, now, mover):
        field.make(Played(field, mover, "dust", tile_centre(mover.x, mover.position_y, mover.z)))
    if moment in (APPEAR, START, JUMP_START):
        _reflect(field, mover)


def _covers(field: FieldSystem, mover: FieldObject, moment: str, now: int) -> None:
    if moment not in (APPEAR, START, JUMP_END):
        return
    groups, finished, lands = field.terrain.groups, moment == APPEAR, moment == JUMP_END
    if now in groups.tall_grass:
        name = "tall grass"
    elif now in groups.very_tall_grass and not lands:
        name = "very tall grass"
    elif now in groups.mud_grass and not lands:
        name = "grass in mud"
    else:
        return
    y = mover.position_y if now in groups.mud_grass else ground_of_corner(field, mover)
    field.make(Grass(field, mover, name, tile_centre(mover.x, y, mover.z), finished), int(not finished))


def _footprints(field: FieldSystem, mover: FieldObject, before: int) -> None:
    kind = mover.setting.graphics.footprint
    if not kind:
        return
    groups = field.terrain.groups
    if before in groups.snow_with_shadows and kind == FEET:
        _print(field, mover, _SNOW_WITH_SHADOWS)
    if before in groups.sand or (before in groups.bridge_over_sand and not mover.elevated):
        _print(field, mover, _SAND_WHEELS if kind == WHEELS else _SAND_FEET)
    elif before in groups.deep_snow or before in groups.deeper_snow or before in groups.deepest_snow:
        _print(field, mover, _DEEP_SNOW)
    elif before in groups.shallow_snow or (before in groups.bridge_over_snow and not mover.elevated):
        _print(field, mover, _SHALLOW_SNOW)


def _print(field: FieldSystem, mover: FieldObject, kind: int) -> None:
    tracks = kind in (_SAND_WHEELS, _DEEP_SNOW)
    picture = track(mover.previous_facing, mover.facing) if tracks else mover.facing
    field.make(Footprint(field, mover, _PRINTS[kind], picture), kind)


def _rings(field: FieldSystem, mover: FieldObject, moment: str, now: int, before: int) -> None:
    if moment in (APPEAR, JUMP_START):
        return
    groups, left = field.terrain.groups, moment == START
    behaviour = before if left else now
    name = "ring" if behaviour in groups.puddle else "mud ring" if behaviour in groups.mud else None
    if name is not None:
        x, z = (mover.previous_x, mover.previous_z) if left else (mover.x, mover.z)
        field.make(Ring(field, mover, name, x, mover.previous_level, z), x, mover.previous_level, z)


def _soft(groups: BehaviourGroups, now: int, mover: FieldObject) -> bool:
    """Whether a tile creates no dust."""
    return (
        groups.on_water(now, mover.elevated)
        or now in groups.shallow_water
        or now in groups.mud
        or now in groups.mud_grass
        or now in groups.ice
        or groups.on_snow(now, mover.elevated)
    )


def _reflect(field: FieldSystem, mover: FieldObject) -> None:
    if not mover.setting.graphics.reflection or mover.reflects or mover.picture is None:
        return
    kind = reflecting(field, mover.x, mover.z)
    if kind is None:
        kind = reflecting(field, mover.x, mover.z + 1)
    if kind is not None:
        mover.reflects = True
        field.make(Reflection(field, mover, kind), kind)


def takes_no_shadow(groups: BehaviourGroups, behaviour: int, elevated: bool) -> bool:
    """Whether an object on a tile has no shadow."""
    return (
        behaviour in groups.tall_grass
        or behaviour in groups.very_tall_grass
        or groups.on_water(behaviour, elevated)
        or behaviour in groups.puddle
        or behaviour in groups.shallow_water
        or groups.on_snow(behaviour, elevated)
        or behaviour in groups.mud
        or behaviour in groups.mud_grass
        or behaviour in groups.mirror
    )


def _shade(field: FieldSystem, mover: FieldObject, moment: str, now: int) -> None:
    if not field.shadows or not mover.setting.graphics.shadow:
        return
    if takes_no_shadow(field.terrain.groups, now, mover.elevated):
        mover.shadow_hidden = True
        return
    if moment in (END, JUMP_END):
        mover.shadow_hidden = False
    if not mover.shadow_made:
        mover.shadow_made = True
        field.make(Shadow(field, mover))

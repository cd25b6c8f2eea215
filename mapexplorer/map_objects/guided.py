"""A map object whose state is set from outside, such as the player of a walk: it has effects but no movement of its
own."""

from __future__ import annotations

from typing import Final

from mapexplorer.map_objects.actions import END, JUMP_END, JUMP_START, START
from mapexplorer.map_objects.drawn import ObjectInstance
from mapexplorer.map_objects.field_object import FieldObject
from mapexplorer.map_objects.picture import ObjectPicture
from mapexplorer.world.terrain.terrain import Terrain, centre

_DIRECTIONS: Final = 4


def guide(mover: FieldObject, to: ObjectInstance, terrain: Terrain) -> None:
    """Set the state of an object and add the events of steps and jumps that begin or end."""
    mover.jumping |= bool(to.jump)
    if to.on != (mover.x, mover.z):
        mover.previous_x, mover.previous_z, mover.previous_level = mover.x, mover.z, mover.level
        mover.x, mover.z = to.on
        mover.events.append(JUMP_START if mover.jumping else START)
    mover.position_x, mover.position_y, mover.position_z = to.position
    mover.has_height = True
    mover.previous_facing, mover.facing = mover.facing, to.direction
    mover.jump, mover.turn = to.jump + to.raised, to.turn
    arrived = (mover.position_x, mover.position_z) == (centre(mover.x), centre(mover.z))
    if arrived and (mover.previous_x, mover.previous_z) != (mover.x, mover.z):
        mover.previous_x, mover.previous_z, mover.previous_level = mover.x, mover.z, mover.level
        mover.elevated = terrain.groups.elevated_on(terrain.behaviour(mover.x, mover.z), mover.elevated)
        mover.events.append(JUMP_END if mover.jumping else END)
        mover.jumping = False
    picture = mover.picture
    if picture is not None:
        runs = to.running and len(picture.animations) >= 2 * _DIRECTIONS
        picture.set_within(to.direction + (_DIRECTIONS if runs else 0), to.phase)


def take_over(mover: FieldObject) -> None:
    """Replace the picture of an object by one that only `guide` changes."""
    graphics = mover.setting.graphics
    mover.picture = ObjectPicture(graphics.animations) if graphics.animations else None

"""The rules of the ground that refuse a step onto the next tile, for the player and for map objects.

Source: the Platinum field code. The rules are tested in the game's order; the result is the first that refuses.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from formats.field.terrain_attribute import BEHAVIOUR, COLLISION
from formats.fixed import ONE
from mapexplorer.games import DEFAULT
from mapexplorer.world import behaviour as tiles
from mapexplorer.world.direction import DX, DZ, OPPOSITE, Direction
from mapexplorer.world.terrain import Terrain

HEIGHT_LIMIT: Final = int(DEFAULT.tables.raw("movement")["height limit"] * ONE)
"""A height difference of this much or more between the tiles refuses a step."""

LEVELS_APART: Final = 2
"""From this difference in levels (steps of 8 units) on, two objects do not collide."""


class StepRule(Enum):
    """The rules that refuse a step."""

    HEIGHT = "height"
    COLLISION = "collision bit"
    DYNAMIC_HEIGHT = "dynamic height"
    UNLOADED = "no land"
    EDGE_HERE = "one-way edge of this tile"
    EDGE_AHEAD = "one-way edge of the tile ahead"
    PERSON = "person"
    WATER = "water"
    WATERFALL = "waterfall"
    BIKE_BRIDGE = "bike bridge"
    BIKE_RAMP = "bike ramp"
    BICYCLE = "no bicycles"


def obstacle(
    ground: Terrain, x: int, z: int, y: int, direction: Direction, dynamic_height: int | None = None
) -> StepRule | None:
    """The rule of the ground that refuses a step from (x, z) at height y; people and vehicles are not tested.

    `dynamic_height`: the height of a moving platform's plate over the tile ahead; see `_dynamic_wins` for when it is
    used instead of the height of the ground.
    """
    ahead_x, ahead_z = x + DX[direction], z + DZ[direction]
    height = ground.centre_height(ahead_x, ahead_z, y)
    moving = dynamic_height is not None and _dynamic_wins(dynamic_height, height, y)
    if moving:
        height = dynamic_height
    if abs((height or 0) - y) >= HEIGHT_LIMIT:
        return StepRule.HEIGHT
    attribute = ground.attribute(ahead_x, ahead_z)
    if attribute & COLLISION:
        return StepRule.COLLISION
    behaviour = attribute & BEHAVIOUR
    if moving and behaviour == tiles.DYNAMIC_HEIGHT:
        return StepRule.DYNAMIC_HEIGHT
    if behaviour == tiles.NULL:
        return StepRule.UNLOADED
    if ground.behaviour(x, z) in tiles.BLOCKS[direction]:
        return StepRule.EDGE_HERE
    if behaviour in tiles.BLOCKS[OPPOSITE[direction]]:
        return StepRule.EDGE_AHEAD
    return None


def _dynamic_wins(dynamic: int, ground: int | None, y: int) -> bool:
    """Whether the height of a moving plate is used: it must be above the ground and nearer to the present height."""
    return ground is None or (dynamic > ground and abs(dynamic - y) < abs(ground - y))

"""The rules of the ground that refuse a step onto the next tile, for the player and for map objects.

Source: the Platinum field code. The rules are tested in the game's order; the result is the first that refuses.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Final

from formats.field.terrain_attribute import BEHAVIOUR, COLLISION, UNLOADED
from mapexplorer.world.direction import DX, DZ, OPPOSITE, Direction
from mapexplorer.world.terrain.terrain import Terrain, level, with_plate

LEVELS_APART: Final = 2
"""From this difference in levels (steps of 8 units) on, two objects do not collide."""


class StepRule(Enum):
    """The rules that refuse a step."""

    HEIGHT = "height"
    COLLISION = "collision bit"
    DYNAMIC_HEIGHT = "dynamic height"
    FEATURE = "feature of the map"
    UNLOADED = "no land"
    EDGE_HERE = "one-way edge of this tile"
    EDGE_AHEAD = "one-way edge of the tile ahead"
    PERSON = "person"
    WATER = "water"
    WATERFALL = "waterfall"
    BIKE_BRIDGE = "bike bridge"
    BIKE_RAMP = "bike ramp"
    BICYCLE = "no bicycles"


def on_one_level(height: int, other: int) -> bool:
    """Whether objects at two fx32 heights collide."""
    return abs(level(height) - level(other)) < LEVELS_APART


Hook = Callable[[Terrain, int, int, int], bool | None]
"""(terrain, x, z, height of the player) -> whether code that runs on a map bars a tile; None: the land decides."""


def obstacle(
    ground: Terrain,
    x: int,
    z: int,
    y: int,
    direction: Direction,
    plate: int | None = None,
    hook: Hook | None = None,
) -> StepRule | None:
    """The rule of the ground that refuses a step from (x, z) at height y; people and vehicles are not tested.

    `plate`: the height of a dynamic height plate over the tile ahead; `hook`, for the player only, decides before the
    collision bit and the behaviour of moving platforms do.
    """
    ahead_x, ahead_z = x + DX[direction], z + DZ[direction]
    height, moving = with_plate(ground.centre_height(ahead_x, ahead_z, y), plate, y)
    if abs((height or 0) - y) >= ground.height_limit:
        return StepRule.HEIGHT
    attribute = ground.attribute(ahead_x, ahead_z)
    behaviour = attribute & BEHAVIOUR
    decided = None if hook is None else hook(ground, ahead_x, ahead_z, y)
    if decided:
        return StepRule.FEATURE
    if decided is None:
        if attribute & COLLISION:
            return StepRule.COLLISION
        if moving and behaviour in ground.groups.dynamic_height:
            return StepRule.DYNAMIC_HEIGHT
    if behaviour == UNLOADED:
        return StepRule.UNLOADED
    blocks = ground.groups.blocks
    if ground.behaviour(x, z) in blocks[direction]:
        return StepRule.EDGE_HERE
    if behaviour in blocks[OPPOSITE[direction]]:
        return StepRule.EDGE_AHEAD
    return None

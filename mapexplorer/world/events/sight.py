"""Where trainers look for the player, and how far they see. Source: the Platinum field code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from mapexplorer.games.tables import Tables
from mapexplorer.world.direction import DX, DZ, Direction
from mapexplorer.world.events.map_objects import MapObject
from mapexplorer.world.terrain.obstacle import obstacle, on_one_level
from mapexplorer.world.terrain.terrain import Terrain

LOOK_AHEAD: Final = frozenset({1, 4, 5, 6, 7, 8})
"""Trainer types that look in the direction that they face."""
LOOK_AROUND: Final = 2
"""The trainer type that looks in all directions."""
_TURNING: Final = ("look", "face", "rotate", "rotate both ways")
"""The kinds of movement types that stand and face some directions."""


def looks(tables: Tables, trainer: MapObject) -> tuple[Direction, ...]:
    """All directions in which a trainer looks for the player as time passes, without those of a walk."""
    if trainer.trainer_type == LOOK_AROUND:
        return tuple(Direction)
    if trainer.trainer_type not in LOOK_AHEAD:
        return ()
    movement = tables.map_objects.movement_types.get(trainer.movement_type)
    if movement is not None and movement.kind in _TURNING:
        return tuple(Direction(direction) for direction in movement.directions)
    return (Direction(trainer.direction & 3),)


def seen_tiles(
    terrain: Terrain, trainer: MapObject, direction: Direction, others: Callable[[int, int], Sequence[MapObject]]
) -> Iterator[tuple[int, int]]:
    """The tiles in a direction on which a trainer sees the player: those to which it could walk. `others`: tile -> the
    objects there."""
    x, z = trainer.x, trainer.z
    for _ in range(trainer.sight):
        if obstacle(terrain, x, z, trainer.y, direction) is not None:
            return
        x, z = x + DX[direction], z + DZ[direction]
        if any(on_one_level(each.y, trainer.y) for each in others(x, z)):
            return
        height = terrain.centre_height(x, z, trainer.y)
        if height is None or on_one_level(height, trainer.y):
            yield x, z

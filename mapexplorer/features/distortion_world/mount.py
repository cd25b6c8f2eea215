"""The mount of a surfing player. Source: the Platinum field code."""

from __future__ import annotations

from collections.abc import Iterator

from formats.fixed import Vector, cos_index, moved, mul, sin_index
from mapexplorer.features.distortion_world.sky import index_of_degrees
from mapexplorer.features.distortion_world.tables import SurfMount
from mapexplorer.features.surface import Surface
from mapexplorer.world.direction import Direction

Mount = tuple[Vector, Vector]
"""The mount at a tick: fx32 position in the space of all floors, rotation about x, y, z in degrees."""


def mount_at(table: SurfMount, player: Vector, avatar: Surface, direction: Direction, bob: int) -> Mount:
    """The mount of a player who surfs at a position in a direction."""
    orbit = index_of_degrees(table.orbits[avatar])
    around = mul(cos_index(orbit), table.radius), mul(sin_index(orbit), table.radius) + table.height + bob, 0
    return moved(moved(player, table.offsets[avatar]), around), table.rotations[avatar][direction]


def bobs(table: SurfMount) -> Iterator[int]:
    """The fx32 height of the mount after each tick of surfing, without end."""
    bob, step = table.bob_least, table.bob_step
    while True:
        bob = max(table.bob_least, min(table.bob_most, bob + step))
        if bob in (table.bob_least, table.bob_most):
            step = -step
        yield bob

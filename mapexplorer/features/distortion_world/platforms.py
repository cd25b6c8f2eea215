"""Which platform the player is on, and whether a step on it is possible."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from formats.field.terrain_attribute import BEHAVIOUR, COLLISION
from mapexplorer.features.distortion_world.floors import Platform
from mapexplorer.features.distortion_world.space import STATE_ON, PlatformKind, ahead
from mapexplorer.games.behaviour_groups import BehaviourGroups
from mapexplorer.games.distortion_events import Tile
from mapexplorer.world.direction import Direction

BLOCKED: Final = 1
WATER: Final = 32
DOUBLE_LEDGE: Final = 128
"""Bits of the result of a step test, as the game has them."""

PlatformStep = tuple[int, Tile, Platform]
"""The result of a step: the bits of its test, the target tile and the platform that is current afterwards."""


def find_platform(platforms: Sequence[Platform], tile: Tile, kind: PlatformKind) -> Platform | None:
    """The first platform of a kind (LAND: of any kind) that contains a tile."""
    return next((each for each in platforms if tile in each.box and kind in (each.kind, PlatformKind.LAND)), None)


def collides(platform: Platform, tile: Tile) -> bool:
    """Whether a tile of a platform is solid, or outside of it."""
    word = platform.attribute(tile)
    return word is None or bool(word & COLLISION)


def behaviour(platform: Platform, tile: Tile) -> int | None:
    """The behaviour of a tile of a platform, None outside of it."""
    word = platform.attribute(tile)
    return None if word is None else word & BEHAVIOUR


def step(
    groups: BehaviourGroups, platforms: Sequence[Platform], current: Platform, tile: Tile, direction: Direction
) -> PlatformStep:
    """Test a step on the current platform. On a floor a refused step onto a tile outside the platform is tested again
    on the first floor that contains the tile, which becomes the current one."""
    target = ahead(tile, STATE_ON[current.kind], direction)
    bits = collision(groups, current, target, direction)
    if bits & BLOCKED and current.kind is PlatformKind.FLOOR and target not in current.box:
        other = find_platform(platforms, target, current.kind)
        if other is not None:
            current, bits = other, collision(groups, other, target, direction)
    return bits, target, current


def collision(groups: BehaviourGroups, platform: Platform, target: Tile, direction: Direction) -> int:
    """The bits of a step in a direction onto a tile of the current platform."""
    word = platform.attribute(target)
    if word is None:
        return BLOCKED
    found = BLOCKED if word & COLLISION else 0
    if word & BEHAVIOUR in groups.surfable:
        found |= WATER
    if platform.kind is PlatformKind.FLOOR and word & BEHAVIOUR in groups.double_ledge[direction]:
        found |= DOUBLE_LEDGE
    return found

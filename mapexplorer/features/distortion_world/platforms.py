"""Which platform is on a tile, and what a step onto a tile of it meets."""

from __future__ import annotations

from collections.abc import Sequence

from formats.field.terrain_attribute import BEHAVIOUR, COLLISION
from mapexplorer.features.distortion_world.commands import Tile
from mapexplorer.features.distortion_world.floors import Platform
from mapexplorer.features.distortion_world.space import PlatformKind
from mapexplorer.features.values import SurfaceStep
from mapexplorer.games.behaviour_groups import BehaviourGroups
from mapexplorer.world.direction import Direction


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


def collision(groups: BehaviourGroups, platform: Platform, target: Tile, direction: Direction) -> SurfaceStep:
    """What a step in a direction onto a tile of the current platform leads onto."""
    word = platform.attribute(target)
    if word is None:
        return SurfaceStep(True)
    number, on_floor = word & BEHAVIOUR, platform.kind is PlatformKind.FLOOR
    is_double = on_floor and number in groups.double_ledge[direction]
    return SurfaceStep(bool(word & COLLISION), number in groups.surfable, is_double)

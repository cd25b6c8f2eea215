"""The sky: nine clouds that turn around its middle, and colours that depend on the player's height.

The sky is a background (BG2) and double-size affine sprites behind the 3D picture, whose pixels are blended over it
with their own alpha.
"""

from __future__ import annotations

from typing import Final

from formats.fixed import FULL_TURN, ONE, cos_index, sin_index
from mapexplorer.features.distortion_world.tables import SkyTables
from mapexplorer.games.field_tables import Rgb5

_DEGREES: Final = 360
_SIXTEENTHS: Final = 4


CloudSprite = tuple[int, int, int]
"""The sprite of a cloud: x and y in pixels, fx32, with the offset of the view in y; rotation as u16 index."""


class Sky:
    """The clouds of a sky, tick by tick. `kind` (0 to 2) may be changed at any time: the speeds follow slowly."""

    def __init__(self, tables: SkyTables, kind: int = 0) -> None:
        self.tables = tables
        self.kind = kind
        self._angles = [cloud.first_angle for cloud in tables.clouds]
        self._extra = [tables.extra_speeds[kind][cloud.group] for cloud in tables.clouds]

    def tick(self) -> None:
        """Advance by a tick."""
        goals, change = self.tables.extra_speeds[self.kind], self.tables.speed_change
        for number, cloud in enumerate(self.tables.clouds):
            missing = goals[cloud.group] - self._extra[number]
            self._extra[number] += max(-change, min(change, missing))
            speed = cloud.speed + self._extra[number]
            self._angles[number] = (self._angles[number] + speed) % (_DEGREES * ONE)

    def sprites(self) -> tuple[CloudSprite, ...]:
        """The sprites of the clouds, in their order."""
        sprites = []
        for cloud, angle in zip(self.tables.clouds, self._angles, strict=True):
            around = index_of_degrees(angle // ONE)
            sprites.append(
                (
                    cloud.centre[0] + cloud.radius * cos_index(around),
                    cloud.centre[1] + cloud.radius * sin_index(around) - self.tables.view_offset,
                    index_of_degrees((angle + cloud.sprite_angle) // ONE),
                )
            )
        return tuple(sprites)


def index_of_degrees(degrees: int) -> int:
    """The u16 index of whole degrees, rounded."""
    return (degrees % _DEGREES * FULL_TURN + _DEGREES // 2) // _DEGREES


def sky_kind(tables: SkyTables, header: int, progress: int) -> int:
    """The kind of sky of a floor."""
    if header != tables.room:
        return 0
    return next((kind for first, last, kind in tables.kinds_in_room if first <= progress <= last), 0)


def tint_level(tables: SkyTables, header: int, progress: int, height: int) -> int:
    """The strength of the tint, 0 to 12, for a player at an fx32 height."""
    if header == tables.room and progress == tables.full_tint_in_room:
        return tables.tint_levels
    level = (height - tables.tint_first_height) // (tables.tint_height // tables.tint_levels)
    return max(0, min(tables.tint_levels, level))


def tinted(color: Rgb5, tint: Rgb5, level: int) -> Rgb5:
    """A palette colour, moved toward a tint."""
    red, green, blue = (here + ((goal - here) * level >> _SIXTEENTHS) for here, goal in zip(color, tint, strict=True))
    return red, green, blue

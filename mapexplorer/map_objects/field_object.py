"""A map object at run time: tile, position, direction, movement and picture.

Positions are fx32, matrix-wide; directions are 0 north, 1 south, 2 west, 3 east.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from formats.fixed import ONE, Vector
from mapexplorer.map_objects.drawn import ObjectBillboard
from mapexplorer.map_objects.picture import ObjectPicture
from mapexplorer.map_objects.setting import ObjectSetting
from mapexplorer.world.direction import DX, DZ
from mapexplorer.world.terrain.terrain import Terrain, centre, level

TOWARD_VIEWER: Final = 6 * ONE

NO_ACTION: Final = 255


class FieldObject:
    """A map object. `x`, `z`: the tile that it is on or moves to; `previous_x`, `previous_z`: the tile that it leaves;
    `position`: the centre of its feet; `jump` and `sink` (fx32) raise and lower its picture, but not its shadow, `turn`
    (degrees clockwise) turns it.

    `code` is the movement code that selects the animation, `action` the number of the movement action, `command` an
    action that replaces its own movement until it ends; `jumping`: a jump of a guided object (`guided.py`) is in
    progress.
    """

    __slots__ = (
        "action",
        "appeared",
        "code",
        "command",
        "direction",
        "direction_locked",
        "elevated",
        "events",
        "facing",
        "has_height",
        "hidden",
        "jump",
        "jumping",
        "movement",
        "picture",
        "pictures_paused",
        "position_x",
        "position_y",
        "position_z",
        "previous_facing",
        "previous_level",
        "previous_x",
        "previous_z",
        "reflects",
        "setting",
        "shadow_hidden",
        "shadow_made",
        "sink",
        "splashes",
        "turn",
        "x",
        "z",
    )

    def __init__(self, setting: ObjectSetting) -> None:
        self.picture: ObjectPicture | None = None
        self.put(setting)
        self.facing = self.previous_facing = self.direction = setting.direction
        self.jump = self.sink = 0
        self.turn: float = setting.turn
        self.code = 0
        self.action = NO_ACTION
        self.command: Iterator[None] | None = None
        self.movement: Iterator[None] | None = None
        self.direction_locked = self.pictures_paused = self.hidden = self.elevated = False
        self.appeared = self.has_height = False
        self.jumping = self.shadow_made = self.shadow_hidden = self.reflects = self.splashes = False
        self.events: list[str] = []

    def put(self, setting: ObjectSetting) -> None:
        """Place it where a setting has it, at rest."""
        self.setting = setting
        self.x = self.previous_x = setting.x
        self.z = self.previous_z = setting.z
        self.position_x, self.position_y, self.position_z = setting.position or (
            centre(setting.x),
            setting.height,
            centre(setting.z),
        )
        self.previous_level = self.level

    @property
    def position(self) -> Vector:
        """The centre of the feet."""
        return self.position_x, self.position_y, self.position_z

    @property
    def picture_position(self) -> Vector:
        """The position of the picture, with jump and sink. The billboard is drawn a little nearer to the camera."""
        return self.position_x, self.position_y + self.jump + self.sink, self.position_z

    @property
    def billboard_position(self) -> Vector:
        """The position at which the billboard is drawn."""
        x, y, z = self.picture_position
        beside = (0, 0, 0) if self.picture is None else self.picture.offset
        return x + beside[0], y + beside[1], z + beside[2] + TOWARD_VIEWER

    @property
    def visible(self) -> bool:
        """Whether the billboard is drawn."""
        return self.picture is not None and self.picture.shown and self.has_height and not self.hidden

    def billboard(self) -> ObjectBillboard | None:
        """The billboard; None where none is drawn."""
        picture = self.picture
        if picture is None or not self.visible:
            return None
        return ObjectBillboard(
            self.setting.graphics.id, self.billboard_position, picture.frame, picture.alpha, self.turn
        )

    @property
    def rests(self) -> bool:
        """Whether an update without movement changes nothing."""
        pictured = self.picture is not None and not self.picture.rests
        return self.appeared and self.has_height and self.command is None and not self.events and not pictured

    @property
    def level(self) -> int:
        """The height in steps of 8 units."""
        return level(self.position_y)

    @property
    def steps(self) -> bool:
        """Whether it is between two tiles."""
        return (self.previous_x, self.previous_z) != (self.x, self.z)

    def occupies(self, x: int, z: int) -> bool:
        """Whether it is on a tile or is leaving it."""
        return (self.x == x and self.z == z) or (self.previous_x == x and self.previous_z == z)

    def face(self, direction: int) -> None:
        """Face a direction, unless the direction is locked."""
        if not self.direction_locked:
            self.previous_facing, self.facing = self.facing, direction

    def find_ground(self, terrain: Terrain) -> None:
        """Set the height to that of the plate at the position that is nearest to the present height; an object that is
        turned stands on a wall and keeps its height, as one does that something moves."""
        if self.turn or self.setting.position is not None:
            self.has_height = True
            return
        height = terrain.plate_height(self.position_x, self.position_z, self.position_y)
        if height is not None:
            self.has_height = True
            self.position_y = height

    def start_step(self, direction: int) -> None:
        """Set the next tile in a direction as the object's tile; the present one becomes the previous tile."""
        self.previous_x, self.previous_z = self.x, self.z
        self.previous_level = self.level
        self.x += DX[direction]
        self.z += DZ[direction]

    def arrive(self, terrain: Terrain) -> None:
        """Set the position to the centre of the tile and update the elevated flag."""
        self.previous_x, self.previous_z = self.x, self.z
        self.previous_level = self.level
        self.position_x, self.position_z = centre(self.x), centre(self.z)
        self.elevated = terrain.groups.elevated_on(terrain.behaviour(self.x, self.z), self.elevated)

    def draw(self) -> None:
        """Update the picture for this tick."""
        if self.picture is not None:
            self.picture.draw(self)

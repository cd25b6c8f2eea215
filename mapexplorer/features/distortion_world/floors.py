"""The floors of a ROM as values: offsets, platforms with their attributes, jump points, camera angles, ghost props."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from formats.binary import FormatError, require
from formats.fixed import Vector
from mapexplorer.features.distortion_world.commands import Tile
from mapexplorer.features.distortion_world.space import Box, PlatformKind
from mapexplorer.features.distortion_world.tables import distortion_tables
from mapexplorer.games import Role
from mapexplorer.world.direction import Direction
from mapexplorer.world.sources.files import WorldFiles

Pressed = TypeVar("Pressed", "JumpPoint", "CameraAngle")

Z_AXIS: Final = 2
"""The last axis of a hop."""

NO_PLATFORM: Final = 0xFFFF
"""The platform number of a jump point that leads onto the land."""

_ANGLE_UNIT: Final = 256
"""A step of the angles of a camera record, u16 index."""


@dataclass(frozen=True, eq=False)
class Platform:
    """A platform: the number of its record, its kind, its box and the attribute words of its tiles."""

    number: int
    kind: PlatformKind
    box: Box
    row_length: int
    words: tuple[int, ...] = field(repr=False)

    def attribute(self, tile: Tile) -> int | None:
        """The attribute word of a tile, None outside the box (or beyond the words). Columns grow to the right as the
        player on the platform sees it."""
        if tile not in self.box:
            return None
        x, y, z = tile
        if self.kind is PlatformKind.WEST_WALL:
            column = self.box.size_y - (y - self.box.y)
        elif self.kind is PlatformKind.EAST_WALL:
            column = y - self.box.y
        elif self.kind is PlatformKind.CEILING:
            column = self.box.size_x - (x - self.box.x)
        else:
            column = x - self.box.x
        index = column + (z - self.box.z) * self.row_length
        return self.words[index] if index < len(self.words) else None


@dataclass(frozen=True)
class JumpPoint:
    """A jump to another platform or the land, see `formats.field.distortion_floor.JUMP_POINT`."""

    direction: Direction
    """The direction that is pressed."""
    box: Box
    """The tiles from which it is done."""
    tiles: Vector
    """How far it leads, in tiles."""
    sprite_turn: int
    """How far it turns the sprite, degrees."""
    ticks: int
    """How long it takes."""
    hop_axis: int
    """The axis along which the sprite is lifted."""
    hop_inverted: bool
    """The sprite is lifted against the axis."""
    facing: Direction
    """The direction that the player faces afterwards."""
    kind: PlatformKind
    """The kind of the platform that it leads to."""
    platform: int | None
    """The number of that platform, None for the land."""


@dataclass(frozen=True)
class CameraAngle:
    """Angles (u16 index) to which the camera turns when the player presses a direction in a box."""

    direction: Direction
    box: Box
    angles: Vector
    ticks: int


@dataclass(frozen=True)
class GhostProp:
    """A prop that is shown and hidden with its group."""

    group: int
    kind: int
    tile: Tile


@dataclass(frozen=True)
class GhostTrigger:
    """Shows or hides a group when the player moves in a direction from a box."""

    group: int
    direction: Direction
    show: bool
    box: Box


@dataclass(frozen=True, eq=False)
class Floor:
    """A floor."""

    header: int
    """The header of its map."""
    offset: Tile
    """The tile of its land's north-west corner in the space of all floors."""
    platforms: tuple[Platform, ...]
    """The platforms by number."""
    jump_points: tuple[JumpPoint, ...]
    """The jumps between platforms and the land."""
    camera_angles: tuple[CameraAngle, ...]
    """The boxes in which the camera has other angles."""
    ghost_props: tuple[GhostProp, ...]
    """The props that appear and disappear."""
    ghost_triggers: tuple[GhostTrigger, ...]
    """What makes them appear and disappear."""
    visible_groups: frozenset[int]
    """The groups of ghost props that are shown on arrival."""


def pressed_from(records: Sequence[Pressed], tile: Tile, direction: Direction) -> Pressed | None:
    """The first jump point or camera angle that answers to a press on a tile."""
    return next((each for each in records if each.direction == direction and tile in each.box), None)


def read_floors(world: WorldFiles) -> Mapping[int, Floor]:
    """Header -> floor; empty for a ROM without the Distortion World. Raises FormatError, also for numbers that the game
    does not have."""
    listed = world.distortion_floors()
    if listed is None:
        return {}
    return {header: _floor(world, header, file, (x, y, z)) for header, file, x, y, z in listed.floors.tolist()}


def _floor(world: WorldFiles, header: int, file: int, offset: Tile) -> Floor:
    values = world.distortion_floor(file)
    tables = distortion_tables(world.game.tables)
    try:
        jump_points = tuple(_jump_point(record, len(values.platforms)) for record in values.jump_points)
        return Floor(
            header,
            offset,
            tuple(_platform(world, number, record) for number, record in enumerate(values.platforms)),
            jump_points,
            tuple(_camera_angle(record) for record in values.camera_angles),
            tuple(_ghost_prop(record, len(tables.prop_kinds)) for record in values.ghost_props),
            tuple(_ghost_trigger(record) for record in values.ghost_triggers),
            frozenset(bit for bit in range(32) if values.visible_groups >> bit & 1),
        )
    except FormatError:
        raise
    except ValueError as error:
        name = f"{world.path(Role.DISTORTION_FLOORS)}[{file + 1}]"
        raise FormatError(name, 0, "kinds, directions and platforms that there are", str(error)) from None


def _platform(world: WorldFiles, number: int, record: Any) -> Platform:
    words = world.distortion_attributes(int(record["attributes"])).words
    require(record["kind"] != PlatformKind.LAND, f"a platform of kind {record['kind']}")
    return Platform(
        number, PlatformKind(record["kind"]), Box.of(record), int(record["row_length"]), tuple(words.tolist())
    )


def _jump_point(record: Any, platforms: int) -> JumpPoint:
    platform = int(record["platform"])
    require(platform == NO_PLATFORM or platform < platforms, f"a jump to platform {platform} of {platforms}")
    require(
        record["ticks"] >= 1 and record["hop_axis"] <= Z_AXIS,
        f"a jump in {record['ticks']} ticks along axis {record['hop_axis']}",
    )
    return JumpPoint(
        Direction(record["direction"]),
        Box.of(record),
        (int(record["dx"]), int(record["dy"]), int(record["dz"])),
        int(record["sprite_turn"]),
        int(record["ticks"]),
        int(record["hop_axis"]),
        bool(record["hop_inverted"]),
        Direction(record["facing"]),
        PlatformKind(record["platform_kind"]),
        None if platform == NO_PLATFORM else platform,
    )


def _camera_angle(record: Any) -> CameraAngle:
    require(record["ticks"] >= 1, f"a turn of the camera in {record['ticks']} ticks")
    x, y, z = (int(record[name]) * _ANGLE_UNIT & 0xFFFF for name in ("angle_x", "angle_y", "angle_z"))
    return CameraAngle(Direction(record["direction"]), Box.of(record), (x, y, z), int(record["ticks"]))


def _ghost_prop(record: Any, kinds: int) -> GhostProp:
    require(record["kind"] < kinds, f"a prop of kind {record['kind']} of {kinds}")
    x, y, z = (int(record[name]) for name in "xyz")
    return GhostProp(int(record["group"]), int(record["kind"]), (x, y, z))


def _ghost_trigger(record: Any) -> GhostTrigger:
    return GhostTrigger(int(record["group"]), Direction(record["direction"]), bool(record["show"]), Box.of(record))

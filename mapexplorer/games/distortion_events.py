"""The events of the Distortion World from `data/GAME/distortion_world.json`: conditions and commands as values.

Tiles are those of the space of all floors; vectors are fx32 units per tick.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from formats.fixed import ONE, Vector

Tile = tuple[int, int, int]


class Condition(NamedTuple):
    """A condition on the state of the Distortion World; `kind`: see `features.distortion_world.progress`."""

    kind: int
    value: int


@dataclass(frozen=True)
class MovePlatform:
    """Moves a moving platform by some tiles, with the player if they are `carried`."""

    number: int
    carried: bool
    tiles: Vector
    speed: Vector


@dataclass(frozen=True)
class Jump:
    """The player jumps three tiles."""

    direction: int


@dataclass(frozen=True)
class StartScript:
    """Starts a script of the map."""

    number: int


@dataclass(frozen=True)
class SetProgress:
    """Sets the progress of the story."""

    value: int


@dataclass(frozen=True)
class AddObject:
    """Adds an object of a floor."""

    header: int
    local_id: int


@dataclass(frozen=True)
class ShowShadow:
    """The shadow of Giratina flies from a tile for some ticks; fx32 scale, numbers of its rotation and sound."""

    tile: Tile
    speed: Vector
    scale: int
    ticks: int
    rotation: int
    sound: int


@dataclass(frozen=True)
class ShadowSeen:
    """Notes that a shadow was seen."""

    number: int


@dataclass(frozen=True)
class BoulderLesson:
    """A lake spirit shows what to do with its boulder."""

    whose: str


@dataclass(frozen=True)
class RoomPlatforms:
    """Shows or hides the platforms of Giratina's room."""

    shown: bool


@dataclass(frozen=True)
class SetPuzzleFlag:
    """Sets or clears a puzzle flag."""

    flag: int
    value: bool


@dataclass(frozen=True)
class GiratinaArrival:
    """Giratina arrives."""


Command = (
    MovePlatform
    | Jump
    | StartScript
    | SetProgress
    | AddObject
    | ShowShadow
    | ShadowSeen
    | BoulderLesson
    | RoomPlatforms
    | SetPuzzleFlag
    | GiratinaArrival
)


@dataclass(frozen=True)
class DistortionEvent:
    """Commands that run when a step ends on a tile while the condition holds."""

    header: int
    tile: Tile
    condition: Condition
    commands: tuple[Command, ...]


def fx32(number: float) -> int:
    """A number of units (or of degrees) of the file as fx32."""
    return int(number * ONE)


def vector(numbers: list[float]) -> Vector:
    """Three numbers of the file as fx32."""
    x, y, z = numbers
    return fx32(x), fx32(y), fx32(z)


def _shadow(tile: list[int], speed: list[float], scale: float, ticks: int, rotation: int, sound: int) -> ShowShadow:
    x, y, z = tile
    return ShowShadow((x, y, z), vector(speed), fx32(scale), ticks, rotation, sound)


def _move(number: int, carried: bool, tiles: list[int], speed: list[float]) -> MovePlatform:
    x, y, z = tiles
    return MovePlatform(number, carried, (x, y, z), vector(speed))


_COMMANDS: Final[Mapping[str, Callable[..., Command]]] = {
    "move platform": _move,
    "jump": Jump,
    "script": StartScript,
    "progress": SetProgress,
    "add object": AddObject,
    "show shadow": _shadow,
    "shadow seen": ShadowSeen,
    "boulder lesson": BoulderLesson,
    "room platforms": RoomPlatforms,
    "puzzle flag": SetPuzzleFlag,
    "arrival of giratina": GiratinaArrival,
}


def read_events(table: Mapping[str, Any]) -> list[DistortionEvent]:
    """The events in the order of the file, in which the first that fits an occasion counts."""
    return [
        DistortionEvent(
            header, (x, y, z), Condition(*condition), tuple(_COMMANDS[kind](*values) for kind, *values in commands)
        )
        for header, x, y, z, condition, commands in table["events"]["rows"]
    ]

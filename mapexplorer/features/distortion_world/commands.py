"""The events of the Distortion World from `data/GAME/distortion_world.json`: conditions and commands as values.

Tiles are those of the space of all floors; vectors are fx32 units per tick.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, NamedTuple

from formats.fixed import Vector
from mapexplorer.games.reading import Fx32Vector, read

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
    speed: Fx32Vector


@dataclass(frozen=True)
class Jump:
    """The player jumps three tiles."""

    direction: int


@dataclass(frozen=True)
class SetProgress:
    """Sets the progress of the story."""

    value: int


@dataclass(frozen=True)
class ShadowSeen:
    """Notes that a shadow was seen."""

    number: int


@dataclass(frozen=True)
class SetPuzzleFlag:
    """Sets or clears a puzzle flag."""

    flag: int
    value: bool


class Scene(NamedTuple):
    """A command that plays a part of the story: a script, a flight of Giratina's shadow, a person who comes."""

    kind: str
    values: tuple[Any, ...]


Command = MovePlatform | Jump | SetProgress | ShadowSeen | SetPuzzleFlag | Scene

_COMMANDS: Final[Mapping[str, type[Command]]] = {
    "move platform": MovePlatform,
    "jump": Jump,
    "progress": SetProgress,
    "shadow seen": ShadowSeen,
    "puzzle flag": SetPuzzleFlag,
}


def _command(row: Sequence[Any]) -> Command:
    kind, *values = row
    return read(_COMMANDS[kind], values) if kind in _COMMANDS else Scene(kind, tuple(values))


@dataclass(frozen=True)
class DistortionEvent:
    """Commands that run when a step ends on a tile while the condition holds."""

    header: int
    tile: Tile
    condition: Condition
    commands: tuple[Annotated[Command, _command], ...]

"""The events of the Distortion World from `data/GAME/distortion_world.json`: conditions and commands as values.

Tiles are those of the space of all floors; vectors are fx32 units per tick.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, NamedTuple

from formats.fixed import Vector
from mapexplorer.games.reading import Fx32Vector, read

Tile = tuple[int, int, int]


class DistortionCondition(NamedTuple):
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


class DistortionCommand(NamedTuple):
    """Another command. JUMP: the player jumps three tiles in a direction; PROGRESS: sets that of the story;
    SHADOW_SEEN: notes the number of a shadow; PUZZLE_FLAG: sets or clears a flag. All other kinds play a part of the
    story: a script, a flight of Giratina's shadow, a person who comes."""

    kind: str
    values: tuple[Any, ...]


JUMP: Final = "jump"
PROGRESS: Final = "progress"
SHADOW_SEEN: Final = "shadow seen"
PUZZLE_FLAG: Final = "puzzle flag"


def _command(row: Sequence[Any]) -> MovePlatform | DistortionCommand:
    kind, *values = row
    return read(MovePlatform, values) if kind == "move platform" else DistortionCommand(kind, tuple(values))


@dataclass(frozen=True)
class DistortionEvent:
    """Commands that run when a step ends on a tile while the condition holds."""

    header: int
    tile: Tile
    condition: DistortionCondition
    commands: tuple[Annotated[MovePlatform | DistortionCommand, _command], ...]

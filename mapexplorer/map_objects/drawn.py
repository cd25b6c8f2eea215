"""Map objects, their billboards, models and billboards of field effects, as values for drawing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from formats.fixed import ONE, Vector
from mapexplorer.world.cells import TILE_UNITS

UNIT_SCALE: Vector = (ONE, ONE, ONE)


@dataclass(frozen=True)
class ObjectInstance:
    """A map object or the player: `graphics` id, fx32 `position` of the feet, `direction` 0 north, 1 south, 2 west, 3
    east; the event it comes from (None for the player). For a walking player also: the `tile` that they are on or move
    to (None: that of the position), the fx32 height of a `jump`, and `phase` 0..15, the frame of the step's animation,
    of the running animation when `running`; `turn` of the sprite, degrees clockwise; `raised`: how high a mount
    lifts it, fx32."""

    graphics: int
    position: Vector
    direction: int
    event: int | None = None
    header: int | None = None
    hidden_flag: int = 0
    tile: tuple[int, int] | None = None
    jump: int = 0
    phase: int = 0
    running: bool = False
    turn: float = 0
    raised: int = 0

    @property
    def on(self) -> tuple[int, int]:
        """The tile that it is on or moves to."""
        return self.tile or (self.position[0] // (TILE_UNITS * ONE), self.position[2] // (TILE_UNITS * ONE))


class ObjectBillboard(NamedTuple):
    """The billboard of an object: its graphics id, fx32 position, the fx32 frame of its sequence, alpha 0..31, turn in
    degrees clockwise."""

    graphics: int
    position: Vector
    frame: int
    alpha: int
    turn: float = 0


class EffectModel(NamedTuple):
    """A model of an effect: `member` of the effects archive, fx32 position and scale, alpha 0..31 (None: that of the
    file), the member of its pattern animation (None: none) and the fx32 frame of it."""

    member: int
    position: Vector
    scale: Vector = UNIT_SCALE
    alpha: int | None = None
    animation: int | None = None
    frame: int = 0


class EffectBillboard(NamedTuple):
    """A billboard of an effect: `model`, `texture` and `sequence` are members of the effects archive, or the texture
    and sequence are those of the object's `graphics`; fx32 position and scale, the animation and the fx32 frame."""

    model: int
    texture: int | None
    sequence: int | None
    graphics: int | None
    position: Vector
    scale: Vector
    animation: int
    frame: int

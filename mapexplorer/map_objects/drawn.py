"""Map objects, their billboards, models and billboards of field effects, as values for drawing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from formats.fixed import ONE, Vector
from mapexplorer.world.cells import TILE_UNITS

UNIT_SCALE: Vector = (ONE, ONE, ONE)


@dataclass(frozen=True)
class ObjectInstance:
    """A map object or the player."""

    graphics: int
    """The object graphics id."""
    position: Vector
    """x, y, z of the feet, fx32."""
    direction: int
    """0 north, 1 south, 2 west, 3 east."""
    event: int | None = None
    """The index of the event that it comes from, None for the player."""
    header: int | None = None
    """The map of that event."""
    hidden_flag: int = 0
    """The flag that hides it, 0: none."""
    tile: tuple[int, int] | None = None
    """Of a walking player: the tile that they are on or move to; None: that of the position."""
    jump: int = 0
    """Of a walking player: the height of a jump, fx32."""
    phase: int = 0
    """Of a walking player: 0..15, the frame of the step's animation, of the running animation when `running`."""
    running: bool = False
    """Of a walking player: they run."""
    turn: float = 0
    """The turn of the sprite, degrees clockwise."""
    raised: int = 0
    """How high a mount lifts it, fx32."""

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
    """A billboard of an effect."""

    model: int
    """A member of the effects archive."""
    texture: int | None
    """A member of the effects archive; None: that of the object's `graphics`."""
    sequence: int | None
    """A member of the effects archive; None: that of the object's `graphics`."""
    graphics: int | None
    """The object graphics id of an object that the effect shows."""
    position: Vector
    """x, y, z in fx32."""
    scale: Vector
    """Factors x, y, z in fx32."""
    animation: int
    """The number of the animation."""
    frame: int
    """The frame of the animation, fx32."""

"""Billboards of map objects, models and billboards of field effects, as values for drawing."""

from __future__ import annotations

from typing import NamedTuple

from formats.fixed import ONE, Vector

UNIT_SCALE: Vector = (ONE, ONE, ONE)


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

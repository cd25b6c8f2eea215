"""What is drawn of map objects beside their own billboards: models and billboards of effects, as values."""

from __future__ import annotations

from typing import NamedTuple

from formats.fixed import ONE, Vector

UNIT_SCALE: Vector = (ONE, ONE, ONE)


class EffectModel(NamedTuple):
    """A model of an effect: `member` of the effects archive, fx32 position and scale, alpha of 31 (None: the file's),
    the member with its picture animation (None: none) and the fx32 frame of it."""

    member: int
    position: Vector
    scale: Vector = UNIT_SCALE
    alpha: int | None = None
    animation: int | None = None
    frame: int = 0


class EffectBillboard(NamedTuple):
    """A billboard of an effect: `model` of the effects archive, `texture` and `sequence` of it too, or those of the
    object's own `graphics`; fx32 position and scale, the animation and the fx32 frame."""

    model: int
    texture: int | None
    sequence: int | None
    graphics: int | None
    position: Vector
    scale: Vector
    animation: int
    frame: int

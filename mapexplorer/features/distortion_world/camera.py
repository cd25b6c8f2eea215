"""The camera of the Distortion World: turns to the angles of a record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from formats.fixed import FULL_TURN, ONE, Vector, moved, signed, truncated
from mapexplorer.features.distortion_world.floors import CameraAngle

_HALF_TURN: Final = FULL_TURN // 2


def angle_delta(start: int, end: int) -> int:
    """The way of a turn from one u16 angle to another, as the game computes it from signed angles: where their
    difference is more than half a turn it subtracts only half a turn, so the turn does not end at the angle and the
    last tick corrects it."""
    delta = signed(end, 16) - signed(start, 16)
    if delta > _HALF_TURN:
        return delta - _HALF_TURN
    return delta + _HALF_TURN if delta < -_HALF_TURN else delta


@dataclass
class CameraTurn:
    """The present angles (u16 index), and a turn to others while `ticks` are left."""

    angles: Vector = (0, 0, 0)
    goal: Vector = (0, 0, 0)
    ticks: int = 0
    _steps: Vector = (0, 0, 0)
    _sums: Vector = (0, 0, 0)

    def start(self, record: CameraAngle) -> bool:
        """Begin the turn to the angles of a record; False when the camera has them."""
        deltas = [angle_delta(here, there) for here, there in zip(self.angles, record.angles, strict=True)]
        if not any(deltas):
            return False
        x, y, z = (truncated(ONE * delta, record.ticks) for delta in deltas)
        self._steps, self.goal, self.ticks = (x, y, z), record.angles, record.ticks
        self._sums = moved((0, 0, 0), self.angles, ONE)
        return True

    def tick(self) -> Vector:
        """The angles after a further tick."""
        if self.ticks:
            self.ticks -= 1
            self._sums = moved(self._sums, self._steps)
            x, y, z = (truncated(angle, ONE) & 0xFFFF for angle in self._sums)
            self.angles = self.goal if not self.ticks else (x, y, z)
        return self.angles

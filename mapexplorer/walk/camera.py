"""The point that the field camera looks at: it follows the player, their height six ticks later."""

from __future__ import annotations

from collections import deque
from typing import Final

from formats.fixed import Vector, moved

DELAY: Final = 6


class CameraTarget:
    """Adds the player's movement tick by tick: x and z at once, y through a ring of seven deltas."""

    def __init__(self, position: Vector) -> None:
        self.place(position)

    def place(self, position: Vector) -> None:
        """Look at `position` at once, as after a warp."""
        self.position = self._player = position
        self._rises: deque[int] = deque([0] * DELAY)

    def move(self, way: Vector) -> None:
        """Count positions from another point, which is `way` before the present one."""
        self.position, self._player = moved(self.position, way), moved(self._player, way)

    def follow(self, position: Vector) -> Vector:
        """One tick: the player is now at `position`; the point that the camera looks at (fx32)."""
        before, self._player = self._player, position
        self._rises.append(position[1] - before[1])
        x, y, z = self.position
        self.position = (x + position[0] - before[0], y + self._rises.popleft(), z + position[2] - before[2])
        return self.position

"""The scrolling of weather layers by the movement of the camera."""

from __future__ import annotations

from typing import Final

from formats.fixed import ONE, Vector, cos_index, div, mul, sin_index

_NORTH: Final = 0xBE8D0
_SOUTH: Final = 0xBE811
"""Lines of the screen (fx32, about 190.5) that the visible height is divided by, for each direction of the camera."""
_ASPECT: Final = ONE * 4 // 3


class Parallax:
    """Scrolling by the camera target; `shift` is the movement of the picture in the last tick, fx32 pixels."""

    def __init__(self, distance: int, half_fov: int, target: Vector) -> None:
        """`distance` of the camera (fx32), half of its field of view (65536 = a turn) and its first target (fx32
        units)."""
        cosine = cos_index(half_fov)
        height = 2 * mul(distance, div(sin_index(half_fov), cosine)) if cosine else 0
        width = mul(height, _ASPECT)
        self._column = div(width, 256 * ONE)
        self._rows = (div(height, _NORTH), div(height, _SOUTH))
        self._target = target
        self.shift = (0, 0)

    def step(self, target: Vector) -> None:
        """One tick with this camera target."""
        x, z = target[0] - self._target[0], target[2] - self._target[2]
        across = _signed_div(x, self._column)
        down = _signed_div(z, self._rows[z > 0])
        self.shift = (across, down)
        if across + down != 0:
            self._target = target

    @property
    def pixels(self) -> tuple[int, int]:
        """The shift in whole pixels, with the game's rounding: rounded down, then 1 is added to a negative y, but 4096
        to a negative x, which is an error of the game."""
        x, y = self.shift
        return (x >> 12) + (ONE if x < 0 else 0), (y >> 12) + (1 if y < 0 else 0)


def _signed_div(value: int, divisor: int) -> int:
    if divisor == 0:  # the camera of a hack without distance or field of view
        return 0
    result = div(abs(value), divisor)
    return -result if value < 0 else result

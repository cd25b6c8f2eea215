"""Rain, snow, ash, sand and darkness over a picture: an approximation, not the game's sprites.

The game draws these as sprites in screen space, in front of everything. The game spawns them at random; here every
particle's path is a function of its number and the tick, so that pictures are reproducible. The circle of light in a
dark cave is as in the game: radius 32 around (128, 84). Raw pictures contain none of this.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]

_WIDTH: Final = 256
_HEIGHT: Final = 192
_ROOM: Final = 32
"""How far outside the screen particles begin and end."""

DARK: Final = 16
THUNDER: Final = 4
_LIGHT_CENTRE: Final = (128, 84)
_LIGHT_RADIUS: Final = 32
_FLASH_EVERY: Final = 150


@dataclass(frozen=True)
class Particles:
    """`count` particles that move by `velocity` pixels a tick, some faster than others, and swing by `swing` pixels;
    each is a line of `length` pixels along its way, or a square of `size`."""

    count: int
    velocity: tuple[float, float]
    color: tuple[int, int, int]
    alpha: float
    length: int = 0
    size: int = 1
    swing: float = 0.0


_RAIN: Final = (196, 216, 255)
_SNOW: Final = (255, 255, 255)
_SAND: Final = (226, 196, 128)

PARTICLES: Final[dict[int, Particles]] = {
    2: Particles(70, (-4, 12), _RAIN, 0.6, length=10),
    3: Particles(150, (-6, 16), _RAIN, 0.65, length=14),
    THUNDER: Particles(150, (-6, 16), _RAIN, 0.65, length=14),
    5: Particles(60, (-0.5, 1.2), _SNOW, 0.9, size=2, swing=6),
    6: Particles(130, (-1.5, 2.4), _SNOW, 0.9, size=2, swing=5),
    7: Particles(240, (-9, 4), _SNOW, 0.9, size=2, swing=2),
    9: Particles(70, (-0.4, 0.8), (150, 140, 128), 0.85, size=2, swing=5),
    10: Particles(260, (-12, 2), _SAND, 0.6, length=8),
    11: Particles(40, (-0.3, 0.8), (224, 240, 255), 0.9, swing=2),
    12: Particles(40, (0, -1.0), (208, 255, 216), 0.5, size=3, swing=6),
    21: Particles(90, (-1.0, 1.8), _SNOW, 0.9, size=2, swing=5),
    22: Particles(120, (-9, 1.5), _SAND, 0.5, length=6),
}
"""By weather id; ids without particles are not listed."""


def weather_over(picture: Picture, weather: int, tick: int) -> Picture:
    """A copy of a displayed picture, uint8 (192, 256, 4), with a weather's particles or darkness at a tick."""
    result = picture.copy()
    particles = PARTICLES.get(weather)
    if particles is not None:
        _draw(result, particles, tick)
    if weather == THUNDER and tick % _FLASH_EVERY in (40, 43, 44):
        result[..., :3] = 255 - (255 - result[..., :3]) // 3
    if weather == DARK:
        rows, columns = np.ogrid[:_HEIGHT, :_WIDTH]
        far = (columns - _LIGHT_CENTRE[0]) ** 2 + (rows - _LIGHT_CENTRE[1]) ** 2 > _LIGHT_RADIUS**2
        result[far, :3] = 0
    return result


def _draw(picture: Picture, particles: Particles, tick: int) -> None:
    number = np.arange(particles.count)
    # Multiples of irrational numbers are evenly distributed for every count.
    start_x, start_y, pace = (number * step % 1 for step in (0.754877666, 0.569840291, 0.381966011))
    time = tick * (0.75 + 0.5 * pace)
    room_x, room_y = _WIDTH + 2 * _ROOM, _HEIGHT + 2 * _ROOM
    swing = particles.swing * np.sin(tick / 12 + number)
    x = (start_x * room_x + particles.velocity[0] * time + swing) % room_x - _ROOM
    y = (start_y * room_y + particles.velocity[1] * time) % room_y - _ROOM
    if particles.length:
        along = np.arange(particles.length) / np.hypot(*particles.velocity)
        points_x = x[:, None] + particles.velocity[0] * along
        points_y = y[:, None] + particles.velocity[1] * along
    else:
        square = np.arange(particles.size)
        points_x = x[:, None] + np.tile(square, particles.size)
        points_y = y[:, None] + np.repeat(square, particles.size)
    columns, rows = np.floor(points_x).astype(int).ravel(), np.floor(points_y).astype(int).ravel()
    inside = (columns >= 0) & (columns < _WIDTH) & (rows >= 0) & (rows < _HEIGHT)
    mask = np.zeros((_HEIGHT, _WIDTH), np.bool_)
    mask[rows[inside], columns[inside]] = True
    color = np.array(particles.color) * particles.alpha
    picture[mask, :3] = (picture[mask, :3] * (1 - particles.alpha) + color).astype(np.uint8)

"""The sky behind a map outdoors, for cameras that see beyond it.

The game has none, because its camera looks down on the map. The colours are those of a clear sky at the hour; the
weather's fog hides the horizon, and in part what is above it. What is below the horizon mirrors what is above it,
fainter.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from formats.fixed import ONE
from mapexplorer.arrays import Picture
from mapexplorer.games.field_tables import FogRegisters
from mapexplorer.scene.camera import SceneCamera
from mapexplorer.world.colors import clear_sky

SkyColors = npt.NDArray[np.float64]
"""The colours of a sky, (2, 3), 0..255: above, and at the horizon."""

BELOW: Final = 0.35
"""How far the colour straight below is from that of the horizon to that above."""
_HIDDEN: Final = np.array([[0.7], [1.0]])
"""How far fog changes the two colours."""


def sky_colors(second: int, fog: FogRegisters | None) -> SkyColors:
    """The sky at a second of the day, behind a fog."""
    colors = np.array(clear_sky(second), float)
    if fog is not None:
        colors += (np.array(fog.color) * 255 / 31 - colors) * _HIDDEN
    return colors


def sky_picture(camera: SceneCamera, colors: SkyColors, width: int, height: int) -> Picture:
    """What a camera sees of a sky, (height, width, 3)."""
    back = np.linalg.inv(np.array(camera.projection, float).reshape(4, 4) / ONE)
    x, y = np.meshgrid((np.arange(width) + 0.5) * 2 / width - 1, 1 - (np.arange(height) + 0.5) * 2 / height)
    near, far = (np.stack([x, y, np.full_like(x, z), np.ones_like(x)], -1) @ back for z in (-1, 1))
    rays = far[..., :3] / far[..., 3:] - near[..., :3] / near[..., 3:]
    up = rays @ np.array(camera.view[3:6]) / ONE / np.linalg.norm(rays, axis=-1)
    share = np.where(up > 0, np.sqrt(np.abs(up)), BELOW * np.abs(up))[..., None]
    picture: Picture = np.rint(colors[1] + (colors[0] - colors[1]) * share).astype(np.uint8)
    return picture

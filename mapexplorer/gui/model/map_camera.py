"""The camera of the map of a matrix: a point of the matrix and a scale, north up, without perspective."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mapexplorer.gui.model.projection import Projection

SCALES = (1 / 64, 8.0)
"""The smallest and the largest scale in pixels per unit; a cell is then 8 and 4096 pixels wide."""
_STEP = 1.25
"""Factor of a wheel step."""
_FILLED = 0.96
"""The share of the picture that what is fitted fills."""
_MIDDLE, _HALF = 512.0, 1024.0
"""The middle and half of the range of heights in units."""

Size = tuple[float, float]
Box = tuple[float, float, float, float]
"""West, north, east and south in units."""


@dataclass(frozen=True)
class MapCamera:
    """`x`, `z`: the point in the middle of the picture, matrix-wide units; `scale`: pixels per unit.

    A `size` is the width and height of the picture in the same pixels.
    """

    x: float = 0.0
    z: float = 0.0
    scale: float = 0.1

    def point(self, pixel_x: float, pixel_y: float, size: Size) -> tuple[float, float]:
        """The point of the matrix at a pixel."""
        return self.x + (pixel_x - size[0] / 2) / self.scale, self.z + (pixel_y - size[1] / 2) / self.scale

    def pixel(self, x: float, z: float, size: Size) -> tuple[float, float]:
        """The pixel of a point of the matrix."""
        return (x - self.x) * self.scale + size[0] / 2, (z - self.z) * self.scale + size[1] / 2

    def box(self, size: Size) -> Box:
        """What the picture shows."""
        half_x, half_z = size[0] / 2 / self.scale, size[1] / 2 / self.scale
        return self.x - half_x, self.z - half_z, self.x + half_x, self.z + half_z

    def panned(self, right: float, down: float) -> MapCamera:
        """Moved by pixels."""
        return replace(self, x=self.x + right / self.scale, z=self.z + down / self.scale)

    def zoomed(self, steps: float, toward: tuple[float, float] | None = None) -> MapCamera:
        """Zoomed in by wheel steps, so that the point `toward` stays at its pixel."""
        return self.scaled(self.scale * _STEP**steps, toward)

    def scaled(self, scale: float, toward: tuple[float, float] | None = None) -> MapCamera:
        """With another scale, limited to SCALES, so that the point `toward` stays at its pixel."""
        scale = min(SCALES[1], max(SCALES[0], scale))
        x, z = toward if toward is not None else (self.x, self.z)
        share = self.scale / scale
        return MapCamera(x + (self.x - x) * share, z + (self.z - z) * share, scale)

    def fitting(self, box: Box, size: Size) -> MapCamera:
        """The camera that shows a whole box."""
        west, north, east, south = box
        scale = _FILLED * min(size[0] / max(east - west, 1.0), size[1] / max(south - north, 1.0))
        return MapCamera((west + east) / 2, (north + south) / 2, min(SCALES[1], max(SCALES[0], scale)))

    def within(self, box: Box) -> MapCamera:
        """With its middle limited to a box."""
        return replace(self, x=min(box[2], max(box[0], self.x)), z=min(box[3], max(box[1], self.z)))

    def projection(self, size: Size) -> Projection:
        """As a matrix, for what is drawn and picked over the map."""
        across, down = 2 * self.scale / size[0], 2 * self.scale / size[1]
        matrix = np.zeros((4, 4))
        matrix[0, 0], matrix[2, 1], matrix[1, 2] = across, -down, -1 / _HALF
        matrix[3] = -self.x * across, self.z * down, _MIDDLE / _HALF, 1.0
        return Projection(matrix)

"""Projects points of the world into a picture, and computes the rays of pixels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from formats.fixed import ONE
from mapexplorer.world.layers.overlay_picking import Ray

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Projection:
    """A camera as one 4x4 matrix, row vectors: world units times `matrix` are clip coordinates."""

    matrix: Array

    @classmethod
    def of_scene(cls, view: tuple[int, ...], projection: tuple[int, ...]) -> Projection:
        """From the fx32 matrices of a scene's camera (4x3 and 4x4)."""
        camera = np.zeros((4, 4))
        camera[:, :3] = np.array(view, float).reshape(4, 3) / ONE
        camera[3, 3] = 1
        return cls(camera @ (np.array(projection, float).reshape(4, 4) / ONE))

    def same(self, other: Projection | None) -> bool:
        """Whether both are the same camera."""
        return other is not None and np.array_equal(self.matrix, other.matrix)

    def project(self, points: Array) -> tuple[Array, npt.NDArray[np.bool_]]:
        """Points (..., 3) as (..., 2) in 0..1 from the picture's top left, and which are in front of the camera."""
        clip = points @ self.matrix[:3] + self.matrix[3]
        w = clip[..., 3]
        front = (w > 1e-6) & (clip[..., 2] >= -w)
        safe = np.where(front, w, 1.0)[..., None]
        flat = clip[..., :2] / safe * 0.5
        flat[..., 0] += 0.5
        flat[..., 1] = 0.5 - flat[..., 1]
        return flat, front

    def ray(self, x: float, y: float) -> Ray:
        """The line of sight through a point of the picture (0..1 from top left)."""
        back = np.linalg.inv(self.matrix)
        ends = np.array([[2 * x - 1, 1 - 2 * y, -1, 1], [2 * x - 1, 1 - 2 * y, 1, 1]], float) @ back
        ends = ends[:, :3] / ends[:, 3:]
        return Ray(ends[0], ends[1])

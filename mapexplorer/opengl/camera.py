"""Cameras in the form that the shaders use, and lights in view space."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from formats.fixed import ONE, signed
from mapexplorer.scene.camera import SceneCamera
from mapexplorer.scene.culling import boxes_in_view
from mapexplorer.scene.light import LightState

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CameraMatrices:
    """A camera: `view` (4, 3) and `projection` (4, 4), row vectors (v' = v @ M), float64, in units; matrix-wide.
    `bias` is added to the depth of people before the division by w."""

    view: Floats
    projection: Floats
    bias: float = 0.0

    @classmethod
    def of_scene(cls, camera: SceneCamera) -> CameraMatrices:
        """A camera of the scene."""
        view = np.array(camera.view, np.float64).reshape(4, 3) / ONE
        return cls(view, np.array(camera.projection, np.float64).reshape(4, 4) / ONE, camera.bias / ONE)

    @cached_property
    def rotation(self) -> Floats:
        """The linear part of the view (3, 3)."""
        return np.ascontiguousarray(self.view[:3])

    @cached_property
    def eye(self) -> Floats:
        """The position of the eye in units: the origin of view space, also for parallel projections."""
        place: Floats = -self.view[3] @ np.linalg.inv(self.rotation)
        return place

    @cached_property
    def rows(self) -> npt.NDArray[np.int32]:
        """The linear part as on the DS, fx32 (3, 3)."""
        return np.rint(self.rotation * ONE).astype(np.int32)

    @cached_property
    def clip(self) -> Floats:
        """From positions relative to the eye to clip space (4, 4)."""
        view = np.eye(4)
        view[:3, :3] = self.rotation
        return view @ self.projection

    def same(self, other: CameraMatrices | None) -> bool:
        """Whether both cameras give the same view."""
        return (
            other is not None
            and np.array_equal(self.view, other.view)
            and np.array_equal(self.projection, other.projection)
        )

    def ray(self, x: float, y: float, width: int, height: int) -> tuple[Floats, Floats]:
        """The ray through a pixel: its origin on the near plane, in units, and its direction (length 1)."""
        back = np.linalg.inv(self.clip)
        ends = np.array([[2 * x / width - 1, 1 - 2 * y / height, z, 1.0] for z in (-1.0, 1.0)]) @ back
        near, far = ends[:, :3] / ends[:, 3:]
        direction = far - near
        return near + self.eye, direction / np.linalg.norm(direction)

    def visible(self, low: Floats, high: Floats) -> npt.NDArray[np.bool_]:
        """Which boxes (n, 3), relative to the eye, intersect the view volume; boxes near its corners may be false
        positives."""
        return boxes_in_view(low, high, self.clip)


def placed_lights(light: LightState, rows: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """The lights after LIGHT_VECTOR under a view's rotation (fx32): direction and reciprocal, int32 (4, 4)."""
    placed = np.zeros((4, 4), np.int32)
    for number, word in enumerate(light.lights.vectors):
        vector = [signed(word >> shift, 10) for shift in (0, 10, 20)]
        turned = [sum(vector[row] * int(rows[row, column]) for row in range(3)) >> 12 for column in range(3)]
        placed[number, :3] = [signed(-component, 11) for component in turned]
        denominator = 512 - signed(turned[2], 11)
        placed[number, 3] = int(0x40000 / denominator) if denominator else 0
    return placed


def light_colors(light: LightState) -> npt.NDArray[np.uint32]:
    """The colours of the four lights as 15-bit words."""
    return np.array(light.lights.colors, np.uint32) & np.uint32(0x7FFF)


def narrowed(camera: CameraMatrices, x: float, y: float, width: int, height: int) -> CameraMatrices:
    """The same camera, reduced to the pixel with the centre (x, y) from the top left."""
    middle_x, middle_y = 2 * x / width - 1, 1 - 2 * y / height
    zoom = np.eye(4)
    zoom[0, 0], zoom[1, 1] = width, height
    zoom[3, 0], zoom[3, 1] = -middle_x * width, -middle_y * height
    return replace(camera, projection=camera.projection @ zoom)

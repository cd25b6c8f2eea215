"""Cameras of the field as engine matrices: the game's camera for a target, a top view, and a free camera.

Cameras of map headers have no yaw and no roll; those of features may. Source: the Platinum field code and the NITRO
SDK.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from formats.binary import require
from formats.fixed import FULL_TURN, ONE, Vector, cos_index, div, moved, mul, sin_index
from mapexplorer.g3d.camera import UP, look_at, orbit, orthographic, perspective
from mapexplorer.g3d.engine import Matrix44
from mapexplorer.g3d.matrix import Matrix43
from mapexplorer.games.field_tables import CameraType

ASPECT: Final = 5461
"""Width to height of the screen as the game has it: 4/3, cut to fx32."""

_TOP_RANGE: Final = 2048
TOP_LOWEST: Final = -512
"""The lowest height, in units, that a camera straight above sees."""


@dataclass(frozen=True)
class Pose:
    """A free camera at `position` (matrix-wide units): `yaw` degrees east of north, `pitch` degrees below the horizon,
    vertical field of view `fov` degrees."""

    position: tuple[float, float, float]
    yaw: float = 0.0
    pitch: float = 45.0
    fov: float = 40.0
    near: float = 16.0
    far: float = 2500.0


@dataclass(frozen=True)
class SceneCamera:
    """Projection (4x4) and camera (4x3) matrices, fx32, row vectors, and the target of the camera; `bias` is added to
    the depth of people and effects before the division by w."""

    projection: Matrix44
    view: Matrix43
    target: Vector
    kind: str
    bias: int


def camera_position(camera: CameraType, target: Vector) -> Vector:
    """The position of a camera of the game that looks at `target`; fx32 units."""
    return _orbit(camera, target)[0]


def view_matrix(camera: CameraType, target: Vector = (0, 0, 0)) -> Matrix43:
    """The view matrix of a field camera that follows `target`."""
    eye, up = _orbit(camera, target)
    return look_at(eye, moved(target, camera.offset), up if camera.angle_z else UP)


def _orbit(camera: CameraType, target: Vector) -> tuple[Vector, Vector]:
    return orbit(camera.distance, moved(target, camera.offset), (camera.angle_x, camera.angle_y, camera.angle_z))


def projection_matrix(camera: CameraType) -> Matrix44:
    """The projection of a camera of the game; its stored field of view is half of the vertical angle."""
    sine, cosine = sin_index(camera.half_fov), cos_index(camera.half_fov)
    if not camera.orthographic:
        return perspective(sine, cosine, ASPECT, camera.near, camera.far)
    top = mul(div(sine, cosine), camera.distance)
    return orthographic(mul(top, ASPECT), top, camera.near, camera.far)


def depth_distance(projection: Matrix44, depth: float) -> float:
    """The distance in units, along the direction of view, of a depth 0 (near plane) to 1 (far plane)."""
    scale, offset, w_scale, w_offset = (projection[place] / ONE for place in (10, 14, 11, 15))
    ratio = 2 * depth - 1
    return (ratio * w_offset - offset) / (ratio * w_scale - scale)


def game_camera(camera: CameraType, target: Vector) -> SceneCamera:
    """A camera of the game that follows `target`."""
    projection = projection_matrix(camera)
    bias = _bias(projection, camera.billboard_bias)
    return SceneCamera(projection, view_matrix(camera, target), target, "game", bias)


def top_camera(target: Vector, pixels_per_unit: float = 1.0, lowest: int = TOP_LOWEST) -> SceneCamera:
    """A camera straight above: north is up, parallel lines stay parallel, 2048 units of height from `lowest` on are
    seen.

    w is 12 everywhere instead of 1, so that the matrix has whole numbers for every scale of n/32 pixels per unit: a
    point falls on the same place of a pixel in neighbouring pictures.
    """
    require(1 / 32 <= pixels_per_unit <= 256, f"a unit has 1/32 to 256 pixels, not {pixels_per_unit:g}")
    scale = 12 * round(32 * pixels_per_unit)
    w = 12 * ONE
    depth = 2 * w // _TOP_RANGE
    projection = (
        scale, 0, 0, 0,
        0, scale * 4 // 3, 0, 0,
        0, 0, -depth, 0,
        0, 0, depth * (lowest + _TOP_RANGE // 2), w,
    )  # fmt: skip
    x, _, z = target
    view = (ONE, 0, 0, 0, 0, ONE, 0, -ONE, 0, -x, z, 0)
    return SceneCamera(projection, view, target, "top", _bias(projection, CameraType.billboard_bias))


def free_camera(pose: Pose) -> SceneCamera:
    """A perspective camera at a pose. Raises ValueError for one that cannot see."""
    require(
        1 <= pose.fov <= 150 and 0 < pose.near < pose.far <= 8000 and -89.9 <= pose.pitch <= 89.9,
        "a free camera has a field of view of 1 to 150 degrees, 0 < near < far <= 8000 units and a pitch "
        "between -89.9 and 89.9 degrees",
    )
    yaw, pitch = math.radians(pose.yaw), math.radians(pose.pitch)
    eye = tuple(round(value * ONE) for value in pose.position)
    ahead = (math.sin(yaw) * math.cos(pitch), -math.sin(pitch), -math.cos(yaw) * math.cos(pitch))
    target = tuple(place + round(256 * ONE * part) for place, part in zip(eye, ahead, strict=True))
    half = round(pose.fov / 2 / 360 * FULL_TURN)
    near, far = round(pose.near * ONE), round(pose.far * ONE)
    projection = perspective(sin_index(half), cos_index(half), ASPECT, near, far)
    # With such a close near plane the game's bias would be several metres: use the bias of 7 units at distance 400.
    bias = -round(7 / 400 * 2 * far * near / (far - near))
    return SceneCamera(projection, look_at(eye, target), target, "free", bias)  # type: ignore[arg-type]


def biased(camera: SceneCamera) -> Matrix44:
    """The camera's projection with nearer depths; screen positions are the same."""
    projection = camera.projection
    return (*projection[:14], projection[14] + camera.bias, projection[15])


def _bias(projection: Matrix44, offset: int) -> int:
    return offset * projection[10] >> 12

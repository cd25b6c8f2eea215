"""The field camera: where it stands for a target and the view matrix it makes, in the game's integers.

Cameras of the game have no yaw and no roll. The height takes the sine of the negated angle, and the angle is negated
before it becomes a table index, so its index differs by one from the cosine's for most angles. Source: the Platinum
field code and the NITRO SDK's look-at.
"""

from __future__ import annotations

from formats.fixed import ONE, Vector, cos_index, cross, dot, mul, normalize, sin_index
from mapexplorer.g3d.matrix import Matrix43
from mapexplorer.tables import Camera

_UP: Vector = (0, ONE, 0)


def camera_position(camera: Camera, target: Vector) -> Vector:
    """Where the camera stands when it looks at `target`; fx32 units."""
    angle = camera.angle_x
    return (
        target[0],
        target[1] + mul(camera.distance, sin_index(-angle)),
        target[2] + mul(camera.distance, cos_index(angle)),
    )


def look_at(position: Vector, target: Vector, up: Vector = _UP) -> Matrix43:
    """The view matrix (4x3, row vectors, fx32) of a camera at `position` that looks at `target`."""
    back = normalize((position[0] - target[0], position[1] - target[1], position[2] - target[2]))
    right = normalize(cross(up, back))
    above = cross(back, right)
    return (
        right[0], above[0], back[0],
        right[1], above[1], back[1],
        right[2], above[2], back[2],
        -dot(position, right), -dot(position, above), -dot(position, back),
    )  # fmt: skip


def view_matrix(camera: Camera, target: Vector = (0, 0, 0)) -> Matrix43:
    """The view matrix of a field camera that follows `target`."""
    return look_at(camera_position(camera, target), target)

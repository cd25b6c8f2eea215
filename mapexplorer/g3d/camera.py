"""Camera and projection matrices as the NITRO SDK makes them: fx32, row vectors.

Divisions are those of the hardware divider, products are rounded, and depth terms keep 32 fraction bits until the end.
"""

from __future__ import annotations

from formats.fixed import ONE, Vector, cos_index, cross, div, dot, mul, normalize, sin_index, truncated
from mapexplorer.g3d.engine import Matrix44
from mapexplorer.g3d.matrix import Matrix43

UP: Vector = (0, ONE, 0)


def look_at(eye: Vector, target: Vector, up: Vector = UP) -> Matrix43:
    """The camera matrix that looks from `eye` to `target` along its negative z axis.

    Raises ZeroDivisionError when eye and target coincide or `up` is parallel to the view.
    """
    back = normalize((eye[0] - target[0], eye[1] - target[1], eye[2] - target[2]))
    right = normalize(cross(up, back))
    above = cross(back, right)
    return (
        right[0],
        above[0],
        back[0],
        right[1],
        above[1],
        back[1],
        right[2],
        above[2],
        back[2],
        -dot(eye, right),
        -dot(eye, above),
        -dot(eye, back),
    )


def orbit(distance: int, target: Vector, angles: Vector) -> tuple[Vector, Vector]:
    """Eye and up vector of a field camera that looks at a target from a distance under pitch, yaw and roll (u16 index).

    The height takes the sine of the negated angle, and the angle is negated before it becomes a table index, so its
    index differs by one from the cosine's for most angles.
    """
    pitch, yaw, roll = angles
    away = mul(sin_index(yaw), distance), mul(cos_index(yaw), distance)
    eye = (
        target[0] + mul(away[0], cos_index(pitch)),
        target[1] + mul(sin_index(-pitch), distance),
        target[2] + mul(away[1], cos_index(pitch)),
    )
    up = mul(sin_index(roll), cos_index(yaw)), ONE + cos_index(roll), -mul(sin_index(roll), sin_index(yaw))
    return eye, up


def perspective(sine: int, cosine: int, aspect: int, near: int, far: int) -> Matrix44:
    """A perspective projection; sine and cosine (fx16) are of half the vertical angle, `aspect` is width to height."""
    cotangent = div(cosine, sine)
    reciprocal = truncated(1 << 44, near - far)  # of the hardware divider, with 32 fraction bits
    depth = (reciprocal * (near + far) + (1 << 31)) >> 32
    offset = (reciprocal * mul(2 * near, far) + (1 << 31)) >> 32
    return (div(cotangent, aspect), 0, 0, 0, 0, cotangent, 0, 0, 0, 0, depth, -ONE, 0, 0, offset, 0)


def orthographic(right: int, top: int, near: int, far: int) -> Matrix44:
    """An orthographic projection of the box from (-right, -top) to (right, top)."""
    return (
        div(2 * ONE, 2 * right),
        0,
        0,
        0,
        0,
        div(2 * ONE, 2 * top),
        0,
        0,
        0,
        0,
        div(2 * ONE, near - far),
        0,
        0,
        0,
        div(far + near, near - far),
        ONE,
    )

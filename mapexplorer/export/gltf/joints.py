"""Node transforms as glTF writes them: translation, unit quaternion, scale."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from formats.fixed import ONE
from formats.nitro.model import MAYA
from mapexplorer.g3d.matrix import Matrix33
from mapexplorer.g3d.transform import JointResult

Quaternion = tuple[float, float, float, float]
Triple = tuple[float, float, float]

NEUTRAL: Final = {"translation": (0.0, 0.0, 0.0), "rotation": (0.0, 0.0, 0.0, 1.0), "scale": (1.0, 1.0, 1.0)}
"""The parts of a transform that changes nothing."""


class Trs(NamedTuple):
    """A transform of one glTF node, with the names of its properties; None for identity parts. Translation in
    metres."""

    translation: Triple | None = None
    rotation: Quaternion | None = None
    scale: Triple | None = None

    def matrix(self) -> npt.NDArray[np.float64]:
        """The 4x4 matrix for row vectors."""
        result = np.eye(4)
        if self.rotation is not None:
            result[:3, :3] = rotation_rows(self.rotation)
        if self.scale is not None:
            result[:3, :3] *= np.array(self.scale)[:, None]
        if self.translation is not None:
            result[3, :3] = self.translation
        return result


def quaternion(rows: npt.NDArray[np.float64]) -> Quaternion:
    """The unit quaternion x, y, z, w of a rotation whose rows are for row vectors."""
    m: list[list[float]] = rows.T.tolist()
    trace = m[0][0] + m[1][1] + m[2][2]
    if trace > 0:
        w = math.sqrt(trace + 1) / 2
        result = [(m[2][1] - m[1][2]) / (4 * w), (m[0][2] - m[2][0]) / (4 * w), (m[1][0] - m[0][1]) / (4 * w), w]
    else:
        i = max(range(3), key=lambda axis: m[axis][axis])
        j, k = (i + 1) % 3, (i + 2) % 3
        half = math.sqrt(max(m[i][i] - m[j][j] - m[k][k] + 1, 0)) / 2
        result = [0.0, 0.0, 0.0, (m[k][j] - m[j][k]) / (4 * half)]
        result[i] = half
        result[j] = (m[j][i] + m[i][j]) / (4 * half)
        result[k] = (m[k][i] + m[i][k]) / (4 * half)
    length = math.sqrt(sum(value * value for value in result))
    x, y, z, w = (value / length for value in result)
    return (x, y, z, w)


def rotation_rows(rotation: Quaternion) -> npt.NDArray[np.float64]:
    """The rows, for row vectors, of a unit quaternion."""
    x, y, z, w = rotation
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
            [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
            [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def joint_transforms(joint: JointResult, rule: int, unit: float) -> tuple[Trs, Trs | None]:
    """A joint as one transform, or as an outer and an inner one where the scaling rule puts a scale between.

    `unit` are metres of one fx32 step. The rows of a fixed-point rotation do not have exactly length one; their lengths
    are included in the scale, so that vertex positions agree with the integers.
    """
    translation = _scaled(joint.translation, unit)
    rotation, lengths = _rotation(joint.rotation)
    scale = _product(_scaled(joint.scale, 1 / ONE), lengths)
    if rule == MAYA and joint.extra0 is not None:
        return Trs(translation, None, _scaled(joint.extra0, 1 / ONE)), Trs(None, rotation, scale)
    if joint.extra0 is not None or joint.extra1 is not None:
        inverse = _scaled(joint.extra1, 1 / ONE)
        inner = Trs(None, rotation, _product(scale, _scaled(joint.extra0, 1 / ONE)))
        return Trs(_product(translation, inverse) if translation else None, None, inverse), inner
    return Trs(translation, rotation, scale), None


def _scaled(vector: tuple[int, int, int] | None, factor: float) -> Triple | None:
    return None if vector is None else (vector[0] * factor, vector[1] * factor, vector[2] * factor)


def _product(a: Triple | None, b: Triple | None) -> Triple | None:
    if a is None or b is None:
        return a or b
    return (a[0] * b[0], a[1] * b[1], a[2] * b[2])


@lru_cache(1 << 12)
def _rotation(matrix: Matrix33 | None) -> tuple[Quaternion | None, Triple | None]:
    """The quaternion and the lengths of the rows (None when they are one) of a rotation in fx32."""
    if matrix is None:
        return None, None
    rows = np.array(matrix, np.float64).reshape(3, 3) / ONE
    lengths = np.linalg.norm(rows, axis=1)
    if not lengths.all():
        return None, None
    sizes = (float(lengths[0]), float(lengths[1]), float(lengths[2]))
    return quaternion(rows / lengths[:, None]), None if sizes == (1, 1, 1) else sizes

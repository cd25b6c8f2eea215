"""Poses as what scene graphs have at each node: translation, unit quaternion and scale relative to the parent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from formats.j3d.model import Bmd
from mapexplorer.j3d.pose import BASIC, MAYA, Pose, quaternions, world_matrices

Array = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Transforms:
    """translations (..., joints, 3) in model units, rotations (..., joints, 4) as x y z w, scales (..., joints, 3).

    sheared: how many transforms (of joints, frame by frame) had a shear, which these three cannot say.
    """

    translations: Array
    rotations: Array
    scales: Array
    sheared: int


def local_transforms(model: Bmd, pose: Pose) -> Transforms:
    """The node transforms of a pose whose arrays may have a leading axis of frames.

    Under the basic scaling rule, and under the others while nothing is scaled, they are the joint's own numbers. Else
    they are taken apart from the world matrices; a joint under a singular matrix keeps its own numbers.
    """
    rotations = quaternions(pose.rotations)
    own = Transforms(np.array(pose.translations), rotations, np.array(pose.scales), 0)
    if not _depends_on_rule(model, pose):
        return own
    if pose.scales.ndim == 2:
        return _taken_apart(model, pose, own)
    frames = [
        _taken_apart(
            model,
            Pose(pose.scales[i], pose.rotations[i], pose.translations[i]),
            Transforms(own.translations[i], own.rotations[i], own.scales[i], 0),
        )
        for i in range(len(pose.scales))
    ]
    return Transforms(
        np.stack([frame.translations for frame in frames]),
        np.stack([frame.rotations for frame in frames]),
        np.stack([frame.scales for frame in frames]),
        sum(frame.sheared for frame in frames),
    )


def _depends_on_rule(model: Bmd, pose: Pose) -> bool:
    rule = model.information.scaling_rule
    scaled = (pose.scales != 1).reshape(-1, len(model.joints), 3).any(axis=(0, 2))
    if rule == BASIC or not scaled.any():
        return False
    if rule != MAYA:
        return True
    parents = model.hierarchy.parents
    return any(
        joint.scale_compensate == 1 and parents[i] >= 0 and scaled[parents[i]] for i, joint in enumerate(model.joints)
    )


def _taken_apart(model: Bmd, pose: Pose, own: Transforms) -> Transforms:
    world = world_matrices(model, pose)
    translations, rotations, scales = own.translations.copy(), own.rotations.copy(), own.scales.copy()
    sheared = 0
    for joint in model.hierarchy.order:
        parent = model.hierarchy.parents[joint]
        above = world[parent] if parent >= 0 else np.eye(4)
        if not np.isfinite(above).all() or abs(np.linalg.det(above[:3, :3])) < 1e-12:
            continue
        local = world[joint] @ np.linalg.inv(above)
        lengths = np.linalg.norm(local[:3, :3], axis=1)
        translations[joint] = local[3, :3]
        if not (lengths > 1e-9).all():
            scales[joint] = lengths
            continue
        rows = local[:3, :3] / lengths[:, None]
        if np.linalg.det(rows) < 0:
            rows[0], lengths[0] = -rows[0], -lengths[0]
        if np.abs(rows @ rows.T - np.eye(3)).max() > 1e-4:
            sheared += 1
        left, _, right = np.linalg.svd(rows)
        rotations[joint], scales[joint] = _quaternion(left @ right), lengths
    return Transforms(translations, rotations, scales, sheared)


def _quaternion(rows: Array) -> Array:
    """x, y, z, w of a rotation whose rows are for row vectors: the eigenvector of the largest eigenvalue of the
    symmetric matrix that every rotation matrix makes (Bar-Itzhack)."""
    m = rows.T
    symmetric = np.array(
        (
            (m[0, 0] - m[1, 1] - m[2, 2], m[0, 1] + m[1, 0], m[0, 2] + m[2, 0], m[2, 1] - m[1, 2]),
            (m[0, 1] + m[1, 0], m[1, 1] - m[0, 0] - m[2, 2], m[1, 2] + m[2, 1], m[0, 2] - m[2, 0]),
            (m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], m[2, 2] - m[0, 0] - m[1, 1], m[1, 0] - m[0, 1]),
            (m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1], m[0, 0] + m[1, 1] + m[2, 2]),
        )
    )
    _, vectors = np.linalg.eigh(symmetric)
    result = vectors[:, 3]
    return np.asarray(result if result[3] >= 0 else -result)

"""Joint poses and the matrices that come of them.

Matrices are float64 (n, 4, 4), row-vector and row-major (p' = p @ M, translation in the last row); lengths are model
units. Source: the decompiled J3D library (the three scaling rules) and measurements on models of each rule.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from formats.j3d.model import Bmd
from mapexplorer.arrays import Array

BASIC, SOFTIMAGE, MAYA = range(3)
ANGLE = np.pi / 32768


@dataclass(frozen=True, eq=False)
class JointPose:
    """Every joint relative to its parent: scales (n, 3), rotations (n, 3) as s16 angles X, Y, Z in units of pi / 32768,
    translations (n, 3) in model units."""

    scales: npt.NDArray[np.float64]
    rotations: npt.NDArray[np.int64]
    translations: npt.NDArray[np.float64]


def rest_pose(model: Bmd) -> JointPose:
    """The pose that the model file gives."""
    count = len(model.joints)
    return JointPose(
        np.array([joint.scale for joint in model.joints], np.float64).reshape(count, 3),
        np.array([joint.rotation for joint in model.joints], np.int64).reshape(count, 3),
        np.array([joint.translation for joint in model.joints], np.float64).reshape(count, 3),
    )


def rotation_matrices(rotations: npt.ArrayLike) -> Array:
    """float64 (..., 3, 3) row-vector matrices of Euler angles (..., 3): X is applied first, then Y, then Z."""
    angles = np.asarray(rotations, np.float64) * ANGLE
    (sx, sy, sz), (cx, cy, cz) = (np.moveaxis(function(angles), -1, 0) for function in (np.sin, np.cos))
    rows = (
        (cz * cy, sz * cy, -sy),
        (sx * cz * sy - cx * sz, sx * sz * sy + cx * cz, cy * sx),
        (cx * cz * sy + sx * sz, cx * sz * sy - sx * cz, cy * cx),
    )
    return np.stack([np.stack(row, -1) for row in rows], -2)


def quaternions(rotations: npt.ArrayLike) -> Array:
    """Unit quaternions (..., 4), x y z w, of the same Euler angles (..., 3)."""
    angles = np.asarray(rotations, np.float64) * (ANGLE / 2)
    (sx, sy, sz), (cx, cy, cz) = (np.moveaxis(function(angles), -1, 0) for function in (np.sin, np.cos))
    parts = (
        sx * cy * cz - cx * sy * sz,
        cx * sy * cz + sx * cy * sz,
        cx * cy * sz - sx * sy * cz,
        cx * cy * cz + sx * sy * sz,
    )
    return np.stack(parts, -1)


def world_matrices(model: Bmd, pose: JointPose | None = None) -> Array:
    """The world matrix of every joint in a pose (rest pose when None), by the model's scaling rule.

    Basic: the matrix of T, R and S times the parent's. Softimage: scale does not turn or shear children: it is gathered
    component by component along an unscaled chain. Maya: as basic, but a joint that compensates divides its parent's
    local scale out of its own rotation and scale. The library's shortcut for unit products of scales is not modelled.
    """
    pose = pose or rest_pose(model)
    count = len(model.joints)
    turns = rotation_matrices(pose.rotations)
    world = np.tile(np.eye(4), (count, 1, 1))
    chain = np.tile(np.eye(4), (count, 1, 1))
    gathered = np.ones((count, 3))
    rule = model.information.scaling_rule
    for joint in model.hierarchy.order:
        parent = model.hierarchy.parents[joint]
        local = np.eye(4)
        if rule == SOFTIMAGE:
            above = gathered[parent] if parent >= 0 else np.ones(3)
            local[:3, :3] = turns[joint]
            local[3, :3] = pose.translations[joint] * above
            chain[joint] = local @ chain[parent] if parent >= 0 else local
            gathered[joint] = above * pose.scales[joint]
            world[joint] = chain[joint]
            world[joint, :3] *= gathered[joint][:, None]
            continue
        local[:3, :3] = turns[joint] * pose.scales[joint][:, None]
        if rule == MAYA and parent >= 0 and model.joints[joint].scale_compensate == 1:
            scale = pose.scales[parent]
            local[:3, :3] *= np.divide(1.0, scale, out=np.zeros(3), where=scale != 0)
        local[3, :3] = pose.translations[joint]
        world[joint] = local @ world[parent] if parent >= 0 else local
    return world


def inverse_binds(model: Bmd) -> Array:
    """float64 (joints, 4, 4): the stored inverse bind matrices; empty for a model without envelopes."""
    stored = model.envelopes.inverse_binds
    result = np.tile(np.eye(4), (len(stored), 1, 1))
    result[:, :, :3] = stored.transpose(0, 2, 1)
    return result


def envelope_starts(model: Bmd) -> Array:
    """The first influence of each envelope."""
    return np.concatenate(([0], np.cumsum(model.envelopes.counts, dtype=np.int64)))[:-1]

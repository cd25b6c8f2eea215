"""Poses for scene graphs: translation, unit quaternion and scale of nodes, exact under all scaling rules.

Where one node cannot represent a joint's scale, the joint becomes two nodes: an outer one below the parent's, and an
inner one with the shapes of the joint. Decomposing a shear is never needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from formats.j3d.model import Bmd
from mapexplorer.arrays import Array
from mapexplorer.j3d.pose import BASIC, MAYA, SOFTIMAGE, JointPose, quaternions

SINGLE, LEAF, COMPENSATED = range(3)
"""How a joint becomes nodes: one; the gathered scale on an inner node, children on the outer one (Softimage);
translation and inverse parent scale outside, rotation and scale inside (Maya)."""


@dataclass(frozen=True, eq=False)
class NodeTransforms:
    """Transforms of the outer and inner nodes of every joint; the inner ones are identity where there is one node.

    translations, scales, inner_scales: (..., joints, 3); rotations, inner_rotations: (..., joints, 4) as x y z w, with
    the leading axis of the pose's arrays. Translations in model units.
    """

    translations: Array
    rotations: Array
    scales: Array
    inner_rotations: Array
    inner_scales: Array


def arrangements(model: Bmd, scales: Sequence[Array]) -> tuple[int, ...]:
    """The arrangement of every joint for poses whose scales (..., joints, 3) are given: two nodes only where needed."""
    count = len(model.joints)
    result = [SINGLE] * count
    rule = model.information.scaling_rule
    if rule == BASIC or not count:
        return tuple(result)
    scaled = np.any([(scale.reshape(-1, count, 3) != 1).any(axis=(0, 2)) for scale in scales], axis=0)
    parents = model.hierarchy.parents
    for joint in model.hierarchy.order:
        above = parents[joint] >= 0 and bool(scaled[parents[joint]])
        if rule == SOFTIMAGE:
            scaled[joint] |= above  # gathered along the chain
            if scaled[joint]:
                result[joint] = LEAF
        elif rule == MAYA and above and model.joints[joint].scale_compensate == 1:
            result[joint] = COMPENSATED
    return tuple(result)


def node_transforms(model: Bmd, pose: JointPose, arranged: Sequence[int]) -> NodeTransforms:
    """The node transforms of a pose whose arrays may have a leading axis of frames."""
    translations, scales = np.array(pose.translations), np.array(pose.scales)
    rotations = quaternions(pose.rotations)
    inner_rotations, inner_scales = np.zeros_like(rotations), np.ones_like(scales)
    inner_rotations[..., 3] = 1
    gathered = np.array(pose.scales)
    for joint in model.hierarchy.order:
        parent = model.hierarchy.parents[joint]
        if arranged[joint] == LEAF:
            if parent >= 0:
                translations[..., joint, :] *= gathered[..., parent, :]
                gathered[..., joint, :] *= gathered[..., parent, :]
            inner_scales[..., joint, :] = gathered[..., joint, :]
            scales[..., joint, :] = 1
        elif arranged[joint] == COMPENSATED:
            above = pose.scales[..., parent, :]
            inner_scales[..., joint, :] = scales[..., joint, :]
            scales[..., joint, :] = np.divide(1.0, above, out=np.zeros_like(above), where=above != 0)
            inner_rotations[..., joint, :] = rotations[..., joint, :]
            rotations[..., joint, :] = (0, 0, 0, 1)
    return NodeTransforms(translations, rotations, scales, inner_rotations, inner_scales)

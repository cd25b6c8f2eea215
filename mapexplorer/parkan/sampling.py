"""The pose of an MSH node at a time, and of two times blended, by the rules of the Iron3D engine.

The engine computes in x87 single precision; here everything is double precision from the stored fields. A quaternion is
always (w, x, y, z); `Order` determines which stored word is w. A matrix is 16 numbers, row-major, with the translation
in elements 3, 7 and 11 (it acts on column vectors). Facts: the disassembly of `AniMesh.dll` in the fparkan project's
specification (`sub_10012880`, `sub_10012560`), and for the quaternion routines its sister documents.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from formats.binary import require
from formats.parkan import KeyPool, Msh, Tracks
from formats.parkan.animation import NO_MAP

Order = Literal["xyzw", "wxyz", "auto"]
Quaternion = tuple[float, float, float, float]
Vector = tuple[float, float, float]
Matrix = tuple[float, ...]

IDENTITY: Quaternion = (1.0, 0.0, 0.0, 0.0)
LINEAR_THRESHOLD = 9.9999997e-6


@dataclass(frozen=True)
class NodePose:
    """An orientation (w, x, y, z), as stored and not normalised, and a position relative to the parent node."""

    orientation: Quaternion
    position: Vector

    def matrix(self) -> Matrix:
        """The pose as the engine's matrix."""
        return pose_matrix(self.orientation, self.position)


@dataclass(frozen=True)
class Sample(NodePose):
    """A pose and how it was computed.

    `branch` is "fallback", "k0", "k1" or "interp"; `key` the key number; `alpha` the position between `key` and the
    next in the "interp" branch, which may be outside 0..1.
    """

    frame: int
    key: int
    branch: str
    alpha: float | None = None


REST = Sample(IDENTITY, (0.0, 0.0, 0.0), 0, -1, "none")


def frame_number(time: float, *, single_precision: bool = False) -> int:
    """The frame of a time: `time - 0.5` rounded to the nearest integer, halves to even, as x87 `FISTP` stores it.

    Whole even times give that frame, whole odd times the one before. The result is the low 32 bits, signed; a time that
    does not fit 64 bits (or is NaN) gives 0. The engine's 24-bit precision, `single_precision`, differs for tiny
    negative times only.
    """
    with np.errstate(over="ignore"):
        shifted = float(np.float32(time - 0.5)) if single_precision else time - 0.5
    if not -(2.0**63) <= shifted < 2.0**63:
        return 0
    low = round(shifted) & 0xFFFFFFFF
    return low - (1 << 32) if low >= 1 << 31 else low


def quaternion_order(pool: KeyPool | Tracks) -> Literal["xyzw", "wxyz"]:
    """Which stored word is w, inferred from the identity keys of the pool; "xyzw", the specification's order, for a
    tie."""
    raw = pool.pool().keys["orientation"].astype(np.int32)
    first = (np.abs(raw[:, 0]) == 32767) & ~raw[:, 1:].any(1)
    last = (np.abs(raw[:, 3]) == 32767) & ~raw[:, :3].any(1)
    return "wxyz" if first.sum() > last.sum() else "xyzw"


def resolve_order(pool: KeyPool | Tracks, order: Order) -> Literal["xyzw", "wxyz"]:
    """`order`, with "auto" decided for this pool."""
    require(order in ("xyzw", "wxyz", "auto"), f"the quaternion order is xyzw, wxyz or auto, not {order!r}")
    return quaternion_order(pool) if order == "auto" else order


def key_pose(pool: KeyPool, key: int, order: Order = "xyzw") -> NodePose:
    """One key of the pool as a pose."""
    require(0 <= key < len(pool.keys), f"key {key} does not exist: there are {len(pool.keys)}")
    record = pool.keys[key]
    a, b, c, d = (int(word) / 32767.0 for word in record["orientation"])
    orientation = (a, b, c, d) if resolve_order(pool, order) == "wxyz" else (d, a, b, c)
    x, y, z = (float(value) for value in record["position"])
    return NodePose(orientation, (x, y, z))


def sample(animation: KeyPool | Tracks, node: int, time: float, *, order: Order = "xyzw") -> Sample:
    """The pose of a node at `time` (in frames; rounded to the float32 that the engine uses).

    A segment between two keys of the same time, where the engine divides by zero, gives its first key. Raises
    ValueError for an index outside the pool, which a file that was read without an error does not have, and for a time
    that is not finite.
    """
    pool = animation.pool()
    with np.errstate(over="ignore"):
        time = float(np.float32(time))
    require(math.isfinite(time), f"a finite time is needed, not {time}")
    require(0 <= node < len(pool.fallbacks), f"node {node} does not exist: there are {len(pool.fallbacks)}")
    order = resolve_order(pool, order)
    frame = frame_number(time)
    fallback, start = int(pool.fallbacks[node]), int(pool.map_starts[node])
    key = fallback
    if (frame & 0xFFFFFFFF) < pool.frame_count and start != NO_MAP:
        require(
            start + frame < len(pool.words), f"map word {start + frame} does not exist: there are {len(pool.words)}"
        )
        key = min(int(pool.words[start + frame]), fallback)
    left = key_pose(pool, key, order)
    if key == fallback:
        return Sample(left.orientation, left.position, frame, key, "fallback")
    begin = float(pool.keys["time"][key])
    if time == begin:
        return Sample(left.orientation, left.position, frame, key, "k0")
    right = key_pose(pool, key + 1, order)
    end = float(pool.keys["time"][key + 1])
    if time == end:
        return Sample(right.orientation, right.position, frame, key, "k1")
    if begin == end:
        return Sample(left.orientation, left.position, frame, key, "k0")
    alpha = (time - begin) / (end - begin)
    orientation = interpolate(left.orientation, right.orientation, alpha)
    return Sample(orientation, mix(left.position, right.position, alpha), frame, key, "interp", alpha)


def mix(a: Vector, b: Vector, alpha: float) -> Vector:
    """Linear interpolation from `a` (0) to `b` (1), not clamped."""
    x, y, z = ((1.0 - alpha) * p + alpha * q for p, q in zip(a, b, strict=True))
    return x, y, z


def interpolate(a: Quaternion, b: Quaternion, alpha: float) -> Quaternion:
    """The engine's quaternion interpolation: along the shorter arc, linear where the two are nearly equal.

    The result is not normalised, and `alpha` is not clamped.
    """
    dot = sum(p * q for p, q in zip(a, b, strict=True))
    sign = 1.0
    if dot < 0:
        dot, sign = -dot, -1.0
    if 1.0 - dot <= LINEAR_THRESHOLD:
        left, right = 1.0 - alpha, alpha
    else:
        angle = math.acos(dot)
        right = math.sin(alpha * angle) / math.sin(angle)
        left = math.cos(alpha * angle) - right * dot
    w, x, y, z = (left * p + sign * right * q for p, q in zip(a, b, strict=True))
    return w, x, y, z


def pose_matrix(orientation: Quaternion, position: Vector) -> Matrix:
    """The engine's matrix of a quaternion and a position.

    For column vectors its rotation is that of the conjugate quaternion.
    """
    w, x, y, z = orientation
    return (
        *(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y), position[0]),
        *(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x), position[1]),
        *(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y), position[2]),
        *(0.0, 0.0, 0.0, 1.0),
    )


@dataclass(frozen=True)
class BlendedPose(NodePose):
    """A blended pose: which of the two samples were used ("A", "B", "both"), and whether B's sign was inverted."""

    branch: str
    flipped: bool = False


def blend(
    animation: KeyPool | Tracks, node: int, time_a: float, time_b: float, weight: float, *, order: Order = "xyzw"
) -> BlendedPose | None:
    """The poses at two times, mixed: `weight` 0 is A, 1 is B.

    A is used when `weight < 1` and `time_a >= 0`, B when `weight > 0` and `time_b >= 0`. None when neither is used:
    the engine's result is undefined there.
    """
    pool = animation.pool()
    with_a = weight < 1.0 and time_a >= 0.0
    with_b = weight > 0.0 and time_b >= 0.0
    a = sample(pool, node, time_a, order=order) if with_a else None
    b = sample(pool, node, time_b, order=order) if with_b else None
    if a is None or b is None:
        only = a or b
        return BlendedPose(only.orientation, only.position, "A" if only is a else "B") if only else None
    to, flipped = b.orientation, False
    together = sum((p + q) ** 2 for p, q in zip(a.orientation, to, strict=True))
    apart = sum((p - q) ** 2 for p, q in zip(a.orientation, to, strict=True))
    if together < apart:
        w, x, y, z = to
        to, flipped = (-w, -x, -y, -z), True
    return BlendedPose(interpolate(a.orientation, to, weight), mix(a.position, b.position, weight), "both", flipped)


def world_matrices(
    model: Msh, poses: tuple[NodePose | None, ...], *, keep_root_translation: bool = True
) -> tuple[Matrix, ...]:
    """The matrix of every node in model space: the parent's times its own, for column vectors.

    A node with the pose None has its parent's matrix. `keep_root_translation` False drops the translation of root
    nodes, as in one interpretation of the engine's traversal. A legacy model has no hierarchy: every node is a
    root.
    """
    worlds: list[np.ndarray] = []
    for node, pose in enumerate(poses):
        local = np.array(pose.matrix()).reshape(4, 4) if pose else np.eye(4)
        parent = 0xFFFF if model.legacy else int(model.nodes["parent"][node])
        if parent < node:
            local = worlds[parent] @ local
        elif not keep_root_translation:
            local[:3, 3] = 0.0
        worlds.append(local)
    return tuple(tuple(world.ravel().tolist()) for world in worlds)


def model_poses(model: Msh, time: float, *, order: Order = "xyzw") -> tuple[NodePose, ...]:
    """The pose of every node at `time`; identity where the model has no animation for its nodes.

    The pose at rest is that of time 0.
    """
    if not model.animated:
        return (REST,) * len(model.nodes)
    pool = model.animation.pool()
    order = resolve_order(pool, order)
    return tuple(sample(pool, node, time, order=order) for node in range(len(model.nodes)))

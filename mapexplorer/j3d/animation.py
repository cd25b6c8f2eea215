"""Joint animation: the pose at a frame."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from formats.j3d.animation import ROTATION, SCALE, TRANSLATION, Bck
from mapexplorer.arrays import Array


def sample_frames(animation: Bck, frames: Array, joints: Sequence[int] | None = None) -> tuple[Array, Array, Array]:
    """Scales, rotations (s16 units of pi / 32768) and translations, each (frames, joints, 3), at the given frames.

    Before its first and after its last key a track holds still; between keys it is a cubic Hermite curve whose tangents
    are per frame. Rotations are interpolated as stored, truncated toward zero, shifted left and wrapped to 16 bits.
    `joints`: only these.
    """
    tracks = animation.tracks if joints is None else animation.tracks[list(joints)]
    shape = (len(frames), len(tracks), 3)
    scales, raw, translations = np.ones(shape), np.zeros(shape), np.zeros(shape)
    for kind, pool, target in (
        (SCALE, animation.scales, scales),
        (ROTATION, animation.rotations, raw),
        (TRANSLATION, animation.translations, translations),
    ):
        for joint, axis in np.argwhere(tracks["count"][:, :, kind] > 0).tolist():
            count, first, tangents = tracks[joint, axis, kind].tolist()
            target[:, joint, axis] = _track(pool, count, first, tangents, frames)
    shifted = np.trunc(raw).astype(np.int64) << animation.rotation_shift
    return scales, (shifted + 0x8000 & 0xFFFF) - 0x8000, translations


def _track(pool: Array, count: int, first: int, tangents: int, frames: Array) -> Array:
    if count == 1:
        return np.full(len(frames), float(pool[first]))
    step = 3 if tangents == 0 else 4
    keys = pool[first : first + step * count].astype(np.float64).reshape(count, step)
    times, values = keys[:, 0], keys[:, 1]
    left = np.clip(np.searchsorted(times, frames, side="right") - 1, 0, count - 2)
    start, length = times[left], times[left + 1] - times[left]
    whole = np.where(length > 0, length, 1)
    u = (frames - start) / whole
    first_value, second_value = values[left], values[left + 1]
    first_tangent, second_tangent = keys[left, step - 1], keys[left + 1, 2]
    curve = (
        first_value * (2 * u**3 - 3 * u**2 + 1)
        + second_value * (-2 * u**3 + 3 * u**2)
        + length * first_tangent * (u**3 - 2 * u**2 + u)
        + length * second_tangent * (u**3 - u**2)
    )
    curve[frames < times[0]] = values[0]
    curve[frames >= times[-1]] = values[-1]
    return np.asarray(curve)

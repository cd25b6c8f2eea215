"""Values at whole frames as curves of key times and values, 30 frames a second.

The game shows a frame for each update (29.9 a second); clips count 30 a second, as tools expect. A curve ends where the
frame after the last one would begin, so that loops have the right period.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from mapexplorer.export.gltf.document import Channel, Json
from mapexplorer.units import TICKS_PER_SECOND
from mapexplorer.world.models.animations import AUTOMATIC

FRAMES_PER_SECOND: Final = 30

AUTO_PREFIX: Final = "auto."
"""With which the names of clips begin that loop from the start, at the same time."""

_JUMP: Final = 1 / 64
"""The part of a frame in which a curve returns to its start that ends elsewhere."""

Floats = npt.NDArray[np.float32]


class KeyCurve(NamedTuple):
    """Key times in seconds (n,), values (n, k), and STEP or LINEAR."""

    times: Floats
    values: Floats
    interpolation: str

    def channel(self, *, node: int | None = None, path: str = "pointer", pointer: str | None = None) -> Channel:
        """The curve as a channel of a node's property, or of a JSON pointer."""
        values = self.values[:, 0] if self.values.shape[1] == 1 else self.values
        return Channel(self.times, values, node, path, pointer, self.interpolation)


def stepped(frames: npt.NDArray[np.floating]) -> KeyCurve:
    """A curve that holds the value of every frame (n, k), with keys where it changes."""
    values = np.asarray(frames, np.float32)
    keys = np.flatnonzero(np.concatenate([[True], (values[1:] != values[:-1]).any(axis=1)]))
    times = np.append(keys, len(values)) / FRAMES_PER_SECOND
    return KeyCurve(times.astype(np.float32), values[np.append(keys, len(values) - 1)], "STEP")


def blended(frames: npt.NDArray[np.floating]) -> KeyCurve:
    """A curve that blends from row to row (n + 1, k): the values of n frames and the one after the last frame."""
    values = np.asarray(frames, np.float32)
    keys = np.array([0, len(values) - 1]) if (values == values[0]).all() else np.arange(len(values))
    return KeyCurve((keys / FRAMES_PER_SECOND).astype(np.float32), values[keys], "LINEAR")


def continuous(rotations: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Quaternions (frames, ..., 4) with signs chosen so that each is near the one before."""
    flips = (rotations[1:] * rotations[:-1]).sum(-1) < 0
    signs = np.ones(rotations.shape[:-1])
    signs[1:] = np.where(np.cumsum(flips, axis=0) & 1, -1, 1)
    return rotations * signs[..., None]


def repeated(channel: Channel, frames: int, total: int) -> Channel:
    """A channel of a clip of `frames` frames, played again and again until frame `total`, where it is cut."""
    times, values = np.rint(channel.times.astype(np.float64) * FRAMES_PER_SECOND), channel.values
    ends = values[-1:] if channel.interpolation != "STEP" and (values[-1] != values[0]).any() else values[:0]
    keys = np.append(times[:-1], [frames - _JUMP] * len(ends))
    rounds = -(-total // frames)
    every = (keys + frames * np.arange(rounds)[:, None]).ravel()
    rows = np.tile(np.concatenate([values[:-1], ends]), (rounds,) + (1,) * (values.ndim - 1))
    inside = every < total
    last = values[-1:] if total % frames == 0 else rows[inside][-1:]
    times = np.append(every[inside], total) / FRAMES_PER_SECOND
    return channel._replace(
        times=times.astype(np.float32), values=np.concatenate([rows[inside], last]).astype(values.dtype)
    )


def key_list(curve: KeyCurve) -> list[list[float]]:
    """The keys as [frame, value, ...] for extras."""
    frames = np.rint(curve.times[:-1] * FRAMES_PER_SECOND).astype(int).tolist()
    rows = curve.values[:-1].tolist()
    return [[frame, *[round(value, 6) for value in row]] for frame, row in zip(frames, rows, strict=True)]


def clip_timing(when: str, frames: int) -> Json:
    """When a clip plays and how long; the game's frames are a little longer than a clip's."""
    return {
        "plays": when,
        "loop": when == AUTOMATIC,
        "frames": frames,
        "frames_per_second": FRAMES_PER_SECOND,
        "game_frames_per_second": round(TICKS_PER_SECOND, 4),
    }

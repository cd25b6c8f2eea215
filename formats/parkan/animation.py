"""MSH animation: the key pool (Res8) and the frame map (Res19) of an Iron3D model.

A node's track is a run of keys of the pool. For whole frames the map gives the last key at or before a node's time; a
frame outside the track gives the track's last key, its *fallback*. Facts: the fparkan project's specification of
`Res8`/`Res19` (disassembly of `AniMesh.dll` and 435 retail models).

Two forms hold the same data. `KeyPool` is the engine's: flat arrays and indices, for any file. `Tracks` is for editing:
keys by node, everything else being derived by the canonical rules; it exists for files in canonical order.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from formats.binary import FormatError, frozen, same

NO_MAP = 0xFFFF
KEY_LIMIT = 0xFFFF
FRAME_LIMIT = 1 << 24  # beyond it float32 times of successive frames are equal

KEY = np.dtype([("position", "<f4", (3,)), ("time", "<f4"), ("orientation", "<i2", (4,))])
"""One key of Res8 (24 bytes): position relative to the parent node, time in frames, quaternion / 32767 as stored."""


@dataclass(frozen=True, eq=False)
class KeyPool:
    """The animation of all nodes as the engine reads it.

    `keys` is an array of `KEY`; `words` (u16) are absolute key numbers; `map_starts` and `fallbacks` (u16) have one
    item per node: the node's first word, or `NO_MAP`, and the node's last key. The latter two are empty for a legacy
    model, whose nodes do not refer to keys.
    """

    frame_count: int
    keys: npt.NDArray[Any]
    words: npt.NDArray[np.uint16]
    map_starts: npt.NDArray[np.uint16]
    fallbacks: npt.NDArray[np.uint16]

    def pool(self) -> KeyPool:
        return self

    def mapped(self) -> npt.NDArray[np.intp]:
        """The numbers of the nodes that have a map."""
        return np.flatnonzero(self.map_starts != NO_MAP)

    def in_order(self) -> bool:
        """Whether every node's keys are those after the previous node's fallback, up to its own fallback."""
        return bool(np.all(np.diff(self.fallbacks.astype(np.int64), prepend=-1) > 0))

    def first_keys(self) -> npt.NDArray[np.int64]:
        """The first key of each node's track, where `in_order` holds."""
        ends = self.fallbacks.astype(np.int64) + 1
        return np.concatenate([[0], ends[:-1]]).astype(np.int64) if len(ends) else ends

    def blocks_in_order(self) -> bool:
        """Whether the map blocks are in node order without gap or overlap and cover the map exactly."""
        mapped = self.mapped()
        starts = np.arange(len(mapped), dtype=np.int64) * self.frame_count
        mapped_starts = self.map_starts[mapped].astype(np.int64)
        return len(mapped) * self.frame_count == len(self.words) and bool(np.all(mapped_starts == starts))

    def tracks(self) -> Tracks | None:
        """The same animation by node, or None when the order of keys or map blocks is not canonical."""
        if not len(self.fallbacks) or not self.in_order() or not self.blocks_in_order():
            return None
        if int(self.fallbacks[-1]) + 1 != len(self.keys) or self.frame_count > FRAME_LIMIT:
            return None
        if not np.all(self.keys["time"][self.fallbacks] < FRAME_LIMIT):
            return None
        tracks = []
        for first, last, start in zip(self.first_keys(), self.fallbacks, self.map_starts, strict=True):
            keys = frozen(self.keys[first : int(last) + 1])
            if start == NO_MAP:
                tracks.append(Track(keys, False))
                continue
            words = self.words[int(start) : int(start) + self.frame_count].astype(np.int32) - np.int32(first)
            usual = canonical_words(keys["time"], self.frame_count)
            tracks.append(Track(keys, True, None if np.array_equal(words, usual) else frozen(words)))
        usual_count = canonical_frame_count(tracks)
        result = Tracks(tuple(tracks), None if usual_count == self.frame_count else self.frame_count)
        return result if same(result.pool(), self) else None


@dataclass(frozen=True, eq=False)
class Track:
    """The keys of one node (array of `KEY`) and whether it has a frame map.

    `words` is None where the map follows from the key times; else one key number per frame, counted from the track's
    first key (a game file's deviation, kept until the track is edited).
    """

    keys: npt.NDArray[Any]
    mapped: bool
    words: npt.NDArray[np.int32] | None = None


@dataclass(frozen=True, eq=False)
class Tracks:
    """The animation by node, in node order. `frame_count` None: the last key time of all plus one."""

    tracks: tuple[Track, ...]
    frame_count: int | None = None

    def replaced(self, node: int, track: Track) -> Tracks:
        """The animation with one node's track replaced and the canonical length."""
        tracks = list(self.tracks)
        tracks[node] = track
        count = canonical_frame_count(tracks)
        stale = any(other.words is not None and len(other.words) != count for other in tracks)
        if stale:
            tracks = [replace(other, words=None) for other in tracks]
        return Tracks(tuple(tracks))

    def pool(self) -> KeyPool:
        """The flat form: keys in node order, maps in node order, derived indices.

        Raises `FormatError` for more keys or map words than 16-bit indices allow, and for key times that are not whole
        frames where a map has to be built.
        """
        frame_count = canonical_frame_count(self.tracks) if self.frame_count is None else self.frame_count
        key_count = sum(len(track.keys) for track in self.tracks)
        if key_count > KEY_LIMIT:
            raise FormatError("Res8", 0, f"at most {KEY_LIMIT} keys", str(key_count))
        map_starts, fallbacks, words = [], [], []
        first = cursor = 0
        for node, track in enumerate(self.tracks):
            if not len(track.keys):
                raise FormatError("Res8", first * KEY.itemsize, f"at least one key of node {node}", "none")
            fallbacks.append(first + len(track.keys) - 1)
            map_starts.append(cursor if track.mapped else NO_MAP)
            if track.mapped:
                if cursor >= NO_MAP:
                    raise FormatError("Res19", 2 * cursor, f"a map start of node {node} below {NO_MAP}", str(cursor))
                words.append(self._words(node, track, first, frame_count))
                cursor += frame_count
            first += len(track.keys)
        keys = [track.keys for track in self.tracks]
        return KeyPool(
            frame_count,
            frozen(np.concatenate(keys) if keys else [], KEY),
            frozen(np.concatenate(words) if words else [], np.uint16),
            frozen(map_starts, np.uint16),
            frozen(fallbacks, np.uint16),
        )

    def _words(self, node: int, track: Track, first: int, frame_count: int) -> npt.NDArray[np.int64]:
        path = f"Res19 > node {node}"
        if track.words is None:
            times = track.keys["time"].astype(np.float64)
            if not np.all(np.isfinite(times)) or np.any(times != np.rint(times)):
                raise FormatError(path, 0, "key times of whole frames", str(times[:8].tolist()))
            return canonical_words(times, frame_count).astype(np.int64) + first
        if len(track.words) != frame_count:
            raise FormatError(path, 0, f"{frame_count} map words", str(len(track.words)))
        words = track.words.astype(np.int64) + first
        if words.min(initial=0) < 0 or words.max(initial=0) > 0xFFFF:
            raise FormatError(path, 0, "key numbers of 16 bits", f"{words.min()} to {words.max()}")
        return words


def canonical_frame_count(tracks: tuple[Track, ...] | list[Track]) -> int:
    """The length of the time line: the last key time of all tracks plus one, in whole frames, at least 1."""
    last = max((float(track.keys["time"][-1]) for track in tracks if len(track.keys)), default=0.0)
    if not last < FRAME_LIMIT:
        raise FormatError("Res19", 0, f"key times below {FRAME_LIMIT} frames", str(last))
    return max(int(np.floor(last)) + 1, 1)


def canonical_words(times: npt.ArrayLike, frame_count: int) -> npt.NDArray[np.int32]:
    """The map of one track as key numbers from its first key.

    Frame `f` gives the key `k` with `times[k] <= f < times[k + 1]`; before the first and from the last time on, the
    last key. Raises `FormatError` for more than FRAME_LIMIT frames.
    """
    if frame_count > FRAME_LIMIT:
        raise FormatError("Res19", 0, f"at most {FRAME_LIMIT} frames", str(frame_count))
    values = np.asarray(times, np.float64)
    frames = np.arange(frame_count)
    words = np.searchsorted(values, frames, side="right") - 1
    words[(frames < values[0]) | (frames >= values[-1])] = len(values) - 1
    return words.astype(np.int32)

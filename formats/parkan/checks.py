"""Checks of a model: rules that the engine needs to run safely, and rules of canonical models.

`check` works on values, so the same rules apply after reading and before writing. Facts: the checks that the fparkan
project's specification of `Res8`/`Res19` names, and the ranges that its readers of the geometry rely on.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from formats.parkan.animation import FRAME_LIMIT, KEY, NO_MAP, KeyPool, canonical_words
from formats.parkan.contents import MshContents
from formats.parkan.geometry import (
    BATCH,
    HEADER_SIZE,
    NO_SLOT,
    NODE_LIMIT,
    ROOT,
    SLOT,
    STORED_NODE,
    range_maxima,
    spread,
)
from formats.parkan.streams import (
    BATCHES,
    FRAME_MAP,
    KEYS,
    KNOWN,
    LIGHTMAP_UVS,
    NODES,
    NORMALS,
    POSITIONS,
    SERVICE,
    SLOTS,
    UVS,
)

_NODE, _KEY = STORED_NODE.itemsize, KEY.itemsize
_UNIT_TOLERANCE = 1e-3
_BOX_TOLERANCE = 1e-3
_MOST_SHARED = 4096
"""The most batches or indices to check beside four times those of the model."""


@dataclass(frozen=True)
class MshFinding:
    """A violated rule: an error (the engine would read out of bounds or divide by zero) or a deviation.

    `offset` counts from the first byte of the payload of `stream`.
    """

    error: bool
    stream: int
    offset: int
    expected: str
    found: str


def check(model: MshContents) -> tuple[MshFinding, ...]:
    """All findings about a model; each rule reports its first violation."""
    pool = model.animation.pool()
    with np.errstate(all="ignore"):  # the checks look for infinities and NaN
        findings = [*_streams(model), *_geometry(model)]
        if not model.legacy:
            findings += _nodes(model)
            if len(pool.map_starts) == len(model.nodes):
                findings += _animation(model, pool)
    return tuple(findings)


def _error(stream: int, offset: int, expected: str, found: object) -> MshFinding:
    return MshFinding(True, stream, int(offset), expected, str(found))


def _note(stream: int, offset: int, expected: str, found: object) -> MshFinding:
    return MshFinding(False, stream, int(offset), expected, str(found))


def _where(wrong: npt.NDArray[Any], finding: Callable[[int], MshFinding]) -> Generator[MshFinding, None, bool]:
    """The finding about the number of the first True, if there is one; returned is whether there is."""
    is_broken = bool(wrong.any())
    if is_broken:
        yield finding(int(np.argmax(wrong)))
    return is_broken


def _not_finite(rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.asarray(~np.isfinite(rows).all(axis=1))


def _streams(model: MshContents) -> Iterator[MshFinding]:
    unknown = sorted({stream.type_id for stream in model.streams} - KNOWN)
    for type_id in unknown[:16]:
        yield _note(type_id, 0, "a known stream type", f"type {type_id}, kept as it is")
    if not model.has(KEYS) and not model.legacy:
        yield _note(NODES, 0, "a key pool (Res8)", "none: every node stays at its parent")


def _nodes(model: MshContents) -> Iterator[MshFinding]:
    if len(model.nodes) > NODE_LIMIT:
        yield _error(NODES, NODE_LIMIT * _NODE, f"at most {NODE_LIMIT} nodes", len(model.nodes))
    numbers = np.arange(len(model.nodes))
    parents = model.nodes["parent"]
    yield from _where(
        (parents != ROOT) & (parents >= numbers),
        lambda bad: _error(NODES, bad * _NODE + 2, f"a parent before node {bad}, or 0xFFFF", int(parents[bad])),
    )
    if model.slots is not None:
        selected = model.nodes["slots"].reshape(-1, 15)
        wanted = f"one of {len(model.slots)} slots, or 0xFFFF"
        yield from _where(
            ((selected != NO_SLOT) & (selected >= len(model.slots))).ravel(),
            lambda bad: _error(
                NODES, bad // 15 * _NODE + 8 + 2 * (bad % 15), wanted, int(selected[bad // 15, bad % 15])
            ),
        )


def _animation(model: MshContents, pool: KeyPool) -> Iterator[MshFinding]:
    if pool.frame_count <= 0:
        yield _error(FRAME_MAP, 0, "a frame count above 0 (second attribute)", pool.frame_count)
        return
    if not model.has(KEYS):
        return
    key_count, fallbacks = len(pool.keys), pool.fallbacks.astype(np.int64)
    if (
        yield from _where(
            fallbacks >= key_count,
            lambda bad: _error(NODES, bad * _NODE + 6, f"a fallback key below {key_count}", int(fallbacks[bad])),
        )
    ):
        return
    mapped = pool.map_starts != NO_MAP
    ends = pool.map_starts.astype(np.int64) + pool.frame_count
    wanted = f"a map block of {pool.frame_count} words inside {len(pool.words)}"
    if (
        yield from _where(
            mapped & (ends > len(pool.words)),
            lambda bad: _error(NODES, bad * _NODE + 4, wanted, f"one from word {pool.map_starts[bad]}"),
        )
    ):
        return
    # A map word below its node's fallback is below the key count, so the next key exists as well.
    yield from _times(pool, mapped)
    yield from _map(pool, mapped)
    yield from _orientations(pool)


def _times(pool: KeyPool, mapped: npt.NDArray[np.bool_]) -> Iterator[MshFinding]:
    times = pool.keys["time"].astype(np.float64)
    if (
        yield from _where(
            ~np.isfinite(times), lambda bad: _error(KEYS, bad * _KEY + 12, "a finite key time", times[bad])
        )
    ):
        return
    rising = "fallback keys that rise from node to node"
    if (
        yield from _where(
            np.diff(pool.fallbacks.astype(np.int64), prepend=-1) <= 0,
            lambda bad: _note(NODES, bad * _NODE + 6, rising, int(pool.fallbacks[bad])),
        )
    ):
        return
    first = pool.first_keys()
    lengths = pool.fallbacks.astype(np.int64) - first + 1
    yield from _where(
        mapped & (lengths < 2),
        lambda bad: _error(NODES, bad * _NODE + 6, f"at least two keys of node {bad}, which has a map", "one"),
    )
    owned = int(pool.fallbacks[-1]) + 1 if len(pool.fallbacks) else 0
    starts = np.zeros(owned, np.bool_)
    starts[first] = True
    yield from _where(
        (np.diff(times[:owned], prepend=0.0) <= 0) & ~starts,
        lambda bad: _error(
            KEYS, bad * _KEY + 12, f"key times that rise within a track (after {times[bad - 1]:g})", times[bad]
        ),
    )
    yield from _where(
        times[first] != 0,
        lambda bad: _note(KEYS, first[bad] * _KEY + 12, f"a first key of node {bad} at time 0", times[first[bad]]),
    )
    yield from _where(
        (times < 0) | (times != np.floor(times)),
        lambda bad: _note(KEYS, bad * _KEY + 12, "key times that are whole frames", times[bad]),
    )
    yield from _where(
        ~mapped & (lengths > 1),
        lambda bad: _note(NODES, bad * _NODE + 4, f"one key of node {bad}, which has no map", int(lengths[bad])),
    )
    if owned < len(times):
        yield _note(KEYS, owned * _KEY, "keys that belong to nodes", f"{len(times) - owned} after the last track")
    last = float(times[pool.fallbacks].max(initial=0.0))
    if pool.frame_count != last + 1:
        yield _note(FRAME_MAP, 0, f"a frame count of {last + 1:g} (the last key time plus one)", pool.frame_count)


def _map(pool: KeyPool, mapped: npt.NDArray[np.bool_]) -> Iterator[MshFinding]:
    if not pool.blocks_in_order():
        yield _note(FRAME_MAP, 0, "map blocks in node order without gap or overlap", "another arrangement")
        return
    if not pool.in_order() or pool.frame_count > FRAME_LIMIT:
        return
    first = pool.first_keys()
    for node in np.flatnonzero(mapped):
        start = int(pool.map_starts[node])
        frames = pool.words[start : start + pool.frame_count].astype(np.int64)
        last = int(pool.fallbacks[node])
        times = pool.keys["time"][first[node] : last + 1]
        usual = canonical_words(times, pool.frame_count).astype(np.int64) + first[node]
        for bad in np.flatnonzero(frames != usual)[:1].tolist():
            wanted = f"map word {usual[bad]} of node {node} at frame {bad}"
            wanted += " (its fallback key)" if usual[bad] == last else ""
            yield _note(FRAME_MAP, 2 * (start + bad), wanted, int(frames[bad]))
            return


def _orientations(pool: KeyPool) -> Iterator[MshFinding]:
    raw = pool.keys["orientation"].astype(np.float64)
    lengths = np.sqrt((raw * raw).sum(1)) / 32767.0
    zero = lengths == 0
    lowest = (pool.keys["orientation"] == -32768).any(1)
    off = ~zero & (np.abs(lengths - 1) > _UNIT_TOLERANCE)
    unrotated = f"zeros ({int(zero.sum())} keys), shown unrotated"
    yield from _where(zero, lambda bad: _note(KEYS, bad * _KEY + 16, "a unit quaternion", unrotated))
    yield from _where(
        off,
        lambda bad: _note(
            KEYS, bad * _KEY + 16, "a unit quaternion", f"length {lengths[bad]:.6f} ({int(off.sum())} keys)"
        ),
    )
    yield from _where(
        lowest,
        lambda bad: _note(KEYS, bad * _KEY + 16, "components from -32767", f"-32768 ({int(lowest.sum())} keys)"),
    )
    yield from _where(
        _not_finite(pool.keys["position"]),
        lambda bad: _note(KEYS, bad * _KEY, "a finite position", pool.keys["position"][bad].tolist()),
    )


def _geometry(model: MshContents) -> Iterator[MshFinding]:
    if model.positions is not None:
        count = len(model.positions)
        service = model.payload(SERVICE)
        streams = {NORMALS: model.normals, UVS: model.uvs, LIGHTMAP_UVS: model.lightmap_uvs}
        counts = {type_id: len(values) for type_id, values in streams.items() if values is not None}
        if service is not None:
            counts[SERVICE] = len(service) // 8
        for type_id, elements in counts.items():
            if elements != count:
                yield _note(type_id, 0, f"{count} elements, one per vertex", elements)
        positions = model.positions
        yield from _where(
            _not_finite(positions),
            lambda bad: _note(POSITIONS, 12 * bad, "a finite position", positions[bad].tolist()),
        )
    errors = [*_batches(model), *_slots(model)]
    yield from errors or _boxes(model)


def _batches(model: MshContents) -> Iterator[MshFinding]:
    if model.batches is None:
        return
    counts = model.batches["index_count"].astype(np.int64)
    starts = model.batches["index_start"].astype(np.int64)
    multiple = "an index count that is a multiple of 3"
    yield from _where(
        counts % 3 != 0, lambda bad: _error(BATCHES, bad * BATCH.itemsize + 8, multiple, int(counts[bad]))
    )
    if model.indices is None:
        return
    wanted = f"indices inside {len(model.indices)}"
    beyond = yield from _where(
        starts + counts > len(model.indices),
        lambda bad: _error(BATCHES, bad * BATCH.itemsize + 10, wanted, f"{counts[bad]} from {starts[bad]}"),
    )
    if beyond or model.positions is None:
        return
    largest = range_maxima(model.indices, starts, counts)
    vertices = np.where(counts > 0, largest + model.batches["base_vertex"].astype(np.int64), -1)
    total = len(model.positions)
    yield from _where(
        np.greater_equal(vertices, total),
        lambda bad: _error(
            BATCHES, bad * BATCH.itemsize + 16, f"vertices of batch {bad} below {total}", int(vertices[bad])
        ),
    )


def _slots(model: MshContents) -> Iterator[MshFinding]:
    if model.slots is None:
        return
    for kind, offset, values in (("triangle", 0, model.triangles), ("batch", 4, model.batches)):
        if values is None:
            continue
        starts, counts = (model.slots[f"{kind}_{part}"].astype(np.int64) for part in ("start", "count"))
        for bad in np.flatnonzero(starts + counts > len(values))[:1].tolist():
            wanted = f"{kind} range of slot {bad} inside {len(values)}"
            at = HEADER_SIZE + bad * SLOT.itemsize + offset
            yield _error(SLOTS, at, wanted, f"{counts[bad]} from {starts[bad]}")


def _boxes(model: MshContents) -> Iterator[MshFinding]:
    if model.slots is None or model.bounds is None:
        return
    if not np.isfinite(model.bounds).all():
        yield _note(SLOTS, 0, "finite bounds of the model", "others")
    low, high = model.slots["box_min"].astype(np.float64), model.slots["box_max"].astype(np.float64)
    finite = np.isfinite(low).all(1) & np.isfinite(high).all(1) & np.isfinite(model.slots["sphere_radius"])
    finite &= np.isfinite(model.slots["sphere_center"]).all(1)
    unbounded = yield from _where(
        ~finite,
        lambda bad: _note(SLOTS, HEADER_SIZE + bad * SLOT.itemsize + 8, f"finite bounds of slot {bad}", "others"),
    )
    if unbounded or model.positions is None or model.indices is None or model.batches is None:
        return
    counts = model.batches["index_count"].astype(np.int64)
    batch_counts = model.slots["batch_count"].astype(np.int64)
    # Thousands of slots that share batches, or of batches that share indices, would take too long to check.
    if counts.sum() > 4 * len(model.indices) + _MOST_SHARED or batch_counts.sum() > 4 * len(counts) + _MOST_SHARED:
        return
    which = spread(model.slots["batch_start"], batch_counts)
    used = counts[which]
    if used.sum() > 4 * counts.sum() + _MOST_SHARED:
        return
    flat = spread(model.batches["index_start"].astype(np.int64)[which], used)
    bases = np.repeat(model.batches["base_vertex"].astype(np.int64)[which], used)
    points = model.positions[model.indices[flat] + bases].astype(np.float64)
    owner = np.repeat(np.repeat(np.arange(len(batch_counts)), batch_counts), used)
    margin = _BOX_TOLERANCE * np.linalg.norm(high - low, axis=1)[:, None]
    outside = ((points < (low - margin)[owner]) | (points > (high + margin)[owner])).any(1)
    yield from _where(
        outside,
        lambda bad: _note(
            SLOTS,
            HEADER_SIZE + owner[bad] * SLOT.itemsize + 8,
            f"a box of slot {owner[bad]} around its vertices",
            f"vertex {points[bad].tolist()} outside",
        ),
    )

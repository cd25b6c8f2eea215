"""The record layouts of an MSH model: nodes, slots, batches, triangles.

Little-endian; every dtype is the stored layout except `NODE`, which leaves out the two indices that follow from the
animation (`animation.KeyPool`). Facts: the fparkan project's specifications and readers checked against retail data.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

ROOT = 0xFFFF
NO_SLOT = 0xFFFF
NODE_LIMIT = 0xFFFF
HEADER_SIZE = 0x8C

HIDDEN = 0x20
"""The node flag of a collision hull or cockpit, which is not drawn. Others: 0x01 an interior, 0x10 children are not
visited, 0x40 no shadow."""

STORED_NODE = np.dtype(
    [("flags", "<u2"), ("parent", "<u2"), ("map_start", "<u2"), ("fallback_key", "<u2"), ("slots", "<u2", (3, 5))]
)
"""One node of Res1 as stored (38 bytes)."""

NODE = np.dtype([("flags", "<u2"), ("parent", "<u2"), ("slots", "<u2", (3, 5))])
"""A node without its animation indices. `parent` is `ROOT` or an earlier node; `slots` selects geometry (`NO_SLOT`:
none). `slots[0, 0]` is the usual geometry; sources disagree on what the rows and columns of the others mean (levels of
detail and groups, or damage states and levels of detail)."""

LEGACY_NODE = np.dtype([("data", "u1", (24,))])
"""A node of the older 24-byte layout, whose fields are not known."""

SLOT = np.dtype(
    [
        ("triangle_start", "<u2"),
        ("triangle_count", "<u2"),
        ("batch_start", "<u2"),
        ("batch_count", "<u2"),
        ("box_min", "<f4", (3,)),
        ("box_max", "<f4", (3,)),
        ("sphere_center", "<f4", (3,)),
        ("sphere_radius", "<f4"),
        ("opaque", "u1", (20,)),
    ]
)
"""One slot of Res2 (68 bytes): batches and triangle records of one piece of geometry, bounds in node space."""

BATCH = np.dtype(
    [
        ("flags", "<u2"),
        ("material_index", "<u2"),
        ("material_row", "u1"),
        ("lightmap", "u1"),
        ("number", "<u2"),
        ("index_count", "<u2"),
        ("index_start", "<u4"),
        ("vertex_count", "<u2"),
        ("base_vertex", "<u4"),
    ]
)
"""One batch of Res13 (20 bytes): a triangle list. Vertex `i` is `base_vertex + indices[index_start + i]`.
`material_row` is the row of the model's material list, `lightmap` is 0xFF without a lightmap."""

TRIANGLE = np.dtype([("flags", "<u2"), ("neighbours", "<u2", (3,)), ("normal", "<i2", (3,)), ("selectors", "<u2")])
"""One triangle record of Res7 (16 bytes): neighbours (0xFFFF none), face normal / 32767, three 2-bit selectors."""


def spread(starts: npt.ArrayLike, counts: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """The numbers `start .. start + count - 1` of all ranges, concatenated."""
    first = np.asarray(starts, np.int64)
    length = np.asarray(counts, np.int64)
    preceding = np.cumsum(length) - length
    return np.repeat(first - preceding, length) + np.arange(int(length.sum()), dtype=np.int64)


def range_maxima(values: npt.NDArray[Any], starts: npt.ArrayLike, counts: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """The largest value of each range (-1 for an empty one), in a time that does not depend on overlaps.

    The ranges must be inside `values`.
    """
    first = np.asarray(starts, np.int64)
    length = np.asarray(counts, np.int64)
    result = np.full(len(first), -1, np.int64)
    level = np.asarray(values, np.int64)
    size = 1
    while len(level) and size <= int(length.max(initial=0)):
        now = np.flatnonzero((length >= size) & (length < 2 * size))
        result[now] = np.maximum(level[first[now]], level[first[now] + length[now] - size])
        level = np.maximum(level[:-size], level[size:])
        size *= 2
    return result

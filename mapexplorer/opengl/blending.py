"""The order in which polygons that may blend are drawn, and the runs of them that share a state.

The DS sorts them by the lowest line they reach on the screen, then by the highest, and keeps the order of submission
among equals. A polygon is not blended onto a pixel that one of the same id has blended; the stencil holds the id.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from formats.kernel import entry, reads, writes

POLYGON: Final = np.dtype(
    [("first", "<u4"), ("count", "<u4"), ("attributes", "<u4"), ("corners", "<f8", (4, 3)), ("instance", "<u4")]
)
"""A polygon that may blend: first vertex, 3 or 4 corners, POLYGON_ATTR, corners at rest relative to its instance."""

_ID = 0x3F000000
_DEPTH = 0x800


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive polygons of one polygon id, that write depth or not: elements `first` to `first + count`."""

    polygon_id: int
    writes_depth: bool
    first: int
    count: int


def blended_order(
    polygons: npt.NDArray[Any],
    offsets: npt.NDArray[np.float64],
    scales: npt.NDArray[np.float64],
    shown: npt.NDArray[np.bool_],
    clip: npt.NDArray[np.float64],
    lines: int,
    *,
    whole: bool = False,
) -> tuple[npt.NDArray[np.uint32], list[Run]]:
    """The elements of the polygons of shown instances in drawing order, and their runs: three for each triangle, or
    four for each polygon that stays `whole`, of which a triangle has its last one twice.

    `offsets` and `scales` place the instances relative to the eye; `lines` is the height of the screen used for
    sorting.
    """
    if not len(polygons):
        return np.zeros(0, np.uint32), []
    keys = np.empty(len(polygons), np.int64)
    _keys(polygons, offsets, scales, shown, np.ascontiguousarray(clip), lines, np.empty(4, np.int64), keys)
    order = np.argsort(keys, kind="stable")
    order = order[np.searchsorted(keys[order], 0) :]
    if not len(order):
        return np.zeros(0, np.uint32), []
    chosen = polygons[order]
    if whole:
        elements = four_corners(chosen).reshape(-1)
        ends = np.arange(4, 4 * len(chosen) + 4, 4)
    else:
        elements = np.empty(int(3 * (chosen["count"].astype(np.int64) - 2).sum()), np.uint32)
        ends = np.empty(len(chosen), np.int64)
        _elements(chosen, elements, ends)
    states = chosen["attributes"] & (_ID | _DEPTH)
    changes = np.flatnonzero(np.diff(states)) + 1
    starts = [0, *changes.tolist()]
    stops = [*changes.tolist(), len(chosen)]
    runs = []
    for start, stop in zip(starts, stops, strict=True):
        first = int(ends[start - 1]) if start else 0
        state = int(states[start])
        runs.append(Run(state >> 24 & 63, bool(state & _DEPTH), first, int(ends[stop - 1]) - first))
    return elements, runs


def four_corners(polygons: npt.NDArray[Any]) -> npt.NDArray[np.uint32]:
    """The numbers of the polygons' corners (n, 4); a triangle has its last one twice."""
    last = polygons["count"][:, None] - 1
    corners: npt.NDArray[np.uint32] = polygons["first"][:, None] + np.minimum(np.arange(4, dtype=np.uint32), last)
    return corners


@entry(
    polygons=reads(POLYGON),
    offsets=reads(np.float64, 2),
    scales=reads(np.float64, 2),
    shown=reads(np.bool_),
    clip=reads(np.float64, 2),
    lines=int,
    outside=writes(np.int64),
    keys=writes(np.int64),
)
def _keys(polygons: Any, offsets: Any, scales: Any, shown: Any, clip: Any, lines: int, outside: Any, keys: Any) -> None:
    """The sorting key of every polygon, -1 for one that is not drawn. `outside` counts for one polygon, (4,)."""
    for i in range(len(polygons)):
        polygon = polygons[i]
        instance = polygon.instance
        keys[i] = -1
        if not shown[instance]:
            continue
        top = lines
        bottom = 0
        for side in range(4):
            outside[side] = 0
        for corner in range(polygon.count):
            x = polygon.corners[corner, 0] * scales[instance, 0] + offsets[instance, 0]
            y = polygon.corners[corner, 1] * scales[instance, 1] + offsets[instance, 1]
            z = polygon.corners[corner, 2] * scales[instance, 2] + offsets[instance, 2]
            cx = x * clip[0, 0] + y * clip[1, 0] + z * clip[2, 0] + clip[3, 0]
            cy = x * clip[0, 1] + y * clip[1, 1] + z * clip[2, 1] + clip[3, 1]
            w = x * clip[0, 3] + y * clip[1, 3] + z * clip[2, 3] + clip[3, 3]
            outside[0] += cx > w
            outside[1] += cx < -w
            outside[2] += cy > w
            outside[3] += cy < -w
            if w <= 0:
                bottom = lines
                continue
            line = int(min(max(np.floor((w - cy) * lines / (2 * w)), 0.0), lines * 1.0))
            top = min(top, line)
            bottom = max(bottom, line)
        if max(outside[0], outside[1], outside[2], outside[3]) == polygon.count:
            continue
        keys[i] = np.int64(bottom) << 32 | np.int64(top)


@entry(polygons=reads(POLYGON), elements=writes(np.uint32), ends=writes(np.int64))
def _elements(polygons: Any, elements: npt.NDArray[np.uint32], ends: npt.NDArray[np.int64]) -> None:
    place = 0
    for i in range(len(polygons)):
        first = polygons[i].first
        for corner in range(2, polygons[i].count):
            elements[place] = first
            elements[place + 1] = first + corner - 1
            elements[place + 2] = first + corner
            place += 3
        ends[i] = place

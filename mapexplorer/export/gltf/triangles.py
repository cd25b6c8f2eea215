"""The triangles of shapes: which are drawn more than once or not at all, and which texels they show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from formats.kernel import entry, kernel, reads, writes
from mapexplorer.export.gltf.materials import Affine
from mapexplorer.g3d.geometry import VERTEX

Indices = npt.NDArray[np.uint32]
Places = npt.NDArray[np.int64]

KEPT: Final = 0
DEGENERATE: Final = 1
DUPLICATE: Final = 2

_MARGIN: Final = 1 / 64
"""The part of a texel, on each side, that no triangle shows alone: coordinates count sixteenths of texels."""


@kernel
def _order(vertices: Any, a: Any, b: Any) -> int:
    """-1, 0, 1: vertex `a` lies before, at, behind vertex `b` in the order of matrix and position."""
    if vertices[a].slot != vertices[b].slot:
        return -1 if vertices[a].slot < vertices[b].slot else 1
    for axis in range(3):
        if vertices[a].position[axis] != vertices[b].position[axis]:
            return -1 if vertices[a].position[axis] < vertices[b].position[axis] else 1
    return 0


@kernel
def _first(vertices: Any, indices: Indices, triangle: int) -> int:
    """The corner, 0 to 2, of a triangle that comes first in the order of vertices."""
    best = 0
    for corner in range(1, 3):
        if _order(vertices, indices[3 * triangle + corner], indices[3 * triangle + best]) < 0:
            best = corner
    return best


@kernel
def _coincide(vertices: Any, indices: Indices, first: int, second: int, textured: int) -> bool:
    """Whether two triangles have the same corners in the same direction, `textured`: with the same coordinates."""
    here = _first(vertices, indices, first)
    there = _first(vertices, indices, second)
    for step in range(3):
        a = indices[3 * first + (here + step) % 3]
        b = indices[3 * second + (there + step) % 3]
        if _order(vertices, a, b) != 0:
            return False
        if textured:
            for axis in range(2):
                if vertices[a].texcoord[axis] != vertices[b].texcoord[axis]:
                    return False
    return True


@kernel
def _flat(vertices: Any, indices: Indices, triangle: int) -> bool:
    """Whether a triangle under one matrix has no area, or two of its corners are one."""
    a = indices[3 * triangle]
    b = indices[3 * triangle + 1]
    c = indices[3 * triangle + 2]
    if _order(vertices, a, b) == 0 or _order(vertices, b, c) == 0 or _order(vertices, c, a) == 0:
        return True
    if vertices[a].slot != vertices[b].slot or vertices[a].slot != vertices[c].slot:
        return False
    for axis in range(3):
        next_axis = (axis + 1) % 3
        u = np.int64(vertices[b].position[axis]) - vertices[a].position[axis]
        v = np.int64(vertices[b].position[next_axis]) - vertices[a].position[next_axis]
        s = np.int64(vertices[c].position[axis]) - vertices[a].position[axis]
        t = np.int64(vertices[c].position[next_axis]) - vertices[a].position[next_axis]
        if u * t != v * s:
            return False
    return True


@kernel
def _sort_out_shape(
    vertices: Any, indices: Indices, textured: int, table: Places, kept: Indices, counts: Places
) -> None:
    """Write the indices of the kept triangles of a shape, and how many are of each kind; `table` is a hash table of
    triangles, whose size is a power of two."""
    for place in range(len(table)):
        table[place] = -1
    for kind in range(3):
        counts[kind] = 0
    for triangle in range(len(indices) // 3):
        kind = DEGENERATE
        if not _flat(vertices, indices, triangle):
            hashed = 0
            for corner in range(3):
                vertex = vertices[indices[3 * triangle + corner]]
                word = vertex.position[0] * 73856093 ^ vertex.position[1] * 19349663 ^ vertex.position[2] * 83492791
                hashed += word & 0xFFFFFFFF
            place = (hashed ^ hashed >> 15) & (len(table) - 1)
            kind = KEPT
            while table[place] >= 0:
                if _coincide(vertices, indices, table[place], triangle, textured):
                    kind = DUPLICATE
                    break
                place = (place + 1) & (len(table) - 1)
        if kind == KEPT:
            table[place] = triangle
            for corner in range(3):
                kept[3 * counts[KEPT] + corner] = indices[3 * triangle + corner]
        counts[kind] += 1


@entry(
    vertices=reads(VERTEX),
    indices=reads(np.uint32),
    bounds=reads(np.int64, 2),
    textured=reads(np.uint8),
    table=writes(np.int64),
    kept=writes(np.uint32),
    counts=writes(np.int64, 2),
)
def _sort_out(
    vertices: Any,
    indices: Indices,
    bounds: Places,
    textured: npt.NDArray[np.uint8],
    table: Places,
    kept: Indices,
    counts: Places,
) -> None:
    for number in range(len(counts)):
        first = bounds[number, 1]
        last = bounds[number + 1, 1]
        size = 2
        while size < 2 * (last - first) // 3:
            size *= 2
        _sort_out_shape(
            vertices[bounds[number, 0] : bounds[number + 1, 0]],
            indices[first:last],
            textured[number],
            table[:size],
            kept[first:last],
            counts[number],
        )


def sort_out(
    vertices: npt.NDArray[Any], indices: Indices, bounds: Places, textured: Sequence[bool]
) -> tuple[Indices, Places]:
    """The indices of the triangles of shapes that show something, and for each shape how many are KEPT, DEGENERATE
    (without area) and DUPLICATE: at the same place and with the same front as one before. The DS draws nothing over an
    opaque surface at the same depth, so the first is what shows.

    `bounds` (shapes + 1, 2) are the first vertices and indices of the shapes; what is kept begins where the indices of
    a shape began. `textured`: only triangles of a shape with the same texture coordinates are duplicates, for textures
    with clear texels."""
    counts = np.empty((len(textured), 3), np.int64)
    kept = np.empty(len(indices), np.uint32)
    table = np.empty(1 << len(indices).bit_length(), np.int64)
    _sort_out(vertices, indices, bounds, np.array(textured, np.uint8), table, kept, counts)
    return kept, counts


@kernel
def _outside(x0: float, y0: float, x1: float, y1: float, sign: float, left: float, top: float, side: float) -> bool:
    """Whether a square lies outside the edge from point 0 to point 1; `sign` tells on which side the inside is."""
    across = y0 - y1
    along = x1 - x0
    high = sign * (across * (left - x0) + along * (top - y0))
    high += max(0.0, sign * across * side) + max(0.0, sign * along * side)
    return high <= 0


@kernel
def _texel(vertex: Any, affine: Any, width: int, height: int) -> tuple[float, float]:
    """Where a vertex lies in an image, in texels."""
    s = affine[0] * vertex.texcoord[0] + affine[1] * vertex.texcoord[1] + affine[4]
    t = affine[2] * vertex.texcoord[0] + affine[3] * vertex.texcoord[1] + affine[5]
    return s * width, t * height


@kernel
def _wrapped(place: int, size: int, clamped: int, mirrored: int) -> int:
    """The texel of an axis that shows at a place."""
    if clamped:
        return min(max(place, 0), size - 1)
    if mirrored and place // size & 1:
        return size - 1 - place % size
    return place % size


@entry(
    vertices=reads(VERTEX),
    indices=reads(np.uint32),
    affine=reads(np.float64),
    clamped=reads(np.uint8),
    mirrored=reads(np.uint8),
    classes=reads(np.uint8, 2),
    counts=writes(np.uint32, 2),
)
def _count(
    vertices: Any,
    indices: Indices,
    affine: npt.NDArray[np.float64],
    clamped: npt.NDArray[np.uint8],
    mirrored: npt.NDArray[np.uint8],
    classes: npt.NDArray[np.uint8],
    counts: npt.NDArray[np.uint32],
) -> None:
    height = classes.shape[0]
    width = classes.shape[1]
    side = 1 - 2 * _MARGIN
    for triangle in range(len(counts)):
        for kind in range(3):
            counts[triangle, kind] = 0
        x0, y0 = _texel(vertices[indices[3 * triangle]], affine, width, height)
        x1, y1 = _texel(vertices[indices[3 * triangle + 1]], affine, width, height)
        x2, y2 = _texel(vertices[indices[3 * triangle + 2]], affine, width, height)
        left = int(np.floor(min(x0, x1, x2) + _MARGIN))
        right = max(int(np.ceil(max(x0, x1, x2) - _MARGIN)), left + 1)
        top = int(np.floor(min(y0, y1, y2) + _MARGIN))
        bottom = max(int(np.ceil(max(y0, y1, y2) - _MARGIN)), top + 1)
        area = (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0)
        sign = 1.0 if area > 0 else -1.0
        whole = right - left >= 2 * width and bottom - top >= 2 * height
        if whole:
            left = 0
            right = width
            top = 0
            bottom = height
        for y in range(top, bottom):
            for x in range(left, right):
                if area != 0 and not whole:
                    a = x + _MARGIN
                    b = y + _MARGIN
                    if (
                        _outside(x0, y0, x1, y1, sign, a, b, side)
                        or _outside(x1, y1, x2, y2, sign, a, b, side)
                        or _outside(x2, y2, x0, y0, sign, a, b, side)
                    ):
                        continue
                s = _wrapped(x, width, clamped[0], mirrored[0])
                t = _wrapped(y, height, clamped[1], mirrored[1])
                counts[triangle, classes[t, s]] += 1


def count_texels(
    vertices: npt.NDArray[Any],
    indices: Indices,
    affine: Affine,
    clamped: tuple[bool, bool],
    mirrored: tuple[bool, bool],
    classes: npt.NDArray[np.uint8],
) -> npt.NDArray[np.uint32]:
    """How many texels of each class a triangle shows, (triangles, 3): `classes` (height, width) are those of the image,
    0 to 2, `affine` gives its (u, v) from TEXCOORD's 1/16 texels. A triangle that spans two periods on both axes is
    taken to show every texel once."""
    counts = np.empty((len(indices) // 3, 3), np.uint32)
    _count(
        vertices,
        indices,
        np.array(affine, np.float64),
        np.array(clamped, np.uint8),
        np.array(mirrored, np.uint8),
        classes,
        counts,
    )
    return counts

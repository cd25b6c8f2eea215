"""The upper surface of a terrain model as heights on a grid."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from formats.nitro.model import Model
from mapexplorer.g3d.draw_list import draw_list, placed_vertices
from mapexplorer.g3d.geometry import decode_shape
from mapexplorer.world.cells import CELL_UNITS

Array = npt.NDArray[np.float64]

SAMPLES = 64
"""The number of heights along a side of a cell: two for each tile, so that each quarter of a tile has one."""
_STEP = CELL_UNITS / SAMPLES
_AT_ONCE = 1 << 20
"""The number of samples per batch, which limits memory use independently of the file."""
_OPAQUE = 31
_BACK, _FRONT = 0x40, 0x80
"""Bits of POLYGON_ATTR: drawing of front and back faces."""


def surface_heights(model: Model) -> Array:
    """The heights (SAMPLES, SAMPLES), row = z, of the highest opaque face visible from above, in units relative to the
    model's origin, at the centres of the grid's squares; -inf without a face. Raises FormatError."""
    heights = np.full(SAMPLES * SAMPLES, -np.inf)
    for triangles in _facing_up(model):
        _raise_to(heights, triangles)
    return heights.reshape(SAMPLES, SAMPLES)


def _facing_up(model: Model) -> Iterator[Array]:
    """The triangles (n, 3, 3) of each draw with a drawn face visible from above, in units."""
    for draw in draw_list(model).draws:
        if not draw.shown or draw.material.alpha < _OPAQUE:
            continue
        geometry = decode_shape(model.shapes[draw.shape].commands, draw.scale)
        corners = placed_vertices(draw, geometry.vertices)[geometry.indices].reshape(-1, 3, 3)
        side = _doubled_area(corners)
        # Front faces are counter-clockwise; z points south, so the sign is inverted.
        front, back = (bool(draw.material.polygon_attr & bit) for bit in (_FRONT, _BACK))
        yield corners[((side < 0) & front) | ((side > 0) & back)]


def _doubled_area(corners: Array) -> Array:
    """Twice the signed area (n,) of triangles (n, 3, 3) in x and z, positive when clockwise from above."""
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    area: Array = first[:, 0] * second[:, 2] - first[:, 2] * second[:, 0]
    return area


def _raise_to(heights: Array, corners: Array) -> None:
    """Raise the heights to those of triangles (n, 3, 3) above them."""
    flat = (corners[..., [0, 2]] + CELL_UNITS / 2) / _STEP - 0.5
    low = np.clip(np.ceil(flat.min(1)), 0, SAMPLES).astype(np.int64)
    high = np.clip(np.floor(flat.max(1)), -1, SAMPLES - 1).astype(np.int64)
    size = np.maximum(high - low + 1, 0)
    counts = size[:, 0] * size[:, 1]
    start = 0
    while start < len(corners):
        end = start + max(1, int(np.searchsorted(np.cumsum(counts[start:]), _AT_ONCE, "right")))
        part = slice(start, end)
        _raise_part(heights, flat[part], corners[part, :, 1], low[part], size[part], counts[part])
        start = end


def _raise_part(
    heights: Array,
    flat: Array,
    levels: Array,
    low: npt.NDArray[np.int64],
    size: npt.NDArray[np.int64],
    counts: npt.NDArray[np.int64],
) -> None:
    owner = np.repeat(np.arange(len(flat)), counts)
    place = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    x = low[owner, 0] + place % size[owner, 0]
    z = low[owner, 1] + place // size[owner, 0]
    origin, first, second = flat[owner, 0], flat[owner, 1] - flat[owner, 0], flat[owner, 2] - flat[owner, 0]
    along_x, along_z = x - origin[:, 0], z - origin[:, 1]
    area = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
    u = (along_x * second[:, 1] - along_z * second[:, 0]) / area
    v = (first[:, 0] * along_z - first[:, 1] * along_x) / area
    inside = (u >= 0) & (v >= 0) & (u + v <= 1)
    owner, u, v = owner[inside], u[inside], v[inside]
    raised = levels[owner, 0] * (1 - u - v) + levels[owner, 1] * u + levels[owner, 2] * v
    np.maximum.at(heights, z[inside] * SAMPLES + x[inside], raised)

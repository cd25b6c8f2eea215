"""The drawing order of polygons (GBATEK: DS 3D Polygon Attributes, translucent sorting)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from formats.kernel import kernel
from mapexplorer.gpu.state import BOTTOM_Y, TOP_Y, TRANSLUCENT

Int32 = npt.NDArray[np.int32]


@kernel
def sort_by_line(polygons: Int32, column: int, order: Int32, scratch: Int32, count: int) -> None:
    """Stable counting sort of order[:count] by a screen line of the polygons."""
    starts = np.zeros(257, np.int64)
    for i in range(count):
        starts[polygons[order[i], column] + 1] += 1
    for line in range(256):
        starts[line + 1] += starts[line]
    for i in range(count):
        line = polygons[order[i], column]
        scratch[starts[line]] = order[i]
        starts[line] += 1
    for i in range(count):
        order[i] = scratch[i]


@kernel
def sort_polygons(polygons: Int32, count: int, manual: bool, order: Int32, scratch: Int32) -> None:
    """order[:count] = rows in drawing order: opaque polygons, then translucent ones, each by bottom and top line.

    With `manual` the translucent ones stay in the order of submission.
    """
    opaque = 0
    for i in range(count):
        if polygons[i, TRANSLUCENT] == 0:
            order[opaque] = i
            opaque += 1
    n = opaque
    for i in range(count):
        if polygons[i, TRANSLUCENT] != 0:
            order[n] = i
            n += 1
    sort_by_line(polygons, TOP_Y, order, scratch, opaque)
    sort_by_line(polygons, BOTTOM_Y, order, scratch, opaque)
    if not manual:
        sort_by_line(polygons, TOP_Y, order[opaque:], scratch, count - opaque)
        sort_by_line(polygons, BOTTOM_Y, order[opaque:], scratch, count - opaque)

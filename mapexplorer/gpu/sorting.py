"""The drawing order of polygons (GBATEK: DS 3D Polygon Attributes, translucent sorting)."""

from __future__ import annotations

from formats.kernel import kernel
from mapexplorer.arrays import Int32
from mapexplorer.gpu.integers import Int
from mapexplorer.gpu.state import BOTTOM_Y, TOP_Y, TRANSLUCENT


@kernel
def sort_by_line(polygons: Int32, column: Int, order: Int32, count: Int, moved: Int32, starts: Int32) -> None:
    """Stable counting sort of order[:count] by a screen line of the polygons."""
    for line in range(257):
        starts[line] = 0
    for i in range(count):
        starts[polygons[order[i], column] + 1] += 1
    for line in range(256):
        starts[line + 1] += starts[line]
    for i in range(count):
        line = polygons[order[i], column]
        moved[starts[line]] = order[i]
        starts[line] += 1
    for i in range(count):
        order[i] = moved[i]


@kernel
def sort_polygons(polygons: Int32, count: Int, manual: bool, order: Int32) -> None:
    """order[0, :count] = rows in drawing order: opaque polygons, then translucent ones, each by bottom and top line.

    With `manual` the translucent ones stay in the order of submission. The other two rows of `order` are scratch.
    """
    opaque = 0
    for i in range(count):
        if polygons[i, TRANSLUCENT] == 0:
            order[0, opaque] = i
            opaque += 1
    n = opaque
    for i in range(count):
        if polygons[i, TRANSLUCENT] != 0:
            order[0, n] = i
            n += 1
    sort_by_line(polygons, TOP_Y, order[0], opaque, order[1], order[2])
    sort_by_line(polygons, BOTTOM_Y, order[0], opaque, order[1], order[2])
    if not manual:
        sort_by_line(polygons, TOP_Y, order[0, opaque:], count - opaque, order[1], order[2])
        sort_by_line(polygons, BOTTOM_Y, order[0, opaque:], count - opaque, order[1], order[2])

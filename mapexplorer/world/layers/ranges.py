"""The layer of where people walk."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from mapexplorer.world.colors import Rgb
from mapexplorer.world.direction import DX, DZ
from mapexplorer.world.layers.event_boxes import object_tiles
from mapexplorer.world.layers.kind import CellOverlay, LayerKind
from mapexplorer.world.layers.shapes import Shapes

_COLOR: Final[Rgb] = (60, 190, 170)
_WALKING: Final = ("wander", "wander freely")
"""The kinds of movement types that walk within a range."""


def _shapes(part: CellOverlay) -> Shapes:
    """The tiles that the people of the owner may walk on."""
    movements, terrain = part.tables.map_objects.movement_types, part.place.terrain

    def walked(index: int, record: np.void) -> Iterator[tuple[int, int]]:
        movement = movements.get(int(record["movement_type"]))
        if movement is None or movement.kind not in _WALKING:
            return
        along_x, along_z = (any(shift[facing] for facing in movement.directions) for shift in (DX, DZ))
        wide, deep = int(record["range_x"]) * along_x, int(record["range_z"]) * along_z
        for z in range(int(record["z"]) - deep, int(record["z"]) + deep + 1):
            for x in range(int(record["x"]) - wide, int(record["x"]) + wide + 1):
                if terrain.cell_at(x, z) is not None and not terrain.collides(x, z):
                    yield x, z

    def size(record: np.void) -> str:
        return f"walks {int(record['range_x'])} x {int(record['range_z'])} tiles"

    return object_tiles(part, _COLOR, walked, size)


RANGES: Final = LayerKind(
    "ranges",
    "Walk ranges",
    "The tiles that people who wander walk on.",
    _shapes,
    depth=5,
    opacity=0.7,
    legend=lambda tables, cells: [(_COLOR, "people walk there")],
    owned=True,
)

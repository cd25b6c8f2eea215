"""The shapes of layers with one face per tile."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from mapexplorer.world.layers.kind import CellOverlay
from mapexplorer.world.layers.shapes import Array, Colors, Shapes, ShapeSubject, shapes_of


def tile_shapes(
    part: CellOverlay,
    colors: Colors,
    kinds: npt.NDArray[np.uint8],
    label: Callable[[int], str],
    lines: Sequence[tuple[Array, Colors]] = (),
) -> Shapes:
    """The tiles of a cell that have a colour (32, 32, 4), labelled by their kinds (32, 32)."""
    cell = part.cell
    rows, columns = np.nonzero(colors[..., 3])
    tiles = zip(
        (columns + cell.x * 32).tolist(), (rows + cell.z * 32).tolist(), kinds[rows, columns].tolist(), strict=True
    )
    things = tuple([ShapeSubject("tile", (cell.matrix, x, z), label(kind)) for x, z, kind in tiles])
    fills = colors[rows, columns]
    return shapes_of(part.ground.tiles[rows, columns], fills, fills, np.arange(len(rows)), things, lines)

"""Where to stand in a place when nobody says it."""

from __future__ import annotations

import numpy as np

from formats.field.terrain_attribute import COLLISION
from mapexplorer.world.cells import CELL_TILES
from mapexplorer.world.place import Place

Spot = tuple[float, float]


def default_spot(place: Place) -> Spot:
    """A tile that suits a place, matrix-wide.

    Where one arrives through its first warp: on the warp's tile, or south of it when that is a door. Without a warp in
    the place's cells, the walkable tile nearest to their middle.
    """
    cells = {(cell.x, cell.z): cell for cell in place.cells or tuple(place.matrix_cells.values())}
    if not cells:
        return 0, 0
    terrain = place.terrain
    events = place.events
    if events is not None:
        for x, z in events.warps[["x", "z"]].tolist():
            if (x // CELL_TILES, z // CELL_TILES) in cells:
                return (x, z + 1) if terrain.collides(x, z) and not terrain.collides(x, z + 1) else (x, z)
    middle = np.array([[cell.x, cell.z] for cell in cells.values()]).mean(0) * CELL_TILES + CELL_TILES / 2
    best: tuple[float, Spot] = (float("inf"), (float(int(middle[0])), float(int(middle[1]))))
    for cell in cells.values():
        free = np.argwhere(terrain.attributes(cell) & COLLISION == 0)[:, ::-1]
        if not len(free):
            continue
        tiles = free + (cell.x * CELL_TILES, cell.z * CELL_TILES)
        distances = ((tiles + 0.5 - middle) ** 2).sum(1)
        nearest = int(distances.argmin())
        x, z = tiles[nearest].tolist()
        best = min(best, (float(distances[nearest]), (x, z)))
    return best[1]

"""Where to stand in a place when nobody says it."""

from __future__ import annotations

import numpy as np

from formats.field.terrain_attribute import COLLISION
from mapexplorer.world.cells import CELL_TILES, TILE_UNITS
from mapexplorer.world.place import Place

Spot = tuple[float, float]

_TRIED = 4096


def default_spot(place: Place) -> Spot:
    """A tile that suits a place, matrix-wide.

    Where one arrives through its first warp: on the warp's tile, or south of it when that is a door. Without a warp in
    the place's cells, south of its first person; without people, the walkable tile with ground under it that is nearest
    to the middle of its cells.
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
        for x, z in events.objects[["x", "z"]].tolist():
            if (x // CELL_TILES, z // CELL_TILES) in cells:
                return x, z + 1 if not terrain.collides(x, z + 1) else z
    middle = np.array([[cell.x, cell.z] for cell in cells.values()]).mean(0) * CELL_TILES + CELL_TILES / 2
    free = [
        np.argwhere(terrain.attributes(cell) & COLLISION == 0)[:, ::-1] + (cell.x * CELL_TILES, cell.z * CELL_TILES)
        for cell in cells.values()
    ]
    tiles = np.concatenate(free)
    if not len(tiles):
        return float(int(middle[0])), float(int(middle[1]))
    nearest = tiles[((tiles + 0.5 - middle) ** 2).sum(1).argsort(kind="stable")].tolist()
    for x, z in nearest[:_TRIED]:
        if terrain.height(TILE_UNITS * (x + 0.5), TILE_UNITS * (z + 0.5)).found:
            return x, z
    return nearest[0][0], nearest[0][1]

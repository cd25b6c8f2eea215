"""The default position of the player in a place."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from formats.field.terrain_attribute import COLLISION
from formats.fixed import Vector
from mapexplorer.world.cells import CELL_TILES, FX, TILE_UNITS, Cell
from mapexplorer.world.place import Place

Spot = tuple[float, float]

_TRIED = 4096
_STEP = 4
_QUARTER = CELL_TILES // 2
"""Tiles of a quarter of a cell's side: the same cells are loaded around all of a quarter's tiles."""
_QUARTERS = 64
_ENOUGH = 0.5


def default_spot(place: Place) -> Spot:
    """A tile that suits a place, matrix-wide.

    Where one arrives through its first warp: on the warp's tile, or south of it when that is a door. Without a warp in
    the place's cells, south of its first person; without people, the walkable tile with ground under it that is nearest
    to the middle of its cells; where the game's camera would see no land from there, the tile from which it sees some.
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
    nearest = _nearest_free(place, tuple(cells.values()), middle)
    if not nearest:
        return _seeing(place, (float(int(middle[0])), float(int(middle[1]))))
    for x, z in nearest:
        if terrain.height(TILE_UNITS * (x + 0.5), TILE_UNITS * (z + 0.5)).found:
            return _seeing(place, (x, z))
    return _seeing(place, nearest[0])


def _nearest_free(place: Place, cells: Sequence[Cell], middle: npt.NDArray[np.float64]) -> list[tuple[int, int]]:
    """The tiles of cells that can be entered, nearest to `middle` first; the first of them only."""
    corners = np.array([(cell.x, cell.z) for cell in cells]) * CELL_TILES
    # No tile of a cell is nearer than this.
    apart = np.maximum(np.maximum(corners + 0.5 - middle, middle - (corners + CELL_TILES - 0.5)), 0)
    bounds = (apart**2).sum(1)
    tiles: dict[int, npt.NDArray[np.int64]] = {}
    distances: dict[int, npt.NDArray[np.float64]] = {}
    for index in bounds.argsort(kind="stable").tolist():
        if sum(int((known < bounds[index]).sum()) for known in distances.values()) >= _TRIED:
            break
        free = np.argwhere(place.terrain.attributes(cells[index]) & COLLISION == 0)[:, ::-1]
        tiles[index] = free + corners[index]
        distances[index] = ((tiles[index] + 0.5 - middle) ** 2).sum(1)
    order = sorted(tiles)
    ranks = np.concatenate([distances[index] for index in order]).argsort(kind="stable")[:_TRIED]
    nearest: list[tuple[int, int]] = [
        (x, z) for x, z in np.concatenate([tiles[index] for index in order])[ranks].tolist()
    ]
    return nearest


def _seeing(place: Place, spot: Spot) -> Spot:
    """A spot, or when no land is seen from it the one that sees the most: the first that has half a screen of land."""
    from mapexplorer.scene.camera_visibility import land_in_sight

    terrain = place.terrain
    x, z = int(spot[0]), int(spot[1])
    best, found = spot, float(land_in_sight(place, terrain.resident(x, z).cells, [_target(place, spot)])[0])
    if found > 0:
        return spot
    cells = place.cells or tuple(place.matrix_cells.values())
    steps = np.arange(0, CELL_TILES, _STEP)
    corners = np.array([(cell.x, cell.z) for cell in cells])[:, None] * CELL_TILES
    quarters = (corners + np.array([(x, z) for z in (0, _QUARTER) for x in (0, _QUARTER)])).reshape(-1, 2)
    order = ((quarters + _QUARTER / 2 - spot) ** 2).sum(1).argsort(kind="stable")
    for west, north in quarters[order[:_QUARTERS]].tolist():
        spots = [(west + dx, north + dz) for dz in steps.tolist() for dx in steps.tolist() if max(dx, dz) < _QUARTER]
        loaded = terrain.resident(west, north).cells
        shares = land_in_sight(place, loaded, [_target(place, each) for each in spots])
        chosen = int(shares.argmax())
        if shares[chosen] > found:
            best, found = spots[chosen], float(shares[chosen])
        if found >= _ENOUGH:
            break
    return best


def _target(place: Place, spot: Spot) -> Vector:
    """What the game's camera looks at when someone stands on a tile, fx32 units."""
    x, z = (round((value + 0.5) * TILE_UNITS * FX) for value in spot)
    return x, place.terrain.height_fx(x, z, 0).fx32, z

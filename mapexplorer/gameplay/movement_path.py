"""The tiles over which a movement list leads an object."""

from __future__ import annotations

from collections.abc import Iterable

from formats.fixed import ONE
from mapexplorer.games.tables import Tables
from mapexplorer.world.cells import TILE_UNITS
from mapexplorer.world.direction import DX, DZ, Direction

Tile = tuple[float, float]


def movement_path(tables: Tables, start: Tile, steps: Iterable[tuple[int, int]]) -> tuple[Tile, ...]:
    """The matrix-wide tiles (x, z) at which an object is that begins at `start`, one after each action that moves it;
    `steps` are (action, count). Obstacles do not stop a movement list."""
    path = [start]
    for number, count in steps:
        action = tables.movement_actions.get(number)
        if action is None or action.kind not in ("walk", "jump"):
            continue
        tiles, direction = sum(action.units) / ONE / TILE_UNITS, Direction(action.direction)
        for _ in range(count if tiles else 0):
            x, z = path[-1]
            path.append((x + DX[direction] * tiles, z + DZ[direction] * tiles))
    return tuple(path)

"""Which cells of a matrix a camera can see."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from formats.fixed import ONE
from mapexplorer.scene.camera import SceneCamera
from mapexplorer.world.cells import CELL_UNITS, Cell

OVERHANG = 128
"""How far, in units, models of a cell may reach beyond its border."""

_LOWEST, _HIGHEST = -512, 1024


def cells_in_view(cells: Iterable[Cell], camera: SceneCamera) -> list[Cell]:
    """The cells whose bounding box, models included, intersects the view volume; in the order given."""
    candidates = list(cells)
    if not candidates:
        return []
    view = np.zeros((4, 4))
    view[:, :3] = np.array(camera.view, float).reshape(4, 3)
    view[3, 3] = ONE
    matrix = view @ np.array(camera.projection, float).reshape(4, 4) / ONE**2
    west = np.array([[cell.x * CELL_UNITS, cell.z * CELL_UNITS] for cell in candidates], float)
    corners = np.empty((len(candidates), 8, 4))
    for number in range(8):
        side = OVERHANG + CELL_UNITS
        corners[:, number, 0] = west[:, 0] + (side if number & 1 else -OVERHANG)
        corners[:, number, 1] = _HIGHEST if number & 2 else _LOWEST
        corners[:, number, 2] = west[:, 1] + (side if number & 4 else -OVERHANG)
    corners[..., 3] = 1
    clip = corners @ matrix
    inside = np.ones(len(candidates), bool)
    for axis in range(3):
        inside &= (clip[..., axis] <= clip[..., 3]).any(1) & (clip[..., axis] >= -clip[..., 3]).any(1)
    return [cell for cell, seen in zip(candidates, inside.tolist(), strict=True) if seen]

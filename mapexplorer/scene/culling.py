"""Which cells of a matrix a camera can see."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
import numpy.typing as npt

from formats.fixed import ONE
from mapexplorer.scene.camera import SceneCamera
from mapexplorer.world.cells import CELL_UNITS, Cell

_CORNERS: Final = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])

OVERHANG = 128
"""How far, in units, models of a cell may reach beyond its border."""

_LOWEST, _HIGHEST = -512, 1024


def boxes_in_view(
    low: npt.NDArray[np.float64], high: npt.NDArray[np.float64], clip: npt.NDArray[np.float64]
) -> npt.NDArray[np.bool_]:
    """Which boxes (n, 3) intersect the view volume of a matrix (4, 4) into clip space; boxes near the corners of the
    volume may be false positives."""
    corners = low[:, None] + (high - low)[:, None] * _CORNERS
    places = corners @ clip[:3] + clip[3]
    below, above = (places[..., :3] <= places[..., 3:]).any(1), (places[..., :3] >= -places[..., 3:]).any(1)
    inside: npt.NDArray[np.bool_] = (below & above).all(1)
    return inside


def clip_matrix(camera: SceneCamera) -> npt.NDArray[np.float64]:
    """View and projection of a camera as one matrix (4, 4), for rows of points in units."""
    view = np.zeros((4, 4))
    view[:, :3] = np.array(camera.view, float).reshape(4, 3)
    view[3, 3] = ONE
    matrix: npt.NDArray[np.float64] = view @ np.array(camera.projection, float).reshape(4, 4) / ONE**2
    return matrix


def cells_in_view(cells: Iterable[Cell], camera: SceneCamera) -> list[Cell]:
    """The cells whose bounding box, models included, intersects the view volume; in the order given."""
    candidates = list(cells)
    if not candidates:
        return []
    matrix = clip_matrix(camera)
    north_west = np.array([[cell.x * CELL_UNITS, 0, cell.z * CELL_UNITS] for cell in candidates], float)
    side = CELL_UNITS + OVERHANG
    inside = boxes_in_view(north_west + (-OVERHANG, _LOWEST, -OVERHANG), north_west + (side, _HIGHEST, side), matrix)
    return [cell for cell, seen in zip(candidates, inside.tolist(), strict=True) if seen]

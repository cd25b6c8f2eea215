"""Estimates the share of the screen that terrain covers, from the bounding boxes of its models."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from formats.fixed import ONE, Vector
from formats.nitro.nsbmd import Nsbmd
from mapexplorer.scene.camera import game_camera
from mapexplorer.world.cells import Cell
from mapexplorer.world.place import Place

_CORNERS = np.array([[n & 1, n >> 1 & 1, n >> 2 & 1] for n in range(8)], float)


def land_in_sight(place: Place, cells: Sequence[Cell], targets: Sequence[Vector]) -> npt.NDArray[np.float64]:
    """For each target of the game's camera (fx32 units) the share of the screen, 0 to 1, that the terrain of `cells`
    may take: the rectangles around the boxes that meet the view, at most the whole screen. Raises FormatError."""
    boxes = [_box(place, cell) for cell in cells]
    if not boxes or not targets:
        return np.zeros(len(targets))
    camera = game_camera(place.camera, (0, 0, 0))
    view = np.zeros((4, 4))
    view[:, :3] = np.array(camera.view, float).reshape(4, 3)
    view[3, 3] = ONE
    matrix = view @ np.array(camera.projection, float).reshape(4, 4) / ONE**2
    corners = np.ones((len(targets), len(boxes), 8, 4))
    corners[..., :3] = np.stack(boxes) - np.array(targets, float)[:, None, None] / ONE
    clip = corners @ matrix
    w = clip[..., 3:]
    meets = ((clip[..., :3] <= w).any(2) & (clip[..., :3] >= -w).any(2)).all(2)
    # A corner behind the eye can be anywhere on the screen.
    place_on_screen = np.where(w > 0, clip[..., :2] / np.where(w > 0, w, 1), np.sign(clip[..., :2]))
    low, high = np.clip(place_on_screen.min(2), -1, 1), np.clip(place_on_screen.max(2), -1, 1)
    areas = np.maximum((high - low).prod(2) / 4, 1e-6)
    shares: npt.NDArray[np.float64] = np.minimum((areas * meets).sum(1), 1.0)
    return shares


def _box(place: Place, cell: Cell) -> npt.NDArray[np.float64]:
    """The corners of a cell's terrain (8, 3), matrix-wide units; at the cell's centre when it has no model."""
    boxes = Nsbmd.read_boxes(place.world.land_sections(cell.land).model)
    box, scale = boxes[0] if boxes else ((0,) * 6, 0)
    values = np.array(box, float) * scale / ONE**2
    return np.array(cell.centre, float) / ONE + values[:3] + _CORNERS * values[3:]

"""The corners of height plates and of tiles on the ground, for those who draw them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from formats.field.bdhc import Bdhc
from formats.fixed import ONE
from mapexplorer.world.cells import CELL_TILES, CELL_UNITS, TILE_UNITS

Corners = npt.NDArray[np.float64]


def plate_corners(bdhc: Bdhc) -> Corners:
    """(n, 4, 3) corners of the plates in units, x and z from the cell's centre: NW, SW, SE, NE, with heights on the
    plate's plane; a plate without an upward normal is at 0, as the game's division has it."""
    plates = bdhc.plates
    first, second = bdhc.points[plates["first_point"]], bdhc.points[plates["second_point"]]
    corners = np.zeros((len(plates), 4, 3))
    west, east = np.minimum(first["x"], second["x"]), np.maximum(first["x"], second["x"])
    north, south = np.minimum(first["z"], second["z"]), np.maximum(first["z"], second["z"])
    for corner, (x, z) in enumerate(((west, north), (west, south), (east, south), (east, north))):
        corners[:, corner, 0] = x / ONE
        corners[:, corner, 2] = z / ONE
    corners[..., 1] = plane_heights(bdhc, np.arange(len(plates))[:, None], corners[..., 0], corners[..., 2])
    return corners


def plane_heights(
    bdhc: Bdhc, plates: npt.NDArray[np.intp], x: npt.NDArray[np.float64], z: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Heights in units of the planes of `plates` at points (units from the cell's centre); arrays that broadcast."""
    rows = bdhc.plates[plates]
    normals = bdhc.normals[rows["normal"]]
    constants = bdhc.constants[rows["constant"]] / ONE
    ny = normals["y"] / ONE
    heights = -(normals["x"] / ONE * x + normals["z"] / ONE * z + constants) / np.where(ny == 0, 1, ny)
    return np.where(ny == 0, 0.0, heights)


def tile_corners(bdhc: Bdhc) -> Corners:
    """(32, 32, 4, 3) corners of the tiles, row = z, in units from the cell's centre: NW, SW, SE, NE.

    Each tile is on the plate that the game finds at its centre from height 0; without one it is at 0.
    """
    half = CELL_UNITS // 2
    edges = np.arange(CELL_TILES + 1) * TILE_UNITS - half
    corners = np.zeros((CELL_TILES, CELL_TILES, 4, 3))
    for corner, (x, z) in enumerate(((0, 0), (0, 1), (1, 1), (1, 0))):
        corners[:, :, corner, 0] = edges[x : x + CELL_TILES][None, :]
        corners[:, :, corner, 2] = edges[z : z + CELL_TILES][:, None]
    plates = np.full((CELL_TILES, CELL_TILES), -1, np.intp)
    middles = ((edges[:-1] + TILE_UNITS // 2) * ONE).tolist()
    for row, z in enumerate(middles):
        for column, x in enumerate(middles):
            found = bdhc.height_at(x, z, 0)
            if found is not None:
                plates[row, column] = found[1]
    known = plates >= 0
    if known.any():
        chosen = corners[known]
        corners[known, :, 1] = plane_heights(bdhc, plates[known][:, None], chosen[..., 0], chosen[..., 2])
    return corners

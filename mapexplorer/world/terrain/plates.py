"""The corners of height plates and of tiles on the ground, for those who draw them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from formats.field.height_plates import HeightPlates
from formats.fixed import ONE
from mapexplorer.world.cells import CELL_TILES, CELL_UNITS, TILE_UNITS

Corners = npt.NDArray[np.float64]


def plate_corners(bdhc: HeightPlates) -> Corners:
    """(n, 4, 3) corners of the plates in units, x and z from the cell's centre, as `HeightPlates.outlines` has them."""
    outlines = bdhc.outlines / ONE
    return np.stack([outlines[..., 0], bdhc.corner_heights, outlines[..., 1]], -1)


def plane_heights(
    bdhc: HeightPlates, plates: npt.NDArray[np.intp], x: npt.NDArray[np.float64], z: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Heights in units of the planes of `plates` at points (units from the cell's centre); arrays that broadcast."""
    nx, ny, nz, d = (bdhc.planes[plates][..., column] / ONE for column in range(4))
    return np.where(ny == 0, 0.0, -(nx * x + nz * z + d) / np.where(ny == 0, 1, ny))


def sloped_plates(bdhc: HeightPlates) -> npt.NDArray[np.bool_]:
    """Which plates are not level."""
    sloped: npt.NDArray[np.bool_] = (bdhc.planes[:, [0, 2]] != 0).any(1)
    return sloped


def tile_corners(bdhc: HeightPlates) -> Corners:
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
            answer = bdhc.height_at(x, z, 0)
            if answer is not None:
                plates[row, column] = answer[1]
    known = plates >= 0
    if known.any():
        chosen = corners[known]
        corners[known, :, 1] = plane_heights(bdhc, plates[known][:, None], chosen[..., 0], chosen[..., 2])
    return corners

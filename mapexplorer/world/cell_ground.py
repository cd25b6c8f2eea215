"""What lies on the ground of a cell, unseen in the game, in the matrix's units: tiles, height plates, strips."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from formats.field.terrain_attribute import BEHAVIOUR, COLLISION
from mapexplorer.world.cells import FX, Cell
from mapexplorer.world.place import Place
from mapexplorer.world.plates import plate_corners, tile_corners

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CellGround:
    """A cell's tiles: `attributes` (32, 32) words, row = z, and `tiles` (32, 32, 4, 3) corners on the ground; its
    plates: `plates` (n, 4, 3) corners, `normals` (n, 3), and `scanlines` of the strips. Matrix-wide units."""

    cell: Cell
    attributes: npt.NDArray[np.uint16]
    tiles: Array
    plates: Array
    normals: Array
    scanlines: Array

    @property
    def blocked(self) -> npt.NDArray[np.bool_]:
        """Where the collision bit is set."""
        blocked: npt.NDArray[np.bool_] = (self.attributes & COLLISION) != 0
        return blocked

    @property
    def behaviours(self) -> npt.NDArray[np.uint16]:
        """The behaviour of every tile."""
        return (self.attributes & BEHAVIOUR).astype(np.uint16)

    @property
    def sloped(self) -> npt.NDArray[np.bool_]:
        """Which plates are not level."""
        sloped: npt.NDArray[np.bool_] = (self.normals[:, [0, 2]] != 0).any(1)
        return sloped


def cell_ground(place: Place, cell: Cell) -> CellGround:
    """The ground of a cell of a place's matrix. Raises FormatError."""
    terrain = place.terrain
    bdhc = terrain.bdhc(cell)
    x, _, z = (value / FX for value in cell.centre)
    move = np.array([x, 0.0, z])
    normals = np.stack([bdhc.normals[bdhc.plates["normal"]][axis] / FX for axis in "xyz"], -1)
    scanlines = np.array([strip.scanline / FX + z for strip in bdhc.strips])
    return CellGround(
        cell, terrain.attributes(cell), tile_corners(bdhc) + move, plate_corners(bdhc) + move, normals, scanlines
    )

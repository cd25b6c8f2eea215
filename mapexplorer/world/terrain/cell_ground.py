"""The invisible data of a cell's ground in matrix-wide units: tiles, height plates, strips."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from formats.field.height_plates import HeightPlates
from formats.field.terrain_attribute import behaviours, collides
from formats.fixed import ONE
from mapexplorer.world.cells import CELL_TILES, CELL_UNITS, Cell
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.terrain.plates import plate_corners, sloped_plates, tile_corners

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class CellGround:
    """A cell's tiles: `attributes` (32, 32) words, row = z, and `tiles` (32, 32, 4, 3) corners; its plates: `plates`
    (n, 4, 3) corners, and `bdhc`. Matrix-wide units, but for `bdhc`.

    A tile lies on its plate. One whose collision bit is set is not stood on: where the terrain model is above it, as
    trees, rocks and cells with an altitude are, it is `covered` and lies on the model, where the map shows an obstacle.
    """

    cell: Cell
    attributes: npt.NDArray[np.uint16]
    tiles: Array
    covered: npt.NDArray[np.bool_]
    plates: Array
    bdhc: HeightPlates

    @property
    def blocked(self) -> npt.NDArray[np.bool_]:
        """Where the collision bit is set."""
        return collides(self.attributes)

    @property
    def behaviours(self) -> npt.NDArray[np.uint8]:
        """The behaviour of every tile."""
        return behaviours(self.attributes)

    @property
    def sloped(self) -> npt.NDArray[np.bool_]:
        """Which plates are not level."""
        return sloped_plates(self.bdhc)

    @property
    def downhill(self) -> Array:
        """The level directions (n, 3), of length 1, in which the plates descend; 0 for level plates."""
        level = self.bdhc.planes[:, :3] / ONE * (1.0, 0.0, 1.0)
        length = np.linalg.norm(level, axis=-1, keepdims=True)
        down: Array = level / np.where(length > 0, length, 1.0)
        return down

    @property
    def strip_lines(self) -> Array:
        """The scanlines that cross the cell as lines (n, 2, 3) from west to east, at the mean height of the plates."""
        west, north = self.cell.x * CELL_UNITS, self.cell.z * CELL_UNITS
        scanlines = [strip.scanline / ONE + north + CELL_UNITS / 2 for strip in self.bdhc.strips]
        height = self.plates[..., 1].mean() if len(self.plates) else 0.0
        crossing = [z for z in scanlines if north <= z <= north + CELL_UNITS]
        return np.array([[(x, height, z) for x in (west, west + CELL_UNITS)] for z in crossing]).reshape(-1, 2, 3)

    @property
    def border(self) -> Array:
        """The corners (4, 3) of the cell at the median height of its tiles."""
        west, north = self.cell.x * CELL_UNITS, self.cell.z * CELL_UNITS
        height = np.median(self.tiles[..., 1])
        corners = [(0, 0), (0, CELL_UNITS), (CELL_UNITS, CELL_UNITS), (CELL_UNITS, 0)]
        return np.array([(west + x, height, north + z) for x, z in corners])


def cell_ground(place: FieldPlace, cell: Cell) -> CellGround:
    """The ground of a cell of a place's matrix. Raises FormatError."""
    terrain = place.terrain
    bdhc = terrain.bdhc(cell)
    x, _, z = (value / ONE for value in cell.centre)
    move = np.array([x, 0.0, z])
    attributes, tiles = terrain.attributes(cell), tile_corners(bdhc) + move
    above = np.maximum(tiles[..., 1], _covering(place, cell))
    covered = collides(attributes) & (above > tiles[..., 1]).any(-1)
    tiles[covered, :, 1] = above[covered]
    return CellGround(cell, attributes, tiles, covered, plate_corners(bdhc) + move, bdhc)


def _covering(place: FieldPlace, cell: Cell) -> Array:
    """(32, 32, 4) heights in units of the terrain model in the quarters of each tile, -inf where it has no face."""
    quarters = place.terrain.surface(cell).reshape(CELL_TILES, 2, CELL_TILES, 2) + cell.centre[1] / ONE
    # In the order of a tile's corners: north-west, south-west, south-east, north-east.
    return np.stack([quarters[:, 0, :, 0], quarters[:, 1, :, 0], quarters[:, 1, :, 1], quarters[:, 0, :, 1]], -1)

"""Cells of a matrix: the land data, the header and the area of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from formats.field.map_matrix import EMPTY_CELL, MapMatrix
from formats.field.terrain_attribute import TILES
from formats.fixed import ONE
from mapexplorer.games import Role
from mapexplorer.world.headers.header import Header
from mapexplorer.world.sources.matrix_patches import MatrixPatch, patched
from mapexplorer.world.sources.provenance import Facts, Provenance, Resolved, SourceRule

TILE_UNITS = 16
"""Units of a tile's edge."""
CELL_TILES = TILES
"""Tiles of a cell's edge."""
CELL_UNITS = CELL_TILES * TILE_UNITS
"""Units of a cell's edge."""
ALTITUDE_UNITS = 8
"""Units of one step of altitude."""
FILLER_HEADER = 0
"""The header of cells outside all places: sea and mountains around the routes."""


@dataclass(frozen=True, repr=False)
class Cell:
    """One cell with land."""

    matrix: int
    """The matrix."""
    x: int
    """The column in it."""
    z: int
    """The row in it."""
    land: int
    """The id of its land data."""
    header: int
    """The map header to which it belongs."""
    altitude: int
    """In steps of 8 units; it moves only the terrain model."""
    area: Resolved[int]
    """The area whose textures, props and lights the cell is shown with, and why."""
    filler: bool
    """Whether the cell is outside all places."""
    patch: MatrixPatch | None = None
    """What code replaces it by; None: it is as the matrix has it."""

    @property
    def centre(self) -> tuple[int, int, int]:
        """The position of the terrain model, fx32, matrix-wide: the cell's centre, raised by the altitude."""
        half = CELL_UNITS // 2
        x, z = CELL_UNITS * self.x + half, CELL_UNITS * self.z + half
        return x * ONE, self.altitude * ALTITUDE_UNITS * ONE, z * ONE

    @property
    def why(self) -> Provenance:
        """The source of the land data id."""
        facts = Facts(cell=(self.x, self.z), matrix=self.matrix)
        if self.patch is None:
            return Provenance(Role.LAND_DATA, SourceRule.CELL_OF_MATRIX, self.land, facts=facts)
        facts = replace(facts, location=self.patch.location, known=self.patch.when_known)
        return Provenance(Role.LAND_DATA, SourceRule.PATCHED_CELL, self.land, facts=facts)

    def __repr__(self) -> str:
        names = f"land {self.land}, header {self.header}, area {self.area.value}"
        return f"<Cell ({self.x}, {self.z}) of matrix {self.matrix}: {names}>"

    def __str__(self) -> str:
        return f"cell ({self.x}, {self.z})"


def read_cells(
    matrix: MapMatrix,
    matrix_id: int,
    entered: Header,
    headers: Sequence[Header],
    replaced: Mapping[tuple[int, int], MatrixPatch] = MappingProxyType({}),
) -> dict[tuple[int, int], Cell]:
    """(x, z) -> cell for every cell with land, row by row.

    With a header section each cell has its own header, else all belong to `entered`. A cell of header 0 uses the area
    of the nearest cell with another header, because the area of header 0 lacks many of its textures. A header that does
    not exist is treated as header 0. `replaced`: the cells that code replaces.
    """
    matrix = patched(matrix, replaced)
    ids = matrix.headers
    named = _named(matrix, len(headers))
    cells: dict[tuple[int, int], Cell] = {}
    for z, x in np.argwhere(matrix.land != EMPTY_CELL).tolist():
        header = int(ids[z, x]) if ids is not None else entered.id
        header = header if header < len(headers) else FILLER_HEADER
        if ids is not None and header == FILLER_HEADER and len(named):
            area = _nearest_area(x, z, named, matrix, headers)
        else:
            number = headers[header].area
            area = Resolved(
                number, Provenance(Role.AREA_DATA, SourceRule.HEADER_NAMES, number, facts=Facts(header=header))
            )
        altitude = int(matrix.altitudes[z, x]) if matrix.altitudes is not None else 0
        filler = ids is not None and header == FILLER_HEADER
        cells[x, z] = Cell(
            matrix_id, x, z, int(matrix.land[z, x]), header, altitude, area, filler, replaced.get((x, z))
        )
    return cells


def _named(matrix: MapMatrix, count: int) -> np.ndarray:
    if matrix.headers is None:
        return np.empty((0, 2), np.int64)
    return np.argwhere((matrix.headers != FILLER_HEADER) & (matrix.headers < count))


def _nearest_area(x: int, z: int, named: np.ndarray, matrix: MapMatrix, headers: Sequence[Header]) -> Resolved[int]:
    distances = ((named - (z, x)) ** 2).sum(1)
    near_z, near_x = named[int(distances.argmin())].tolist()
    assert matrix.headers is not None
    header = int(matrix.headers[near_z, near_x])
    area = headers[header].area
    facts = Facts(header=header, cell=(near_x, near_z))
    return Resolved(area, Provenance(Role.AREA_DATA, SourceRule.NEAREST_CELL, area, facts=facts))

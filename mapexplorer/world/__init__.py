"""The maps of a ROM as values: headers, matrices, areas, places, and the references between them, each with its
source."""

from __future__ import annotations

from mapexplorer.world.cells import Cell
from mapexplorer.world.header import Header, find_header
from mapexplorer.world.place import FieldPlace, PropPlacement
from mapexplorer.world.provenance import Provenance, Resolved
from mapexplorer.world.terrain import ResidentBlock, Terrain, TerrainHeight
from mapexplorer.world.world import FieldWorld

__all__ = [
    "Cell",
    "FieldPlace",
    "FieldWorld",
    "Header",
    "PropPlacement",
    "Provenance",
    "ResidentBlock",
    "Resolved",
    "Terrain",
    "TerrainHeight",
    "find_header",
]

"""The maps of a ROM as values: headers, matrices, areas, places, and the references between them, each with its
source."""

from __future__ import annotations

from mapexplorer.world.cells import Cell
from mapexplorer.world.header import Header, find_header
from mapexplorer.world.place import Place, PropPlacement
from mapexplorer.world.provenance import Provenance, Resolved
from mapexplorer.world.terrain import HeightAnswer, ResidentBlock, Terrain
from mapexplorer.world.world import World

__all__ = [
    "Cell",
    "Header",
    "HeightAnswer",
    "Place",
    "PropPlacement",
    "Provenance",
    "ResidentBlock",
    "Resolved",
    "Terrain",
    "World",
    "find_header",
]

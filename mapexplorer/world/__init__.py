"""The maps of a ROM as values: headers, matrices, areas, places, and the references between them, each with its
source.

The names are loaded when they are first used: `world.subject` and what else is asked of a kept store needs none of
them.

A source is archive, member, offset and a rule with its facts (`provenance`); only `wording` makes sentences of it, and
no code parses sentences. `references.REFERENCES` is the only list of references of records, used for verification and
by the rule of edges about them. `requirements` defines the contents that a member needs to be shown. Tables in the
program are found by their contents; a published offset decides between several matches. The cells that code replaces
(`matrix_patches`) are composed in `WorldFiles.cells`, by the hidden locations that are known; `FieldPlace.of_save`
gives a place as a save has it.
"""

from __future__ import annotations

from formats.lazy_names import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mapexplorer.world.cells import Cell
    from mapexplorer.world.headers.header import Header, find_header
    from mapexplorer.world.place import FieldPlace, PropPlacement
    from mapexplorer.world.sources.provenance import Provenance, Resolved
    from mapexplorer.world.terrain.terrain import ResidentBlock, Terrain, TerrainHeight
    from mapexplorer.world.world import FieldWorld

_HOMES = {
    "Cell": "cells",
    "FieldPlace": "place",
    "FieldWorld": "world",
    "Header": "headers.header",
    "PropPlacement": "place",
    "Provenance": "sources.provenance",
    "ResidentBlock": "terrain.terrain",
    "Resolved": "sources.provenance",
    "Terrain": "terrain.terrain",
    "TerrainHeight": "terrain.terrain",
    "find_header": "headers.header",
}

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

__getattr__ = lazy_names(__name__, _HOMES)

"""The Python names that users rely on: a facade over the rooms, one call into a room per method.

import mapexplorer
world = mapexplorer.World(mapexplorer.open_rom("platinum.nds"))
place = world.place("Twinleaf Town")
picture = place.scene(second=20 * 3600).render()
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from mapexplorer.rom import Rom, open_rom
from mapexplorer.world import place as world_place
from mapexplorer.world import world as world_world
from mapexplorer.world.header import find_header

if TYPE_CHECKING:
    from mapexplorer.export.gltf.field import FieldReport
    from mapexplorer.export.options import ExportOptions
    from mapexplorer.world.cells import Cell

NOON = 43200


class World(world_world.World):
    """A ROM as places (see `mapexplorer.world.World`)."""

    def __init__(self, rom: Rom | str | os.PathLike[str], *, header_archive: str | None = None) -> None:
        """`rom` is an opened ROM or what `open_rom` takes: an image, an unpacked folder, or "demo"."""
        super().__init__(rom if isinstance(rom, Rom) else open_rom(rom), header_archive=header_archive)

    def place(self, key: int | str, matrix: int | None = None, area: int | None = None) -> Place:
        """The place of a header id, internal name or location name; `matrix` and `area` replace what the header names.

        Raises PlaceError when no header or more than one answers to the name.
        """
        return Place(self, find_header(self.headers, key), matrix, area)


class Place(world_place.Place):
    """A map as the game shows it when it is entered through a header (see `mapexplorer.world.Place`)."""

    def export_gltf(
        self, path: str | os.PathLike[str], options: ExportOptions | None = None, *, cells: Iterable[Cell] | None = None
    ) -> FieldReport:
        """Write the place as one GLB (see `mapexplorer.export.gltf.field.export_field`)."""
        from mapexplorer.export.gltf.field import export_field

        return export_field(self, path, options, cells=cells)

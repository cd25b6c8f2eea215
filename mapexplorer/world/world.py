"""The world of a ROM: its places by name, and who uses what."""

from __future__ import annotations

from functools import cached_property

from mapexplorer.world.files import WorldFiles
from mapexplorer.world.header import find_header
from mapexplorer.world.leftovers import Leftovers
from mapexplorer.world.place import Place
from mapexplorer.world.uses import Uses


class World(WorldFiles):
    """A ROM as places."""

    def place(self, key: int | str, matrix: int | None = None, area: int | None = None) -> Place:
        """The place of a header id, internal name or location name; `matrix` and `area` replace what the header names.

        Raises PlaceError when no header or more than one answers to the name.
        """
        return Place(self, find_header(self.headers, key), matrix, area)

    @cached_property
    def leftovers(self) -> Leftovers:
        """Which headers are not used or were never finished."""
        return Leftovers(self)

    @cached_property
    def uses(self) -> Uses:
        """Who uses what, in both directions."""
        return Uses(self)

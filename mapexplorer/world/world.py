"""A ROM with its places by name, and its references in both directions."""

from __future__ import annotations

import os
from typing import Self

from mapexplorer.caching import shared_property
from mapexplorer.world.files import WorldFiles
from mapexplorer.world.header import find_header
from mapexplorer.world.leftovers import Leftovers
from mapexplorer.world.opening import open_rom
from mapexplorer.world.place import FieldPlace
from mapexplorer.world.uses import Uses


class FieldWorld(WorldFiles):
    """A ROM as places."""

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """The world of what `open_rom` opens: an image, an unpacked folder, or "demo". Raises as `open_rom`."""
        return cls(open_rom(path))

    def place(self, key: int | str, matrix: int | None = None, area: int | None = None) -> FieldPlace:
        """The place of a header id, internal name or location name; `matrix` and `area` replace what the header names.

        Raises PlaceError when no header or more than one answers to the name.
        """
        return FieldPlace(self, find_header(self.headers, key), matrix, area)

    @shared_property
    def leftovers(self) -> Leftovers:
        """Which headers are not used or were never finished."""
        return Leftovers(self)

    @shared_property
    def uses(self) -> Uses:
        """The references in both directions."""
        return Uses(self)

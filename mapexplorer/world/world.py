"""A ROM with its places by name."""

from __future__ import annotations

import os
from copy import copy
from typing import TYPE_CHECKING, Self

from formats.remembered import remembered
from mapexplorer.world.headers.header import find_header
from mapexplorer.world.opening import open_rom
from mapexplorer.world.sources.files import WorldFiles

if TYPE_CHECKING:
    from mapexplorer.world.headers.leftovers import Leftover
    from mapexplorer.world.place import FieldPlace


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
        from mapexplorer.world.place import FieldPlace

        return FieldPlace(self, find_header(self.headers, key), matrix, area)

    def showing(self, *, constants: bool) -> Self:
        """This world, or one that shows the decompilation's constants in place of names; names that users type are
        looked up in this one. Raises RomError where no constants are known."""
        if not constants:
            return self
        world = copy(self)
        world.game = self.game.showing_constants()
        return world

    @remembered
    def leftovers(self, header: int) -> tuple[Leftover, ...]:
        """Which headers are not used or were never finished."""
        from mapexplorer.world.headers.leftovers import leftover_rules

        return leftover_rules(self, header)

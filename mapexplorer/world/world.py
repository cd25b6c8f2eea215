"""A ROM with its places by name."""

from __future__ import annotations

import os
from copy import copy
from typing import TYPE_CHECKING, Final, Self

from formats.field import MessageBank
from formats.remembered import remembered
from mapexplorer.games import NameBank
from mapexplorer.world.headers.header import find_header
from mapexplorer.world.opening import open_rom
from mapexplorer.world.sources.files import WorldFiles

if TYPE_CHECKING:
    from mapexplorer.world.headers.leftovers import Leftover
    from mapexplorer.world.place import FieldPlace

_SAID: Final = (NameBank.TRAINER_MESSAGES, NameBank.ITEM_DESCRIPTIONS)
"""The banks that hold no names."""


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

    def saying(self, *, texts: bool) -> Self:
        """This world, or one without the texts that people say and signs read; names stay."""
        world = copy(self)
        world._silent = not texts
        return world

    _silent = False

    def messages(self, bank: int) -> MessageBank | None:
        """A member of pl_msg, None when the ROM has no texts or no such bank, or if it is not shown."""
        names = (self.game.name_bank(names, self.rom.code) for names in NameBank if names not in _SAID)
        return None if self._silent and bank not in names else super().messages(bank)

    @remembered
    def leftovers(self, header: int) -> tuple[Leftover, ...]:
        """Which headers are not used or were never finished."""
        from mapexplorer.world.headers.leftovers import leftover_rules

        return leftover_rules(self, header)

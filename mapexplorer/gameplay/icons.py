"""The pictures of items and species, as tiles and colours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from formats.nitro.ncgr import Ncgr
from formats.nitro.nclr import Nclr
from mapexplorer.games import Role, Topic
from mapexplorer.games.gameplay_tables import ItemFiles

if TYPE_CHECKING:
    from mapexplorer.world.sources.files import WorldFiles

_FIRST_SPECIES: Final = 7
"""The member with the picture of species 0."""

_PALETTES: Final = 0
"""The member with the palettes of all species."""

_COLORS: Final = 16


class Icon(NamedTuple):
    """A picture of four bits a texel, and its 16 colours (RGB5 words); species have two frames one above the other."""

    tiles: Ncgr
    colors: npt.NDArray[np.uint16]


def item_files(world: WorldFiles, item: int) -> ItemFiles:
    """The members with an item's record and picture; those of item 0 for a number that is no item. Raises RomError
    where they are not known."""
    world.game.require(Topic.ITEMS)
    known = world.game.tables.icons.items
    return known[item if 0 <= item < len(known) else 0]


def item_icon(world: WorldFiles, item: int) -> Icon:
    """The picture of an item; that of item 0 for a number that is no item. Raises FormatError, RomError."""
    files = item_files(world, item)
    palette = world.member(Role.ITEM_ICONS, files.palette, Nclr.from_bytes)
    return Icon(world.member(Role.ITEM_ICONS, files.picture, Ncgr.from_bytes), palette.colors[:_COLORS])


def species_icon(world: WorldFiles, species: int) -> Icon:
    """The picture of a species or form. Raises FormatError, also for a number beyond the archive, and RomError."""
    palettes = world.game.tables.icons.species_palettes
    first = _COLORS * (palettes[species] if species < len(palettes) else 0)
    colors = world.member(Role.SPECIES_ICONS, _PALETTES, Nclr.from_bytes).colors
    tiles = world.member(Role.SPECIES_ICONS, _FIRST_SPECIES + species, Ncgr.from_bytes)
    return Icon(tiles, colors[first : first + _COLORS])

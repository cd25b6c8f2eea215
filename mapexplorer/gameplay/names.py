"""Names of species, items, moves ..., from the texts of the ROM."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mapexplorer.games import NameBank
from mapexplorer.games.name_bank import MEANINGS

if TYPE_CHECKING:
    from mapexplorer.world.sources.files import WorldFiles

_PACKED = "{packed}"


def unpacked(text: str) -> str:
    """A text of a message bank without the mark of those that are stored as packed strings, with `PKMN` for the two
    characters that look so."""
    return text.removeprefix(_PACKED).replace("₧", "PK").replace("₦", "MN")


def name(world: WorldFiles, bank: NameBank, number: int) -> str:
    """The name of a number, or its constant where these are shown; empty where the ROM has none, or in a release whose
    bank is not known. Raises FormatError."""
    texts = world.names(bank)
    stored = unpacked(texts[number]) if texts is not None and 0 <= number < len(texts) else ""
    return world.shown_constant(MEANINGS.get(bank, ""), number) or stored


def species_name(world: WorldFiles, species: int) -> str:
    """The name of a species, or its number where the ROM has none."""
    return name(world, NameBank.SPECIES, species) or str(species)

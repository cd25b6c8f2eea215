"""In-game trades (fld_trade.narc)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from formats.field.field_types import U32
from formats.field.layout import Record


@dataclass(frozen=True)
class InGameTrade(Record, title="in-game trade"):
    """A Pokémon that somebody offers for another one."""

    species: U32
    """The species that is given."""
    individual_values: Annotated[tuple[U32, ...], 6]
    """HP, Attack, Defense, Speed, Special Attack, Special Defense."""
    unused: U32
    """A word without a meaning."""
    trainer_id: U32
    """The id of the original trainer."""
    contest_stats: Annotated[tuple[U32, ...], 5]
    """Cool, beauty, cute, smart, tough."""
    personality: U32
    """The personality value."""
    item: U32
    """The item that it holds."""
    trainer_gender: U32
    """The gender of the original trainer."""
    unused_2: U32
    """A word without a meaning."""
    language: U32
    """The language of the game that it is from."""
    wanted_species: U32
    """The species that is asked for."""

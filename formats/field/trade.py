"""In-game trades (fld_trade.narc)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from formats.field.layout import U32, Record


@dataclass(frozen=True)
class InGameTrade(Record, title="in-game trade"):
    """A Pokémon that somebody offers for one of `wanted_species`; individual values and contest stats in the order HP,
    attack, defense, speed, special attack, special defense; cool, beauty, cute, smart, tough."""

    species: U32
    individual_values: Annotated[tuple[U32, ...], 6]
    unused: U32
    trainer_id: U32
    contest_stats: Annotated[tuple[U32, ...], 5]
    personality: U32
    item: U32
    trainer_gender: U32
    unused_2: U32
    language: U32
    wanted_species: U32

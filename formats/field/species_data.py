"""Species data (pl_personal.narc): what all Pokémon of a species have in common, one member for each species and form.

The record is struct SpeciesData of the decompilation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from formats.field.layout import U8, U16, U32, Bits, Record

ALWAYS_MALE: Final = 0
ALWAYS_FEMALE: Final = 254
NO_GENDER: Final = 255


@dataclass(frozen=True)
class Stats(Record, title="stats"):
    """The six base stats."""

    hp: U8
    attack: U8
    defense: U8
    speed: U8
    special_attack: U8
    special_defense: U8


@dataclass(frozen=True)
class Effort(Record, title="effort values"):
    """The effort values that a defeated Pokémon gives, 0 to 3 each."""

    hp: Annotated[int, Bits(2, "H")]
    attack: Annotated[int, Bits(2, "H")]
    defense: Annotated[int, Bits(2, "H")]
    speed: Annotated[int, Bits(2, "H")]
    special_attack: Annotated[int, Bits(2, "H")]
    special_defense: Annotated[int, Bits(2, "H")]
    unused: Annotated[int, Bits(4, "H")]


@dataclass(frozen=True)
class SpeciesData(Record, title="species data"):
    """A species (44 bytes). `held_items`: of wild ones, the first with 50 %, the second with 5 %.

    `gender`: 0 male, 254 female, 255 none, else those whose personality has a low byte below it are female; `machines`:
    a bit for each TM and HM that it learns.
    """

    base: Stats
    types: tuple[U8, U8]
    catch_rate: U8
    base_experience: U8
    effort: Effort
    held_items: tuple[U16, U16]
    gender: U8
    hatch_cycles: U8
    friendship: U8
    growth_rate: U8
    egg_groups: tuple[U8, U8]
    abilities: tuple[U8, U8]
    safari_flee_rate: U8
    color: Annotated[int, Bits(7, "B")]
    flipped: Annotated[bool, Bits(1, "B")]
    unused: U16
    machines: tuple[U32, U32, U32, U32]

"""Species data (pl_personal.narc): what all Pokémon of a species have in common, one member for each species and form.

The record is struct SpeciesData of the decompilation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from formats.field.field_types import U8, U16, U32, Bits
from formats.field.layout import Record

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
    """A species (44 bytes)."""

    base: Stats
    """The base stats."""
    types: tuple[U8, U8]
    """The two types, equal for a species with one."""
    catch_rate: U8
    """0 to 255; the greater, the easier it is to catch."""
    base_experience: U8
    """The base of the experience that a defeated one gives."""
    effort: Effort
    """The effort values that a defeated one gives."""
    held_items: tuple[U16, U16]
    """Of wild ones, the first with 50 %, the second with 5 %."""
    gender: U8
    """0 male, 254 female, 255 none, else those whose personality has a low byte below it are female."""
    hatch_cycles: U8
    """The number of cycles of steps until an egg hatches."""
    friendship: U8
    """The friendship at first."""
    growth_rate: U8
    """The number of the curve of experience by level."""
    egg_groups: tuple[U8, U8]
    """The two egg groups, equal for a species with one."""
    abilities: tuple[U8, U8]
    """The two abilities, the second 0 for a species with one."""
    safari_flee_rate: U8
    """The rate of fleeing in the Great Marsh."""
    color: Annotated[int, Bits(7, "B")]
    """The number of the colour in the Pokédex."""
    flipped: Annotated[bool, Bits(1, "B")]
    """A bit beside the colour: whether the picture is flipped."""
    unused: U16
    """Bytes without a meaning."""
    machines: tuple[U32, U32, U32, U32]
    """A bit for each TM and HM that it learns."""

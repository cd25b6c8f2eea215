"""Wild encounters (pl_enc_data.narc): which species are met in the grass and on the water of a map, and their levels.

A species of 0 means none. Which slots of the grass the other lists replace, and the chances of the slots, are tables of
the game (`mapexplorer.games`). The record is struct WildEncounters of the decompilation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from formats.field.field_types import U8, U16, U32
from formats.field.layout import Record

Pair = tuple[U32, U32]


@dataclass(frozen=True)
class GrassSlot(Record, title="grass slot"):
    """A slot of the grass; the game reads the low byte of `level` as a signed number."""

    level: U32
    species: U32


@dataclass(frozen=True)
class WaterSlot(Record, title="water slot"):
    """A slot of the water: a level from `lowest` to `highest`, each as likely; the game swaps them where needed."""

    highest: U8
    lowest: U8
    unused: U16
    species: U32


@dataclass(frozen=True)
class WaterEncounters(Record, title="water encounters"):
    """The slots of surfing or a rod; `rate` 0: none."""

    rate: U32
    slots: Annotated[tuple[WaterSlot, ...], 5]


@dataclass(frozen=True)
class DualSlot(Record, title="second slot"):
    """What a game in the second slot of the console adds."""

    ruby: Pair
    sapphire: Pair
    emerald: Pair
    firered: Pair
    leafgreen: Pair


@dataclass(frozen=True)
class WildEncounters(Record, title="wild encounters"):
    """The encounters of a map (424 bytes)."""

    grass_rate: U32
    """The rate of encounters in grass and caves, 0 none."""
    grass: Annotated[tuple[GrassSlot, ...], 12]
    """The slots of grass and caves."""
    swarm: Pair
    """Species of two slots during a swarm."""
    day: Pair
    """Species of two slots by day."""
    night: Pair
    """Species of two slots by night."""
    radar: tuple[U32, U32, U32, U32]
    """Species of four slots with the Poké Radar."""
    forms: tuple[U32, U32, U32, U32, U32]
    """Non-zero: the eastern form of Shellos (first) and Gastrodon (second); the others are unused."""
    unown_table: U32
    """The table of letters, 1 to 8, 0 as 1."""
    dual_slot: DualSlot
    """Species of two slots with a game in the second slot of the console."""
    surf: WaterEncounters
    """The slots of surfing."""
    unused: Annotated[bytes, 44]
    """Zeros that the game does not read."""
    old_rod: WaterEncounters
    """The slots of the Old Rod."""
    good_rod: WaterEncounters
    """The slots of the Good Rod."""
    super_rod: WaterEncounters
    """The slots of the Super Rod."""

"""The Pokémon that scripts give: battles that are not by chance, gifts, eggs, in-game trades, and those that roam."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from formats.binary import FormatError
from formats.field.trade import InGameTrade
from mapexplorer.errors import RomError
from mapexplorer.gameplay.names import name
from mapexplorer.games import NameBank, Role
from mapexplorer.world.events.script_effects import NOT_CONSTANT

if TYPE_CHECKING:
    from mapexplorer.gameplay.items import EntryEffects
    from mapexplorer.world.sources.files import WorldFiles


BATTLE, GIFT, EGG, TRADE, ROAMER = WAYS = ("wild", "pokemon", "egg", "trade", "roamer")
"""How a script gives a Pokémon: the names of the effects (`script_effects`)."""


class Trade(NamedTuple):
    """An in-game trade: its number, its record, the nickname of the Pokémon and the name of its original trainer (empty
    where the ROM has none)."""

    number: int
    record: InGameTrade
    nickname: str
    trainer: str


@dataclass(frozen=True)
class StaticPokemon:
    """A Pokémon that entry `entry` of script file `member` gives: how (one of WAYS), its species, its level (None also
    for eggs, and for trades, where it is that of the Pokémon given for it), the item that it holds (0: none), its
    trade. None: the script computes it, or the record of the trade cannot be read."""

    how: str
    member: int
    entry: int
    species: int | None
    level: int | None = None
    item: int | None = 0
    trade: Trade | None = None


def static_pokemon(world: WorldFiles, effects: EntryEffects) -> Iterator[StaticPokemon]:
    """The Pokémon that scripts give by their `effects` (`items.script_effects`), in the order of the entries; one that
    several entries lead to is listed for each."""
    roamers = world.game.tables.encounters.roamers
    for member, entry, of_entry in effects:
        for how in WAYS:
            for values in of_entry.found.get(how, ()):
                numbers = [value if isinstance(value, int) and value != NOT_CONSTANT else None for value in values]
                number, level, item = (*numbers, *(None, 0)[len(numbers) - 1 :])
                trade = find_trade(world, number) if how is TRADE and number is not None else None
                if how is TRADE:
                    number, item = (trade.record.species, trade.record.item) if trade is not None else (None, None)
                elif how is ROAMER:
                    number, level = (
                        roamers[number][:2] if number is not None and number < len(roamers) else (None, None)
                    )
                yield StaticPokemon(how, member, entry, number, level, item, trade)


def find_trade(world: WorldFiles, number: int) -> Trade | None:
    """An in-game trade; None where its record cannot be read. The names of the Pokémon come first in their bank, those
    of their trainers behind them. Raises FormatError for a damaged bank."""
    try:
        record = world.member(Role.TRADES, number, InGameTrade.from_bytes)
    except (FormatError, RomError):
        return None
    trainer = len(world.members(Role.TRADES)) + number
    return Trade(number, record, *(name(world, NameBank.TRADES, entry) for entry in (number, trainer)))

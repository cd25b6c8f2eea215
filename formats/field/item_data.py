"""Items (pl_item_data.narc). The record is struct ItemData of the decompilation.

Which member belongs to an item is a table of the program (`mapexplorer.games`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from formats.field.field_types import S8, U8, U16, Bits
from formats.field.layout import Record

Flag = Annotated[bool, Bits(1, "B")]
Stages = Annotated[int, Bits(4, "B")]


@dataclass(frozen=True)
class PartyUse(Record, title="use on a Pokémon"):
    """What an item does to a Pokémon. The numbers at the end count where a flag says so."""

    heal_sleep: Flag
    """It ends sleep."""
    heal_poison: Flag
    """It ends poisoning."""
    heal_burn: Flag
    """It ends a burn."""
    heal_freeze: Flag
    """It ends freezing."""
    heal_paralysis: Flag
    """It ends paralysis."""
    heal_confusion: Flag
    """It ends confusion, in battle."""
    heal_attraction: Flag
    """It ends infatuation, in battle."""
    guard_spec: Flag
    """It protects the stats of the party from being lowered, in battle."""
    revive: Flag
    """It revives a fainted Pokémon."""
    revive_all: Flag
    """It revives all fainted Pokémon of the party."""
    level_up: Flag
    """It raises the level by one."""
    evolve: Flag
    """Some species evolve by it."""
    attack_stages: Stages
    """The stages by which it raises Attack in battle."""
    defense_stages: Stages
    """The stages by which it raises Defense in battle."""
    special_attack_stages: Stages
    """The stages by which it raises Special Attack in battle."""
    special_defense_stages: Stages
    """The stages by which it raises Special Defense in battle."""
    speed_stages: Stages
    """The stages by which it raises Speed in battle."""
    accuracy_stages: Stages
    """The stages by which it raises accuracy in battle."""
    critical_hit_stages: Annotated[int, Bits(2, "B")]
    """The stages by which it raises the rate of critical hits in battle."""
    pp_up: Flag
    """It raises the largest PP of a move by one step."""
    pp_max: Flag
    """It raises the largest PP of a move as far as possible."""
    restore_pp: Flag
    """It restores `pp_restored` PP of one move."""
    restore_pp_of_all: Flag
    """It restores `pp_restored` PP of each move."""
    restore_hp: Flag
    """It restores `hp_restored` HP."""
    give_hp_effort: Flag
    """It adds `hp_effort`."""
    give_attack_effort: Flag
    """It adds `attack_effort`."""
    give_defense_effort: Flag
    """It adds `defense_effort`."""
    give_speed_effort: Flag
    """It adds `speed_effort`."""
    give_special_attack_effort: Flag
    """It adds `special_attack_effort`."""
    give_special_defense_effort: Flag
    """It adds `special_defense_effort`."""
    change_low_friendship: Flag
    """It adds `low_friendship` where the friendship is low."""
    change_medium_friendship: Flag
    """It adds `medium_friendship` where the friendship is medium."""
    change_high_friendship: Flag
    """It adds `high_friendship` where the friendship is high."""
    unused: Stages
    """Bits without a meaning."""
    hp_effort: S8
    """The change of the effort value of HP."""
    attack_effort: S8
    """The change of the effort value of Attack."""
    defense_effort: S8
    """The change of the effort value of Defense."""
    speed_effort: S8
    """The change of the effort value of Speed."""
    special_attack_effort: S8
    """The change of the effort value of Special Attack."""
    special_defense_effort: S8
    """The change of the effort value of Special Defense."""
    hp_restored: U8
    """HP; 255 all, 254 half, 253 a quarter of the largest HP."""
    pp_restored: U8
    """PP; 127 all."""
    low_friendship: S8
    """The change of a friendship below 100."""
    medium_friendship: S8
    """The change of a friendship from 100 to 199."""
    high_friendship: S8
    """The change of a friendship from 200 on."""


@dataclass(frozen=True)
class ItemData(Record, title="item data"):
    """An item (34 bytes)."""

    price: U16
    """The price in shops; they buy it for half of that."""
    hold_effect: U8
    """The number of the effect on the Pokémon that holds it."""
    hold_parameter: U8
    """A number for the effect, for instance a percentage."""
    pluck_effect: U8
    """The number of the effect when the moves Pluck and Bug Bite eat it."""
    fling_effect: U8
    """The number of the effect when the move Fling throws it."""
    fling_power: U8
    """The power of Fling with it, 0: it cannot be thrown."""
    natural_gift_power: U8
    """The power of the move Natural Gift with it."""
    natural_gift_type: Annotated[int, Bits(5, "H")]
    """The type of the move Natural Gift with it."""
    prevents_toss: Annotated[bool, Bits(1, "H")]
    """It cannot be thrown away."""
    is_selectable: Annotated[bool, Bits(1, "H")]
    """It can be registered for a button."""
    field_pocket: Annotated[int, Bits(4, "H")]
    """0 items, 1 medicine, 2 balls, 3 TMs and HMs, 4 berries, 5 mail, 6 battle items, 7 key items."""
    battle_pocket: Annotated[int, Bits(5, "H")]
    """Bits of the pockets in battle: 1 balls, 2 battle items, 4 HP, 8 status, 16 PP."""
    field_use: U8
    """The number of the function of its use in the field."""
    battle_use: U8
    """The number of the function of its use in battle."""
    is_used_on_party: U8
    """1: it is used on a Pokémon of the party."""
    padding: U8
    """0 in the game's files."""
    party_use: PartyUse
    """What it does to a Pokémon; it has a meaning only where `is_used_on_party` is 1."""
    unused: U16
    """Bytes without a meaning."""

"""Items (pl_item_data.narc). The record is struct ItemData of the decompilation.

Which member belongs to an item is a table of the program (`mapexplorer.games`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from formats.field.layout import S8, U8, U16, Bits, Record

Flag = Annotated[bool, Bits(1, "B")]
Stages = Annotated[int, Bits(4, "B")]


@dataclass(frozen=True)
class PartyUse(Record, title="use on a Pokémon"):
    """What an item does to a Pokémon: conditions that it heals, stages by which it raises a stat in battle, what it
    restores and gives; the numbers after the flags say how much."""

    heal_sleep: Flag
    heal_poison: Flag
    heal_burn: Flag
    heal_freeze: Flag
    heal_paralysis: Flag
    heal_confusion: Flag
    heal_attraction: Flag
    guard_spec: Flag
    revive: Flag
    revive_all: Flag
    level_up: Flag
    evolve: Flag
    attack_stages: Stages
    defense_stages: Stages
    special_attack_stages: Stages
    special_defense_stages: Stages
    speed_stages: Stages
    accuracy_stages: Stages
    critical_hit_stages: Annotated[int, Bits(2, "B")]
    pp_up: Flag
    pp_max: Flag
    restore_pp: Flag
    restore_pp_of_all: Flag
    restore_hp: Flag
    give_hp_effort: Flag
    give_attack_effort: Flag
    give_defense_effort: Flag
    give_speed_effort: Flag
    give_special_attack_effort: Flag
    give_special_defense_effort: Flag
    change_low_friendship: Flag
    change_medium_friendship: Flag
    change_high_friendship: Flag
    unused: Stages
    hp_effort: S8
    attack_effort: S8
    defense_effort: S8
    speed_effort: S8
    special_attack_effort: S8
    special_defense_effort: S8
    hp_restored: U8
    pp_restored: U8
    low_friendship: S8
    medium_friendship: S8
    high_friendship: S8


@dataclass(frozen=True)
class ItemData(Record, title="item data"):
    """An item (34 bytes). `party_use` has a meaning only where `is_used_on_party` is 1."""

    price: U16
    hold_effect: U8
    hold_parameter: U8
    pluck_effect: U8
    fling_effect: U8
    fling_power: U8
    natural_gift_power: U8
    natural_gift_type: Annotated[int, Bits(5, "H")]
    prevents_toss: Annotated[bool, Bits(1, "H")]
    is_selectable: Annotated[bool, Bits(1, "H")]
    field_pocket: Annotated[int, Bits(4, "H")]
    battle_pocket: Annotated[int, Bits(5, "H")]
    field_use: U8
    battle_use: U8
    is_used_on_party: U8
    padding: U8
    party_use: PartyUse
    unused: U16

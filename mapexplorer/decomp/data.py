"""Trainers, species, items, moves and trades of a tree. Each function gives the bytes of a member, of the JSON that it
is made of; it raises SourceError with the line for what the member cannot be."""

from __future__ import annotations

import dataclasses
import re
import struct
from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Any, Final

import numpy as np

from formats.field.item_data import ItemData, PartyUse
from formats.field.species_data import Effort, SpeciesData, Stats
from formats.field.trade import InGameTrade
from formats.field.trainer import TRAINER_MESSAGE, Trainer, TrainerMessageOffsets, TrainerMessages
from formats.field.trainer_party import PartyPokemon, TrainerParty
from mapexplorer.decomp.json_value import U8, U16, U32, JsonValue, NumberField
from mapexplorer.decomp.listing import MemberSource, TreeListing

_ITEM_HEADER: Final = "include/constants/items.h"
_BERRY_HEADER: Final = "include/berry_data.h"
_LANGUAGES: Final = "include/constants/versions.h"
_SPECIES_LIST: Final = "species"
_ITEMS: Final = "items"
_MOVES: Final = "moves"

# --- trainers

_PLACE: Final = re.compile(r"(-?\d+)\s*,")
_NO_PARTY: Final = bytes(8)
"""The party of the trainer without one."""
_MOST_ITEMS: Final = 4
_MOST_MOVES: Final = 4
POKEMON: Final = (
    NumberField("iv_scale", "iv_scale", U16),
    NumberField("level", "level", U16),
    NumberField("species", "species", U16, _SPECIES_LIST),
    NumberField("form", "form", U8),
    NumberField("capsule", "ball_seal", U16),
)
_MESSAGE_ORDER: Final = "tools/dataproc/src/trainerproc.c"
_ORDER: Final = re.compile(r"trtbl_indices\[\w*\]\s*=\s*\{(.*?)\}", re.DOTALL)


def _party_form(party: list[JsonValue]) -> tuple[bool, bool]:
    """Whether the Pokémon have moves and items of their own: as the first one has."""
    return (party[0].has("moves"), party[0].has("item")) if party else (False, False)


def trainer(listing: TreeListing, _: MemberSource, source: JsonValue) -> Trainer:
    """A trainer."""
    party = source.part("party").items(most=6)
    ai = reduce(or_, source.numbers("ai_flags", None, U32, listing.names.of("ai_flags")), 0)
    items = source.part("items").items(most=_MOST_ITEMS)
    numbers = [item.number(U16, listing.names.of(_ITEMS)) for item in items]
    kind = source.part("class").number(U8, listing.names.of("trainer_classes"))
    double = 2 * source.part("double_battle").boolean()
    carried: Any = (*numbers, *[0] * (_MOST_ITEMS - len(numbers)))
    return Trainer(*_party_form(party), 0, kind, 0, len(party), carried, ai, double)


def party(listing: TreeListing, _: MemberSource, source: JsonValue) -> TrainerParty | bytes:
    """The Pokémon of a trainer."""
    members = source.part("party").items(most=6)
    if not members:
        return _NO_PARTY
    own_moves, own_items = _party_form(members)
    return TrainerParty(
        own_moves, own_items, tuple([_pokemon(listing, member, own_moves, own_items) for member in members])
    )


def _pokemon(listing: TreeListing, source: JsonValue, own_moves: bool, own_items: bool) -> PartyPokemon:
    names = listing.names
    iv_scale, level, species, form, capsule = source.fields(POKEMON, names)
    item = moves = None
    if own_items:
        item = source.part("item").number(U16, names.of(_ITEMS))
    if own_moves:
        known = [move.number(U16, names.of(_MOVES)) for move in source.part("moves").items(most=_MOST_MOVES)]
        moves = (*known, *[0] * (_MOST_MOVES - len(known)))
    return PartyPokemon(iv_scale, level, species, form, item, moves, capsule)  # type: ignore[arg-type]


def message_order(listing: TreeListing, count: int) -> list[int]:
    """The numbers of trainers in the order of their messages, which the build's program has in a table; new ones come
    last."""
    text = listing.files.text(_MESSAGE_ORDER) if listing.files.has(_MESSAGE_ORDER) else ""
    match = _ORDER.search(text)
    places = [int(number) for number in _PLACE.findall(match[1])] if match else []
    places = places[:count]
    places += range(len(places), count)
    return sorted(range(count), key=places.__getitem__)


def message_tables(listing: TreeListing, trainers: Sequence[JsonValue]) -> tuple[bytes, bytes]:
    """The rows of all messages of trainers, and where those of each begin."""
    types = listing.names.of("trainer_message_types")
    rows: list[tuple[int, int]] = []
    offsets = np.zeros(len(trainers), "<u2")
    for number in message_order(listing, len(trainers)):
        messages = trainers[number].part("messages").items()
        if messages:
            offsets[number] = len(rows) * TRAINER_MESSAGE.itemsize & U16
        rows += [(number, message.part("type").number(U16, types)) for message in messages]
    return TrainerMessages(np.array(rows, TRAINER_MESSAGE)).to_bytes(), TrainerMessageOffsets(offsets).to_bytes()


# --- species

_STATS: Final = ("hp", "attack", "defense", "speed", "special_attack", "special_defense")
_BASE: Final = tuple(NumberField(name, f"base_stats.{name}", U8) for name in _STATS)
_EFFORT: Final = tuple(NumberField(name, f"ev_yields.{name}", 3) for name in _STATS)
PERSONAL: Final = (
    NumberField("catch_rate", "catch_rate", U8),
    NumberField("base_experience", "base_exp_reward", U8),
    NumberField("gender", "gender_ratio", U8, "gender_ratios"),
    NumberField("hatch_cycles", "hatch_cycles", U8),
    NumberField("friendship", "base_friendship", U8),
    NumberField("growth_rate", "exp_rate", U8, "exp_rates"),
    NumberField("safari_flee_rate", "safari_flee_rate", U8),
    NumberField("color", "body_color", 0x7F, "pokemon_colors"),
)
_HELD: Final = tuple(NumberField("held_items", f"held_items.{name}", U16, _ITEMS) for name in ("common", "rare"))
_TMS: Final = 92
_HMS: Final = 8
_EVOLUTION: Final = np.dtype([("method", "<u2"), ("parameter", "<u2"), ("species", "<u2")])
_MOST_EVOLUTIONS: Final = 7
_LEARNSET_END: Final = 0xFFFF


def species(listing: TreeListing, _: MemberSource, source: JsonValue) -> SpeciesData:
    """A species."""
    names = listing.names
    numbers: Any = dict(zip([field.name for field in PERSONAL], source.fields(PERSONAL, names), strict=True))
    machines = reduce(or_, [1 << _machine(machine) for machine in source.part("learnset.by_tm").items()], 0)
    hp, attack, defense, speed, special_attack, special_defense = source.fields(_EFFORT, names)
    pairs: Any = {
        "types": source.numbers("types", 2, U8, names.of("pokemon_types")),
        "egg_groups": source.numbers("egg_groups", 2, U8, names.of("egg_groups")),
        "abilities": source.numbers("abilities", 2, U8, names.of("abilities")),
        "held_items": source.fields(_HELD, names),
        "machines": tuple(machines >> 32 * word & U32 for word in range(4)),
    }
    return SpeciesData(
        base=Stats(*source.fields(_BASE, names)),
        effort=Effort(hp, attack, defense, speed, special_attack, special_defense, 0),
        flipped=source.part("flip_sprite").boolean(),
        unused=0,
        **numbers,
        **pairs,
    )


def _machine(source: JsonValue) -> int:
    """The number of a machine, `TM07` or `HM02`."""
    kind, number = source.string()[:2], source.string()[2:]
    most = {"TM": _TMS, "HM": _HMS}.get(kind, 0)
    if not number.isdecimal() or not 1 <= int(number) <= most:
        source.fail(f"{source.value} is neither a TM from TM01 to TM{_TMS} nor an HM from HM01 to HM0{_HMS}")
    return int(number) - 1 + (_TMS if kind == "HM" else 0)


def evolutions(listing: TreeListing, _: MemberSource, source: JsonValue) -> bytes:
    """What a species evolves into: the method, a number or a name that it needs, the species."""
    names = listing.names
    rows = []
    for row in source.part("evolutions").items(most=_MOST_EVOLUTIONS):
        method, *parameter, species = row.items(most=3)
        needed = [part.number(U16, names.of(f"{_ITEMS} {_MOVES} {_SPECIES_LIST}")) for part in parameter] or [0]
        rows.append(
            (method.number(U16, names.of("evolution_methods")), *needed, species.number(U16, names.of(_SPECIES_LIST)))
        )
    rows += [(0, 0, 0)] * (_MOST_EVOLUTIONS - len(rows))
    return np.array(rows, _EVOLUTION).tobytes() + bytes(2)


def learnset(listing: TreeListing, _: MemberSource, source: JsonValue) -> bytes:
    """The moves that a species learns by level."""
    moves = listing.names.of(_MOVES)
    words = []
    for row in source.part("learnset.by_level").items():
        level, move = row.items(2)
        words.append(move.number(0x1FF, moves) | level.number(0x7F) << 9)
    data = np.array([*words, _LEARNSET_END], "<u2").tobytes()
    return data + bytes(-len(data) % 4)


# --- items and moves

ITEM: Final = (
    NumberField("price", "price", U16),
    NumberField("hold_effect", "holdEffect", U8, "item_hold_effects"),
    NumberField("hold_parameter", "effectParam", U8),
    NumberField("pluck_effect", "pluckEffect", U8, _ITEM_HEADER),
    NumberField("fling_effect", "flingEffect", U8, _ITEM_HEADER),
    NumberField("fling_power", "flingPower", U8),
    NumberField("natural_gift_power", "naturalGiftPower", U8),
    NumberField("natural_gift_type", "naturalGiftType", 31, "pokemon_types", default=31),
    NumberField("prevents_toss", "preventToss", 1),
    NumberField("is_selectable", "canRegister", 1),
    NumberField("field_pocket", "fieldPocket", 15, _ITEM_HEADER),
    NumberField("battle_pocket", "battlePocket", 31, _ITEM_HEADER),
    NumberField("field_use", "fieldUseFunc", U8, _ITEM_HEADER),
    NumberField("battle_use", "battleUseFunc", U8),
)
USE: Final = {
    "heal_sleep": "healSleep",
    "heal_poison": "healPoison",
    "heal_burn": "healBurn",
    "heal_freeze": "healFreeze",
    "heal_paralysis": "healParalysis",
    "heal_confusion": "healConfusion",
    "heal_attraction": "healAttract",
    "guard_spec": "guardSpec",
    "revive": "revive",
    "revive_all": "reviveAll",
    "level_up": "levelUp",
    "attack_stages": "atkStages",
    "defense_stages": "defStages",
    "special_attack_stages": "spatkStages",
    "special_defense_stages": "spdefStages",
    "speed_stages": "speedStages",
    "accuracy_stages": "accStages",
    "critical_hit_stages": "critStages",
    "pp_up": "ppUp",
    "pp_max": "ppMax",
    "restore_pp_of_all": "restorePPAllMoves",
    "hp_effort": "hpEVs",
    "attack_effort": "atkEVs",
    "defense_effort": "defEVs",
    "speed_effort": "speedEVs",
    "special_attack_effort": "spatkEVs",
    "special_defense_effort": "spdefEVs",
    "hp_restored": "hpRestored",
    "pp_restored": "ppRestored",
    "low_friendship": "friendshipLow",
    "medium_friendship": "friendshipMed",
    "high_friendship": "friendshipHigh",
}
"""Field of a use on a Pokémon -> its key; a missing one is 0."""
_UNSIGNED_USE: Final = frozenset(name for name in USE if name.endswith("restored"))
_USE_FIELDS: Final = tuple(
    NumberField(name, key, U8, signed=name not in _UNSIGNED_USE, default=0) for name, key in USE.items()
)
_GIVEN: Final = {
    "give_hp_effort": "hp_effort",
    "give_attack_effort": "attack_effort",
    "give_defense_effort": "defense_effort",
    "give_speed_effort": "speed_effort",
    "give_special_attack_effort": "special_attack_effort",
    "give_special_defense_effort": "special_defense_effort",
    "change_low_friendship": "low_friendship",
    "change_medium_friendship": "medium_friendship",
    "change_high_friendship": "high_friendship",
    "restore_hp": "hp_restored",
}
"""A flag -> the number that it is set for."""
_MOST_PP: Final = 127
_NO_USE: Final = dict.fromkeys([field.name for field in dataclasses.fields(PartyUse)], 0)
_NUMBERED: Final = ("OLD_ROD", "GOOD_ROD", "SUPER_ROD")
_USE_FUNCTION: Final = "ITEM_USE_FUNC_"
_BERRY: Final = tuple(
    NumberField(key, key, U16 if key == "size" else U8, _BERRY_HEADER if key == "firmness" else "")
    for key in ("size", "firmness", "baseYield", "stageDuration", "moistureDrainRate")
    + ("spiciness", "dryness", "sweetness", "bitterness", "sourness", "smoothness")
)
_BERRY_DATA: Final = np.dtype([("size", "<u2"), *((field.key, "u1") for field in _BERRY[1:])])


def item_kind(source: JsonValue) -> str:
    """The kind of an item whose items the game counts: balls, rods, mail, machines, berries; empty for another one."""
    function = source.part("fieldUseFunc").value
    use = str(function).removeprefix(_USE_FUNCTION)
    if use == "NONE":
        return "BALLS" if source.part("fieldPocket").value == "POCKET_BALLS" else ""
    return "ROD" if use in _NUMBERED else use if use in ("MAIL", "TM_HM", "BERRY") else ""


def item(listing: TreeListing, member: MemberSource, source: JsonValue) -> ItemData:
    """An item."""
    names = listing.names
    numbers: Any = dict(zip([field.name for field in ITEM], source.fields(ITEM, names), strict=True))
    kind = item_kind(source)
    use: dict[str, Any] = dict(_NO_USE)
    used = kind in ("", "BERRY") and source.has("itemUseParams")
    if used:
        use |= zip(USE, source.part("itemUseParams").fields(_USE_FIELDS, names), strict=True)
        use["pp_restored"] &= _MOST_PP
        use |= {flag: int(use[of] != 0) for flag, of in _GIVEN.items()}
        use["restore_pp"] = int(use["pp_restored"] > 0 and not use["restore_pp_of_all"])
    elif kind in ("BALLS", "ROD", "MAIL"):
        use |= {flag: member.number >> bit & 1 for bit, flag in enumerate(list(_NO_USE)[:8])}
    if source.part("fieldUseFunc").value == f"{_USE_FUNCTION}EVO_STONE":
        use["evolve"] = 1
    return ItemData(**numbers, is_used_on_party=int(used), padding=0, party_use=PartyUse(**use), unused=0)


def berry(listing: TreeListing, _: MemberSource, source: JsonValue) -> bytes:
    """What the game knows of a berry beside its item."""
    return np.array([source.part("berryData").fields(_BERRY, listing.names)], _BERRY_DATA).tobytes()


_MOVE: Final = (
    NumberField("effect", "effect.type", U16, "move_battle_effects"),
    NumberField("class", "class", U8, "move_classes"),
    NumberField("power", "power", U8),
    NumberField("type", "type", U8, "pokemon_types"),
    NumberField("accuracy", "accuracy", U8),
    NumberField("pp", "pp", U8),
    NumberField("chance", "effect.chance", U8),
    NumberField("range", "range", U16, "move_ranges"),
    NumberField("priority", "priority", U8),
    NumberField("contest_effect", "contest.effect", U8, "move_contest_effects"),
    NumberField("contest_type", "contest.type", U8, "pokemon_contest_types"),
)
_FURTHER_MOVES: Final = "tools/dataproc/src/moveproc.c"
_MOVE_RECORD: Final = re.compile(r"MoveTable (\w+) = \{([^(){}]*)\};")
_MOVE_PART: Final = re.compile(r"\.([\w.]+)\s*=\s*([^,]+?)\s*,")
_MOVE_DATA: Final = struct.Struct("<HBBBBBBHBBBBxx")


def move(listing: TreeListing, _: MemberSource, source: JsonValue) -> bytes:
    """A move."""
    *numbers, effect, kind = source.fields(_MOVE, listing.names)
    flags = reduce(or_, source.numbers("flags", None, U8, listing.names.of("move_flags")), 0)
    return _MOVE_DATA.pack(*numbers, flags, effect, kind)


def further_moves(listing: TreeListing) -> list[tuple[str, JsonValue]]:
    """The moves that only the build's program has, by their names there: as the JSON of a move."""
    if not listing.files.has(_FURTHER_MOVES):
        return []
    text = listing.files.text(_FURTHER_MOVES)
    moves = []
    for name, body in _MOVE_RECORD.findall(text):
        fields: dict[str, Any] = dict(_MOVE_PART.findall(body))
        fields["flags"] = [flag.strip() for flag in fields.get("flags", "").split("|") if flag.strip()]
        fields["effect"] = {"type": fields.get("effect", 0), "chance": fields.pop("effectChance", 0)}
        fields["contest"] = {key: fields.get(f"contest.{key}", 0) for key in ("effect", "type")}
        moves.append((name, JsonValue(_FURTHER_MOVES, text, fields)))
    return moves


# --- trades

TRADE: Final = (
    NumberField("species", "species", U32, _SPECIES_LIST),
    *(NumberField("individual_values", f"{stat}IV", 31) for stat in ("hp", "atk", "def", "speed", "spAtk", "spDef")),
    NumberField("unused", "unused1", U32),
    NumberField("trainer_id", "otID", U32),
    *(NumberField("contest_stats", stat, U32) for stat in ("cool", "beauty", "cute", "smart", "tough")),
    NumberField("personality", "personality", U32),
    NumberField("item", "heldItem", U32, _ITEMS),
    NumberField("trainer_gender", "otGender", U32, "genders"),
    NumberField("unused_2", "unused2", U32),
    NumberField("language", "language", U32, _LANGUAGES),
    NumberField("wanted_species", "requestedSpecies", U32, _SPECIES_LIST),
)


def trade(listing: TreeListing, _: MemberSource, source: JsonValue) -> InGameTrade:
    """An in-game trade."""
    species, *numbers = source.fields(TRADE, listing.names)
    individual: Any = tuple(numbers[:6])
    contest: Any = tuple(numbers[8:13])
    return InGameTrade(species, individual, numbers[6], numbers[7], contest, *numbers[13:])

"""Trainers, species, items, moves and trades of a tree: where the fields of their records are in the JSON of their
members, and what is made of other things."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import fields, replace
from functools import reduce
from operator import or_
from typing import Any, Final

import numpy as np

from formats.binary import pad
from formats.field.item_data import PartyUse
from formats.field.trainer import TRAINER_MESSAGE, TrainerMessageOffsets, TrainerMessages
from formats.field.trainer_party import PartyForm, PartyPokemon, TrainerParty
from mapexplorer.decomp.json_value import U8, U16, JsonValue
from mapexplorer.decomp.listing import TreeListing
from mapexplorer.decomp.records import ZERO, Encoder, Fields, JsonField, always

_SPECIES: Final = "species"
_ITEMS: Final = "items"
_MOVES: Final = "moves"


def _flags(key: str, names: str, most: int) -> JsonField:
    """A list of flags as one number."""

    def joined(encoder: Encoder, source: JsonValue) -> int:
        return reduce(or_, [flag.number(most, encoder.names(names)) for flag in source.part(key).items()], 0)

    return JsonField(key, make=joined)


# --- trainers

_MOST_POKEMON: Final = 6


def _party_form(source: JsonValue) -> PartyForm:
    """Whether the Pokémon of a trainer have moves and items of their own: as the first one has."""
    party = source.part("party").items(most=_MOST_POKEMON)
    return PartyForm(party[0].has("moves"), party[0].has("item")) if party else PartyForm(False, False)


TRAINER: Final[Fields] = {
    "own_moves": JsonField(make=lambda encoder, source: _party_form(source).own_moves),
    "own_items": JsonField(make=lambda encoder, source: _party_form(source).own_items),
    "unused_bits": ZERO,
    "trainer_class": JsonField("class", "trainer_classes"),
    "unused": ZERO,
    "party_size": JsonField("party", make=lambda encoder, source: len(source.part("party").items(most=_MOST_POKEMON))),
    "items": JsonField("items", _ITEMS, fills=True),
    "ai": _flags("ai_flags", "ai_flags", 0xFFFFFFFF),
    "battle_type": JsonField("double_battle", make=lambda encoder, source: 2 * source.part("double_battle").boolean()),
}
PARTY: Final[Fields] = {
    "pokemon": JsonField("party"),
    "pokemon.species": JsonField("species", _SPECIES),
    "pokemon.item": JsonField("item", _ITEMS),
    "pokemon.moves": JsonField("moves", _MOVES, fills=True),
    "pokemon.capsule": JsonField("ball_seal"),
}
_ORDER: Final = re.compile(r"trtbl_indices\[\w*\]\s*=\s*\{(.*?)\}", re.DOTALL)
_PLACE: Final = re.compile(r"(-?\d+)\s*,")


def party(encoder: Encoder, source: JsonValue) -> TrainerParty | bytes:
    """The Pokémon of a trainer; zeros for the one without them."""
    form = _party_form(source)
    absent = {f"pokemon.{name}": always(None) for name in form.layout.absent}
    of_form = encoder._replace(fields={**encoder.fields, **absent})
    pokemon = [of_form.record(PartyPokemon, member, "pokemon.") for member in source.part("party").items()]
    return TrainerParty(*form, tuple(pokemon)) if pokemon else bytes(8)


def message_order(listing: TreeListing, count: int) -> list[int]:
    """The numbers of trainers in the order of their messages, which the build's program has in a table; new ones come
    last."""
    match = _ORDER.search(listing.files.text_if_any("tools/dataproc/src/trainerproc.c"))
    places = [int(number) for number in _PLACE.findall(match[1])][:count] if match else []
    places += range(len(places), count)
    return sorted(range(count), key=places.__getitem__)


def message_tables(
    listing: TreeListing, trainers: Sequence[JsonValue]
) -> tuple[TrainerMessages, TrainerMessageOffsets]:
    """The rows of all messages of trainers, and where those of each begin."""
    types = listing.names.of("trainer_message_types")
    rows: list[tuple[int, int]] = []
    offsets = np.zeros(len(trainers), "<u2")
    for number in message_order(listing, len(trainers)):
        messages = trainers[number].part("messages").items()
        if messages:
            offsets[number] = len(rows) * TRAINER_MESSAGE.itemsize & U16
        rows += [(number, message.part("type").number(U16, types)) for message in messages]
    return TrainerMessages(np.array(rows, TRAINER_MESSAGE)), TrainerMessageOffsets(offsets)


# --- species

_TMS: Final = 92
_HMS: Final = 8


def _machines(encoder: Encoder, source: JsonValue) -> tuple[int, ...]:
    """The words with a bit for each machine that a species learns."""
    numbers = {f"TM{number:02}": number - 1 for number in range(1, _TMS + 1)}
    numbers |= {f"HM{number:02}": _TMS + number - 1 for number in range(1, _HMS + 1)}
    bits = 0
    for machine in source.part("learnset.by_tm").items():
        if machine.string() not in numbers:
            machine.fail(f"{machine.value} is neither a TM from TM01 to TM{_TMS} nor an HM from HM01 to HM0{_HMS}")
        bits |= 1 << numbers[machine.string()]
    return tuple(bits >> 32 * word & 0xFFFFFFFF for word in range(4))


SPECIES: Final[Fields] = {
    "base": JsonField("base_stats"),
    "types": JsonField("types", "pokemon_types"),
    "base_experience": JsonField("base_exp_reward"),
    "effort": JsonField("ev_yields"),
    "effort.unused": ZERO,
    "held_items": JsonField(("held_items.common", "held_items.rare"), _ITEMS),
    "gender": JsonField("gender_ratio", "gender_ratios"),
    "friendship": JsonField("base_friendship"),
    "growth_rate": JsonField("exp_rate", "exp_rates"),
    "egg_groups": JsonField("egg_groups", "egg_groups"),
    "abilities": JsonField("abilities", "abilities"),
    "color": JsonField("body_color", "pokemon_colors"),
    "flipped": JsonField("flip_sprite"),
    "unused": ZERO,
    "machines": JsonField("learnset.by_tm", make=_machines),
}
_MOST_EVOLUTIONS: Final = 7


def evolutions(encoder: Encoder, source: JsonValue) -> bytes:
    """What a species evolves into: the method, a number or a name that it needs, the species."""
    rows = np.zeros((_MOST_EVOLUTIONS, 3), "<u2")
    for index, row in enumerate(source.part("evolutions").items(most=_MOST_EVOLUTIONS)):
        method, *parameter, species = row.items(most=3)
        needed = [part.number(U16, encoder.names(f"{_ITEMS} {_MOVES} {_SPECIES}")) for part in parameter] or [0]
        number = method.number(U16, encoder.names("evolution_methods"))
        rows[index] = (number, *needed, species.number(U16, encoder.names(_SPECIES)))
    return rows.tobytes() + bytes(2)


def learnset(encoder: Encoder, source: JsonValue) -> bytes:
    """The moves that a species learns by level, up to 0xFFFF."""
    words = []
    for row in source.part("learnset.by_level").items():
        level, move = row.items(2)
        words.append(move.number(0x1FF, encoder.names(_MOVES)) | level.number(0x7F) << 9)
    return pad(np.array([*words, 0xFFFF], "<u2").tobytes())


# --- items and moves

_HEADER: Final = "include/constants/items.h"
_USE: Final = {
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
"""JsonField of a use on a Pokémon -> its key; a missing one is 0, and so are the others at first."""
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
_NO_USE: Final = PartyUse(**dict.fromkeys([field.name for field in fields(PartyUse)], 0))  # type: ignore[arg-type]
_NUMBERED: Final = ("OLD_ROD", "GOOD_ROD", "SUPER_ROD")
_FUNCTION: Final = "ITEM_USE_FUNC_"


def item_kind(source: JsonValue) -> str:
    """The kind of an item whose items the game counts: balls, rods, mail, machines, berries; empty for another one."""
    function = source.part("fieldUseFunc").value
    use = str(function).removeprefix(_FUNCTION)
    if use == "NONE":
        return "BALLS" if source.part("fieldPocket").value == "POCKET_BALLS" else ""
    return "ROD" if use in _NUMBERED else use if use in ("MAIL", "TM_HM", "BERRY") else ""


def _is_used(encoder: Encoder, source: JsonValue) -> bool:
    return item_kind(source) in ("", "BERRY") and source.has("itemUseParams")


def _party_use(encoder: Encoder, source: JsonValue) -> PartyUse:
    """What an item does to a Pokémon; in its place, the number among the balls, rods or mail."""
    use = _NO_USE
    if _is_used(encoder, source):
        use = encoder.record(PartyUse, source.part("itemUseParams"), "party_use.")
        given: dict[str, Any] = {flag: getattr(use, number) != 0 for flag, number in _GIVEN.items()}
        restored = use.pp_restored & _MOST_PP
        use = replace(use, **given, pp_restored=restored, restore_pp=restored > 0 and not use.restore_pp_of_all)
    elif item_kind(source) in ("BALLS", "ROD", "MAIL"):
        number = encoder.member.number
        use = replace(use, **{field.name: bool(number >> bit & 1) for bit, field in enumerate(fields(use)[:8])})
    return replace(use, evolve=source.part("fieldUseFunc").value == f"{_FUNCTION}EVO_STONE")


ITEM: Final[Fields] = {
    "hold_effect": JsonField("holdEffect", "item_hold_effects"),
    "hold_parameter": JsonField("effectParam"),
    "pluck_effect": JsonField("pluckEffect", _HEADER),
    "fling_effect": JsonField("flingEffect", _HEADER),
    "fling_power": JsonField("flingPower"),
    "natural_gift_power": JsonField("naturalGiftPower"),
    "natural_gift_type": JsonField("naturalGiftType", "pokemon_types", default=31),
    "prevents_toss": JsonField("preventToss"),
    "is_selectable": JsonField("canRegister"),
    "field_pocket": JsonField("fieldPocket", _HEADER),
    "battle_pocket": JsonField("battlePocket", _HEADER),
    "field_use": JsonField("fieldUseFunc", _HEADER),
    "battle_use": JsonField("battleUseFunc"),
    "is_used_on_party": JsonField(make=_is_used),
    "padding": ZERO,
    "party_use": JsonField("itemUseParams", make=_party_use),
    **{f"party_use.{field.name}": ZERO for field in fields(PartyUse)},
    **{f"party_use.{name}": JsonField(key, default=0) for name, key in _USE.items()},
    "unused": ZERO,
}
_BERRY: Final = (
    *("firmness", "baseYield", "stageDuration", "moistureDrainRate"),
    *("spiciness", "dryness", "sweetness", "bitterness", "sourness", "smoothness"),
)
BERRY_DATA: Final = np.dtype([("berryData", [("size", "<u2"), *((name, "u1") for name in _BERRY)])])
"""What the game knows of a berry beside its item."""
BERRY: Final[Fields] = {"berryData.firmness": JsonField("firmness", "include/berry_data.h")}

MOVE_DATA: Final = np.dtype(
    [
        ("effect", "<u2"),
        ("class", "u1"),
        ("power", "u1"),
        ("type", "u1"),
        ("accuracy", "u1"),
        ("pp", "u1"),
        ("chance", "u1"),
        ("range", "<u2"),
        ("priority", "u1"),
        ("flags", "u1"),
        ("contest_effect", "u1"),
        ("contest_type", "u1"),
        ("padding", "<u2"),
    ]
)
MOVE: Final[Fields] = {
    "effect": JsonField("effect.type", "move_battle_effects"),
    "class": JsonField("class", "move_classes"),
    "type": JsonField("type", "pokemon_types"),
    "chance": JsonField("effect.chance"),
    "range": JsonField("range", "move_ranges"),
    "flags": _flags("flags", "move_flags", U8),
    "contest_effect": JsonField("contest.effect", "move_contest_effects"),
    "contest_type": JsonField("contest.type", "pokemon_contest_types"),
    "padding": ZERO,
}
_FURTHER_MOVES: Final = "tools/dataproc/src/moveproc.c"
_MOVE_RECORD: Final = re.compile(r"MoveTable (\w+) = \{([^(){}]*)\};")
_MOVE_PART: Final = re.compile(r"\.([\w.]+)\s*=\s*([^,]+?)\s*,")


def further_moves(listing: TreeListing) -> list[tuple[str, JsonValue]]:
    """The moves that only the build's program has, by their names there: as the JSON of a move."""
    if not listing.files.has(_FURTHER_MOVES):
        return []
    text = listing.files.text(_FURTHER_MOVES)
    moves = []
    for name, body in _MOVE_RECORD.findall(text):
        parts: dict[str, Any] = dict(_MOVE_PART.findall(body))
        parts["flags"] = [flag.strip() for flag in parts.get("flags", "").split("|") if flag.strip()]
        parts["effect"] = {"type": parts.get("effect", 0), "chance": parts.pop("effectChance", 0)}
        parts["contest"] = {key: parts.get(f"contest.{key}", 0) for key in ("effect", "type")}
        moves.append((name, JsonValue(_FURTHER_MOVES, text, parts)))
    return moves


# --- trades

TRADE: Final[Fields] = {
    "species": JsonField("species", _SPECIES),
    "individual_values": JsonField(("hpIV", "atkIV", "defIV", "speedIV", "spAtkIV", "spDefIV"), most=31),
    "unused": JsonField("unused1"),
    "trainer_id": JsonField("otID"),
    "contest_stats": JsonField(("cool", "beauty", "cute", "smart", "tough")),
    "item": JsonField("heldItem", _ITEMS),
    "trainer_gender": JsonField("otGender", "genders"),
    "unused_2": JsonField("unused2"),
    "language": JsonField("language", "include/constants/versions.h"),
    "wanted_species": JsonField("requestedSpecies", _SPECIES),
}

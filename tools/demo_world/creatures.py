"""The creatures, items and trainers of the demo world: their records and names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from formats.binary import frozen
from formats.field.item_data import ItemData
from formats.field.program_tables import HIDDEN_ITEM
from formats.field.species_data import Effort, SpeciesData, Stats
from formats.field.trainer import TRAINER_MESSAGE, Trainer, TrainerMessageOffsets, TrainerMessages
from formats.field.trainer_party import PartyPokemon, TrainerParty
from formats.field.wild_encounters import DualSlot, GrassSlot, WaterEncounters, WaterSlot, WildEncounters
from mapexplorer.games.name_bank import NameBank
from mapexplorer.games.platinum import PLATINUM

(NOBODY, MILLMOUSE, THISTLET, MOORWING, PEBBLET, GLOAMOTH, GLIMFIN, REEDLING, FROSTHARE) = range(9)

SPECIES_NAMES = (
    "-",
    "Millmouse",
    "Thistlet",
    "Moorwing",
    "Pebblet",
    "Gloamoth",
    "Glimfin",
    "Reedling",
    "Frosthare",
)
ITEM_NAMES = (
    "-",
    "Acorn",
    "Lantern",
    "Pot of Jam",
    "Blue Feather",
    "Trout Fly",
    "Mill Key",
    "Smooth Stone",
    "Wool Scarf",
    "Bell",
    "Chalk",
    "Twine",
    "Apple",
    "Candle",
    "Map Scroll",
    "Whistle",
    "Cork",
    "Loaf of Bread",
)
MOVE_NAMES = ("-", "Nudge", "Leaf Flurry", "Skip Stone", "Cold Breath")
ABILITY_NAMES = ("-", "Windproof", "Thick Coat")
TYPE_NAMES = ("Plain", "Meadow", "Water", "Stone", "Frost")
CLASS_NAMES = ("Visitor", "Forester", "Angler")
TRAINER_NAMES = ("-", "Holm", "Tamsin")
TRAINER_TEXTS = (
    "You walk loudly.\nMy friends have heard you already!",
    "Quietly beaten...",
    "Listen to the leaves, and you will know\nwho lives in the grass.",
    "Shh! You scare the fish.",
    "Now they are gone.",
)

_STATS = {
    MILLMOUSE: (40, 35, 30, 55, 30, 30), THISTLET: (45, 40, 45, 35, 50, 40), MOORWING: (50, 45, 35, 65, 40, 35),
    PEBBLET: (35, 50, 75, 20, 20, 40), GLOAMOTH: (45, 30, 35, 60, 60, 45), GLIMFIN: (55, 40, 40, 50, 45, 45),
    REEDLING: (40, 50, 40, 45, 40, 50), FROSTHARE: (50, 55, 40, 70, 40, 40),
}  # fmt: skip
"""Species -> base stats."""

_TYPES = {THISTLET: 1, MOORWING: 1, PEBBLET: 3, GLIMFIN: 2, REEDLING: 2, FROSTHARE: 4}

_HALF_FEMALE = 127

_HIDDEN = ((7, 1, 2), (9, 1, 4))
"""Item, count and range of each hidden item that lies on a map."""


def name_banks() -> dict[NameBank, Sequence[str]]:
    """The banks with the names of everything, and with what trainers say."""
    return {
        NameBank.SPECIES: SPECIES_NAMES,
        NameBank.ITEMS: ITEM_NAMES,
        NameBank.MOVES: MOVE_NAMES,
        NameBank.ABILITIES: ABILITY_NAMES,
        NameBank.TYPES: TYPE_NAMES,
        NameBank.TRAINER_CLASSES: CLASS_NAMES,
        NameBank.TRAINERS: TRAINER_NAMES,
        NameBank.TRAINER_MESSAGES: TRAINER_TEXTS,
    }


def species() -> list[SpeciesData]:
    """The record of each species."""
    empty = SpeciesData.from_bytes(bytes(44))
    return [empty] + [
        replace(
            empty,
            base=Stats(*_STATS[number]),
            types=(_TYPES.get(number, 0),) * 2,
            catch_rate=190,
            base_experience=60,
            effort=Effort(0, 0, 0, 1, 0, 0, 0),
            held_items=(0, 1 if number == MILLMOUSE else 0),
            gender=_HALF_FEMALE,
            hatch_cycles=15,
            friendship=70,
            abilities=(1 + number % 2, 0),
        )
        for number in sorted(_STATS)
    ]


def items() -> list[ItemData]:
    """The members of the items' archive."""
    empty = ItemData.from_bytes(bytes(34))
    return [empty, *(replace(empty, price=50 * number) for number in range(1, len(ITEM_NAMES)))]


def hidden_items() -> bytes:
    """The table of hidden items, as long as a real program's; what lies nowhere is the first item."""
    rows = np.zeros(len(PLATINUM.tables.items.hidden), HIDDEN_ITEM)
    rows["item"], rows["count"], rows["number"] = 1, 1, np.arange(len(rows))
    for number, (item, count, reach) in enumerate(_HIDDEN):
        rows[number] = item, count, reach, 0, number
    return rows.tobytes()


def _grass(rate: int, levels: tuple[int, int], usual: Sequence[int], day: int, night: int) -> WildEncounters:
    """Encounters in the grass or a cave: the usual species in turn, those of the day and of the night."""
    empty = WildEncounters.from_bytes(bytes(424))
    low, high = levels
    slots = tuple(GrassSlot(low + slot % (high - low + 1), usual[slot % len(usual)]) for slot in range(12))
    pairs = DualSlot(*[(usual[0], usual[0])] * 5)
    return replace(
        empty,
        grass_rate=rate,
        grass=slots,
        swarm=(usual[0], usual[0]),
        day=(day, day),
        night=(night, night),
        radar=(usual[-1],) * 4,
        dual_slot=pairs,
    )


def _water(rate: int, levels: tuple[int, int], usual: Sequence[int]) -> WaterEncounters:
    return WaterEncounters(
        rate, tuple(WaterSlot(levels[1], levels[0], 0, usual[slot % len(usual)]) for slot in range(5))
    )


def encounters() -> list[WildEncounters]:
    """The files of wild encounters: of the hill and the forest, of the lake, of the cave."""
    lake = replace(
        WildEncounters.from_bytes(bytes(424)),
        surf=_water(20, (8, 12), (GLIMFIN, REEDLING)),
        old_rod=_water(30, (3, 6), (REEDLING,)),
        good_rod=_water(50, (10, 14), (GLIMFIN, REEDLING)),
    )
    return [
        _grass(30, (3, 6), (MILLMOUSE, THISTLET), MOORWING, GLOAMOTH),
        lake,
        _grass(10, (7, 10), (PEBBLET, GLOAMOTH, FROSTHARE), PEBBLET, FROSTHARE),
    ]


_PARTIES = (
    TrainerParty(False, False, ()),
    TrainerParty(
        True,
        False,
        (
            PartyPokemon(20, 6, MILLMOUSE, 0, None, (1, 0, 0, 0), 0),
            PartyPokemon(40, 8, THISTLET, 0, None, (1, 2, 0, 0), 0),
        ),
    ),
    TrainerParty(False, True, (PartyPokemon(60, 9, GLIMFIN, 0, 8, None, 0),)),
)
_CLASSES = (0, 1, 2)
_MESSAGES = ((1, 0), (1, 1), (1, 2), (2, 0), (2, 1))
"""Trainer and occasion of each text: before the battle, defeat, after it."""


def trainers() -> list[Trainer]:
    """The record of each trainer; number 0 is nobody."""
    return [
        Trainer(party.own_moves, party.own_items, 0, one, 0, len(party.pokemon), (0, 0, 0, 0), int(bool(one)), 0)
        for one, party in zip(_CLASSES, _PARTIES, strict=True)
    ]


def parties() -> tuple[TrainerParty, ...]:
    """The party of each trainer."""
    return _PARTIES


def trainer_messages() -> TrainerMessages:
    """Whose text each is, and when it is said."""
    return TrainerMessages(frozen(np.array(list(_MESSAGES), TRAINER_MESSAGE)))


def trainer_message_offsets() -> TrainerMessageOffsets:
    """The first row of each trainer in the table of texts."""
    owners = [trainer for trainer, _ in _MESSAGES]
    size = TRAINER_MESSAGE.itemsize
    return TrainerMessageOffsets(
        frozen([size * owners.index(one) if one in owners else 0 for one in range(len(_PARTIES))], np.uint16)
    )

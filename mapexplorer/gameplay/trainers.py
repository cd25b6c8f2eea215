"""Trainers: their Pokémon with the values that the game computes, their messages, and those on each map.

The file of a party has neither individual values nor personality; the game computes them from the scale, the level, the
species and the number of the trainer, so they are the same in every game (`TrainerData_BuildParty` of the
decompilation).
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Final, NamedTuple

import numpy as np

from formats.field.species_data import ALWAYS_FEMALE, ALWAYS_MALE, NO_GENDER, SpeciesData
from formats.field.trainer import Trainer, TrainerMessages
from formats.field.trainer_party import PartyPokemon
from mapexplorer.gameplay.names import name
from mapexplorer.games import NameBank, Role, Topic
from mapexplorer.games.gameplay_tables import FEMALE
from mapexplorer.values import capital
from mapexplorer.world.sources.damage import read_or
from mapexplorer.world.sources.files import WorldFiles
from mapexplorer.world.sources.readable import readable_events

NATURES: Final = 25

_FACTOR, _ADDEND, _MASK = 1103515245, 24691, 0xFFFFFFFF
_LOW_BYTE_OF_WOMEN, _LOW_BYTE_OF_OTHERS = 120, 136


class Gender(StrEnum):
    """The gender of a Pokémon."""

    MALE = "male"
    FEMALE = "female"
    NONE = "none"


@dataclass(frozen=True)
class TrainerPokemon:
    """A Pokémon of a trainer as it is in the battle: `stored` is its record; each of its six individual values is
    `individual_value`. `ability` and `gender` are None where the ROM has no data of the species."""

    stored: PartyPokemon
    individual_value: int
    personality: int
    ability: int | None
    gender: Gender | None

    @property
    def nature(self) -> int:
        """The number of its nature."""
        return self.personality % NATURES


class Message(NamedTuple):
    """A message of a trainer: when it is said (its type), the entry of the message bank, the text (empty without
    texts)."""

    type: int
    entry: int
    text: str


@dataclass(frozen=True)
class TrainerFacts:
    """A trainer."""

    number: int
    """The number of the trainer."""
    name: str
    """The name of the trainer."""
    class_name: str
    """The name of the class."""
    record: Trainer
    """The record as stored."""
    party: tuple[TrainerPokemon, ...]
    """The Pokémon as in the battle."""
    messages: tuple[Message, ...]
    """The messages in the order of the table."""
    beaten_flag: int
    """The flag that is set when it is beaten."""
    eyes_meet_music: int
    """The music when its eyes meet the player's."""


def individual_value(scale: int) -> int:
    """The individual value of a Pokémon of a trainer by the scale in its record; beyond 31 for the scale of 2500 that
    trainer 320 of the US release has."""
    return scale * 31 // 255


def personality(trainer: int, trainer_class: int, gender: str, pokemon: PartyPokemon) -> int:
    """The personality value of a Pokémon of a trainer; `gender` is that of the trainer's class."""
    seed = pokemon.iv_scale + pokemon.level + pokemon.species + trainer
    high = seed
    for _ in range(trainer_class):
        seed = seed * _FACTOR + _ADDEND & _MASK
        high = seed >> 16
    return (high << 8) + (_LOW_BYTE_OF_WOMEN if gender == FEMALE else _LOW_BYTE_OF_OTHERS) & _MASK


def gender_of(value: int, species: SpeciesData) -> Gender:
    """The gender of a Pokémon by its personality value."""
    if species.gender == NO_GENDER:
        return Gender.NONE
    if species.gender in (ALWAYS_MALE, ALWAYS_FEMALE):
        return Gender.MALE if species.gender == ALWAYS_MALE else Gender.FEMALE
    return Gender.FEMALE if value & 0xFF < species.gender else Gender.MALE


def stored_party(world: WorldFiles, number: int) -> tuple[Trainer, tuple[PartyPokemon, ...]]:
    """The record of a trainer, and those of its Pokémon. Raises FormatError, RomError."""
    world.game.require(Topic.TRAINERS)
    return world.trainer(number), tuple(world.party(number).pokemon)


def trainer_title(world: WorldFiles, number: int) -> str:
    """The class and the name of a trainer: `Lass Kaitlin`. Raises FormatError, RomError."""
    of_class = name(world, NameBank.TRAINER_CLASSES, world.trainer(number).trainer_class)
    return f"{of_class} {name(world, NameBank.TRAINERS, number)}".strip()


def object_name(world: WorldFiles, record: np.void) -> str:
    """The class and the name of the trainer that an object event is, else what it looks like; empty for neither."""
    trainer = world.game.tables.script_numbers.trainer(int(record["script"]))
    title = "" if trainer is None else read_or("", trainer_title, world, trainer[0])
    return title or capital(world.game.tables.graphics_name(int(record["graphics"])).replace("_", " "))


def object_names(world: WorldFiles, header: int) -> dict[int, str]:
    """Local id -> the name of an object event, of those of a header; the first one of an id is what scripts mean."""
    events = readable_events(world, header)
    records = () if events is None else events.objects[::-1]
    return {int(record["local_id"]): object_name(world, record) for record in records}


def find_trainer(world: WorldFiles, number: int) -> TrainerFacts:
    """A trainer. Raises FormatError, also for a number beyond the archive, and RomError."""
    known = world.game.tables.trainers
    record, party = stored_party(world, number)
    gender = known.gender(record.trainer_class)
    return TrainerFacts(
        number,
        name(world, NameBank.TRAINERS, number),
        name(world, NameBank.TRAINER_CLASSES, record.trainer_class),
        record,
        tuple(_pokemon(world, stored, personality(number, record.trainer_class, gender, stored)) for stored in party),
        messages(world, number),
        world.game.tables.save_names.trainers.start + number,
        known.music(record.trainer_class),
    )


def _pokemon(world: WorldFiles, stored: PartyPokemon, value: int) -> TrainerPokemon:
    scale = individual_value(stored.iv_scale)
    if not world.has(Role.SPECIES):
        return TrainerPokemon(stored, scale, value, None, None)
    species = world.member(Role.SPECIES, stored.species, SpeciesData.from_bytes)
    # The second ability is 0 where a species has only one.
    ability = species.abilities[value & 1] or species.abilities[0]
    return TrainerPokemon(stored, scale, value, ability, gender_of(value, species))


def messages(world: WorldFiles, trainer: int) -> tuple[Message, ...]:
    """The messages of a trainer in the order of the table, none in a ROM without the table. Raises FormatError."""
    if not world.has(Role.TRAINER_MESSAGES):
        return ()
    rows = world.member(Role.TRAINER_MESSAGES, 0, TrainerMessages.from_bytes).rows
    texts = partial(name, world, NameBank.TRAINER_MESSAGES)
    entries = (rows["trainer"] == trainer).nonzero()[0].tolist()
    return tuple(Message(int(rows["type"][entry]), entry, texts(entry)) for entry in entries)


class Trainers(Sequence[TrainerFacts]):
    """The trainers of a ROM by number; each is read when it is asked for. Number 0 is no trainer of the game.

    Raises RomError in a game whose trainers are not known; reading one raises as `find_trainer`.
    """

    def __init__(self, world: WorldFiles) -> None:
        world.game.require(Topic.TRAINERS)
        self._world = world
        self._numbers = range(len(world.members(Role.TRAINERS)))

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, number: int) -> TrainerFacts:  # type: ignore[override]
        return find_trainer(self._world, self._numbers[operator.index(number)])

"""Trainers: what the game computes, what they say, and where they stand."""

from __future__ import annotations

import struct

import pytest

from formats.field.species_data import SpeciesData
from mapexplorer.gameplay.trainers import (
    Gender,
    find_trainer,
    gender_of,
)
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.world import FieldWorld
from tests.conftest import Cases


def test_every_trainer_of_the_vectors(real: FieldWorld, cases: Cases) -> None:
    for case in cases("trainers"):
        found = find_trainer(real, case["trainer"])
        values = [(one.individual_value, one.personality, one.nature) for one in found.party]
        assert values == [(one["ivs"], one["pid"], one["nature"]) for one in case["party"]], case["trainer"]
        assert [[one.type, one.entry] for one in found.messages] == case["messages"]


def test_a_trainer_in_full(real: FieldWorld) -> None:
    found = find_trainer(real, 1)
    assert (found.name, found.class_name) == ("Tristan", "Youngster")
    assert found.messages[0].text.startswith("You’re a Pokémon Trainer")
    assert PLATINUM.tables.trainers.messages[found.messages[0].type] == "before"
    assert found.beaten_flag == 1361 and found.eyes_meet_music == 1100
    (one,) = found.party
    assert one.gender is Gender.MALE and one.ability == 51


@pytest.mark.parametrize(
    "ratio, value, gender",
    [
        (0, 0, Gender.MALE),
        (254, 255, Gender.FEMALE),
        (255, 0, Gender.NONE),
        (127, 126, Gender.FEMALE),
        (127, 127, Gender.MALE),
        (31, 0x100 + 30, Gender.FEMALE),
    ],
)
def test_the_gender_of_a_pokemon(ratio: int, value: int, gender: Gender) -> None:
    assert gender_of(value, SpeciesData.from_bytes(bytes(16) + bytes([ratio]) + bytes(27))) is gender


def records_of(data: bytes, size: int, *, items: bool, moves: bool) -> list[tuple[int, ...]]:
    """The Pokémon of a file of parties: scale of the individual values, level, species (its form in the upper six
    bits), held item, four moves, seal; numbers that the kind of record lacks are left out."""
    layout = "<3H" + "H" * items + "4H" * moves + "H"
    return [struct.unpack_from(layout, data, number * struct.calcsize(layout)) for number in range(size)]


def test_all_trainers_have_what_their_bytes_say(real: FieldWorld) -> None:
    tables = PLATINUM.tables.trainers
    trainers, parties = (real.rom.archive(f"poketool/trainer/{name}.narc") for name in ("trdata", "trpoke"))
    table = real.rom.archive("poketool/trmsg/trtbl.narc")[0]
    messages: dict[int, list[tuple[int, int]]] = {}
    for entry, (number, kind) in enumerate(struct.iter_unpack("<2H", table)):
        messages.setdefault(number, []).append((kind, entry))
    for number in range(len(trainers)):
        kind, of_class, _, size, *items, ai, battle = struct.unpack("<4B4H2I", trainers[number])
        found = find_trainer(real, number)
        record = found.record
        assert (record.trainer_class, list(record.items), record.ai, record.battle_type) == (
            of_class,
            items,
            ai,
            battle,
        )
        stored = [
            (
                member.stored.iv_scale,
                member.stored.level,
                member.stored.species | member.stored.form << 10,
                *([member.stored.item] if kind & 2 else []),
                *(member.stored.moves or () if kind & 1 else ()),
                member.stored.capsule,
            )
            for member in found.party
        ]
        assert stored == records_of(parties[number], size, items=bool(kind & 2), moves=bool(kind & 1)), number
        assert [(message.type, message.entry) for message in found.messages] == messages.get(number, [])
        assert {kind for kind, _ in messages.get(number, [])} <= set(tables.messages)
        assert ai >> 1 == 0 or any(ai >> bit & 1 for bit in tables.strategies)

"""Trainers: what the game computes, what they say, and where they stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from formats.field.species_data import SpeciesData
from mapexplorer.gameplay.trainers import (
    Gender,
    find_trainer,
    gender_of,
)
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.world import FieldWorld


def test_every_trainer_of_the_vectors(real: FieldWorld, cases: Callable[[str], list[dict[str, Any]]]) -> None:
    pokemon = 0
    for case in cases("trainers"):
        found = find_trainer(real, case["trainer"])
        values = [(one.individual_value, one.personality, one.nature) for one in found.party]
        assert values == [(one["ivs"], one["pid"], one["nature"]) for one in case["party"]], case["trainer"]
        assert [[one.type, one.entry] for one in found.messages] == case["messages"]
        pokemon += len(values)
    assert len(cases("trainers")) == 575 and pokemon > 1000


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


def test_all_trainers_can_be_described(real: FieldWorld) -> None:
    known = PLATINUM.tables.trainers
    for number in range(0, 928, 9):
        found = find_trainer(real, number)
        assert all(message.type in known.messages for message in found.messages)
        assert found.record.ai >> 1 == 0 or any(found.record.ai >> bit & 1 for bit in known.strategies)
        assert len(found.party) == found.record.party_size

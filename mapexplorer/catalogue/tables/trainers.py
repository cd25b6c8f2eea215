"""Trainers: their parties as in the battle, their items and messages."""

from __future__ import annotations

from collections.abc import Iterator

from mapexplorer.catalogue.source import Rows, Source
from mapexplorer.gameplay.trainers import find_trainer
from mapexplorer.games import Role


def fill_trainers(source: Source) -> Iterator[tuple[str, Rows]]:
    """The tables of trainers."""
    found = [
        one for _, one in source.each(source.members(Role.TRAINERS), lambda number: find_trainer(source.world, number))
    ]
    occasions = source.world.game.tables.trainers.messages
    yield (
        "trainer",
        (
            (
                one.number,
                one.name,
                one.record.trainer_class,
                one.class_name,
                one.record.battle_type,
                one.record.ai,
                one.beaten_flag,
                one.eyes_meet_music,
            )
            for one in found
        ),
    )
    yield (
        "trainer_item",
        ((one.number, slot, item) for one in found for slot, item in enumerate(one.record.items) if item),
    )
    yield (
        "trainer_pokemon",
        (
            (
                one.number,
                slot,
                pokemon.stored.species,
                pokemon.stored.form,
                pokemon.stored.level,
                pokemon.stored.item or None,
                pokemon.stored.iv_scale,
                pokemon.individual_value,
                pokemon.personality,
                pokemon.nature,
                pokemon.ability,
                pokemon.gender,
                pokemon.stored.capsule,
            )
            for one in found
            for slot, pokemon in enumerate(one.party)
        ),
    )
    yield (
        "trainer_move",
        (
            (one.number, slot, index, move)
            for one in found
            for slot, pokemon in enumerate(one.party)
            for index, move in enumerate(pokemon.stored.moves or ())
            if move
        ),
    )
    yield (
        "trainer_message",
        (
            (one.number, message.entry, message.type, occasions.get(message.type, ""), message.text)
            for one in found
            for message in one.messages
        ),
    )

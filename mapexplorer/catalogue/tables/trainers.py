"""Trainers: their parties as in the battle, their items and messages."""

from __future__ import annotations

from collections.abc import Iterator

from mapexplorer.catalogue.source import Rows, Source
from mapexplorer.gameplay.trainers import find_trainer
from mapexplorer.games import Role


def fill_trainers(source: Source) -> Iterator[tuple[str, Rows]]:
    """The tables of trainers."""
    trainers = [
        trainer
        for _, trainer in source.each(source.members(Role.TRAINERS), lambda number: find_trainer(source.world, number))
    ]
    occasions = source.world.game.tables.trainers.messages
    yield (
        "trainer",
        (
            (
                trainer.number,
                trainer.name,
                trainer.record.trainer_class,
                trainer.class_name,
                trainer.record.battle_type,
                trainer.record.ai,
                trainer.beaten_flag,
                trainer.eyes_meet_music,
            )
            for trainer in trainers
        ),
    )
    yield (
        "trainer_item",
        (
            (trainer.number, slot, item)
            for trainer in trainers
            for slot, item in enumerate(trainer.record.items)
            if item
        ),
    )
    yield (
        "trainer_pokemon",
        (
            (
                trainer.number,
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
            for trainer in trainers
            for slot, pokemon in enumerate(trainer.party)
        ),
    )
    yield (
        "trainer_move",
        (
            (trainer.number, slot, index, move)
            for trainer in trainers
            for slot, pokemon in enumerate(trainer.party)
            for index, move in enumerate(pokemon.stored.moves or ())
            if move
        ),
    )
    yield (
        "trainer_message",
        (
            (trainer.number, message.entry, message.type, occasions.get(message.type, ""), message.text)
            for trainer in trainers
            for message in trainer.messages
        ),
    )

"""Wild encounters, trainers, species and items: their records, and what follows from them."""

from __future__ import annotations

from typing import Final

from formats.field.species_data import SpeciesData
from mapexplorer.catalogue.uses import references_to
from mapexplorer.errors import PlaceError, RomError
from mapexplorer.gameplay.icons import item_files
from mapexplorer.gameplay.items import Items
from mapexplorer.gameplay.meetings import find_encounters, meetings
from mapexplorer.gameplay.names import name, species_name
from mapexplorer.gameplay.static_pokemon import find_trade
from mapexplorer.gameplay.trainers import TrainerPokemon, find_trainer
from mapexplorer.games import NameBank, Role
from mapexplorer.grouping import by_key
from mapexplorer.inspector.facts import Described, Describers, Fact, filled, listed, section
from mapexplorer.inspector.places.encounters import meeting_fact, species_fact
from mapexplorer.inspector.things.common import Context, header_link, member
from mapexplorer.values import capital
from mapexplorer.world.headers.header_names import sequence_name
from mapexplorer.world.subject import subject

_EYES_MEET: Final = "when its eyes meet the player's"


def _named(context: Context, bank: NameBank, number: int) -> str:
    """A name, or the number where the ROM has none."""
    return name(context.world, bank, number) or str(number)


def describe_encounters(context: Context, number: int) -> Described:
    """A file of wild encounters, as on the map of the place if it has it, else on the first map that has it; of one
    that no map has only its bytes."""
    here, raw = context.place.header, member(context, Role.ENCOUNTERS, number)
    users = [use.user.key[0] for use in references_to(context.world, "encounters", number)]
    if here.wild_encounters != number and not users:
        return f"Wild encounters {number}", "pl_enc_data, on no map", (), raw
    header = here.id if here.wild_encounters == number else users[0]
    facts = find_encounters(context.world, header)
    assert facts.here.encounters is not None
    ways = by_key((meeting.how, meeting_fact(context.world, meeting.when, meeting)) for meeting in meetings(facts))
    by_way = (section(capital(how), *met) for how, met in ways.items())
    sections = (section("Map", header_link(context, header)), *by_way)
    return f"Wild encounters {number}", "pl_enc_data", sections, raw


def describe_trainer(context: Context, number: int) -> Described:
    """A trainer: its party with the values that the game computes, and its messages."""
    known, trainer = context.tables.trainers, find_trainer(context.world, number)
    record, flag, music = trainer.record, trainer.beaten_flag, trainer.eyes_meet_music
    facts = section(
        "Trainer",
        Fact("Class", str(record.trainer_class), trainer.class_name),
        Fact("Battle", "double" if record.battle_type else "single"),
        Fact(
            "Strategies", ", ".join(words for bit, words in known.strategies.items() if record.ai >> bit & 1) or "none"
        ),
        Fact("Beaten", f"flag {flag}", "set when it is beaten", link=subject("flag", flag)),
        Fact("Music", f"{music}  {sequence_name(context.world, music)}", _EYES_MEET, link=subject("music", music)),
        *(_item(context, "Item", item) for item in record.items if item),
    )
    party = (_party_fact(context, index, pokemon) for index, pokemon in enumerate(trainer.party))
    said = (Fact(known.messages.get(message.type, str(message.type)), message.text) for message in trainer.messages)
    raw = member(context, Role.TRAINERS, trainer.number)
    title = f"{trainer.class_name} {trainer.name}".strip() or f"Trainer {trainer.number}"
    return title, f"trainer {trainer.number}", (*filled(listed("Messages", said)), listed("Party", party), facts), raw


def _party_fact(context: Context, index: int, pokemon: TrainerPokemon) -> Fact:
    stored = pokemon.stored
    words = [
        f"level {stored.level}",
        f"individual values {pokemon.individual_value}",
        _named(context, NameBank.NATURES, pokemon.nature),
        *([pokemon.gender.value] if pokemon.gender else []),
        *([_named(context, NameBank.ABILITIES, pokemon.ability)] if pokemon.ability else []),
        *([f"holds {_named(context, NameBank.ITEMS, stored.item)}"] if stored.item else []),
        *(_named(context, NameBank.MOVES, move) for move in stored.moves or () if move),
    ]
    return species_fact(context.world, f"Pokémon {index + 1}", stored.species, ", ".join(words))


def _item(context: Context, what: str, item: int) -> Fact:
    return Fact(what, _named(context, NameBank.ITEMS, item), link=subject("item", item))


def describe_species(context: Context, number: int) -> Described:
    """A species."""
    game = context.world.game
    if Role.SPECIES not in game.files:
        raise RomError(f"Nothing is known about species in {game.title}.")
    data = context.world.member(Role.SPECIES, number, SpeciesData.from_bytes)
    base = data.base
    facts = section(
        "Species",
        Fact("Types", ", ".join(_named(context, NameBank.TYPES, number) for number in dict.fromkeys(data.types))),
        Fact(
            "Abilities", ", ".join(_named(context, NameBank.ABILITIES, number) for number in data.abilities if number)
        ),
        Fact("HP, attack, defense", f"{base.hp}, {base.attack}, {base.defense}"),
        Fact("Speed", str(base.speed)),
        Fact("Special attack, defense", f"{base.special_attack}, {base.special_defense}"),
        Fact("Catch rate", str(data.catch_rate)),
        *(
            _item(context, f"Held by {chance} % of wild ones", item)
            for chance, item in zip((50, 5), data.held_items, strict=True)
            if item
        ),
    )
    raw = member(context, Role.SPECIES, number)
    return species_name(context.world, number), f"species {number}", (facts,), raw


def describe_item(context: Context, number: int) -> Described:
    """An item; where it comes from are its uses."""
    data = Items(context.world).data(number)
    raw = member(context, Role.ITEMS, item_files(context.world, number).data)
    facts = [Fact("Price", str(data.price))]
    if (move := context.world.machines.get(number)) is not None:
        facts.append(Fact("Teaches", _named(context, NameBank.MOVES, move), link=subject("move", move)))
    return _named(context, NameBank.ITEMS, number), f"item {number}", (section("Item", *facts),), raw


def describe_shop(context: Context, number: int) -> Described:
    """A shop: its goods; the scripts that open it are its uses."""
    shop = Items(context.world).shops(())[number]
    goods = (
        _item(context, "" if price is None else str(price), item)
        if shop.kind not in ("decor", "seals")
        else Fact("" if price is None else str(price), str(item), shop.kind)
        for item, price in shop.goods
    )
    title = ", ".join(filter(None, (f"{shop.kind} {shop.number}", shop.place)))
    return title, f"shop {number}", (listed("Goods", goods),), None


def describe_trade(context: Context, number: int) -> Described:
    """An in-game trade."""
    trade = find_trade(context.world, number)
    if trade is None:
        raise PlaceError(f"The in-game trade {number} cannot be read.")
    record = trade.record
    facts = section(
        "Trade",
        species_fact(context.world, "Received", record.species),
        species_fact(context.world, "Wanted", record.wanted_species),
        Fact("Nickname", trade.nickname),
        Fact("Original trainer", trade.trainer, str(record.trainer_id)),
        Fact("Individual values", ", ".join(map(str, record.individual_values))),
        *([_item(context, "Held", record.item)] if record.item else []),
    )
    raw = member(context, Role.TRADES, number)
    return f"{trade.nickname} of {trade.trainer}", f"trade {number}", (facts,), raw


DESCRIBERS: Final[Describers] = {
    "shop": describe_shop,
    "trade": describe_trade,
    "encounters": describe_encounters,
    "trainer": describe_trainer,
    "species": describe_species,
    "item": describe_item,
}

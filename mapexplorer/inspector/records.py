"""Wild encounters, trainers, species and items: their records, and what follows from them."""

from __future__ import annotations

from formats.field.species_data import SpeciesData
from mapexplorer.catalogue.uses import references_to
from mapexplorer.errors import PlaceError, RomError
from mapexplorer.gameplay.icons import item_files
from mapexplorer.gameplay.items import Items
from mapexplorer.gameplay.meetings import find_encounters, meetings
from mapexplorer.gameplay.names import name
from mapexplorer.gameplay.static_pokemon import find_trade
from mapexplorer.gameplay.trainers import TrainerPokemon, find_trainer
from mapexplorer.games import NameBank, Role
from mapexplorer.inspector.common import Context, field_spans, header_link, member
from mapexplorer.inspector.encounters import levels_text, species_name
from mapexplorer.inspector.facts import Description, Fact, Section
from mapexplorer.world.subject import Subject, subject


def _named(context: Context, bank: NameBank, number: int) -> str:
    """A name, or the number where the ROM has none."""
    return name(context.world, bank, number) or str(number)


def describe_encounters(context: Context, chosen: Subject) -> Description:
    """A file of wild encounters, as on the map of the place if it has it, else on the first map that has it."""
    number = chosen.key[0]
    here = context.place.header
    users = [use.user.key[0] for use in references_to(context.world, "encounters", number)]
    header = here.id if here.wild_encounters == number else users[0]
    facts = find_encounters(context.world, header)
    assert facts.here.encounters is not None
    by_how: dict[str, list[Fact]] = {}
    for one in meetings(facts):
        chance = "" if one.percent is None else f"{one.percent} %, "
        words = f"{chance}level {levels_text(one)}" if one.lowest is not None else ""
        fact = Fact(one.when, species_name(context.world, one.species), words, None, subject("species", one.species))
        by_how.setdefault(one.how, []).append(fact)
    sections = [Section("Map", (header_link(context, header),))]
    sections += [Section(how[:1].upper() + how[1:], tuple(found)) for how, found in by_how.items()]
    raw = member(context, Role.ENCOUNTERS, number, field_spans(facts.here.encounters.spans()))
    return Description(chosen, f"Wild encounters {number}", "pl_enc_data", tuple(sections), raw)


def describe_trainer(context: Context, chosen: Subject) -> Description:
    """A trainer: its party with the values that the game computes, and its messages."""
    known = context.tables.trainers
    found = find_trainer(context.world, chosen.key[0])
    strategies = [words for bit, words in known.strategies.items() if found.record.ai >> bit & 1]
    facts = [
        Fact("Class", str(found.record.trainer_class), found.class_name),
        Fact("Battle", "double" if found.record.battle_type else "single"),
        Fact("Strategies", ", ".join(strategies) or "none"),
        Fact("Beaten", f"flag {found.beaten_flag}", "set when it is beaten", None, subject("flag", found.beaten_flag)),
        Fact(
            "Music",
            str(found.eyes_meet_music),
            "when its eyes meet the player's",
            None,
            subject("music", found.eyes_meet_music),
        ),
        *(_item(context, "Item", item) for item in found.record.items if item),
    ]
    party = tuple(_party_fact(context, index, one) for index, one in enumerate(found.party))
    said = tuple(Fact(known.messages.get(one.type, str(one.type)), one.text) for one in found.messages)
    sections = (
        Section("Trainer", tuple(facts)),
        Section(f"Party ({len(party)})", party),
        Section(f"Messages ({len(said)})", said),
    )
    raw = member(context, Role.TRAINERS, found.number, field_spans(found.record.spans()))
    title = f"{found.class_name} {found.name}".strip() or f"Trainer {found.number}"
    return Description(chosen, title, f"trainer {found.number}", sections, raw)


def _party_fact(context: Context, index: int, one: TrainerPokemon) -> Fact:
    stored = one.stored
    words = [
        f"level {stored.level}",
        f"individual values {one.individual_value}",
        _named(context, NameBank.NATURES, one.nature),
        *([one.gender.value] if one.gender else []),
        *([_named(context, NameBank.ABILITIES, one.ability)] if one.ability else []),
        *([f"holds {_named(context, NameBank.ITEMS, stored.item)}"] if stored.item else []),
        *(_named(context, NameBank.MOVES, move) for move in stored.moves or () if move),
    ]
    goal = subject("species", stored.species)
    return Fact(f"Pokémon {index + 1}", species_name(context.world, stored.species), ", ".join(words), None, goal)


def _item(context: Context, what: str, item: int) -> Fact:
    return Fact(what, _named(context, NameBank.ITEMS, item), "", None, subject("item", item))


def describe_species(context: Context, chosen: Subject) -> Description:
    """A species."""
    number, game = chosen.key[0], context.world.game
    if Role.SPECIES not in game.files:
        raise RomError(f"Nothing is known about species in {game.title}.")
    found = context.world.member(Role.SPECIES, number, SpeciesData.from_bytes)
    base = found.base
    facts = (
        Fact("Types", ", ".join(_named(context, NameBank.TYPES, one) for one in dict.fromkeys(found.types))),
        Fact("Abilities", ", ".join(_named(context, NameBank.ABILITIES, one) for one in found.abilities if one)),
        Fact("HP, attack, defense", f"{base.hp}, {base.attack}, {base.defense}"),
        Fact("Speed", str(base.speed)),
        Fact("Special attack, defense", f"{base.special_attack}, {base.special_defense}"),
        Fact("Catch rate", str(found.catch_rate)),
        *(
            _item(context, f"Held by {chance} % of wild ones", item)
            for chance, item in zip((50, 5), found.held_items, strict=True)
            if item
        ),
    )
    raw = member(context, Role.SPECIES, number, field_spans(found.spans()))
    title = species_name(context.world, number)
    return Description(chosen, title, f"species {number}", (Section("Species", facts),), raw)


def describe_item(context: Context, chosen: Subject) -> Description:
    """An item; where it comes from are its uses."""
    number = chosen.key[0]
    found = Items(context.world).data(number)
    sections = (Section("Item", (Fact("Price", str(found.price)),)),)
    raw = member(context, Role.ITEMS, item_files(context.world, number).data, field_spans(found.spans()))
    return Description(chosen, _named(context, NameBank.ITEMS, number), f"item {number}", sections, raw)


def describe_shop(context: Context, chosen: Subject) -> Description:
    """A shop: its goods; the scripts that open it are its uses."""
    shop = Items(context.world).shops(())[chosen.key[0]]
    goods = tuple(
        _item(context, "" if price is None else str(price), item)
        if shop.kind not in ("decor", "seals")
        else Fact("" if price is None else str(price), str(item), shop.kind)
        for item, price in shop.goods
    )
    title = ", ".join(filter(None, (f"{shop.kind} {shop.number}", shop.place)))
    return Description(chosen, title, f"shop {chosen.key[0]}", (Section(f"Goods ({len(goods)})", goods),))


def describe_trade(context: Context, chosen: Subject) -> Description:
    """An in-game trade."""
    (number,) = chosen.key
    trade = find_trade(context.world, number)
    if trade is None:
        raise PlaceError(f"The in-game trade {number} cannot be read.")
    species = {"Received": trade.record.species, "Wanted": trade.record.wanted_species}
    facts = (
        *(
            Fact(how, species_name(context.world, one), "", None, subject("species", one))
            for how, one in species.items()
        ),
        Fact("Nickname", trade.nickname),
        Fact("Original trainer", trade.trainer, str(trade.record.trainer_id)),
        Fact("Individual values", ", ".join(map(str, trade.record.individual_values))),
        *([_item(context, "Held", trade.record.item)] if trade.record.item else []),
    )
    raw = member(context, Role.TRADES, number, field_spans(trade.record.spans()))
    return Description(
        chosen, f"{trade.nickname} of {trade.trainer}", f"trade {number}", (Section("Trade", facts),), raw
    )


DESCRIBERS = {
    "shop": describe_shop,
    "trade": describe_trade,
    "encounters": describe_encounters,
    "trainer": describe_trainer,
    "species": describe_species,
    "item": describe_item,
}

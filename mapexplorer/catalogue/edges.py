"""Every use of one thing by another, as the functions that `rules` names find them; those of scripts are in
`script_edges`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

import numpy as np

from formats.field.init_script import FrameTable
from formats.field.program_tables import YEARLY_WEATHER_DAYS
from formats.field.species_data import SpeciesData
from formats.field.terrain_attribute import behaviours
from formats.field.trainer import TrainerMessages
from mapexplorer.catalogue.edge import FRAME, HIDES, ON_MAP, Edge
from mapexplorer.catalogue.kinds import HEADER, SCRIPTED, SCRIPTS, SPECIES, WEATHER
from mapexplorer.catalogue.rules import REFERENCE, RULES
from mapexplorer.catalogue.script_edges import commands as commands
from mapexplorer.catalogue.script_edges import scripts as scripts
from mapexplorer.catalogue.source import Source
from mapexplorer.gameplay.items import BerryTree, Items, SoldItem
from mapexplorer.gameplay.meetings import ALWAYS, ROAMING, find_encounters, meetings
from mapexplorer.gameplay.static_pokemon import ROAMER, find_trade, static_pokemon
from mapexplorer.gameplay.trainers import stored_party
from mapexplorer.games import NameBank, Role
from mapexplorer.games.gameplay_tables import CommonItem, PrizeItem
from mapexplorer.world.events.event_rules import BackgroundKind
from mapexplorer.world.events.script_files import locate_script
from mapexplorer.world.headers.header import Header
from mapexplorer.world.references.references import REFERENCES, Reference
from mapexplorer.world.save import BERRY_PATCH, CLONE
from mapexplorer.world.sources.provenance import ARM9
from mapexplorer.world.sources.readable import readable_original
from mapexplorer.world.sources.weather_maps import weather_maps
from mapexplorer.world.subject import ReferencePart, Subject, subject
from mapexplorer.world.world import FieldWorld

_FIELD_DATA: Final = ("header", "matrix", "area")
"""Kinds whose references that are no uses are kept, for queries."""

_REACHED: Final = ("area", "prop set")
"""Kinds whose things count as users only where a header leads to them."""


def _numbers(world: FieldWorld, reference: Reference, user: int) -> list[tuple[int, ReferencePart | None]]:
    return list(reference.found(world, user))


def references(source: Source) -> Iterator[Edge]:
    """All references, whether they count as uses or not."""
    rule, reached = RULES[REFERENCE], set[tuple[str, int]]()
    alone = rule.alone if source.is_alone(rule.alone, rule.reads) else None
    for rank, reference in enumerate(REFERENCES):
        if not (reference.shown or reference.user in _FIELD_DATA):  # another rule has it
            continue
        if alone is not None and reference.file is not alone:
            continue
        file = reference.file or ARM9
        users = source.users(reference.user) if alone is None else source.headers
        for user, numbers in source.each(users, partial(_numbers, source.world, reference)):
            counts = reference.shown and (reference.user not in _REACHED or (reference.user, user) in reached)
            by, member = subject(reference.user, user), None if reference.file is None else user
            if reference.file is Role.ZONE_EVENT:
                member = source.world.headers[user].events
            for number, part in numbers:
                if counts:
                    reached.add((reference.used, number))
                used = subject(reference.used, number)
                yield Edge(by, used, reference.field, part, file, member, counts, rank)


# --- events


def events(source: Source) -> Iterator[Edge]:
    """What hides objects, what they are clones of, what triggers wait for, and the scripts that all run."""
    world = source.world
    for header, events in source.events:
        edge = partial(_event_edge, world.headers[header])
        runs = partial(_runs, world, header, "run by", Role.ZONE_EVENT, world.headers[header].events)
        for kind, name in SCRIPTED.items():
            for index, event in enumerate(getattr(events, name)):
                user, script = subject(kind, header, index), int(event["script"])
                flag = int(event["hidden_flag"]) if kind == "object" else 0
                if kind == "object" and (original := readable_original(world, event)) is not None:
                    part = ReferencePart("object", () if original[1] is None else (original[1],))
                    yield edge(user, subject(HEADER, flag), "clone of", part)
                    continue
                if flag:
                    yield edge(user, subject("flag", flag), HIDES)
                if kind == "trigger":
                    yield edge(user, subject("variable", int(event["variable"])), "trigger")
                yield from runs(user, script)


def event_scripts(source: Source) -> Iterator[Edge]:
    """The trainers and the items that the numbers of their scripts mean, and berries."""
    world, items = source.world, Items(source.world)
    numbers, names = world.game.tables.script_numbers, world.game.tables.save_names
    for header, events in source.each(source.headers, world.events):
        here = source.part(partial(items.on_map, header)) or ()
        berries = {(tree.x, tree.z): tree for tree in here if isinstance(tree, BerryTree)}
        edge = partial(_event_edge, world.headers[header])
        for index, event in enumerate(events.objects):
            user, script = subject("object", header, index), int(event["script"])
            if script == CLONE:
                continue
            if (trainer := numbers.trainer(script)) is not None:
                yield edge(user, subject("trainer", trainer[0]), ON_MAP)
            if script in numbers.item_balls and (item := items.of_script(script)) is not None:
                yield edge(user, subject("item", item[0]), "floor", ReferencePart("count", item[1:]))
            berry = berries.get((int(event["x"]), int(event["z"])))
            if event["graphics"] == BERRY_PATCH and berry is not None:
                yield edge(user, subject("item", berry.item), "berry tree", ReferencePart("patch", (berry.patch,)))
        for index, event in enumerate(events.background):
            user, script = subject("sign", header, index), int(event["script"])
            if event["type"] == BackgroundKind.HIDDEN_ITEM and (item := items.of_script(script)) is not None:
                yield edge(user, subject("item", item[0]), "hidden", ReferencePart("count", item[1:]))
                flag = names.hidden_items[script - numbers.hidden_items.start]
                yield edge(user, subject("flag", flag), "set when the item is taken from")


def _event_edge(header: Header, user: Subject, used: Subject, how: str, part: ReferencePart | None = None) -> Edge:
    return Edge(user, used, how, part, Role.ZONE_EVENT, header.events)


def _runs(
    world: FieldWorld, header: int, how: str, file: str, member: int | None, user: Subject, script: int
) -> Iterator[Edge]:
    """The use of the script that a number in a file means on a map."""
    place = locate_script(world, header, script)
    if place is not None:
        yield Edge(user, subject(SCRIPTS, place.member, place.entry), how, None, file, member)


def initial_scripts(source: Source) -> Iterator[Edge]:
    world = source.world
    for header, file in source.each(range(len(world.headers)), world.init_scripts):
        user, member = subject(HEADER, header), world.headers[header].init_scripts
        for table in file.records:
            rows = table.rows if isinstance(table, FrameTable) else ()
            for row in rows:
                part = ReferencePart(FRAME, (row.value, row.script))
                yield Edge(user, subject("variable", row.variable), FRAME, part, Role.SCRIPTS, member)
            for script in [row.script for row in rows] if isinstance(table, FrameTable) else [table.script]:
                yield from _runs(world, header, "run on entering", Role.SCRIPTS, member, user, script)


# --- wild Pokémon, trainers, items


def wild(source: Source) -> Iterator[Edge]:
    for header, facts in source.each(range(len(source.world.headers)), partial(find_encounters, source.world)):
        here = facts.here
        for meeting in meetings(facts):
            part, how = ReferencePart("when", name=meeting.when), meeting.how
            file = Role.ENCOUNTER_EXTRAS if how in here.lists else ARM9 if how == ROAMING else Role.ENCOUNTERS
            member = here.member if file == Role.ENCOUNTERS else None
            yield Edge(subject(HEADER, header), subject(SPECIES, meeting.species), how, part, file, member)


def parties(source: Source) -> Iterator[Edge]:
    names, known = source.world.game.tables.save_names, source.world.game.tables.trainers
    for number, (record, party) in source.each(source.members(Role.TRAINERS), partial(stored_party, source.world)):
        user = subject("trainer", number)
        here = (Role.TRAINERS, number)
        if number and number < len(names.trainers):
            yield Edge(user, subject("flag", names.trainers[number]), "set when beaten:", None, *here)
        yield Edge(user, subject("music", known.music(record.trainer_class)), "when eyes meet:", None, *here)
        for slot, item in enumerate(record.items):
            if item:
                yield Edge(user, subject("item", item), "used by", ReferencePart("slot", (slot,)), *here)
        for slot, pokemon in enumerate(party):
            held = [(SPECIES, pokemon.species, "in the party of"), ("item", pokemon.item, "held in the party of")]
            held += [("move", move, "known in the party of") for move in pokemon.moves or ()]
            for kind, used, how in held:
                if used:
                    part = ReferencePart("slot", (slot,))
                    yield Edge(user, subject(kind, used), how, part, Role.TRAINER_PARTIES, number)


def messages(source: Source) -> Iterator[Edge]:
    """The messages of trainers."""
    world = source.world
    bank = world.game.name_bank(NameBank.TRAINER_MESSAGES, world.rom.code)
    read = partial(world.member, Role.TRAINER_MESSAGES, 0, TrainerMessages.from_bytes)
    table = source.part(read) if bank is not None and world.has(Role.TRAINER_MESSAGES) else None
    for entry, trainer in enumerate(table.rows["trainer"].tolist() if table is not None else ()):
        assert bank is not None
        yield Edge(subject("trainer", trainer), subject("text", bank, entry), "said by", None, Role.TRAINER_MESSAGES, 0)


def machines(source: Source) -> Iterator[Edge]:
    for item, move in source.world.machines.items():
        yield Edge(subject("item", item), subject("move", move), "taught by")


def shops(source: Source) -> Iterator[Edge]:
    items = Items(source.world)
    effects = [*source.store.effects("give", "add item", "mart")]
    shops = source.part(partial(items.shops, effects)) or ()
    numbers = {(shop.kind, shop.number): number for number, shop in enumerate(shops)}
    for number, shop in enumerate(shops):
        for member, entry in shop.opened_by:
            yield Edge(
                subject(SCRIPTS, member, entry), subject("shop", number), "opened by", None, Role.SCRIPTS, member
            )
    for way in sorted((*items.general, *items.script_sources(effects)), key=lambda way: way.item):
        used = subject("item", way.item)
        match way:
            case SoldItem():
                part = ReferencePart(way.shop, (way.number,))
                yield Edge(subject(SCRIPTS, way.member, way.entry), used, "sold by", part, Role.SCRIPTS, way.member)
            case CommonItem():
                yield Edge(
                    subject("shop", numbers["common", 0]), used, "common shops", ReferencePart("step", (way.step,))
                )
            case PrizeItem():
                user = subject("shop", numbers["game corner", 0])
                yield Edge(user, used, "Game Corner", ReferencePart("coins", (way.coins,)))


def trades(source: Source) -> Iterator[Edge]:
    for number, trade in source.each(source.members(Role.TRADES), partial(find_trade, source.world)):
        user, record = subject("trade", number), trade.record
        for kind, used, how in (
            (SPECIES, record.species, "received in"),
            (SPECIES, record.wanted_species, "wanted in"),
            ("item", record.item, "held by the Pokémon of"),
        ):
            if used:
                yield Edge(user, subject(kind, used), how, None, Role.TRADES, number)


def roaming(source: Source) -> Iterator[Edge]:
    """The Pokémon that scripts let roam."""
    for pokemon in static_pokemon(source.world, source.store.effects(ROAMER)):
        if pokemon.species:
            user = subject(SCRIPTS, pokemon.member, pokemon.entry)
            part = ReferencePart("computed", (pokemon.level or 0,), "level")
            yield Edge(user, subject(SPECIES, pokemon.species), "roams after", part, Role.SCRIPTS, pokemon.member)


def program(source: Source) -> Iterator[Edge]:
    """The flags of first arrivals, and the files and texts of the scripts that numbers mean on all maps."""
    for flag, header in source.world.game.tables.save_names.first_arrivals.items():
        if header < len(source.world.headers):
            yield Edge(subject(HEADER, header), subject("flag", flag), "set on the first arrival on")
    for band in source.world.game.tables.script_numbers.bands:
        part = ReferencePart("first", (band.first,), band.name)
        for used in (subject(SCRIPTS, band.member), subject("messages", band.bank)):
            yield Edge(Subject("file", (ARM9,)), used, "shared scripts", part)


# --- music, weather, tiles


def music(source: Source) -> Iterator[Edge]:
    """The music of headers, and what the program plays while the player surfs, rides on Cycling Road, or has a chain of
    the Poké Radar."""
    world, known = source.world, source.world.game.tables.music
    played = [(known.surfing, "while surfing:"), (known.cycling_road, "on Cycling Road:")]
    for number, how in (*played, (known.radar, "with a chain of the Poké Radar:")):
        yield Edge(Subject("file", (ARM9,)), subject("music", number), how)
    of_maps = [(header.id, header.day_music, header.night_music, None) for header in world.headers]
    by_flag = [(number, *row[2:], row[0]) for row in known.by_flag for number in sorted(row[1])]
    for number, day, night, flag in (*of_maps, *by_flag):
        part = None if flag is None else ReferencePart("flag", (flag,))
        for sequence, how in ((day, "by day"), (night, "by night")) if number < len(world.headers) else ():
            yield Edge(subject(HEADER, number), subject("music", sequence), how, part)


def weather(source: Source) -> Iterator[Edge]:
    tables = source.world.game.tables
    for number, maps in source.each(tables.weathers, partial(weather_maps, source.world)):
        flag = tables.weather_effects.clearing_flags.get(number)  # Flash and Defog set it
        for header, days in maps:
            key = (days,) if flag is None else (days, flag)
            part = ReferencePart("days", key, ALWAYS if days == YEARLY_WEATHER_DAYS else "")
            yield Edge(subject(HEADER, header), subject(WEATHER, number), WEATHER, part)


def held_by_wild(source: Source) -> Iterator[Edge]:
    """The items that wild Pokémon of a species hold."""
    for number, species in source.each(
        source.members(Role.SPECIES), lambda number: source.world.member(Role.SPECIES, number, SpeciesData.from_bytes)
    ):
        for slot, item in enumerate(species.held_items):
            if item:
                part = ReferencePart("slot", (slot,))
                yield Edge(subject(SPECIES, number), subject("item", item), "held by wild", part, Role.SPECIES, number)


def tiles(source: Source) -> Iterator[Edge]:
    for behaviour, tile in source.world.game.tables.script_numbers.tile_scripts.items():
        yield from _runs(source.world, 0, "run on tiles with", ARM9, None, subject("behaviour", behaviour), tile.script)
    for land, words in source.attributes:
        numbers, counts = np.unique(behaviours(words), return_counts=True)
        for behaviour, tiles in zip(numbers.tolist(), counts.tolist(), strict=True):
            part = ReferencePart("tiles", (tiles,))
            yield Edge(subject("land", land), subject("behaviour", behaviour), "tiles", part, Role.LAND_DATA, land)

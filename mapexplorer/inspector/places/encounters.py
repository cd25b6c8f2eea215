"""The wild encounters of a map as text, JSON and rows of a list, and the maps on which a species is met."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from mapexplorer.catalogue.kinds import HEADER
from mapexplorer.catalogue.store import open_store
from mapexplorer.catalogue.uses import stored_effects, used_by
from mapexplorer.catalogue.wording import script_at
from mapexplorer.gameplay.encounters import (
    HONEY_LISTS,
    WildSlot,
    by_species,
    listed_slots,
    unown_letters,
)
from mapexplorer.gameplay.meetings import EncounterFacts, GrassList, Meeting, find_encounters, levels_text, meetings
from mapexplorer.gameplay.names import species_name
from mapexplorer.gameplay.static_pokemon import WAYS, StaticPokemon, static_pokemon
from mapexplorer.games import Role, Topic
from mapexplorer.games.gameplay_tables import HoneyTreeGroups
from mapexplorer.inspector.facts import Fact, ListedGroup, ListedThing
from mapexplorer.inspector.lines import field_lines, table_lines
from mapexplorer.system.progress import Progress
from mapexplorer.values import capital
from mapexplorer.world import FieldWorld
from mapexplorer.world.events.script_files import script_owners
from mapexplorer.world.headers.header import Header, header_json
from mapexplorer.world.subject import subject
from mapexplorer.world.wording import member


def encounter_lines(facts: EncounterFacts) -> Iterator[str]:
    """The encounters of a map as lines of text: its file and rates, then its meetings as a table."""
    yield from field_lines(_facts(facts))
    if rows := [_row(facts.world, meeting) for meeting in meetings(facts)]:
        yield from ("", *table_lines(("how", "when", "species", "percent", "levels"), rows))


def _facts(facts: EncounterFacts) -> list[Fact]:
    here, encounters = facts.here, facts.here.encounters
    rates = [f"grass {encounters.grass_rate}"] if encounters is not None and encounters.grass_rate else []
    rates += [f"{water.method} {water.rate}" for water in facts.water]
    unown = unown_letters(encounters, facts.world.game.tables) if encounters is not None else ""
    return [
        Fact("Place", f"{facts.header.id} {facts.header.title}, {facts.header.kind}"),
        Fact("File", "none" if here.member is None else member(Role.ENCOUNTERS, here.member)),
        Fact("Rates", ", ".join(rates) or "none"),
        *_honey_facts(facts),
        *([Fact("Unown", unown)] if unown else []),
    ]


def _honey_trees(facts: EncounterFacts) -> list[tuple[str, HoneyTreeGroups]]:
    """Kind of honey tree -> the chances of its groups; empty on a map without a tree."""
    known = facts.world.game.tables.encounters
    trees = [("common", known.common_trees), ("munchlax", known.munchlax_trees)]
    return trees if HONEY_LISTS[0] in facts.here.lists else []


def _honey_facts(facts: EncounterFacts) -> Iterator[Fact]:
    for kind, chances in _honey_trees(facts):
        words = ", ".join(f"{name} {percent} %" for name, percent in chances._asdict().items())
        yield Fact("Honey tree", words + ("" if kind == "common" else ", if it is one of the four of the trainer's id"))


def _row(world: FieldWorld, meeting: Meeting) -> tuple[object, ...]:
    return meeting.how, meeting.when, species_name(world, meeting.species), meeting.percent, levels_text(meeting)


def species_fact(world: FieldWorld, name: str, species: int, meaning: str = "") -> Fact:
    """A species by its name, with a link."""
    return Fact(name, species_name(world, species), meaning, link=subject("species", species))


def meeting_fact(world: FieldWorld, name: str, meeting: Meeting) -> Fact:
    """A meeting: the species with its chance and its levels."""
    chance = [] if meeting.percent is None else [f"{meeting.percent} %"]
    levels = [] if meeting.lowest is None else [f"level {levels_text(meeting)}"]
    return species_fact(world, name, meeting.species, ", ".join((*chance, *levels)))


def encounters_json(facts: EncounterFacts) -> dict[str, Any]:
    """The encounters of a map as JSON values."""
    here = facts.here
    encounters = here.encounters
    unown = unown_letters(encounters, facts.world.game.tables) if encounters is not None else ""
    return {
        **header_json(facts.header),
        "encounters": here.member,
        "grass_rate": encounters.grass_rate if encounters is not None else 0,
        "grass": [
            {
                "time": grass.time,
                "swarm": grass.conditions.swarm,
                "radar": grass.conditions.radar,
                "cartridge": grass.conditions.cartridge,
                "species": _chances_json(facts.world, grass.slots),
            }
            for grass in facts.grass
        ],
        "water": [
            {"method": water.method, "rate": water.rate, "species": _chances_json(facts.world, water.slots)}
            for water in facts.water
        ],
        "lists": [
            {"list": which, "species": [_species_json(facts.world, number) for number in species]}
            for which, species in here.lists.items()
        ],
        "honey_tree": {kind: chances._asdict() for kind, chances in _honey_trees(facts)} or None,
        "roaming": [{**_species_json(facts.world, roamer.species), "level": roamer.level} for roamer in here.roamers],
        "unown": unown,
    }


def _chances_json(world: FieldWorld, slots: Iterable[WildSlot]) -> list[dict[str, Any]]:
    return [
        {**_species_json(world, chance.species), "percent": chance.percent, "levels": [chance.lowest, chance.highest]}
        for chance in by_species(slots)
    ]


def _species_json(world: FieldWorld, species: int) -> dict[str, Any]:
    return {"species": species, "name": species_name(world, species)}


# --- a species


SCRIPTED: Final = dict(zip(WAYS, ("fought", "gift", "egg", "trade", "roaming"), strict=True))
"""How a script gives a Pokémon -> the word for it."""


@dataclass(frozen=True)
class SpeciesPlaces:
    """The maps on which a species is met, with its meetings there; the Pokémon that scripts give, with the first map of
    each script, and those of them whose species the script computes; what is not known of the game and may have the
    species; `damaged` has a sentence for each file that cannot be read."""

    world: FieldWorld
    species: int
    places: tuple[tuple[Header, tuple[Meeting, ...]], ...]
    scripts: tuple[tuple[Header | None, StaticPokemon], ...]
    computed: tuple[str, ...]
    not_known: tuple[Topic, ...]
    damaged: tuple[str, ...]


def find_species(world: FieldWorld, species: int, progress: Progress | None = None) -> SpeciesPlaces:
    """The maps on which a species is met, and the scripts that give it. Raises FormatError, RomError."""
    store = open_store(world.rom, progress)
    wild = sorted(use.user.key[0] for use in used_by(store, subject("species", species)) if use.user.kind == HEADER)
    topics = (Topic.ENCOUNTERS, Topic.SCRIPTS)
    facts = [find_encounters(world, header) for header in dict.fromkeys(wild)]
    places = [(of_map.header, tuple(here for here in meetings(of_map) if here.species == species)) for of_map in facts]
    scripts = list(scripted_pokemon(world))
    return SpeciesPlaces(
        world,
        species,
        tuple((header, here) for header, here in places if here),
        tuple((header, given) for header, given in scripts if given.species == species),
        tuple({script_of(header, given.member, given.entry): 0 for header, given in scripts if given.species is None}),
        tuple(topic for topic in topics if topic in world.game.not_known),
        store.damaged(*topics),
    )


def scripted_pokemon(world: FieldWorld) -> Iterator[tuple[Header | None, StaticPokemon]]:
    """The Pokémon that scripts give, with the first map of each script (None: a shared one)."""
    owners = script_owners(world)
    for given in static_pokemon(world, stored_effects(open_store(world.rom), *WAYS)):
        yield owners.get(given.member), given


def script_of(header: Header | None, member: int, entry: int) -> str:
    """A script of a map or a shared one, as a user types it: `T01#7`, `file:3#0`."""
    return script_at(header.internal_name if header is not None else "", member, entry)


SPECIES_COLUMNS = ("id", "place", "location", "how", "when", "percent", "levels")


def species_rows(facts: SpeciesPlaces) -> list[tuple[object, ...]]:
    """The places of a species, then the scripts that give it, as rows of SPECIES_COLUMNS."""
    met = [
        (header.id, header.internal_name, header.name, how, when, *chance)
        for header, here in facts.places
        for how, when, _, *chance in (_row(facts.world, meeting) for meeting in here)
    ]
    return [*met, *(_script_row(facts.world, header, given) for header, given in facts.scripts)]


def _script_row(world: FieldWorld, on: Header | None, given: StaticPokemon) -> tuple[object, ...]:
    number, location = (on.id, on.name) if on is not None else (None, "")
    wanted = f"for {species_name(world, given.trade.record.wanted_species)}" if given.trade else ""
    script, level = script_of(on, given.member, given.entry), "" if given.level is None else str(given.level)
    return number, script, location, SCRIPTED[given.how], wanted, None, level


def species_json(facts: SpeciesPlaces) -> dict[str, Any]:
    """The places of a species as JSON values."""
    return {
        **_species_json(facts.world, facts.species),
        "places": [
            {
                **header_json(header),
                "meetings": [
                    {
                        "how": meeting.how,
                        "when": meeting.when,
                        "percent": meeting.percent,
                        "levels": None if meeting.lowest is None else [meeting.lowest, meeting.highest],
                    }
                    for meeting in here
                ],
            }
            for header, here in facts.places
        ],
        "scripts": [
            {
                "how": SCRIPTED[given.how],
                "at": script_of(header, given.member, given.entry),
                "header": header.id if header is not None else None,
                "level": given.level,
                "item": given.item or None,
                "wanted": _species_json(facts.world, given.trade.record.wanted_species) if given.trade else None,
            }
            for header, given in facts.scripts
        ],
        "computed": list(facts.computed),
        "not_known": list(facts.not_known),
        "damaged": list(facts.damaged),
    }


# --- rows of a list


def listed_encounters(facts: EncounterFacts) -> tuple[ListedGroup, ...]:
    """The species in the grass by time and condition, on water by method, of honey trees, and those that roam; the
    lists with a condition are collapsed."""
    world = facts.world
    usual = [grass for grass in facts.grass if not grass.condition]
    alike = len({tuple(slot.species for slot in grass.slots) for grass in usual}) == 1
    groups = [
        _group(world, _grass_title(world, grass, alike), grass.slots) for grass in (usual[:1] if alike else usual)
    ]
    groups += [_group(world, f"{capital(water.method)}, rate {water.rate}", water.slots) for water in facts.water]
    for which, species in facts.here.lists.items():
        slots = listed_slots(which, species, world.game.tables)
        names = tuple(_listed(world, number) for number in dict.fromkeys(species))
        groups.append(_group(world, capital(which), slots) if slots else ListedGroup(capital(which), names))
    if facts.here.roamers:
        roaming = tuple(_listed(world, roamer.species, f"level {roamer.level}") for roamer in facts.here.roamers)
        groups.append(ListedGroup("Roaming", roaming))
    groups += [
        _group(world, _grass_title(world, grass, False), grass.slots, collapsed=True)
        for grass in facts.grass
        if grass.condition
    ]
    return tuple(groups)


def _grass_title(world: FieldWorld, grass: GrassList, alike: bool) -> str:
    time = "at all times" if alike else f"{grass.time} ({_hours(world, grass.time)})"
    return f"Grass, {time}" + (f", {grass.condition}" if grass.condition else "")


def _hours(world: FieldWorld, time: str) -> str:
    """The hours in which the list of a time is used: `20-4 h`."""
    lists = world.game.tables.encounters.lists
    times = world.game.tables.times_of_day
    mine = [(lists[part.name] or part.name) == time for part in times]
    first = next(part.first for at, part in enumerate(times) if mine[at] and not mine[at - 1])
    end = next(part.end for at, part in enumerate(times) if mine[at] and not mine[(at + 1) % len(times)])
    return f"{first}-{end} h"


def _group(world: FieldWorld, title: str, slots: Iterable[WildSlot], *, collapsed: bool = False) -> ListedGroup:
    chances = sorted(by_species(slots), key=lambda chance: (-chance.percent, chance.species))
    rows = (_listed(world, chance.species, f"level {levels_text(chance)}", f"{chance.percent} %") for chance in chances)
    return ListedGroup(title, tuple(rows), collapsed)


def _listed(world: FieldWorld, species: int, words: str = "", side: str = "") -> ListedThing:
    return ListedThing(subject("species", species), species_name(world, species), (words,) if words else (), side)

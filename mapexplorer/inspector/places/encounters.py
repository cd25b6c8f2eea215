"""The wild encounters of a map as text, JSON and rows of a list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from mapexplorer.gameplay.encounters import (
    HONEY_LISTS,
    WildSlot,
    by_species,
    listed_slots,
    unown_letters,
)
from mapexplorer.gameplay.meetings import EncounterFacts, GrassList, Meeting, levels_text, meetings
from mapexplorer.gameplay.names import species_name
from mapexplorer.games import Role
from mapexplorer.games.gameplay_tables import HoneyTreeGroups
from mapexplorer.inspector.facts import Fact, ListedGroup, ListedThing
from mapexplorer.inspector.lines import field_lines, table_lines
from mapexplorer.inspector.origins import origin_json, source_fact
from mapexplorer.rom.rom import Origin
from mapexplorer.values import capital
from mapexplorer.world import FieldWorld
from mapexplorer.world.headers.header import header_json
from mapexplorer.world.subject import subject
from mapexplorer.world.wording import member


def encounter_lines(facts: EncounterFacts) -> Iterator[str]:
    """The encounters of a map as lines of text: its file and rates, then its meetings as a table."""
    yield from field_lines(_facts(facts))
    if rows := [meeting_row(facts.world, meeting) for meeting in meetings(facts)]:
        yield from ("", *table_lines(("how", "when", "species", "percent", "levels"), rows))
    if saved := [(each.why, species_name(facts.world, each.species), each.more) for each in facts.saved]:
        yield from ("", *table_lines(("in the save", "species", ""), saved))


def _facts(facts: EncounterFacts) -> list[Fact]:
    here, encounters = facts.here, facts.here.encounters
    rates = [f"grass {encounters.grass_rate}"] if encounters is not None and encounters.grass_rate else []
    rates += [f"{water.method} {water.rate}" for water in facts.water]
    unown = unown_letters(encounters, facts.world.game.tables) if encounters is not None else ""
    return [
        Fact("Place", f"{facts.header.id} {facts.header.title}, {facts.header.kind}"),
        Fact("File", "none" if here.member is None else member(Role.ENCOUNTERS, here.member)),
        *([source_fact("Source text", origin)] if (origin := _origin(facts)) is not None else []),
        Fact("Rates", ", ".join(rates) or "none"),
        *_honey_facts(facts),
        *([Fact("Unown", unown)] if unown else []),
    ]


def _origin(facts: EncounterFacts) -> Origin | None:
    number = facts.here.member
    return None if number is None else facts.world.origin(Role.ENCOUNTERS, number)


def _honey_trees(facts: EncounterFacts) -> list[tuple[str, HoneyTreeGroups]]:
    """Kind of honey tree -> the chances of its groups; empty on a map without a tree."""
    known = facts.world.game.tables.encounters
    trees = [("common", known.common_trees), ("munchlax", known.munchlax_trees)]
    return trees if HONEY_LISTS[0] in facts.here.lists else []


def _honey_facts(facts: EncounterFacts) -> Iterator[Fact]:
    for kind, chances in _honey_trees(facts):
        words = ", ".join(f"{name} {percent} %" for name, percent in chances._asdict().items())
        yield Fact("Honey tree", words + ("" if kind == "common" else ", if it is one of the four of the trainer's id"))


def meeting_row(world: FieldWorld, meeting: Meeting) -> tuple[object, ...]:
    """A meeting as a row: how, when, species, percent, levels."""
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
        **origin_json(_origin(facts)),
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
            {"list": which, "species": [numbered_species(facts.world, number) for number in species]}
            for which, species in here.lists.items()
        ],
        "honey_tree": {kind: chances._asdict() for kind, chances in _honey_trees(facts)} or None,
        "roaming": [
            {**numbered_species(facts.world, roamer.species), "level": roamer.level} for roamer in here.roamers
        ],
        "unown": unown,
        "saved": [
            {"why": each.why, **numbered_species(facts.world, each.species), "more": each.more} for each in facts.saved
        ],
    }


def _chances_json(world: FieldWorld, slots: Iterable[WildSlot]) -> list[dict[str, Any]]:
    return [
        {
            **numbered_species(world, chance.species),
            "percent": chance.percent,
            "levels": [chance.lowest, chance.highest],
        }
        for chance in by_species(slots)
    ]


def numbered_species(world: FieldWorld, species: int) -> dict[str, Any]:
    """A species by number and name, as JSON values."""
    return {"species": species, "name": species_name(world, species)}


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

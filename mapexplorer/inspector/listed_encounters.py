"""The wild encounters of a map as rows of a list: one group for each list of chances."""

from __future__ import annotations

from collections.abc import Iterable

from mapexplorer.gameplay.encounters import SpeciesChance, WildSlot, by_species, listed_slots
from mapexplorer.gameplay.meetings import EncounterFacts, GrassList
from mapexplorer.inspector.encounters import species_name
from mapexplorer.inspector.listed import ListedGroup, ListedThing
from mapexplorer.world import FieldWorld
from mapexplorer.world.subject import subject


def listed_encounters(facts: EncounterFacts) -> tuple[ListedGroup, ...]:
    """The species in the grass by time and condition, on water by method, of honey trees, and those that roam; the
    lists with a condition are shut."""
    world = facts.world
    usual = [one for one in facts.grass if not one.condition]
    alike = len({tuple(slot.species for slot in one.slots) for one in usual}) == 1
    groups = [_group(world, _grass_title(world, one, alike), one.slots) for one in (usual[:1] if alike else usual)]
    groups += [
        _group(world, f"{one.method[:1].upper()}{one.method[1:]}, rate {one.rate}", one.slots) for one in facts.water
    ]
    for which, species in facts.here.lists.items():
        title = f"{which[:1].upper()}{which[1:]}"
        slots = listed_slots(which, species, world.game.tables)
        if slots:
            groups.append(_group(world, title, slots))
        else:
            groups.append(ListedGroup(title, tuple(_plain(world, one, "") for one in dict.fromkeys(species))))
    if facts.here.roamers:
        rows = tuple(_plain(world, one.species, f"level {one.level}") for one in facts.here.roamers)
        groups.append(ListedGroup("Roaming", rows))
    groups += [
        _group(world, _grass_title(world, one, False), one.slots, shut=True) for one in facts.grass if one.condition
    ]
    return tuple(groups)


def _grass_title(world: FieldWorld, one: GrassList, alike: bool) -> str:
    time = "at all times" if alike else f"{one.time} ({_hours(world, one.time)})"
    return f"Grass, {time}" + (f", {one.condition}" if one.condition else "")


def _hours(world: FieldWorld, time: str) -> str:
    """The hours in which the list of a time is used: `20-4 h`."""
    lists = world.game.tables.encounters.lists
    times = world.game.tables.times_of_day
    mine = [(lists[one.name] or one.name) == time for one in times]
    first = next(one.first for at, one in enumerate(times) if mine[at] and not mine[at - 1])
    end = next(one.end for at, one in enumerate(times) if mine[at] and not mine[(at + 1) % len(times)])
    return f"{first}-{end} h"


def _group(world: FieldWorld, title: str, slots: Iterable[WildSlot], *, shut: bool = False) -> ListedGroup:
    chances = sorted(by_species(slots), key=lambda one: (-one.percent, one.species))
    return ListedGroup(title, tuple(_row(world, one) for one in chances), shut)


def _row(world: FieldWorld, one: SpeciesChance) -> ListedThing:
    levels = str(one.lowest) if one.lowest == one.highest else f"{one.lowest}-{one.highest}"
    return ListedThing(
        subject("species", one.species), species_name(world, one.species), (f"level {levels}",), f"{one.percent} %"
    )


def _plain(world: FieldWorld, species: int, words: str) -> ListedThing:
    return ListedThing(subject("species", species), species_name(world, species), (words,) if words else ())

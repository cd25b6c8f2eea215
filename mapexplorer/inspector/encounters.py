"""The wild encounters of a map, and the maps on which a species is met, as values, text and JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from formats.binary import FormatError
from mapexplorer.gameplay.encounters import (
    CARTRIDGES,
    HONEY_LISTS,
    EncounterConditions,
    MapEncounters,
    SlotSource,
    WaterMethod,
    WildSlot,
    by_species,
    grass_slots,
    grass_times,
    listed_slots,
    map_encounters,
    unown_letters,
    water_encounters,
    water_slots,
)
from mapexplorer.gameplay.names import name
from mapexplorer.games import NameBank, Role
from mapexplorer.games.gameplay_tables import HoneyTreeGroups
from mapexplorer.world import FieldWorld
from mapexplorer.world.header import Header, header_json
from mapexplorer.world.wording import member

GRASS = "grass"
ALWAYS = "always"
ROAMING = "roaming"
_SPECIAL = (SlotSource.SWARM, SlotSource.SECOND_SLOT, SlotSource.RADAR)
_CARTRIDGE_TITLES: Final = dict(zip(CARTRIDGES, ("Ruby", "Sapphire", "Emerald", "FireRed", "LeafGreen"), strict=True))


class GrassList(NamedTuple):
    """The species in the grass at a time (`morning`, `day`, `night`) under some conditions."""

    time: str
    conditions: EncounterConditions
    slots: tuple[WildSlot, ...]

    @property
    def condition(self) -> str:
        """The condition beside the time: `swarm`, `Poké Radar` or a cartridge in the second slot; empty without one."""
        if self.conditions.swarm:
            return SlotSource.SWARM
        if self.conditions.cartridge:
            return f"{_CARTRIDGE_TITLES[self.conditions.cartridge]} cartridge"
        return SlotSource.RADAR if self.conditions.radar else ""


class WaterList(NamedTuple):
    """The species on the water by a method, whose rate is the chance of a bite or of a meeting in percent."""

    method: WaterMethod
    rate: int
    slots: tuple[WildSlot, ...]


@dataclass(frozen=True)
class EncounterFacts:
    """The encounters of a header; the lists of the grass are those without other conditions by time, then those with
    a swarm, the Poké Radar and a cartridge each, where they are possible and change something."""

    world: FieldWorld
    here: MapEncounters
    grass: tuple[GrassList, ...]
    water: tuple[WaterList, ...]

    @property
    def header(self) -> Header:
        """The map header."""
        return self.world.headers[self.here.header]


def find_encounters(world: FieldWorld, header: int) -> EncounterFacts:
    """The encounters of a map. Raises FormatError, RomError."""
    here = map_encounters(world, header)
    if here.encounters is None:
        return EncounterFacts(world, here, (), ())
    tables, encounters = world.game.tables, here.encounters
    plain = {time: EncounterConditions(second) for time, second in grass_times(tables).items()}
    lists = [GrassList(time, at, grass_slots(encounters, tables, at)) for time, at in plain.items()]
    for conditions in _special(here):
        for usual in lists[: len(plain)]:
            at = replace(conditions, second=usual.conditions.second)
            slots = grass_slots(encounters, tables, at)
            if [slot.species for slot in slots] != [slot.species for slot in usual.slots]:
                lists.append(GrassList(usual.time, at, slots))
    water = [
        WaterList(method, water_encounters(encounters, method).rate, water_slots(encounters, tables, method))
        for method in WaterMethod
    ]
    return EncounterFacts(
        world, here, tuple(one for one in lists if one.slots), tuple(one for one in water if one.slots)
    )


def _special(here: MapEncounters) -> Iterator[EncounterConditions]:
    if here.can_swarm:
        yield EncounterConditions(swarm=True)
    yield EncounterConditions(radar=True)
    for cartridge in CARTRIDGES:
        yield EncounterConditions(cartridge=cartridge)


class Meeting(NamedTuple):
    """A species under one condition, without those that other conditions add: how it is met (`grass`, `surf` ...),
    when (`always`, `morning`, `swarm`, `ruby` ...), its chance in percent (None: no fixed one), the levels."""

    how: str
    when: str
    species: int
    percent: int | None
    lowest: int | None = None
    highest: int | None = None


def meetings(facts: EncounterFacts) -> list[Meeting]:
    """The species of a map by condition."""
    usual = [one for one in facts.grass if not one.condition]
    different = len({tuple(slot.species for slot in one.slots) for one in usual}) > 1
    of_time = facts.world.game.tables.encounters.replaced["time"] if different else ()
    found: list[Meeting] = []
    for one in usual[:1]:
        found += _meetings(GRASS, ALWAYS, (slot for slot in one.slots if slot.number not in of_time))
    for one in usual:
        found += _meetings(GRASS, one.time, (slot for slot in one.slots if slot.number in of_time))
    for one in facts.grass:
        if one.condition:
            found += _meetings(GRASS, one.condition, (slot for slot in one.slots if slot.source in _SPECIAL))
    for water in facts.water:
        found += _meetings(water.method, ALWAYS, water.slots)
    for which, species in facts.here.lists.items():
        slots = listed_slots(which, species, facts.world.game.tables)
        found += _meetings(which, ALWAYS, slots) or [Meeting(which, ALWAYS, one, None) for one in species]
    found += [Meeting(ROAMING, ALWAYS, one.species, None, one.level, one.level) for one in facts.here.roamers]
    return list(dict.fromkeys(found))


def _meetings(how: str, when: str, slots: Iterable[WildSlot]) -> list[Meeting]:
    chances = sorted(by_species(slots), key=lambda one: (-one.percent, one.species))
    return [Meeting(how, when, *one) for one in chances]


def species_name(world: FieldWorld, species: int) -> str:
    """The name of a species, or its number where the ROM has none."""
    return name(world, NameBank.SPECIES, species) or str(species)


def encounter_fields(facts: EncounterFacts) -> list[tuple[str, object]]:
    """The encounters of a map as lines of name and value, without its species."""
    here, encounters = facts.here, facts.here.encounters
    rates = [f"grass {encounters.grass_rate}"] if encounters is not None and encounters.grass_rate else []
    rates += [f"{one.method} {one.rate}" for one in facts.water]
    unown = unown_letters(encounters, facts.world.game.tables) if encounters is not None else ""
    return [
        ("Place", f"{facts.header.id} {facts.header.title}, {facts.header.kind}"),
        ("File", "none" if here.member is None else member(Role.ENCOUNTERS, here.member)),
        ("Rates", ", ".join(rates) or "none"),
        *_honey_fields(facts),
        *([("Unown", unown)] if unown else []),
    ]


def _honey_trees(facts: EncounterFacts) -> list[tuple[str, HoneyTreeGroups]]:
    """Kind of honey tree -> the chances of its groups; empty on a map without a tree."""
    known = facts.world.game.tables.encounters
    trees = [("common", known.common_trees), ("munchlax", known.munchlax_trees)]
    return trees if HONEY_LISTS[0] in facts.here.lists else []


def _honey_fields(facts: EncounterFacts) -> Iterator[tuple[str, str]]:
    for kind, chances in _honey_trees(facts):
        words = ", ".join(f"{name} {percent} %" for name, percent in chances._asdict().items())
        yield "Honey tree", words if kind == "common" else f"{words}, if it is one of the four of the trainer's id"


COLUMNS = ("how", "when", "species", "percent", "levels")


def meeting_rows(facts: EncounterFacts) -> list[tuple[object, ...]]:
    """The meetings of a map as rows of COLUMNS."""
    return [_row(facts.world, one) for one in meetings(facts)]


def _row(world: FieldWorld, one: Meeting) -> tuple[object, ...]:
    return one.how, one.when, species_name(world, one.species), one.percent, levels_text(one)


def meetings_text(facts: EncounterFacts) -> str:
    """The encounters of a map as plain text."""
    fields = (f"{name}: {value}" for name, value in encounter_fields(facts))
    rows = ("  ".join(str(value) for value in row if value not in (None, "")) for row in meeting_rows(facts))
    return "\n".join([*fields, *rows]) + "\n"


def levels_text(one: Meeting) -> str:
    """The levels of a meeting: `3`, `2-3`, or nothing."""
    if one.lowest is None:
        return ""
    return str(one.lowest) if one.lowest == one.highest else f"{one.lowest}-{one.highest}"


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
                "time": one.time,
                "swarm": one.conditions.swarm,
                "radar": one.conditions.radar,
                "cartridge": one.conditions.cartridge,
                "species": _chances_json(facts.world, one.slots),
            }
            for one in facts.grass
        ],
        "water": [
            {"method": one.method, "rate": one.rate, "species": _chances_json(facts.world, one.slots)}
            for one in facts.water
        ],
        "lists": [
            {"list": which, "species": [_species_json(facts.world, one) for one in species]}
            for which, species in here.lists.items()
        ],
        "honey_tree": {kind: chances._asdict() for kind, chances in _honey_trees(facts)} or None,
        "roaming": [{**_species_json(facts.world, one.species), "level": one.level} for one in here.roamers],
        "unown": unown,
    }


def _chances_json(world: FieldWorld, slots: Iterable[WildSlot]) -> list[dict[str, Any]]:
    return [
        {**_species_json(world, one.species), "percent": one.percent, "levels": [one.lowest, one.highest]}
        for one in by_species(slots)
    ]


def _species_json(world: FieldWorld, species: int) -> dict[str, Any]:
    return {"species": species, "name": species_name(world, species)}


# --- a species


@dataclass(frozen=True)
class SpeciesPlaces:
    """The maps on which a species is met, with its meetings there; `damaged` has a sentence for each map whose
    encounters cannot be read."""

    world: FieldWorld
    species: int
    places: tuple[tuple[Header, tuple[Meeting, ...]], ...]
    damaged: tuple[str, ...]


def find_species(world: FieldWorld, species: int) -> SpeciesPlaces:
    """The maps on which a species is met."""
    places, damaged = [], []
    for header in world.headers:
        try:
            facts = find_encounters(world, header.id)
        except FormatError as error:
            damaged.append(f"{header.title}: {error}")
            continue
        here = tuple(one for one in meetings(facts) if one.species == species)
        if here:
            places.append((header, here))
    return SpeciesPlaces(world, species, tuple(places), tuple(damaged))


SPECIES_COLUMNS = ("id", "place", "location", "how", "when", "percent", "levels")


def species_rows(found: SpeciesPlaces) -> list[tuple[object, ...]]:
    """The places of a species as rows of SPECIES_COLUMNS."""
    rows = []
    for header, here in found.places:
        for one in here:
            how, when, _, *rest = _row(found.world, one)
            rows.append((header.id, header.internal_name, header.location_name, how, when, *rest))
    return rows


def species_json(found: SpeciesPlaces) -> dict[str, Any]:
    """The places of a species as JSON values."""
    return {
        **_species_json(found.world, found.species),
        "places": [
            {
                **header_json(header),
                "meetings": [
                    {
                        "how": one.how,
                        "when": one.when,
                        "percent": one.percent,
                        "levels": None if one.lowest is None else [one.lowest, one.highest],
                    }
                    for one in here
                ],
            }
            for header, here in found.places
        ],
        "damaged": list(found.damaged),
    }

"""Wild encounters: which Pokémon are met on a map, with which chance and level, under which conditions.

The slots of the grass are replaced in the order of the game: by the time of day, a swarm, a cartridge in the second
slot, the Poké Radar; a replaced slot keeps its level. Not part of the chances: abilities, items and repels, and the
places with lists of their own (the Trophy Garden, the areas of the Great Marsh during the Safari Game).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from formats.field.encounter_extras import SpeciesList
from formats.field.map_header import NO_WILD_ENCOUNTERS
from formats.field.wild_encounters import WaterEncounters, WildEncounters
from mapexplorer.games import Role
from mapexplorer.games.gameplay_tables import Roamer
from mapexplorer.games.tables import Tables
from mapexplorer.units import NOON

if TYPE_CHECKING:
    from mapexplorer.world.sources.files import WorldFiles

UNOWN: Final = 201
"""The species whose form is a letter."""

CARTRIDGES: Final = ("ruby", "sapphire", "emerald", "firered", "leafgreen")


class SlotSource(StrEnum):
    """The list that a slot's species comes from; the value is its name in the tables."""

    FILE = "file"
    DAY = "day"
    NIGHT = "night"
    SWARM = "swarm"
    SECOND_SLOT = "second slot"
    RADAR = "Poké Radar"


class WaterMethod(StrEnum):
    """How a Pokémon is met on water."""

    SURF = "surf"
    OLD_ROD = "old rod"
    GOOD_ROD = "good rod"
    SUPER_ROD = "super rod"


@dataclass(frozen=True)
class EncounterConditions:
    """The second of the day; whether there is a swarm on the map; whether it is a shaking patch of the Poké Radar; the
    cartridge in the second slot (one of CARTRIDGES or empty; it needs the National Pokédex)."""

    second: int = NOON
    swarm: bool = False
    radar: bool = False
    cartridge: str = ""


def grass_times(tables: Tables) -> dict[str, int]:
    """The times with a list of their own (`morning`, `day`, `night`) -> the second at which one of them begins."""
    begins = {time.name: time.first * 3600 for time in tables.times_of_day}
    times: dict[str, int] = {}
    for time, of_time in tables.encounters.lists.items():
        times.setdefault(of_time or time, begins[time])
    return times


class WildSlot(NamedTuple):
    """A slot: its number, its chance in percent, the species, the lowest and highest level, where the species is
    from."""

    number: int
    percent: int
    species: int
    lowest: int
    highest: int
    source: SlotSource


class SpeciesChance(NamedTuple):
    """A species over all slots: the chance in percent, the lowest and the highest level."""

    species: int
    percent: int
    lowest: int
    highest: int


def grass_slots(
    encounters: WildEncounters, tables: Tables, conditions: EncounterConditions | None = None
) -> tuple[WildSlot, ...]:
    """The slots of the grass (or of a cave's floor); none when the rate is 0."""
    if not encounters.grass_rate:
        return ()
    conditions = conditions or EncounterConditions()
    species = [(slot.species, SlotSource.FILE) for slot in encounters.grass]

    def replace(slots: Iterable[int], by: Iterable[int], source: SlotSource) -> None:
        for slot, other in zip(slots, by, strict=True):
            species[slot] = other, source

    replaced = tables.encounters.replaced
    of_time = tables.encounters.lists[tables.time_of_day(conditions.second).name]
    if of_time:
        replace(replaced["time"], getattr(encounters, of_time), SlotSource(of_time))
    if conditions.swarm:
        replace(replaced["swarm"], encounters.swarm, SlotSource.SWARM)
    if conditions.cartridge:
        by = getattr(encounters.dual_slot, conditions.cartridge)
        replace(replaced["second slot"], by, SlotSource.SECOND_SLOT)
    if conditions.radar:
        replace(replaced["Poké Radar"], encounters.radar, SlotSource.RADAR)
    levels = [_signed_byte(slot.level) for slot in encounters.grass]
    chances = tables.encounters.chances["grass"]
    return tuple(
        WildSlot(number, percent, kind, level, level, source)
        for number, (percent, (kind, source), level) in enumerate(zip(chances, species, levels, strict=True))
    )


def water_slots(encounters: WildEncounters, tables: Tables, method: WaterMethod) -> tuple[WildSlot, ...]:
    """The slots of surfing or a rod; none when the rate is 0."""
    water = water_encounters(encounters, method)
    if not water.rate:
        return ()
    slots = enumerate(zip(tables.encounters.chances[method], water.slots, strict=True))
    return tuple(
        WildSlot(
            number,
            percent,
            slot.species,
            min(slot.lowest, slot.highest),
            max(slot.lowest, slot.highest),
            SlotSource.FILE,
        )
        for number, (percent, slot) in slots
    )


def water_encounters(encounters: WildEncounters, method: WaterMethod) -> WaterEncounters:
    """The part of the file about a method."""
    by_method: WaterEncounters = getattr(encounters, method.replace(" ", "_"))
    return by_method


def unown_letters(encounters: WildEncounters, tables: Tables) -> str:
    """The letters of the Unown in the grass, empty where there are none."""
    if not any(slot.species == UNOWN for slot in encounters.grass):
        return ""
    return tables.encounters.unown.get(encounters.unown_table or 1, "")


def by_species(slots: Iterable[WildSlot]) -> tuple[SpeciesChance, ...]:
    """The slots added up by species, in the order of the species' numbers."""
    chances: dict[int, SpeciesChance] = {}
    for slot in slots:
        chance = chances.get(slot.species, SpeciesChance(slot.species, 0, slot.lowest, slot.highest))
        chances[slot.species] = SpeciesChance(
            slot.species,
            chance.percent + slot.percent,
            min(chance.lowest, slot.lowest),
            max(chance.highest, slot.highest),
        )
    return tuple(chances[species] for species in sorted(chances))


def _signed_byte(number: int) -> int:
    return (number & 0xFF ^ 0x80) - 0x80


class PlaceList(StrEnum):
    """A list of species that belongs to a place and not to the encounters of its map."""

    HONEY_COMMON = "honey tree, common"
    HONEY_UNCOMMON = "honey tree, uncommon"
    HONEY_RARE = "honey tree, rare"
    FEEBAS = "Feebas tiles"
    TROPHY_GARDEN = "Trophy Garden"
    GREAT_MARSH_NATIONAL = "Great Marsh with the National Pokédex"
    GREAT_MARSH = "Great Marsh"


HONEY_LISTS: Final = (PlaceList.HONEY_COMMON, PlaceList.HONEY_UNCOMMON, PlaceList.HONEY_RARE)
_GREAT_MARSH = (PlaceList.GREAT_MARSH_NATIONAL, PlaceList.GREAT_MARSH)


@dataclass(frozen=True)
class MapEncounters:
    """The encounters of a map header: the number of its file and its contents, both None on a map without; whether
    there can be a swarm; the Pokémon that can roam there; the lists of the place, species in slot order."""

    header: int
    member: int | None
    encounters: WildEncounters | None
    can_swarm: bool
    roamers: tuple[Roamer, ...]
    lists: dict[PlaceList, tuple[int, ...]]


def map_encounters(world: WorldFiles, header: int) -> MapEncounters:
    """The encounters of a map header. Raises FormatError, RomError."""
    known = world.game.tables.encounters
    number = world.headers[header].wild_encounters
    none = number == NO_WILD_ENCOUNTERS or not world.has(Role.ENCOUNTERS)
    return MapEncounters(
        header,
        None if none else number,
        None if none else world.member(Role.ENCOUNTERS, number, WildEncounters.from_bytes),
        header in known.swarm_headers,
        tuple(roamer for roamer in known.roamers if roamer.used) if header in known.roamer_headers else (),
        _lists(world, header),
    )


def _lists(world: WorldFiles, header: int) -> dict[PlaceList, tuple[int, ...]]:
    known = world.game.tables.encounters
    members: dict[PlaceList, int] = {}
    if world.has(Role.ENCOUNTER_EXTRAS):
        if header in known.honey_tree_headers:
            members |= zip(HONEY_LISTS, known.honey_trees, strict=True)
        if header == known.feebas_header:
            members[PlaceList.FEEBAS] = known.feebas
        if header == known.trophy_garden_header:
            members[PlaceList.TROPHY_GARDEN] = known.trophy_garden
        if header in known.great_marsh_headers:
            members |= zip(_GREAT_MARSH, known.great_marsh, strict=True)
    return {
        which: tuple(world.member(Role.ENCOUNTER_EXTRAS, member, SpeciesList.from_bytes).species.tolist())
        for which, member in members.items()
    }


def listed_slots(which: PlaceList, species: tuple[int, ...], tables: Tables) -> tuple[WildSlot, ...]:
    """The slots of a honey tree's list, with their chances within the list, and of Feebas with that on one of its
    tiles; none for the other lists, where the day chooses the species."""
    known = tables.encounters
    if which is PlaceList.FEEBAS:
        return tuple(WildSlot(0, known.feebas_chance, kind, *known.feebas_levels, SlotSource.FILE) for kind in species)
    if which not in HONEY_LISTS:
        return ()
    return tuple(
        WildSlot(number, percent, kind, *known.honey_tree_levels, SlotSource.FILE)
        for number, (percent, kind) in enumerate(zip(known.honey_tree_chances, species, strict=True))
    )

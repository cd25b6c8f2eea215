"""The wild Pokémon that a saved game decides: a swarm, the honey tree, roamers, those of the day."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from mapexplorer.gameplay.encounters import HONEY_LISTS, MapEncounters, PlaceList
from mapexplorer.world.save import HONEY_READY, Save

_AREA_BITS: Final = 5
"""Bits of the number of the day for each area of the Great Marsh."""


class SavedMeeting(NamedTuple):
    """A Pokémon that is met on a map with a saved game: why, the species, more about it."""

    why: str
    species: int
    more: str = ""


def saved_meetings(here: MapEncounters, save: Save) -> Iterator[SavedMeeting]:
    """What a saved game decides on a map."""
    met, dex = save.contents["encounters"], save.contents["pokedex"]
    known = save.game.tables.encounters
    swarm = known.swarm_headers[int(met["swarm_daily"]) % len(known.swarm_headers)]
    if met["swarm_enabled"] and swarm == here.header and here.encounters is not None:
        yield from (SavedMeeting("swarm", species) for species in dict.fromkeys(here.encounters.swarm))
    if here.header in known.great_marsh_headers:
        area = known.great_marsh_headers.index(here.header)
        species = here.lists.get(PlaceList.GREAT_MARSH_NATIONAL if dex["national"] else PlaceList.GREAT_MARSH, ())
        number = int(met["marsh_daily"]) >> _AREA_BITS * area & (1 << _AREA_BITS) - 1
        yield from (SavedMeeting("Great Marsh today", each) for each in species[number : number + 1])
    garden = here.lists.get(PlaceList.TROPHY_GARDEN, ())
    numbers = [number for number in met["trophy_garden"].tolist() if number < len(garden)]
    yield from (SavedMeeting("Trophy Garden", garden[number]) for number in numbers)
    yield from _of_honey(here, save)
    roamers = met["roamers"][(met["roamers"]["active"] != 0) & (met["roamers"]["map"] == here.header)]
    yield from (
        SavedMeeting("roaming", int(roamer["species"]), f"level {roamer['level']}, {roamer['hp']} HP")
        for roamer in roamers
    )


def _of_honey(here: MapEncounters, save: Save) -> Iterator[SavedMeeting]:
    tree = save.honey_tree(here.header)
    if tree is not None:
        minutes, slot, _, group, _ = tree
        species = here.lists.get(HONEY_LISTS[group - 1], ()) if 1 <= group <= len(HONEY_LISTS) else ()
        when = f"{minutes} minutes left" if minutes <= HONEY_READY else f"in {minutes - HONEY_READY} minutes"
        yield from (SavedMeeting("honey tree", each, when) for each in species[slot : slot + 1])

"""The maps on which a species is met and the scripts that give it, as rows and JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from mapexplorer.catalogue.kinds import HEADER
from mapexplorer.catalogue.store import open_store
from mapexplorer.catalogue.uses import used_by
from mapexplorer.catalogue.wording import script_at
from mapexplorer.gameplay.meetings import Meeting, find_encounters, meetings
from mapexplorer.gameplay.names import species_name
from mapexplorer.gameplay.static_pokemon import WAYS, StaticPokemon, static_pokemon
from mapexplorer.games import Topic
from mapexplorer.inspector.places.encounters import meeting_row, numbered_species
from mapexplorer.system.progress import Progress
from mapexplorer.world import FieldWorld
from mapexplorer.world.events.script_files import script_owners
from mapexplorer.world.headers.header import Header, header_json
from mapexplorer.world.subject import subject

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
    for given in static_pokemon(world, open_store(world.rom).effects(*WAYS)):
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
        for how, when, _, *chance in (meeting_row(facts.world, meeting) for meeting in here)
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
        **numbered_species(facts.world, facts.species),
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
                "wanted": numbered_species(facts.world, given.trade.record.wanted_species) if given.trade else None,
            }
            for header, given in facts.scripts
        ],
        "computed": list(facts.computed),
        "not_known": list(facts.not_known),
        "damaged": list(facts.damaged),
    }

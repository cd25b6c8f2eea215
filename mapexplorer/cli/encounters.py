"""`encounters`: the wild Pokémon of a map, or the maps of a species."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mapexplorer.cli.arguments import rom_argument, words_argument
from mapexplorer.cli.output import count, examples, json_option, print_fields, print_json, print_table, summary
from mapexplorer.system.terminal import echo

if TYPE_CHECKING:
    from mapexplorer.world import FieldWorld


@click.command(epilog=examples("encounters demo L01", "encounters demo species:1"))
@rom_argument
@words_argument("thing", "MAP | SPECIES")
@json_option
def encounters(rom: str, thing: str, as_json: bool) -> int:
    """The wild Pokémon of a MAP with chances and levels, or the maps where a SPECIES is met.

    A chance that depends on the time of day, a swarm, the Poké Radar or a cartridge in the second slot is listed by
    itself: it replaces as many percent of what is always there. `species:NAME` is a species even if a map has the name.
    """
    from mapexplorer.games import Topic
    from mapexplorer.inspector.things import HEADER, SPECIES, find_thing
    from mapexplorer.world.world import FieldWorld

    world = FieldWorld.open(rom)
    world.game.require(Topic.ENCOUNTERS)
    found = find_thing(world, thing, (HEADER, SPECIES))
    (number,) = found.key
    return (_show_map if found.kind == HEADER else _show_species)(world, number, as_json)


def _show_map(world: FieldWorld, header: int, as_json: bool) -> int:
    from mapexplorer.inspector.encounters import (
        COLUMNS,
        encounter_fields,
        encounters_json,
        find_encounters,
        meeting_rows,
        meetings,
    )

    facts = find_encounters(world, header)
    if as_json:
        print_json(encounters_json(facts))
    else:
        print_fields(encounter_fields(facts))
        if rows := meeting_rows(facts):
            echo("")
            print_table(COLUMNS, rows)
    summary(f"{count(len({one.species for one in meetings(facts)}), 'species', 'species')}.", as_json=as_json)
    return 0


def _show_species(world: FieldWorld, species: int, as_json: bool) -> int:
    from mapexplorer.inspector.encounters import SPECIES_COLUMNS, find_species, species_json, species_name, species_rows

    found = find_species(world, species)
    if as_json:
        print_json(species_json(found))
    else:
        if found.places:
            print_table(SPECIES_COLUMNS, species_rows(found))
        for note in found.damaged:
            echo(f"left out: {note}", err=True)
    words = f"{species_name(world, species)}: {count(len(found.places), 'map')}, {len(found.damaged)} damaged."
    summary(words, as_json=as_json)
    return 1 if found.damaged else 0

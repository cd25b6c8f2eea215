"""`encounters`: the wild Pokémon of a map, or the maps of a species."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mapexplorer.cli.arguments import constants_option, rom_argument, words_argument
from mapexplorer.cli.output import (
    count,
    examples,
    json_option,
    print_fields,
    print_json,
    print_table,
    progress,
    summary,
)
from mapexplorer.system.terminal import echo

if TYPE_CHECKING:
    from mapexplorer.world import FieldWorld


@click.command(epilog=examples("encounters demo L01", "encounters demo species:1"))
@rom_argument
@words_argument("thing", "MAP | SPECIES")
@constants_option
@json_option
def encounters(rom: str, thing: str, constants: bool, as_json: bool) -> int:
    """The wild Pokémon of a MAP with chances and levels, or the maps where a SPECIES is met and the scripts where it is
    fought, given, an egg, traded, or let roam.

    The name of a location that means several maps (Mt. Coronet) means all of them.

    A chance that depends on the time of day, a swarm, the Poké Radar or a cartridge in the second slot is listed by
    itself: it replaces as many percent of what is always there. `species:NAME` is a species even if a map has the name.
    """
    from mapexplorer.catalogue.kinds import HEADER, SPECIES
    from mapexplorer.catalogue.resolve import find_with_maps
    from mapexplorer.games import Topic
    from mapexplorer.world.world import FieldWorld

    world = FieldWorld.open(rom)
    world.game.require(Topic.ENCOUNTERS)
    found = [one.subject for one in find_with_maps(world, thing, (HEADER, SPECIES))]
    show = _show_maps if found[0].kind == HEADER else _show_species
    return show(world.showing(constants=constants), [one.key[0] for one in found], as_json)


def _show_maps(world: FieldWorld, headers: list[int], as_json: bool) -> int:
    from mapexplorer.gameplay.meetings import find_encounters, meetings
    from mapexplorer.inspector.encounters import COLUMNS, encounter_fields, encounters_json, meeting_rows

    facts = [find_encounters(world, header) for header in headers]
    if as_json:
        plain = [encounters_json(one) for one in facts]
        print_json(plain[0] if len(plain) == 1 else {"maps": plain})
    for one in [] if as_json else facts:
        if one is not facts[0]:
            echo("")
        print_fields(encounter_fields(one))
        if rows := meeting_rows(one):
            echo("")
            print_table(COLUMNS, rows)
    species = {meeting.species for one in facts for meeting in meetings(one)}
    where = f" on {count(len(facts), 'map')}" if len(facts) > 1 else ""
    summary(f"{count(len(species), 'species', 'species')}{where}.", as_json=as_json)
    return 0


def _show_species(world: FieldWorld, numbers: list[int], as_json: bool) -> int:
    from mapexplorer.inspector.encounters import SPECIES_COLUMNS, find_species, species_json, species_name, species_rows

    with progress("Reading") as bar:
        found = find_species(world, numbers[0], bar)
    if as_json:
        print_json(species_json(found))
    elif rows := species_rows(found):
        print_table(SPECIES_COLUMNS, rows)
    if found.computed and not as_json:
        echo(f"not among them: Pokémon that a script chooses ({', '.join(found.computed)})")
    if found.not_known and not as_json:
        echo(f"not known in this game, so more may have it: {', '.join(found.not_known)}")
    for note in found.damaged:
        echo(f"left out: {note}", err=True)
    maps, scripts = count(len(found.places), "map"), count(len(found.scripts), "script")
    words = f"{species_name(world, numbers[0])}: {maps}, {scripts}, {len(found.damaged)} damaged."
    summary(words, as_json=as_json)
    return 1 if found.damaged else 0

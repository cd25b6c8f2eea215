"""`encounters`: the wild Pokémon of a map, or the maps of a species."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from mapexplorer.cli.answer import Answer, answered, maps_json
from mapexplorer.cli.arguments import Value, constants_option, rom_argument, words_argument
from mapexplorer.cli.output import count, examples, progress
from mapexplorer.inspector.lines import table_lines
from mapexplorer.values import ChoiceOrFile

if TYPE_CHECKING:
    from mapexplorer.world import FieldWorld


@click.command(epilog=examples("encounters demo L01", "encounters demo species:1"))
@rom_argument
@words_argument("thing", "MAP | SPECIES")
@click.option("--save", type=Value(ChoiceOrFile(())), help="Also what this saved game decides: swarm, honey, roamers.")
@constants_option
@answered
def encounters(rom: str, thing: str, save: str | None, constants: bool) -> Answer:
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
    subjects = [meant.subject for meant in find_with_maps(world, thing, (HEADER, SPECIES))]
    shown, numbers = world.showing(constants=constants), [chosen.key[0] for chosen in subjects]
    return _of_maps(shown, numbers, save) if subjects[0].kind == HEADER else _of_species(shown, numbers[0])


def _of_maps(world: FieldWorld, headers: list[int], save: str | None) -> Answer:
    from mapexplorer.gameplay.meetings import find_encounters, meetings
    from mapexplorer.gameplay.saved_encounters import saved_meetings
    from mapexplorer.inspector.places.encounters import encounter_lines, encounters_json
    from mapexplorer.world.saved_game import read_saved_game

    facts = [find_encounters(world, header) for header in headers]
    if save is not None:
        saved = read_saved_game(save).save(world.game)
        facts = [replace(each, saved=tuple(saved_meetings(each.here, saved))) for each in facts]

    def lines() -> Iterator[str]:
        for number, of_map in enumerate(facts):
            yield from ([""] if number else [])
            yield from encounter_lines(of_map)

    species = {meeting.species for of_map in facts for meeting in meetings(of_map)}
    where = f" on {count(len(facts), 'map')}" if len(facts) > 1 else ""
    return Answer(
        f"{count(len(species), 'species', 'species')}{where}.", lines(), lambda: maps_json(map(encounters_json, facts))
    )


def _of_species(world: FieldWorld, species: int) -> Answer:
    from mapexplorer.gameplay.names import species_name
    from mapexplorer.inspector.places.species import SPECIES_COLUMNS, find_species, species_json, species_rows

    with progress("Reading") as bar:
        met = find_species(world, species, bar)
    rows = species_rows(met)
    text = list(table_lines(SPECIES_COLUMNS, rows)) if rows else []
    text += [f"not among them: Pokémon that a script chooses ({', '.join(met.computed)})"] if met.computed else []
    if met.not_known:
        text.append(f"not known in this game, so more may have it: {', '.join(met.not_known)}")
    maps, scripts = count(len(met.places), "map"), count(len(met.scripts), "script")
    return Answer(
        f"{species_name(world, species)}: {maps}, {scripts}, {len(met.damaged)} damaged.",
        text,
        lambda: species_json(met),
        after=[f"left out: {note}" for note in met.damaged],
        status=1 if met.damaged else 0,
    )

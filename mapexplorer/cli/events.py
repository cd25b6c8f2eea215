"""`events` and `tile`: what is on a map, and on one of its tiles."""

from __future__ import annotations

import math

import click

from mapexplorer.cli.answer import Answer, answered
from mapexplorer.cli.arguments import PlaceAndTile, constants_option, map_argument, rom_argument, tile_argument
from mapexplorer.cli.options import one_option
from mapexplorer.cli.output import count, examples, field_lines
from mapexplorer.scene.view import View


@click.command(epilog=examples("events demo T01", "events demo Mirror Lake --json"))
@rom_argument
@map_argument
@one_option(View, "save")
@constants_option
@answered
def events(rom: str, map_name: str, save: str, constants: bool) -> Answer:
    """The people, signs, warps and triggers of a MAP: what they say, which flag hides them and who sets it, where they
    lead, when they run; who is absent in a new game."""
    from mapexplorer.inspector.map_events import events_json, events_lines, find_events
    from mapexplorer.scene.conditions import shown_save
    from mapexplorer.world.world import FieldWorld

    world = FieldWorld.open(rom).showing(constants=constants)
    place = world.place(map_name)
    found = find_events(world, place.header.id, shown_save(place, View(save=save)))
    return Answer(
        f"{count(len(found.events), 'event')}, {len(found.damaged)} damaged.",
        events_lines(found),
        lambda: events_json(found),
        after=[f"left out: {note}" for note in found.damaged],
        status=1 if found.damaged else 0,
    )


@click.command(
    context_settings={"ignore_unknown_options": True},
    epilog=examples("tile demo T01@7,35", "tile demo T01 7,35 --json"),
)
@rom_argument
@tile_argument
@answered
def tile(rom: str, where: PlaceAndTile) -> Answer:
    """What runs at matrix-wide tile X,Z (the action button from each side, a step), its ground and height, who is met
    there."""
    from mapexplorer.inspector.tile import ask, tile_json, tile_text
    from mapexplorer.world.world import FieldWorld

    map_name, tile = where
    assert tile is not None
    world = FieldWorld.open(rom)
    place = world.place(map_name)
    place.check_tile(tile)
    facts = ask(world, place, *(math.floor(part) for part in tile))
    runs = {*facts.step, *facts.facing, *(run for button in facts.button.values() for run in button)}
    owner = "" if facts.header.id == place.header.id else f"; the tile belongs to {facts.header.title}"
    return Answer(
        f"{count(len(runs), 'script')} can run here{owner}.", field_lines(tile_text(facts)), lambda: tile_json(facts)
    )

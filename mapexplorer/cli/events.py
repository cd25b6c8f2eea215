"""`events`: what is on a map."""

from __future__ import annotations

import click

from mapexplorer.cli.answer import Answer, answered
from mapexplorer.cli.arguments import constants_option, map_argument, rom_argument
from mapexplorer.cli.options import one_option
from mapexplorer.cli.output import count, examples
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
    from mapexplorer.inspector.places.map_events import events_json, events_lines, find_events
    from mapexplorer.scene.conditions import shown_save
    from mapexplorer.scene.saves import saved_moment
    from mapexplorer.world.world import FieldWorld

    world = FieldWorld.open(rom).showing(constants=constants)
    place = world.place(map_name)
    map_events = find_events(world, place.header.id, shown_save(place, View(save=save, **saved_moment(save))))
    return Answer(
        f"{count(len(map_events.events), 'event')}, {len(map_events.damaged)} damaged.",
        events_lines(map_events),
        lambda: events_json(map_events),
        after=[f"left out: {note}" for note in map_events.damaged],
        status=1 if map_events.damaged else 0,
    )

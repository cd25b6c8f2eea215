"""`tile`: what is on one tile of a map."""

from __future__ import annotations

import math

import click

from mapexplorer.cli.answer import Answer, answered
from mapexplorer.cli.arguments import rom_argument, tile_argument
from mapexplorer.cli.options import one_option
from mapexplorer.cli.output import count, examples
from mapexplorer.inspector.lines import field_lines
from mapexplorer.scene.view import View


@click.command(
    context_settings={"ignore_unknown_options": True},
    epilog=examples("tile demo T01@7,35", "tile demo T01 7,35 --json"),
)
@rom_argument
@tile_argument
@one_option(View, "save")
@answered
def tile(rom: str, where: tuple[str, tuple[float, float]], save: str) -> Answer:
    """What runs at matrix-wide tile X,Z (the action button from each side, a step), its ground and height, who is met
    there."""
    from mapexplorer.inspector.places.tile import ask, tile_facts, tile_json
    from mapexplorer.world.world import FieldWorld

    map_name, tile = where
    world = FieldWorld.open(rom)
    place = world.place(map_name)
    place.check_tile(tile)
    facts = ask(world, place, math.floor(tile[0]), math.floor(tile[1]), save)
    runs = {run for _, _, run in facts.runs}
    owner = "" if facts.header.id == place.header.id else f"; the tile belongs to {facts.header.title}"
    return Answer(
        f"{count(len(runs), 'script')} can run here{owner}.", field_lines(tile_facts(facts)), lambda: tile_json(facts)
    )

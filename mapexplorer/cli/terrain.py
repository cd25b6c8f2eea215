"""`height`: the game's height query, explained."""

from __future__ import annotations

import click

from mapexplorer.cli.answer import Answer, answered
from mapexplorer.cli.arguments import NUMBER, rom_argument, tile_argument
from mapexplorer.cli.options import one_option
from mapexplorer.cli.output import count, examples
from mapexplorer.export.request import PlaceRequest
from mapexplorer.inspector.lines import field_lines


@click.command(
    context_settings={"ignore_unknown_options": True},
    epilog=examples("height demo T01 7.5 35.5", "height demo T01 7.5 35.5 --near 20 --json"),
)
@rom_argument
@tile_argument
@click.option(
    "--near", type=NUMBER, default=0.0, show_default=True, help="Height in units: the nearest plate of the tile wins."
)
@one_option(PlaceRequest, "matrix")
@answered
def height(rom: str, where: tuple[str, tuple[float, float]], near: float, matrix: int | None) -> Answer:
    """The height at matrix-wide tile X Z or X,Z (3.5 is a tile's centre), with the plates that it was chosen from."""
    from mapexplorer.inspector.places.heights import ask, height_facts, height_json, point_facts
    from mapexplorer.world.cells import TILE_UNITS
    from mapexplorer.world.world import FieldWorld

    map_name, tile = where
    place = FieldWorld.open(rom).place(map_name, matrix)
    place.check_tile(tile)
    facts = ask(place, tile[0] * TILE_UNITS, tile[1] * TILE_UNITS, near)
    return Answer(
        f"{count(len(facts.answer.candidates), 'plate')} here.",
        field_lines((*point_facts(facts), *height_facts(facts))),
        lambda: {"header": place.header.id, **height_json(facts)},
    )

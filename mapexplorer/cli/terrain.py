"""`height`: the game's height query, explained."""

from __future__ import annotations

import click

from mapexplorer.cli.arguments import NUMBER, map_and_tile_argument, place_and_tile, rom_argument
from mapexplorer.cli.options import one_option
from mapexplorer.cli.output import count, examples, json_option, print_fields, print_json, summary
from mapexplorer.export.request import PlaceRequest


@click.command(
    context_settings={"ignore_unknown_options": True},
    epilog=examples("height demo T01 7.5 35.5", "height demo T01 7.5 35.5 --near 20 --json"),
)
@rom_argument
@map_and_tile_argument
@click.argument("x", type=NUMBER, required=False)
@click.argument("z", type=NUMBER, required=False)
@click.option(
    "--near", type=NUMBER, default=0.0, show_default=True, help="Height in units: the nearest plate of the tile wins."
)
@one_option(PlaceRequest, "matrix")
@json_option
def height(
    rom: str, map_name: str, x: float | None, z: float | None, near: float, matrix: int | None, as_json: bool
) -> int:
    """The height at matrix-wide tile X Z or X,Z (3.5 is a tile's centre), with the plates that it was chosen from."""
    from mapexplorer.inspector.heights import ask, height_fields, height_json
    from mapexplorer.world.cells import TILE_UNITS
    from mapexplorer.world.world import FieldWorld

    map_name, tile = place_and_tile(map_name)
    if tile is None and x is not None and z is not None:
        tile = x, z
    if tile is None or (x is None) != (z is None):
        raise click.UsageError("Give a tile: MAP@X,Z or MAP X Z.")
    place = FieldWorld.open(rom).place(map_name, matrix)
    facts = ask(place, tile[0] * TILE_UNITS, tile[1] * TILE_UNITS, near)
    if as_json:
        print_json({"header": place.header.id, **height_json(facts)})
    else:
        print_fields(height_fields(facts))
    summary(f"{count(len(facts.candidates), 'plate')} here.", as_json=as_json)
    return 0

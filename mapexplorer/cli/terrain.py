"""`height`: the game's height query, explained."""

from __future__ import annotations

import click

from mapexplorer.cli.arguments import Number, map_argument, matrix_option, rom_argument
from mapexplorer.cli.output import count, json_option, print_fields, print_json, summary


@click.command(context_settings={"ignore_unknown_options": True})
@rom_argument
@map_argument
@click.argument("x", type=Number())
@click.argument("z", type=Number())
@click.option(
    "--near", type=Number(), default=0.0, show_default=True, help="Present height, in units: the nearest plate wins."
)
@matrix_option
@json_option
def height(rom: str, map_name: str, x: float, z: float, near: float, matrix: int | None, as_json: bool) -> int:
    """The height at matrix-wide tile X Z (3.5 is a tile's centre), with the plates that it was chosen from."""
    from mapexplorer.api import World
    from mapexplorer.world.cells import TILE_UNITS

    place = World(rom).place(map_name, matrix)
    answer = place.height(x * TILE_UNITS, z * TILE_UNITS, near)
    attribute = place.terrain.attribute(int(x // 1), int(z // 1))
    behaviour = place.world.game.tables.behaviour_name(attribute & 0xFF)
    if as_json:
        print_json(
            {
                "tile": [x, z],
                "near": near,
                "found": answer.found,
                "height": answer.height,
                "fx32": answer.fx32,
                "cell": list(answer.cell),
                "land": answer.land,
                "strip": answer.strip,
                "plate": answer.plate,
                "candidates": [{"plate": plate, "height": found} for plate, found in answer.candidates],
                "reason": answer.reason,
                "attribute": attribute,
            }
        )
    else:
        fields: list[tuple[str, object]] = [
            ("Tile", f"({x:g}, {z:g}), cell ({answer.cell[0]}, {answer.cell[1]})"),
            ("Land data", "none" if answer.land is None else answer.land),
            (
                "Behaviour",
                f"{behaviour}{', blocked' if attribute & 0x8000 else ''}",
            ),
            ("Height", f"{answer.height:g} units (fx32 {answer.fx32})"),
            ("Because", answer.reason),
        ]
        fields += [
            ("Candidate", f"plate {plate} at {found:g}{'  <- chosen' if plate == answer.plate else ''}")
            for plate, found in answer.candidates
        ]
        print_fields(fields)
    summary(f"{count(len(answer.candidates), 'plate')} here.", as_json=as_json)
    return 0

"""`atlas`: the whole game as a web site."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mapexplorer.atlas.request import AtlasRequest
from mapexplorer.cli.answer import Answer
from mapexplorer.cli.arguments import output_path, rom_argument
from mapexplorer.cli.batch import run_shown
from mapexplorer.cli.options import misuse, request_options, taken
from mapexplorer.cli.output import examples, json_option


@click.command(epilog=examples("atlas demo site", "atlas demo site --title 'My world' --without-scripts"))
@rom_argument
@click.argument("folder", type=output_path())
@request_options(AtlasRequest)
@json_option
def atlas(rom: str, folder: Path, as_json: bool, **values: Any) -> int:
    """Make a web site of a game in FOLDER: a map of all maps, and a page for every map, person, trainer, item, species,
    script and flag. It opens without a server.

    Run again, only what has changed is written; a run that was interrupted goes on.
    """
    from mapexplorer.world.opening import open_rom

    with misuse(AtlasRequest):
        request = AtlasRequest.made(taken(values, AtlasRequest), output=folder)
    outcome = run_shown(request, open_rom(rom), "Writing")
    return Answer(f"{outcome.sentence}.", json=lambda: outcome.facts, after=outcome.notices).show(as_json=as_json)

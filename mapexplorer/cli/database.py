"""`database`: everything that is known about a ROM, as SQLite."""

from __future__ import annotations

from pathlib import Path

import click

from mapexplorer.cli.arguments import output_path, rom_argument
from mapexplorer.cli.output import examples, progress, summary
from mapexplorer.export.request import DatabaseRequest


@click.command(epilog=examples("database demo -o demo.sqlite"))
@rom_argument
@click.option("--output", "-o", type=output_path(*DatabaseRequest.suffixes), required=True, help="A SQLite file.")
def database(rom: str, output: Path) -> int:
    """Write maps, events, scripts, texts, encounters, trainers and items as the tables of one SQLite file.

    docs/database.md describes the tables and has queries to begin with.
    """
    from mapexplorer.export.run import run
    from mapexplorer.world.opening import open_rom

    with progress("Writing") as bar:
        outcome = run(DatabaseRequest(output=output), open_rom(rom), bar)
    for sentence in outcome.notices:
        click.echo(sentence, err=True)
    damaged = len(outcome.facts["damaged"])
    summary(f"{output}: {outcome.sentence}, {damaged} damaged left out.")
    return 1 if damaged else 0

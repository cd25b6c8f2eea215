"""`database`: everything that is known about a ROM, as SQLite."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from mapexplorer.cli.arguments import output_path, rom_argument
from mapexplorer.cli.output import count, examples, json_option, print_json, print_table, progress, summary
from mapexplorer.export.request import DatabaseRequest
from mapexplorer.system.terminal import echo


@click.command(epilog=examples("database demo -o demo.sqlite"))
@rom_argument
@click.option("--output", "-o", type=output_path(*DatabaseRequest.suffixes), help="A SQLite file.")
@click.option("--query", metavar="SQL", help="Print the answer to a question instead of writing a file.")
@json_option
def database(rom: str, output: Path | None, query: str | None, as_json: bool) -> int:
    """Write maps, events, scripts, texts, encounters, trainers and items as the tables of one SQLite file, or ask them
    a question in SQL.

    docs/database.md describes the tables and has queries to begin with.
    """
    if (output is None) == (query is None):
        raise click.UsageError("Give either -o FILE or --query SQL.")
    with _no_collection():
        if output is not None:
            return _write(rom, output, as_json)
        assert query is not None
        return _ask(rom, query, as_json)


@contextmanager
def _no_collection() -> Iterator[None]:
    """No search for reference cycles: everything that is read is kept until the end, and searching it again and again
    takes a tenth of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _write(rom: str, output: Path, as_json: bool) -> int:
    from mapexplorer.export.run import run
    from mapexplorer.world.opening import open_rom

    with progress("Writing") as bar:
        outcome = run(DatabaseRequest(output=output), open_rom(rom), bar)
    for sentence in outcome.notices:
        echo(sentence, err=True)
    damaged = len(outcome.facts["damaged"])
    if as_json:
        print_json(outcome.facts)
    summary(f"{output}: {outcome.sentence}, {damaged} damaged left out.", as_json=as_json)
    return 1 if damaged else 0


def _ask(rom: str, query: str, as_json: bool) -> int:
    import sqlite3

    from mapexplorer.export.database.query import query_database
    from mapexplorer.world.opening import open_rom

    try:
        with progress("Reading") as bar:
            columns, rows = query_database(open_rom(rom), query, bar)
    except sqlite3.Error as error:
        raise click.UsageError(f"SQLite: {error}.") from None
    if as_json:
        print_json({"columns": columns, "rows": [list(row) for row in rows]})
    elif rows:
        print_table(columns, rows)
    summary(f"{count(len(rows), 'row')}.", as_json=as_json)
    return 0

"""`database`: everything that is known about a ROM, as SQLite."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

import click

from mapexplorer.cli.answer import Answer
from mapexplorer.cli.arguments import output_path, rom_argument
from mapexplorer.cli.options import misuse
from mapexplorer.cli.output import count, encodable, examples, json_option, progress
from mapexplorer.export.request import DatabaseRequest
from mapexplorer.inspector.lines import table_lines
from mapexplorer.rom import Rom
from mapexplorer.system.terminal import echo, echo_data


@click.command(epilog=examples("database demo -o demo.sqlite"))
@rom_argument
@click.option("--output", "-o", type=output_path(*DatabaseRequest.kind.suffixes), help="A SQLite file.")
@click.option("--query", metavar="SQL", help="Print the answer to a question instead of writing a file.")
@json_option
def database(rom: str, output: Path | None, query: str | None, as_json: bool) -> int:
    """Write maps, events, scripts, texts, encounters, trainers and items as the tables of one SQLite file, or ask them
    a question in SQL.

    docs/database.md describes the tables and has queries to begin with.
    """
    if (output is None) == (not query or query.isspace()):
        raise click.UsageError("Give either -o FILE or --query SQL.")
    from mapexplorer.catalogue.schema import TOPICS
    from mapexplorer.games import identify
    from mapexplorer.world.opening import open_rom

    opened = open_rom(rom)
    not_known = [topic for topic in TOPICS if topic in identify(opened).not_known]
    if not_known:
        echo(f"not known in this game, so tables are empty or lack it: {', '.join(not_known)}", err=True)
    answer = _write(opened, output) if output is not None else _ask(opened, query or "", as_json)
    return answer.show(as_json=as_json)


def _write(rom: Rom, output: Path) -> Answer:
    from mapexplorer.cli.batch import run_shown

    outcome = run_shown(DatabaseRequest(output=output), rom, "Writing")
    damaged = len(outcome.facts["damaged"])
    return Answer(
        f"{output}: {outcome.sentence}, {damaged} damaged left out.",
        json=lambda: outcome.facts,
        before=outcome.notices,
        status=1 if damaged else 0,
    )


def _ask(rom: Rom, query: str, as_json: bool) -> Answer:
    from mapexplorer.catalogue.query import answer
    from mapexplorer.catalogue.store import open_store

    with progress("Reading") as bar:
        store = open_store(rom, bar)
    with misuse(), answer(store, query) as (columns, rows):
        number = _print_json(columns, rows) if as_json else _print_table(columns, rows)
    return Answer(f"{count(number, 'row')}.")


def _print_json(columns: Sequence[str], rows: Iterable[tuple[object, ...]]) -> int:
    """Print the rows of an answer as JSON, each when it is there; the number of rows."""
    from mapexplorer.inspector import FORMAT

    number = 0
    echo_data(f'{{\n "format": {FORMAT},\n "columns": {json.dumps(columns)},\n "rows": [')
    for number, row in enumerate(rows, 1):
        text = encodable(json.dumps(row, ensure_ascii=False), partial(json.dumps, row))
        echo_data(f"{',' if number > 1 else ''}\n  {text}")
    echo_data("\n ]\n}\n")
    return number


def _print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> int:
    """Print the rows of an answer under the names of their columns, each when it is there; the number of rows."""
    number = 0
    for number, line in enumerate(table_lines(columns, rows)):  # noqa: B007
        echo(line)
    return number

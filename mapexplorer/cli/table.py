"""`table`: facts as rows, as CSV, JSON or aligned text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from mapexplorer.cli.answer import Answer
from mapexplorer.cli.arguments import constants_option, maps_argument, output_path, rom_argument
from mapexplorer.cli.options import parsed
from mapexplorer.cli.output import count, csv_text, examples, json_option, progress
from mapexplorer.inspector.lines import table_lines
from mapexplorer.inspector.tables import TABLES, Row, TableKind, chosen_columns
from mapexplorer.world.headers.header import Header
from mapexplorer.world.world import FieldWorld


@click.command(
    epilog=examples(
        "table demo maps --columns header,internal_name,weather_name",
        "table demo tiles T01 -o tiles.csv",
        "table demo encounters --csv",
        "table demo trainers --json",
        "table demo items H01",
        "table demo flags --free",
    )
)
@rom_argument
@click.argument("name", metavar=f"[{'|'.join(TABLES)}]", type=click.Choice(tuple(TABLES)))
@maps_argument
@click.option("--free", is_flag=True, help="Only flags or variables that nothing uses.")
@click.option("--columns", metavar="NAME,...", help="Only these columns, in this order.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV instead of text.")
@click.option("--output", "-o", type=output_path(".csv"), help="Write CSV into a file.")
@constants_option
@json_option
def table(
    rom: str,
    name: str,
    map_names: tuple[str, ...],
    free: bool,
    columns: str | None,
    as_csv: bool,
    output: Path | None,
    constants: bool,
    as_json: bool,
) -> int:
    """Facts as rows, of all maps, of one MAP or several: the maps, their tiles, wild Pokémon, trainers with their
    Pokémon, items, shops, the Pokémon that scripts give (static), in-game trades, flags and variables.

    A tile has its collision, behaviour, and the height in units of the plate that is nearest to height 0. Items are
    those on the floor, hidden, on berry trees and given by scripts; those on sale are in shops. Flags and variables
    are those that things of the maps use, each with all its users. The name of a location that means several maps (Mt.
    Coronet) means all of them.
    """
    from mapexplorer.catalogue.store import open_store
    from mapexplorer.world.headers.header import find_headers
    from mapexplorer.world.world import FieldWorld

    source = TABLES[name]
    wanted = _indices(source, columns)
    if free and (source.free is None or map_names):
        raise click.UsageError("--free is for all flags or variables.")
    if not map_names and not source.whole:
        raise click.UsageError(f"Name at least one MAP for {name}.")
    world = FieldWorld.open(rom).showing(constants=constants)
    for topic in (source.topic, *(source.lacks if free else ())):
        world.game.require(topic)
    not_known = [topic for topic in source.lacks if topic in world.game.not_known]
    headers = find_headers(world.headers, map_names, whole=True)
    with progress("Reading") as bar:
        damaged = open_store(world.rom, bar).damaged(*source.parts) if source.parts else ()
    titles, *rows = _rows(source, wanted, (source.free if free and source.free else source.rows)(world, headers))
    if output is not None:
        from mapexplorer.export.files import write_atomically

        write_atomically(output, csv_text(titles, rows).encode())
    lacking = [f"not known in this game, so rows lack it: {', '.join(not_known)}"] if not_known else []
    return Answer(
        f"{count(len(rows), 'row')}.",
        table_lines(titles, rows) if rows and output is None else (),
        None
        if output is not None
        else lambda: {
            "table": name,
            "columns": titles,
            "rows": [dict(zip(titles, row, strict=True)) for row in rows],
            "not_known": not_known,
        },
        csv_text(titles, rows) if as_csv and output is None else None,
        after=[*lacking, *(f"left out: {note}" for note in damaged)],
        status=1 if damaged else 0,
        streamed=as_csv,
    ).show(as_json=as_json)


def _indices(source: TableKind, columns: str | None) -> tuple[int, ...]:
    """The indices of the columns that the user chose, by default of all."""
    with parsed():
        return chosen_columns(source, columns.split(",") if columns else source.columns)


def maps_answer(
    world: FieldWorld, headers: Sequence[Header], columns: str | None, said: str, *, as_csv: bool
) -> Answer:
    """The chosen columns of some maps."""
    source = TABLES["maps"]
    titles, *rows = _rows(source, _indices(source, columns), source.rows(world, headers))
    return Answer(said, table_lines(titles, rows), csv=csv_text(titles, rows) if as_csv else None)


def _rows(source: TableKind, wanted: Sequence[int], rows: Iterable[Row]) -> list[list[Any]]:
    """The titles of the wanted columns and their values."""
    return [[row[index] for index in wanted] for row in (source.columns, *rows)]

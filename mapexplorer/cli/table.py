"""`table`: facts as rows, as CSV, JSON or aligned text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mapexplorer.cli.arguments import maps_argument, output_path, rom_argument
from mapexplorer.cli.output import count, csv_text, examples, json_option, print_json, print_table, summary
from mapexplorer.inspector.tables import TABLES, Table, chosen_columns
from mapexplorer.system.terminal import echo_data

if TYPE_CHECKING:
    from mapexplorer.world.header import Header
    from mapexplorer.world.world import FieldWorld


@click.command(
    epilog=examples(
        "table demo maps --columns header,internal_name,weather_name", "table demo tiles T01 -o tiles.csv",
        "table demo encounters --csv", "table demo trainers --json",
    )
)  # fmt: skip
@rom_argument
@click.argument("name", metavar=f"[{'|'.join(TABLES)}]", type=click.Choice(tuple(TABLES)))
@maps_argument
@click.option("--columns", metavar="NAME,...", help="Only these columns, in this order.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV instead of text.")
@click.option("--output", "-o", type=output_path(".csv"), help="Write CSV into a file.")
@json_option
def table(
    rom: str,
    name: str,
    map_names: tuple[str, ...],
    columns: str | None,
    as_csv: bool,
    output: Path | None,
    as_json: bool,
) -> int:
    """Facts as rows: all maps, the tiles of a MAP, the wild Pokémon of all maps or of a MAP, the Pokémon of all
    trainers.

    A tile has its collision, behaviour, and the height in units of the plate that is nearest to height 0.
    """
    from mapexplorer.world.header import find_headers
    from mapexplorer.world.world import FieldWorld

    source = TABLES[name]
    wanted = _indices(source, columns)
    if map_names and not source.of_maps:
        raise click.UsageError(f"The rows of {name} do not belong to maps.")
    if not map_names and not source.whole:
        raise click.UsageError(f"Name at least one MAP for {name}.")
    world = FieldWorld.open(rom)
    rows = _rows(source, wanted, world, find_headers(world.headers, map_names) or world.headers)
    titles = rows.pop(0)
    if output is not None:
        from mapexplorer.export.files import write_atomically

        write_atomically(output, csv_text(titles, rows).encode())
    elif as_json:
        print_json({"table": name, "columns": titles, "rows": [dict(zip(titles, row, strict=True)) for row in rows]})
    else:
        _print(titles, rows, as_csv=as_csv)
    summary(f"{count(len(rows), 'row')}.", as_json=as_json or as_csv)
    return 0


def _indices(source: Table, columns: str | None) -> tuple[int, ...]:
    """The indices of the columns that the user chose, by default of all."""
    try:
        return chosen_columns(source, columns.split(",") if columns else source.columns)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def print_maps(world: FieldWorld, headers: Iterable[Header], columns: str | None, *, as_csv: bool) -> None:
    """Print the chosen columns of some maps."""
    source = TABLES["maps"]
    titles, *rows = _rows(source, _indices(source, columns), world, headers)
    _print(titles, rows, as_csv=as_csv)


def _rows(source: Table, wanted: Sequence[int], world: FieldWorld, headers: Iterable[Header]) -> list[list[Any]]:
    """The titles of the wanted columns and their values."""
    rows = (source.columns, *source.rows(world, headers))
    return [[row[index] for index in wanted] for row in rows]


def _print(titles: Sequence[str], rows: Sequence[Sequence[Any]], *, as_csv: bool) -> None:
    if as_csv:
        echo_data(csv_text(titles, rows))
    elif rows:
        print_table(titles, rows)

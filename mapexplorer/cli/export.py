"""`export`: maps as GLB, one, several or all."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from mapexplorer.cli.arguments import (
    CellPair,
    Number,
    OutputPath,
    area_option,
    hour_option,
    matrix_option,
    rom_argument,
)
from mapexplorer.cli.output import count, json_option, print_json, progress, summary
from mapexplorer.system import interrupt

if TYPE_CHECKING:
    from pathlib import Path

    from mapexplorer.api import Place
    from mapexplorer.export.gltf.field import FieldReport
    from mapexplorer.export.options import ExportOptions

_UNIT = 1 / 16

_OPTIONS = (
    hour_option,
    click.option("--lit", is_flag=True, help="Normals and lit materials instead of the light of --hour baked in."),
    click.option("--scale", type=Number(), default=_UNIT, show_default=True, help="Metres per unit; a tile has 16."),
    click.option(
        "--merge", type=click.Choice(["shape", "material"]), default="shape", show_default=True,
        help="One node per shape, or one per material.",
    ),
    click.option("--bake-mirror", is_flag=True, help="Double mirrored textures, for engines without mirrored repeat."),
    click.option("--collision", is_flag=True, help="Add a scene with the terrain attributes."),
    click.option("--heights", is_flag=True, help="Add a scene with the BDHC plates."),
    click.option("--dummies", is_flag=True, help="Draw the dummy boxes that the game shows for props out of place."),
    click.option("--static", is_flag=True, help="Leave animations out."),
    click.option(
        "--pattern", type=click.Choice(["nodes", "atlas"]), default="nodes", show_default=True,
        help="Changing pictures as nodes that appear and disappear, or as an atlas where texture coordinates allow.",
    ),
)  # fmt: skip


def export_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of every glTF export to a verb; it receives them as keywords."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command()
@rom_argument
@click.argument("map_names", metavar="MAP...", nargs=-1)
@click.option("--output", "-o", type=OutputPath(), required=True, help="A GLB file, or a folder.")
@click.option("--all", "every", is_flag=True, help="Every map, into a folder with a manifest.")
@click.option("--cell", type=CellPair(), help="Only this cell of the place, as X,Z.")
@click.option("--whole-matrix", is_flag=True, help="All cells of the place's matrix.")
@click.option("--jobs", "-j", type=click.IntRange(1), metavar="N", help="Processes of --all; by default one per core.")
@click.option("--resume", is_flag=True, help="With --all: skip files that are up to date.")
@matrix_option
@area_option
@export_options
@json_option
def export(
    rom: str,
    map_names: tuple[str, ...],
    output: Path,
    every: bool,
    cell: tuple[int, int] | None,
    whole_matrix: bool,
    jobs: int | None,
    resume: bool,
    matrix: int | None,
    area: int | None,
    as_json: bool,
    **settings: Any,
) -> int:
    """Write places as GLB: MAP is a header number, an internal name or a location name."""
    if every == bool(map_names):
        raise click.UsageError(
            "--all exports every map: name no MAP beside it." if every else "Name at least one MAP, or give --all."
        )
    if every and (cell or whole_matrix or matrix is not None or area is not None):
        raise click.UsageError(
            "--all exports every map as it is: it takes no --cell, --whole-matrix, --matrix, --area."
        )
    if not every and (jobs is not None or resume):
        raise click.UsageError("--jobs and --resume belong to --all.")
    ending = output.suffix.lower()
    if ending in (".glb", ".gltf") and not output.is_dir() and (every or len(map_names) > 1 or ending == ".gltf"):
        raise click.UsageError(
            "Only GLB is written: let the name end in .glb."
            if ending == ".gltf"
            else f"Several maps need a folder, and {output} is the name of a file."
        )
    from mapexplorer.export.options import ExportOptions

    try:
        options = ExportOptions(**settings)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if every:
        return _export_all(rom, output, options, jobs, resume, as_json)
    return _export_some(rom, map_names, output, options, matrix, area, cell, whole_matrix, as_json)


def _export_all(rom: str, folder: Path, options: ExportOptions, jobs: int | None, resume: bool, as_json: bool) -> int:
    from mapexplorer.export.batch import export_all

    with progress("Exporting") as report:
        result = export_all(
            rom,
            folder,
            options,
            jobs=jobs,
            resume=resume,
            progress=lambda step: report(str(step.entry.get("file", "")), step.done, step.total),
        )
    if as_json:
        groups = {"written": result.written, "skipped": result.skipped, "empty": result.empty, "failed": result.failed}
        print_json({"folder": str(folder), "options": options.to_json(), **groups, "interrupted": result.interrupted})
    else:
        for entry in result.empty:
            click.echo(f"{entry['header']} {entry['internal_name']}: no file, {entry['reason']}")
    for entry in result.failed:
        click.echo(f"{entry['header']} {entry['internal_name']}: failed, {entry['error']}", err=True)
    if result.interrupted:
        interrupt.say("Interrupted: files that were finished are complete; --resume goes on.")
    summary(
        f"{count(len(result.written), 'map')} written to {folder}, {len(result.skipped)} up to date, "
        f"{len(result.empty)} without cells, {len(result.failed)} failed.",
        as_json=as_json,
    )
    if result.interrupted:
        return interrupt.STATUS
    return 1 if result.failed else 0


def _export_some(
    rom: str,
    map_names: tuple[str, ...],
    output: Path,
    options: ExportOptions,
    matrix: int | None,
    area: int | None,
    cell: tuple[int, int] | None,
    whole_matrix: bool,
    as_json: bool,
) -> int:
    import dataclasses

    from mapexplorer.api import World
    from mapexplorer.errors import PlaceError
    from mapexplorer.export.batch import file_name

    world = World(rom)
    places = list(
        {place.header.id: place for place in (world.place(name, matrix, area) for name in map_names)}.values()
    )
    folder = len(places) > 1 or output.is_dir() or output.suffix.lower() != ".glb"
    if folder:
        output.mkdir(parents=True, exist_ok=True)
    written: list[dict[str, Any]] = []
    failed: list[dict[str, Any]] = []
    for place in places:
        header = place.header
        entry = {
            "header": header.id,
            "internal_name": header.internal_name,
            "location_name": header.location_name,
            "kind": header.kind,
        }
        target = output / file_name(place.header.id, place.header.internal_name) if folder else output
        cells = list(place.matrix_cells.values() if whole_matrix or cell else place.cells)
        if cell:
            cells = [one for one in cells if (one.x, one.z) == cell]
        if not cells:
            where = (
                f"no cell {cell[0]},{cell[1]} with land"
                if cell
                else "no cells of its own; --whole-matrix exports the others"
            )
            if len(places) == 1:
                raise PlaceError(f"{place.header.title} has {where}.")
            click.echo(f"{place.header.title}: failed, {where}.", err=True)
            failed.append(entry | {"error": f"{where}."})
            continue
        report = place.export_gltf(target, options, cells=cells)
        written.append(entry | {"file": str(target), **dataclasses.asdict(report)})
        if not as_json:
            _print_report(target, place, report)
    if as_json:
        print_json({"options": options.to_json(), "written": written, "failed": failed})
    summary(f"{count(len(written), 'map')} written, {len(failed)} failed.", as_json=as_json)
    return 1 if failed else 0


def _print_report(target: Path, place: Place, report: FieldReport) -> None:
    click.echo(
        f"{target}: {place.header.title}, {count(report.cells, 'cell')}, {count(report.props, 'prop')}, "
        f"{count(report.triangles, 'triangle')}, {count(report.animations, 'clip')}, {report.size:,} bytes"
    )
    for sentence in (*report.missing, *report.dummies):
        click.echo(f"  {sentence}")

"""`export`: maps as GLB, one, several or all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mapexplorer.cli.arguments import output_path, rom_argument
from mapexplorer.cli.options import misuse, request_options, taken
from mapexplorer.cli.output import count, examples, json_option, print_json, progress, summary
from mapexplorer.export.request import AllMapsRequest, MapRequest, MatrixRequest
from mapexplorer.export.run import run
from mapexplorer.system import interrupt


@click.command(
    epilog=examples(
        "export demo T01 -o town.glb", "export demo T01 L01 -o maps --hour 20", "export demo --all -o all -j 1"
    )
)
@rom_argument
@click.argument("map_names", metavar="MAP...", nargs=-1)
@click.option("--output", "-o", type=output_path(), required=True, help="A GLB file, or a folder.")
@click.option("--all", "every", is_flag=True, help="Every map, into a folder with a manifest.")
@click.option("--whole-matrix", is_flag=True, help="All cells of the place's matrix.")
@request_options(MapRequest, AllMapsRequest)
@json_option
def export(
    rom: str,
    map_names: tuple[str, ...],
    output: Path,
    every: bool,
    whole_matrix: bool,
    as_json: bool,
    **values: Any,
) -> int:
    """Write places as GLB: MAP is a header number, an internal name or a location name."""
    where = {name: values[name] for name in ("cell", "matrix", "area")}
    if every == bool(map_names):
        raise click.UsageError(
            "--all exports every map: name no MAP beside it." if every else "Name at least one MAP, or give --all."
        )
    if every and (whole_matrix or any(value is not None for value in where.values())):
        raise click.UsageError(
            "--all exports every map as it is: it takes no --cell, --whole-matrix, --matrix, --area."
        )
    if every and values["state"] is not None:
        raise click.UsageError("--state belongs to one map, not to --all.")
    if not every and (values["maps"] is not None or values["jobs"] is not None or values["resume"]):
        raise click.UsageError("--maps, --jobs and --resume belong to --all.")
    ending = output.suffix.lower()
    if ending in (".glb", ".gltf") and not output.is_dir() and (every or len(map_names) > 1 or ending == ".gltf"):
        raise click.UsageError(
            "Only GLB is written: the name must end in .glb."
            if ending == ".gltf"
            else f"Several maps need a folder, and {output} is the name of a file."
        )
    if every:
        with misuse(AllMapsRequest):
            return _export_all(rom, AllMapsRequest.made(taken(values, AllMapsRequest), output=output), as_json)
    kind = MatrixRequest if whole_matrix and where["cell"] is None else MapRequest
    with misuse(kind):
        return _export_some(rom, map_names, output, kind, taken(values, kind), as_json)


def _export_all(rom: str, request: AllMapsRequest, as_json: bool) -> int:
    from mapexplorer.world.opening import open_rom

    with progress("Exporting") as bar:
        outcome = run(request, open_rom(rom), bar)
    facts = outcome.facts
    if as_json:
        print_json(facts)
    else:
        for entry in facts["empty"]:
            click.echo(f"{entry['header']} {entry['internal_name']}: no file, {entry['reason']}")
    for sentence in outcome.notices:
        click.echo(sentence, err=True)
    if facts["interrupted"]:
        interrupt.say("Interrupted: files that were finished are complete; --resume continues.")
    summary(f"{outcome.sentence}.", as_json=as_json)
    if facts["interrupted"]:
        return interrupt.STATUS
    return 1 if facts["failed"] else 0


def _export_some(
    rom: str,
    names: tuple[str, ...],
    output: Path,
    kind: type[MapRequest] | type[MatrixRequest],
    values: dict[str, Any],
    as_json: bool,
) -> int:
    options = kind.made(values, output=Path("any.glb"), place=0).options  # checked before the ROM is opened
    from mapexplorer.export.batch import file_name
    from mapexplorer.export.maps import NoLandError
    from mapexplorer.world.header import header_json
    from mapexplorer.world.world import FieldWorld

    world = FieldWorld.open(rom)
    matrix, area = values["matrix"], values["area"]
    places = list({place.header.id: place for place in (world.place(name, matrix, area) for name in names)}.values())
    folder = len(places) > 1 or output.is_dir() or output.suffix.lower() != ".glb"
    if folder:
        output.mkdir(parents=True, exist_ok=True)
    written: list[dict[str, Any]] = []
    failed: list[dict[str, Any]] = []
    for place in places:
        header = place.header
        target = output / file_name(header.id, header.internal_name) if folder else output
        try:
            outcome = run(kind.made(values, output=target, place=header.id), world)
        except NoLandError as error:
            if len(places) == 1:
                raise
            click.echo(f"{header.title}: failed, {error.reason}", err=True)
            failed.append(header_json(header) | {"error": error.reason})
            continue
        written.append(outcome.facts)
        if not as_json:
            click.echo(f"{target}: {outcome.sentence}")
        damaged = outcome.facts["damaged"]
        for sentence in outcome.notices:
            if sentence in damaged:
                click.echo(sentence, err=True)
            elif not as_json:
                click.echo(f"  {sentence}")
    if as_json:
        print_json({"options": options.to_json(), "written": written, "failed": failed})
    summary(f"{count(len(written), 'map')} written, {len(failed)} failed.", as_json=as_json)
    return 1 if failed else 0

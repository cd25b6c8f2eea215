"""`export`: maps as GLB, one, several or all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mapexplorer.cli.arguments import maps_argument, output_path, rom_argument
from mapexplorer.cli.options import misuse, request_options, taken
from mapexplorer.cli.output import count, examples, json_option, print_json, progress, summary
from mapexplorer.export.files import STANDARD_OUTPUT, is_folder
from mapexplorer.export.options import SCENE_ENDINGS
from mapexplorer.export.request import AllMapsRequest, KitRequest, MapRequest, MatrixRequest
from mapexplorer.export.run import run
from mapexplorer.system import interrupt
from mapexplorer.system.terminal import echo


@click.command(
    epilog=examples(
        "export demo T01 -o town.glb",
        "export demo T01 L01 -o maps --hour 20",
        "export demo --all -o all -j 1",
        "export demo T01 --whole-matrix --kit -o kit",
    )
)
@rom_argument
@maps_argument
@click.option(
    "--output", "-o", type=output_path(), required=True,
    help="A .glb, .gltf or .obj file (-: GLB to standard output), or a folder.",
)  # fmt: skip
@click.option("--all", "every", is_flag=True, help="Every map, into a folder with a manifest.")
@click.option("--kit", "as_kit", is_flag=True, help="Models and cells as .gltf with shared files, into a folder.")
@request_options(MapRequest, KitRequest, AllMapsRequest)
@json_option
def export(
    rom: str,
    map_names: tuple[str, ...],
    output: Path,
    every: bool,
    as_kit: bool,
    as_json: bool,
    **values: Any,
) -> int:
    """Write places as GLB: MAP is a header number, an internal name or a location name."""
    whole_matrix = values["whole_matrix"]
    where = {name: values[name] for name in ("cell", "matrix", "area")}
    if every == bool(map_names):
        raise click.UsageError(
            "--all exports every map: name no MAP beside it." if every else "Name at least one MAP, or give --all."
        )
    if every and (whole_matrix or as_kit or any(value is not None for value in where.values())):
        raise click.UsageError(
            "--all exports every map as it is: it takes no --cell, --whole-matrix, --kit, --matrix, --area."
        )
    if every and values["state"] is not None:
        raise click.UsageError("--state belongs to one map, not to --all.")
    if not every and (values["maps"] is not None or values["jobs"] is not None or values["resume"]):
        raise click.UsageError("--maps, --jobs and --resume belong to --all.")
    if as_kit:
        return _export_kit(rom, map_names, output, values, as_json)
    _check_output(output, every, as_json)
    if every:
        with misuse(AllMapsRequest):
            return _export_all(rom, AllMapsRequest.made(taken(values, AllMapsRequest), output=output), as_json)
    del values["whole_matrix"]
    kind = MatrixRequest if whole_matrix and where["cell"] is None else MapRequest
    with misuse(kind):
        return _export_some(rom, map_names, output, kind, taken(values, kind), as_json)


def _check_output(output: Path, several: bool, as_json: bool) -> None:
    if output == STANDARD_OUTPUT:
        if several or as_json:
            raise click.UsageError("Standard output takes one map, and nothing beside it.")
        return
    if is_folder(output):
        return
    if output.suffix.lower() not in SCENE_ENDINGS:
        raise click.UsageError(
            f"A map is written as .glb, .gltf or .obj: {output} looks like the name of another file (a folder that is "
            "named so must exist)."
        )
    if several:
        raise click.UsageError(f"Several maps need a folder, and {output} is the name of a file.")


def _export_all(rom: str, request: AllMapsRequest, as_json: bool) -> int:
    from mapexplorer.world.opening import open_rom

    with progress("Exporting") as bar:
        outcome = run(request, open_rom(rom), bar)
    facts = outcome.facts
    if as_json:
        print_json(facts)
    else:
        for entry in facts["empty"]:
            echo(f"{entry['header']} {entry['internal_name']}: no file, {entry['reason']}")
    for sentence in outcome.notices:
        echo(sentence, err=True)
    if facts["interrupted"]:
        from mapexplorer.export.batch import interrupted_sentence

        interrupt.say(interrupted_sentence(len(facts["written"]) + len(facts["skipped"]), facts["undone"]))
    summary(f"{outcome.sentence}.", as_json=as_json)
    if facts["interrupted"]:
        return interrupt.status()
    return 1 if facts["failed"] else 0


def _export_kit(rom: str, names: tuple[str, ...], output: Path, values: dict[str, Any], as_json: bool) -> int:
    if values["cell"] is not None:
        raise click.UsageError("--cell is one cell, and --kit all of a place.")
    if output == STANDARD_OUTPUT or (output.suffix.lower() in SCENE_ENDINGS and not output.is_dir()):
        raise click.UsageError(f"A kit is a folder, and {output} is not the name of one.")
    from mapexplorer.world.header import find_headers
    from mapexplorer.world.world import FieldWorld

    with misuse(KitRequest):
        chosen = taken(values, KitRequest)
        options = KitRequest.made(chosen, output=output, place=0).options  # checked before the ROM is opened
        world = FieldWorld.open(rom)
        headers = find_headers(world.headers, names)
        if len(headers) > 1:
            raise click.UsageError("A kit is of one map; --whole-matrix takes all cells of its matrix.")
        with progress("Exporting") as bar:
            outcome = run(KitRequest.made(chosen, output=output, place=headers[0].id), world, bar)
    if as_json:
        print_json({"options": options.to_json(), "written": [outcome.facts], "failed": []})
    else:
        echo(outcome.sentence)
    for sentence in outcome.notices:
        echo(sentence, err=True)
    summary(f"{count(outcome.facts['files'], 'file')} written to {output}.", as_json=as_json)
    return 0


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
    from mapexplorer.export.maps import NoLandError, owner_of_cell
    from mapexplorer.world.header import find_headers, header_json
    from mapexplorer.world.world import FieldWorld

    world = FieldWorld.open(rom)
    matrix, area, cell = values["matrix"], values["area"], values.get("cell")
    named = [world.place(header.id, matrix, area) for header in find_headers(world.headers, names)]
    if cell is not None:
        named = [owner_of_cell(world, place, cell) for place in named]
    places = list({place.header.id: place for place in named}.values())
    if len(places) > 1:
        _check_output(output, True, as_json)
    streamed = output == STANDARD_OUTPUT
    folder = not streamed and (len(places) > 1 or output.is_dir() or output.suffix.lower() not in SCENE_ENDINGS)
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
            echo(f"{header.title}: failed, {error.reason}", err=True)
            failed.append(header_json(header) | {"error": error.reason})
            continue
        written.append(outcome.facts)
        if not as_json:
            echo(f"{'' if streamed else f'{target}: '}{outcome.sentence}", err=streamed)
        damaged = outcome.facts["damaged"]
        for sentence in outcome.notices:
            if sentence in damaged:
                echo(sentence, err=True)
            elif not as_json:
                echo(f"  {sentence}", err=streamed)
    if as_json:
        print_json({"options": options.to_json(), "written": written, "failed": failed})
    summary(f"{count(len(written), 'map')} written, {len(failed)} failed.", as_json=as_json or streamed)
    return 1 if failed else 0

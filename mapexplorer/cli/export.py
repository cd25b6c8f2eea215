"""`export`: maps as GLB, one, several or all; models."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click

from mapexplorer.cli.answer import Answer
from mapexplorer.cli.arguments import maps_argument, output_path, rom_argument
from mapexplorer.cli.batch import batch_answer, run_shown
from mapexplorer.cli.options import declared, misuse, request_options, taken
from mapexplorer.cli.output import count, examples, json_option
from mapexplorer.export.files import STANDARD_OUTPUT, is_folder
from mapexplorer.export.options import MAP_ENDINGS
from mapexplorer.export.request import AllMapsRequest, KitRequest, MapRequest, MatrixRequest, ModelsRequest, Request
from mapexplorer.export.run import run
from mapexplorer.system.terminal import echo

_KINDS: Final[dict[type[Request], str]] = {
    AllMapsRequest: "--all",
    KitRequest: "--kit",
    ModelsRequest: "--models",
    MatrixRequest: "--whole-matrix",
    MapRequest: "A map",
}
"""The kinds of request of this verb, and what asks for them."""


@click.command(
    epilog=examples(
        "export demo T01 -o town.glb",
        "export demo T01 L01 -o maps --hour 20",
        "export demo --all -o all -j 1",
        "export demo T01 --whole-matrix --kit -o kit",
        "export demo --models prop:1-9,land:0 -o models -j 1",
    )
)
@rom_argument
@maps_argument
@click.option(
    "--output",
    "-o",
    type=output_path(),
    required=True,
    help="A .glb, .gltf, .obj or .html file (-: GLB to standard output), or a folder.",
)
@click.option("--all", "every", is_flag=True, help="Every map, into a folder with a manifest.")
@click.option("--kit", "as_kit", is_flag=True, help="Models and cells as .gltf with shared files, into a folder.")
@request_options(MapRequest, KitRequest, AllMapsRequest, ModelsRequest)
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
    """Write places as GLB: MAP is a header number, an internal name or a location name. With --models props and
    terrain alone."""
    alone = "--all exports every map" if every else "--models exports models" if values["models"] is not None else None
    if (alone is not None) == bool(map_names):
        raise click.UsageError(
            "Name at least one MAP, or give --all or --models." if alone is None else f"{alone}: name no MAP beside it."
        )
    if alone is not None and as_kit:
        raise click.UsageError(f"{alone.split()[0]} takes no --kit.")
    if alone is not None or as_kit:
        kind: Any = KitRequest if alone is None else AllMapsRequest if every else ModelsRequest
    else:
        kind = MatrixRequest if values.pop("whole_matrix") and values["cell"] is None else MapRequest
    _check_output(output, kind, several=every, as_json=as_json)
    with misuse(kind):
        options = _options_of(kind, values)
        if kind is AllMapsRequest:
            return batch_answer(rom, AllMapsRequest.made(options, output=output), "Exporting").show(as_json=as_json)
        if kind is ModelsRequest:
            return _models(rom, ModelsRequest.made(options, output=output)).show(as_json=as_json)
        if kind is KitRequest:
            return _kit(rom, map_names, output, options).show(as_json=as_json)
        return _maps(rom, map_names, output, kind, options, as_json).show(as_json=as_json)


def _options_of(kind: type[Request], values: dict[str, Any]) -> dict[str, Any]:
    """The values of the options of a kind of request; no others may be given."""
    options, others = taken(values, kind), declared(*_KINDS)
    for name, value in values.items():
        option = others[name][0]
        if value is not None and (not value if option.inverted else value) != option.default:
            raise click.UsageError(f"{_KINDS[kind]} takes no {option.spellings[0]}.")
    return options


def _check_output(output: Path, kind: type[Request], *, several: bool, as_json: bool) -> None:
    is_file = output.suffix.lower() in MAP_ENDINGS
    if kind in (KitRequest, ModelsRequest):
        if output == STANDARD_OUTPUT or (is_file and not output.is_dir()):
            what = "A kit is" if kind is KitRequest else "Models are written into"
            raise click.UsageError(f"{what} a folder, and {output} is not the name of one.")
    elif output == STANDARD_OUTPUT:
        if several or as_json:
            raise click.UsageError("Standard output takes one map, and nothing beside it.")
    elif not is_folder(output, *MAP_ENDINGS):
        if not is_file:
            raise click.UsageError(f"A map is written as .glb, .gltf, .obj or .html, not as {output.suffix}: {output}.")
        if several:
            raise click.UsageError(f"Several maps need a folder, and {output} is the name of a file.")


def _models(rom: str, request: ModelsRequest) -> Answer:
    from mapexplorer.world.world import FieldWorld

    outcome = run_shown(request, FieldWorld.open(rom), "Exporting")
    facts = outcome.facts
    return Answer(f"{outcome.sentence}.", json=lambda: facts, after=outcome.notices, status=1 if facts["failed"] else 0)


def _kit(rom: str, names: tuple[str, ...], output: Path, options: dict[str, Any]) -> Answer:
    from mapexplorer.world.headers.header import find_headers
    from mapexplorer.world.world import FieldWorld

    looks = KitRequest.made(options, output=output, place=0).options  # checked before the ROM is opened
    world = FieldWorld.open(rom)
    headers = find_headers(world.headers, names)
    if len(headers) > 1:
        raise click.UsageError("A kit is of one map; --whole-matrix takes all cells of its matrix.")
    outcome = run_shown(KitRequest.made(options, output=output, place=headers[0].id), world, "Exporting")
    return Answer(
        f"{count(outcome.facts['files'], 'file')} written to {output}.",
        [outcome.sentence],
        lambda: {"options": looks.to_json(), "written": [outcome.facts], "failed": []},
        after=outcome.notices,
    )


def _maps(
    rom: str,
    names: tuple[str, ...],
    output: Path,
    kind: type[MapRequest | MatrixRequest],
    options: dict[str, Any],
    as_json: bool,
) -> Answer:
    """Write some maps; a line for each is printed when it is written."""
    looks = kind.made(options, output=Path("any.glb"), place=0).options  # checked before the ROM is opened
    from mapexplorer.export.batch import file_name
    from mapexplorer.export.maps import NoLandError, owner_of_cell
    from mapexplorer.world.headers.header import find_headers, header_json
    from mapexplorer.world.world import FieldWorld

    world = FieldWorld.open(rom)
    matrix, area, cell = options["matrix"], options["area"], options.get("cell")
    named = [world.place(header.id, matrix, area) for header in find_headers(world.headers, names)]
    if cell is not None:
        named = [owner_of_cell(world, place, cell) for place in named]
    places = list({place.header.id: place for place in named}.values())
    if len(places) > 1:
        _check_output(output, kind, several=True, as_json=as_json)
    streamed = output == STANDARD_OUTPUT
    folder = not streamed and (len(places) > 1 or is_folder(output, *MAP_ENDINGS))
    if folder:
        output.mkdir(parents=True, exist_ok=True)
    written: list[dict[str, Any]] = []
    failed: list[dict[str, Any]] = []
    for place in places:
        header = place.header
        target = output / file_name(header.id, header.internal_name) if folder else output
        try:
            outcome = run(kind.made(options, output=target, place=header.id), world)
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
    return Answer(
        f"{count(len(written), 'map')} written, {len(failed)} failed.",
        json=lambda: {"options": looks.to_json(), "written": written, "failed": failed},
        status=1 if failed else 0,
        streamed=streamed,
    )

"""`render`: a place as the DS or OpenGL draws it. `poster`: a map or a whole matrix from above."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from mapexplorer.cli.answer import Answer
from mapexplorer.cli.arguments import (
    Value,
    output_path,
    place_and_tile,
    rom_argument,
    several_maps_argument,
    words_argument,
)
from mapexplorer.cli.batch import batch_answer, run_shown
from mapexplorer.cli.options import misuse, parsed, request_options, taken
from mapexplorer.cli.output import count, examples, json_option, print_json
from mapexplorer.errors import OpenGLMissingError
from mapexplorer.export.files import is_folder
from mapexplorer.export.files import map_name as map_file
from mapexplorer.export.request import AllPicturesRequest, PictureRequest, PosterRequest, Request
from mapexplorer.scene.view import View
from mapexplorer.system.terminal import echo
from mapexplorer.values import Numbers

_PICTURE: Final = output_path(*PictureRequest.kind.suffixes)
_DEFAULTS: Final = {option.name: option.default for option in PictureRequest.declared()}

if TYPE_CHECKING:
    from mapexplorer.world.headers.header import Header
    from mapexplorer.world.world import FieldWorld


@click.command(
    epilog=examples(
        "render demo T01 -o town.png",
        "render demo T01 --hour 20 --at 8.5,36.5 -o evening.png",
        "render demo T01 --why 128,96",
    )
)
@rom_argument
@several_maps_argument
@click.option(
    "--output", "-o", type=output_path(), help="A PNG; with --frames an APNG or .gif; of several maps a folder."
)
@click.option("--why", type=Value(Numbers("X,Y", whole=True)), help="Explain a pixel of the screen instead.")
@click.option("--all", "every", is_flag=True, help="A picture of every map, into a folder with a manifest.")
@request_options(PictureRequest, AllPicturesRequest)
@json_option
def render(
    rom: str,
    words: tuple[str, ...],
    output: Path | None,
    why: tuple[int, int] | None,
    every: bool,
    as_json: bool,
    **values: Any,
) -> int:
    """Draw a place, or several into a folder: MAP is a header number or a name; X,Z is the same as --at."""
    if every and words:
        raise click.UsageError("--all draws every map: name no MAP beside it.")
    if not every and not words:
        raise click.UsageError("Name a MAP, or give --all.")
    if (output is None) == (why is None):
        raise click.UsageError("Give either -o FILE or --why X,Y.")
    if every:
        return _batch(rom, [], output, values).show(as_json=as_json)
    into = output if output is not None and is_folder(output, ".png") else None
    if into is not None:
        from mapexplorer.world.headers.header import find_headers
        from mapexplorer.world.world import FieldWorld

        name, tile = place_and_tile(*words)
        named = find_headers(FieldWorld.open(rom).headers, words if tile is None else (name,))
        if len(named) > 1:
            return _batch(rom, named, into, values).show(as_json=as_json)
        output = into / f"{map_file(named[0].id, named[0].internal_name)}.png"
    if output is not None:
        _PICTURE.convert(output, None, None)
    map_name, tile = place_and_tile(*words)
    values["at"] = values["at"] or tile
    others = {"jobs": "--jobs", "maps": "--maps", "resume": "--resume", "sheet": "--sheet"}
    for name, spelling in others.items():
        if values.pop(name):
            raise click.UsageError(f"{spelling} needs --all, or a folder.")
    if values["engine"] == "gl" and why is not None:
        raise click.UsageError("--why needs --engine ds.")
    if why is not None:
        return _explain(rom, map_name, why, values).show(as_json=as_json)
    with misuse(PictureRequest):
        request = PictureRequest.made(taken(values, PictureRequest), place=map_name, output=output)
        if into is not None:
            into.mkdir(parents=True, exist_ok=True)
        from mapexplorer.world.world import FieldWorld

        try:
            return _draw(FieldWorld.open(rom), as_json, request)
        except OpenGLMissingError as error:
            raise OpenGLMissingError(f"{error} Use --engine ds.") from None


def _batch(rom: str, named: Sequence[Header], output: Path | None, values: dict[str, Any]) -> Answer:
    """Draw some maps, or all, into a folder."""
    if output is None or not is_folder(output, ".png"):
        raise click.UsageError("Pictures of several maps need a folder: -o FOLDER.")
    with misuse(AllPicturesRequest):
        options = taken(values, AllPicturesRequest)
        for name, value in values.items():
            if value and value != _DEFAULTS.get(name):
                raise click.UsageError(f"Pictures of several maps take no --{name.replace('_', '-')}.")
        if named:
            options["maps"] = ",".join(str(header.id) for header in named)
        request = AllPicturesRequest.made(options, output=output)
    return batch_answer(rom, request, "Drawing")


def _draw(world: FieldWorld, as_json: bool, *requests: Request) -> int:
    """Draw one picture, or several."""
    written = []
    for request in requests:
        outcome = run_shown(request, world, "Drawing")
        echo(*outcome.notices, err=True)
        written.append(outcome.facts)
        damaged = len(outcome.facts["damaged"])
        left_out = f"{damaged} damaged left out, " if damaged else ""
        echo(f"{request.output}: {outcome.sentence}, {left_out}0 failed.", err=as_json)
    if as_json:
        print_json({"written": written} if len(requests) > 1 else written[0])
    return 0


def _explain(rom: str, name: str, pixel: tuple[int, int], values: dict[str, Any]) -> Answer:
    from mapexplorer.inspector.places.pixel import pixel_json, sentences
    from mapexplorer.kernels import DS_PICTURES, prepare
    from mapexplorer.scene.pixel_trace import trace_pixel
    from mapexplorer.scene.scene import FieldScene
    from mapexplorer.world.world import FieldWorld

    place = FieldWorld.open(rom).place(name, values["matrix"], values["area"])
    with misuse(View):
        view = View.made(taken(values, View))
    place.check_tile(view.at)
    prepare(DS_PICTURES)
    with parsed():
        reason = trace_pixel(FieldScene(place, view), *pixel, view.tick)
    seen = sum(surface.seen for surface in reason.surfaces)
    return Answer(
        f"{count(len(reason.surfaces), 'polygon')} at this pixel, {seen} seen.",
        sentences(reason),
        lambda: {"header": place.header.id, **pixel_json(reason)},
    )


@click.command(epilog=examples("poster demo T01 -o town.png", "poster demo 0 -o region.png --names -j 1"))
@rom_argument
@words_argument("name", "MAP|MATRIX")
@click.option("--output", "-o", type=output_path(), required=True, help="A PNG file; of several maps a folder.")
@request_options(PosterRequest, without=("matrix",))
@json_option
def poster(rom: str, name: str, output: Path, as_json: bool, **values: Any) -> int:
    """Draw a map or a whole matrix from above.

    MAP is a location name (Route 201), an internal name (R201) or a header number behind a # ("#342"): the map's own
    cells are drawn, cropped to what they show. The name of a location that means several maps (Mt. Coronet) draws each
    of them into a file of its own in the output folder. MATRIX is a plain number: all cells of that matrix (0: the
    region).
    """
    with misuse(PosterRequest):
        from mapexplorer.export.files import map_name
        from mapexplorer.export.poster_bands import header_of_matrix
        from mapexplorer.world.headers.header import find_maps
        from mapexplorer.world.world import FieldWorld

        def request(place: int, path: Path, matrix: int | None = None) -> PosterRequest:
            return PosterRequest.made(taken(values, PosterRequest), place=place, output=path, matrix=matrix)

        world = FieldWorld.open(rom)
        if name.isdecimal():
            return _draw(world, as_json, request(header_of_matrix(world, int(name)), output, int(name)))
        headers = find_maps(world.headers, name)
        if len(headers) == 1 and not output.is_dir():
            return _draw(world, as_json, request(headers[0].id, output))
        if output.suffix and not output.is_dir():
            raise click.UsageError(f"{name} means {len(headers)} maps; name one of them, or give a folder with -o.")
        files = (output / f"{map_name(header.id, header.internal_name)}.png" for header in headers)
        requests = [request(header.id, path) for header, path in zip(headers, files, strict=True)]
        output.mkdir(parents=True, exist_ok=True)
        return _draw(world, as_json, *requests)

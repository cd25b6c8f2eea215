"""`render`: a place as the DS or OpenGL draws it. `poster`: a whole matrix from above."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from formats.binary import FormatError
from mapexplorer.cli.arguments import (
    Number,
    OutputPath,
    TilePair,
    area_option,
    hour_option,
    map_argument,
    matrix_option,
    rom_argument,
)
from mapexplorer.cli.output import count, json_option, print_json, progress, summary
from mapexplorer.errors import PlaceError

if TYPE_CHECKING:
    from mapexplorer.api import Place
    from mapexplorer.export.render import Painter
    from mapexplorer.scene.field import Scene
    from mapexplorer.world import World

_LAYERS = ("terrain", "props", "people", "player")
_FAR = 1e6
"""No number of units or pixels is larger; the largest matrix has 15,360 units."""
_LATE = 10_000_000
"""Field updates in nearly four days, within which every animation has come round."""


tick_option = click.option(
    "--tick", type=click.IntRange(0, _LATE), default=0, show_default=True, help="Field updates since entering."
)


class Numbers(click.ParamType):
    """A fixed count of numbers with commas between them."""

    def __init__(self, names: str, kind: type = float) -> None:
        self.name = names
        self._kind = kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[Any, ...]:
        if isinstance(value, tuple):
            return value
        parts = str(value).split(",")
        try:
            numbers = tuple(self._kind(part) for part in parts)
        except ValueError:
            numbers = ()
        if len(numbers) != self.name.count(",") + 1 or not all(abs(number) <= _FAR for number in numbers):
            self.fail(f"{value!r} is not {self.name}", param, ctx)
        return numbers


class Weather(click.ParamType):
    """`header`, `none`, a weather id or a weather's name."""

    name = "WEATHER"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> bool | int:
        if isinstance(value, bool | int):
            return value
        text = str(value).strip().lower()
        if text in ("header", "none"):
            return text == "header"
        from mapexplorer.games import DEFAULT

        known = DEFAULT.tables.weathers
        if text.isdecimal() and int(text) in known:
            return int(text)
        named = [number for number, weather in known.items() if weather.name.lower() == text]
        if not named:
            names = ", ".join(f"{number} {weather.name}" for number, weather in known.items())
            self.fail(f"{value!r} is no weather; there are header, none, {names}", param, ctx)
        return named[0]


class Layers(click.ParamType):
    """Names of layers with commas between them."""

    name = "LAYER,..."

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        if isinstance(value, tuple):
            return value
        names = tuple(part.strip() for part in str(value).split(","))
        if set(names) - set(_LAYERS):
            self.fail(f"the layers are {', '.join(_LAYERS)}", param, ctx)
        return names


@click.command()
@rom_argument
@map_argument
@click.option("--output", "-o", type=OutputPath(".png", ".apng", ".gif"), help="A PNG; with --frames an APNG or .gif.")
@click.option("--engine", type=click.Choice(["ds", "gl"]), default="ds", show_default=True, help="Who draws.")
@click.option("--at", type=TilePair(), help="Where the player stands; a whole number means the tile's centre.")
@hour_option
@tick_option
@click.option("--camera", type=click.Choice(["game", "top", "free"]), default="game", show_default=True)
@click.option("--zoom", type=Number(), default=1.0, show_default=True, help="Pixels per unit of the top camera.")
@click.option("--eye", type=Numbers("X,Y,Z"), help="Where the free camera is, in units; by default south of the spot.")
@click.option("--yaw", type=Number(), default=0.0, show_default=True, help="Free camera: degrees east of north.")
@click.option("--pitch", type=Number(), default=35.0, show_default=True, help="Free camera: degrees below the horizon.")
@click.option("--fov", type=Number(), default=40.0, show_default=True, help="Free camera: degrees from top to bottom.")
@click.option("--weather", type=Weather(), default="header", show_default=True, help="header, none, an id or a name.")
@click.option("--particles", is_flag=True, help="Rain, snow and the like over the picture: an impression.")
@click.option("--day", type=click.IntRange(0, 365), default=0, help="Day of a leap year, for weather that goes by it.")
@click.option("--layers", type=Layers(), default="terrain,props,people", show_default=True, help="What is drawn.")
@click.option("--wireframe", is_flag=True, help="The edges of all polygons, as the engine draws them with alpha 0.")
@click.option("--missing", is_flag=True, help="What lacks its texture or palette in magenta, not untextured.")
@click.option("--all-cells", is_flag=True, help="Every cell of the matrix, not only the four that the game loads.")
@click.option("--scale", type=click.IntRange(1, 16), default=1, show_default=True, help="Picture size, in screens.")
@click.option("--frames", type=click.IntRange(1, 10_000), help="A moving picture of so many frames.")
@click.option(
    "--step", type=click.IntRange(1, 1800), default=1, show_default=True, help="Field updates between frames."
)
@click.option("--day-cycle", is_flag=True, help="With --frames: the frames go once around the clock.")
@click.option("--why", type=Numbers("X,Y", int), help="Explain a pixel of the screen instead.")
@matrix_option
@area_option
@json_option
def render(
    rom: str, map_name: str, output: Path | None, engine: str, at: tuple[float, float] | None, second: int, tick: int,
    camera: str, zoom: float, eye: tuple[float, float, float] | None, yaw: float, pitch: float, fov: float,
    weather: bool | int, particles: bool, day: int, layers: tuple[str, ...], all_cells: bool, scale: int,
    frames: int | None, step: int, day_cycle: bool, why: tuple[int, int] | None, matrix: int | None, area: int | None,
    wireframe: bool, missing: bool, as_json: bool,
) -> int:  # fmt: skip
    """Draw a place: MAP is a header number, an internal name or a location name."""
    if engine == "gl" and (particles or why is not None):
        raise click.UsageError("--particles and --why need --engine ds.")
    if (output is None) == (why is None):
        raise click.UsageError("Give either -o FILE or --why X,Y.")
    if output is not None and output.suffix.lower() == ".gif" and frames is None:
        raise click.UsageError("A .gif needs --frames; one picture is written as .png.")
    if day_cycle and frames is None:
        raise click.UsageError("--day-cycle needs --frames.")
    from mapexplorer.api import World

    place = World(rom).place(map_name, matrix, area)
    _check_tile(place, at)
    with _painter(engine, scale) as paint:  # before the scene, which may have kernels to compile
        from mapexplorer.export.render import RenderPlan, write_render
        from mapexplorer.kernels import DS_PICTURES, prepare

        plan = RenderPlan(
            second, at, tick, camera, zoom, eye, yaw, pitch, fov, weather=weather, particles=particles, day=day,
            layers=layers, all_cells=all_cells, frames=frames, step=step, day_cycle=day_cycle, wireframe=wireframe,
            missing=missing,
        )  # fmt: skip
        if engine == "ds" or why is not None:
            prepare(DS_PICTURES)
        try:
            scene = plan.scene(place)
            if why is not None:
                return _explain(scene, why, tick, as_json)
        except FormatError:
            raise  # a damaged file, although a ValueError, is no misuse
        except ValueError as error:
            raise click.UsageError(str(error)) from None
        assert output is not None
        with progress("Drawing") as report:
            write_render(output, scene, plan, paint, lambda done, of: report("", done, of))
    for sentence in scene.damaged:
        click.echo(sentence, err=True)
    if not any(block.cells for block in scene.blocks):
        click.echo("There is no land here: no cell of the matrix is in view.", err=True)
    pictures = count(frames or 1, "picture")
    size = f"{256 * scale} x {192 * scale}"
    spot = f"tile ({scene.at[0]:g}, {scene.at[1]:g})"
    if as_json:
        facts = {"file": str(output), "header": place.header.id, "at": list(scene.at), "weather": scene.weather}
        print_json(facts | {"damaged": scene.damaged})
    summary(
        f"{output}: {place.header.title} at {spot}, {pictures} of {size}, {_left_out(scene.damaged)}0 failed.",
        as_json=as_json,
    )
    return 0


def _check_tile(place: Place, tile: tuple[float, float] | None) -> None:
    """A picture from beyond the matrix would be empty."""
    from mapexplorer.world.cells import CELL_TILES

    width, height = CELL_TILES * place.matrix.width, CELL_TILES * place.matrix.height
    if tile is not None and not (0 <= tile[0] < width and 0 <= tile[1] < height):
        within = f"matrix {place.matrix_id.value}, whose tiles are (0, 0) to ({width - 1}, {height - 1})"
        raise PlaceError(f"Tile ({tile[0]:g}, {tile[1]:g}) lies outside {within}.")


def _left_out(damaged: list[str]) -> str:
    return f"{len(damaged)} damaged left out, " if damaged else ""


def _explain(scene: Scene, pixel: tuple[int, int], tick: int, as_json: bool) -> int:
    reason = scene.why(*pixel, tick)
    if as_json:
        surfaces = [
            {"polygon": one.row, "seen": one.seen, "color": list(one.color), "words": one.sentences()}
            for one in reason.surfaces
        ]
        print_json({"pixel": list(pixel), "color": list(reason.color), "surfaces": surfaces})
    else:
        for line in reason.sentences():
            click.echo(line)
    seen = sum(surface.seen for surface in reason.surfaces)
    summary(f"{count(len(reason.surfaces), 'polygon')} at this pixel, {seen} seen.", as_json=as_json)
    return 0


@contextmanager
def _painter(engine: str, scale: int) -> Iterator[Painter]:
    """What draws a scene: the DS picture enlarged, or OpenGL at the size itself."""
    if engine == "ds":
        from mapexplorer.export.render import ds_painter

        yield ds_painter(scale)
        return
    from mapexplorer.opengl.errors import GlError
    from mapexplorer.opengl.painter import scene_painter

    try:
        with scene_painter(256 * scale, 192 * scale) as paint:
            yield paint
    except GlError as error:
        raise click.ClickException(f"OpenGL cannot draw here: {error}; --engine ds needs no OpenGL.") from None


@click.command()
@rom_argument
@click.argument("matrix", metavar="MATRIX")
@click.option("--output", "-o", type=OutputPath(".png"), required=True, help="A PNG file.")
@click.option("--cell", "cell_pixels", type=int, default=512, show_default=True, help="Pixels of a cell's side.")
@hour_option
@tick_option
@click.option("--layers", type=Layers(), default="terrain,props", show_default=True, help="What is drawn.")
@click.option("--grid", is_flag=True, help="Lines between cells.")
@click.option("--names", is_flag=True, help="Names of places.")
@click.option("--collision", is_flag=True, help="Tiles that cannot be entered in red.")
@click.option("--jobs", "-j", type=click.IntRange(1), help="Processes; by default one per core.")
@json_option
def poster(
    rom: str, matrix: str, output: Path, cell_pixels: int, second: int, tick: int, layers: tuple[str, ...],
    grid: bool, names: bool, collision: bool, jobs: int | None, as_json: bool,
) -> int:  # fmt: skip
    """Print a whole matrix from above: MATRIX is its number, or a place in it."""
    from mapexplorer.api import World
    from mapexplorer.export.poster import write_poster
    from mapexplorer.scene.poster import PosterPlan

    number, header = _matrix(World(rom), matrix)
    try:
        plan = PosterPlan(number, header, cell_pixels, second, tick, layers, grid, names, collision)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    damaged: list[str] = []
    with progress("Printing") as report:
        width, height = write_poster(
            rom,
            plan,
            output,
            jobs=jobs or os.cpu_count() or 1,
            progress=lambda done, of: report("", done, of),
            damaged=damaged,
        )
    for sentence in damaged:
        click.echo(sentence, err=True)
    if as_json:
        facts = {"file": str(output), "header": header, "matrix": number, "width": width, "height": height}
        print_json(facts | {"damaged": damaged})
    size = f"{width} x {height} pixels, {output.stat().st_size:,} bytes"
    summary(f"{output}: matrix {number}, {size}, {_left_out(damaged)}0 failed.", as_json=as_json)
    return 0


def _matrix(world: World, name: str) -> tuple[int, int]:
    """(matrix, header) of a matrix number or the name of a place."""
    from mapexplorer.scene.poster import header_of_matrix

    if name.isdecimal():
        return int(name), header_of_matrix(world, int(name))
    header = world.place(name).header
    return header.matrix, header.id

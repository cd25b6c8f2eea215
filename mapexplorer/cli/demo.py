"""`demo`: the demo world in the window, or rendered and exported."""

from __future__ import annotations

from pathlib import Path

import click

from mapexplorer.cli.arguments import output_path
from mapexplorer.cli.output import count, examples
from mapexplorer.kernels import DS_PICTURES, EXPORTS, prepare
from mapexplorer.system.terminal import echo

_HOURS = (8, 12, 18, 21)
_FOLDER = "demo-out"


@click.command(epilog=examples("demo", "demo -o demo-out"))
@click.option(
    "--output", "-o", type=output_path(), help=f"Write into this folder; without a display into {_FOLDER} by default."
)
@click.option("--open", "open_it", is_flag=True, help="Open the window after writing.")
def demo(output: Path | None, open_it: bool) -> int:
    """Open the demo world in the window; with -o, or without a display, render and export it into a folder."""
    from mapexplorer.cli import open_window
    from mapexplorer.export.batch import export_all
    from mapexplorer.export.files import map_name
    from mapexplorer.export.images import write_png
    from mapexplorer.gui.app.launcher import display_problem
    from mapexplorer.scene.scene import FieldScene
    from mapexplorer.scene.view import View
    from mapexplorer.world.world import FieldWorld

    if output is None and not open_it and not display_problem():
        open_window("demo")
    output = output or Path(_FOLDER)
    prepare((*EXPORTS, *DS_PICTURES))
    world = FieldWorld.open("demo")
    output.mkdir(parents=True, exist_ok=True)
    result = export_all("demo", output, jobs=1)
    for entry in result.written:
        echo(f"{output / entry['file']}")
    if result.interrupted:
        raise KeyboardInterrupt
    for entry in result.failed:
        echo(f"{entry['header']} {entry['internal_name']}: failed, {entry['error']}", err=True)
    places = [place for place in (world.place(header.id) for header in world.headers) if place.cells]
    pictures = [(place, hour) for place in places for hour in (_HOURS if place.outdoor_light else _HOURS[1:2])]
    for place, hour in pictures:
        target = output / f"{map_name(place.header.id, place.header.internal_name)}_{hour:02}h.png"
        write_png(target, FieldScene(place, View(hour * 3600)).render())
        echo(str(target))
    echo(
        f"{count(len(result.written), 'map')} exported, {count(len(pictures), 'picture')}, {len(result.failed)} failed."
    )
    if open_it:
        open_window("demo")
    return 1 if result.failed else 0

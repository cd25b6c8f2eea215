"""`demo`: the demo world, rendered and exported."""

from __future__ import annotations

from pathlib import Path

import click

from mapexplorer.cli.arguments import output_path
from mapexplorer.cli.output import count, examples
from mapexplorer.kernels import DS_PICTURES, EXPORTS, prepare
from mapexplorer.system.terminal import echo

_HOURS = (8, 12, 18, 21)


@click.command(epilog=examples("demo", "demo -o demo-out"))
@click.option(
    "--output", "-o", type=output_path(), default="demo-out", show_default=True, help="The folder to write into."
)
@click.option("--open", "open_it", is_flag=True, help="Then open the demo world in the window.")
def demo(output: Path, open_it: bool) -> int:
    """Render and export the demo world into a folder; --open shows it in the window."""
    from mapexplorer.export.batch import export_all
    from mapexplorer.export.files import map_name
    from mapexplorer.export.images import write_png
    from mapexplorer.scene.scene import FieldScene
    from mapexplorer.scene.view import View
    from mapexplorer.world.world import FieldWorld

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
        from mapexplorer.cli import open_window

        open_window("demo")
    return 1 if result.failed else 0

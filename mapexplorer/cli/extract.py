"""`extract`: one thing of a ROM as a file."""

from __future__ import annotations

from pathlib import Path

import click

from mapexplorer.cli.arguments import output_path, rom_argument, things_argument
from mapexplorer.cli.output import examples, summary
from mapexplorer.export.files import STANDARD_OUTPUT
from mapexplorer.system.terminal import echo


@click.command(
    epilog=examples(
        "extract demo prop:5 -o prop.nsbmd", "extract demo prop:5 -o prop.glb", "extract demo texture:1/0/0 -o t.png",
        "extract demo matrix:0 --json -o -", "extract demo file:data/arealight.narc#0 -o light.txt",
    )
)  # fmt: skip
@rom_argument
@things_argument
@click.option("--output", "-o", type=output_path(), required=True, help="A file; - is standard output.")
@click.option(
    "--as", "form", type=click.Choice(("stored", "json", "png", "glb")),
    help="As it is stored, decoded, as a picture or a model; by default what the ending of the file says.",
)  # fmt: skip
@click.option("--json", "form", flag_value="json", help="The same as --as json.")
def extract(rom: str, thing: str, output: Path, form: str | None) -> int:
    """Write a THING as it is stored in the ROM, decoded as JSON, as PNG (textures, sprites, species, items) or as a
    model (props: .glb, .gltf, .obj).

    THING is KIND:NUMBER or KIND:NAME of what has a file, or `file:PATH#INDEX`. A texture is stored in its set.
    """
    from mapexplorer.export.extract import extract as write
    from mapexplorer.inspector.things import ALL, find_thing
    from mapexplorer.world.world import FieldWorld

    world = FieldWorld.open(rom)
    found = find_thing(world, thing, ALL)
    outcome = write(world, found.kind, found.key, found.name, output, form)
    for sentence in outcome.notices:
        echo(sentence, err=True)
    summary(f"{found.title}: {outcome.sentence}.", as_json=output == STANDARD_OUTPUT)
    return 0

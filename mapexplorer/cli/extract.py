"""`extract`: one thing of a ROM as a file."""

from __future__ import annotations

from pathlib import Path

import click

from mapexplorer.cli.answer import Answer
from mapexplorer.cli.arguments import output_path, rom_argument, things_argument
from mapexplorer.cli.options import misuse
from mapexplorer.cli.output import examples, progress
from mapexplorer.export.files import STANDARD_OUTPUT


@click.command(
    epilog=examples(
        "extract demo prop:5 -o prop.nsbmd",
        "extract demo prop:5 -o prop.glb",
        "extract demo texture:1/0/0 -o t.png",
        "extract demo terrain-set:0 -o sheet.png",
        "extract demo land:3 --part bdhc -o land.bdhc",
        "extract demo prop:all -o props",
        "extract demo matrix:0 --json -o -",
        "extract demo file:data/arealight.narc#0 -o light.txt",
    )
)
@rom_argument
@things_argument
@click.option(
    "--output", "-o", type=output_path(), required=True, help="A file; - is standard output. Of :all a folder."
)
@click.option(
    "--as",
    "form",
    type=click.Choice(("stored", "json", "png", "glb")),
    help="As it is stored, decoded, as a picture or a model; by default what the ending of the file says.",
)
@click.option("--json", "form", flag_value="json", help="The same as --as json.")
@click.option(
    "--part",
    type=click.Choice(("model", "permissions", "props", "bdhc", "textures")),
    help="Of a land its model (.nsbmd), permissions (.per), props (.bld) or height plates (.bdhc), of a prop set its "
    "textures (.nsbtx); by default what the ending of the file says.",
)
def extract(rom: str, thing: str, output: Path, form: str | None, part: str | None) -> int:
    """Write a THING as it is stored in the ROM, decoded as JSON, as PNG (textures, texture sets, sprites, species,
    items) or as a model (props: .glb, .gltf, .obj).

    THING is KIND:NUMBER or KIND:NAME of what has a file, or `file:PATH#INDEX`; `prop:all`, `land:all` ... are all of a
    kind. A texture is stored in its set.
    """
    from mapexplorer.catalogue.resolve import ALL, find_thing
    from mapexplorer.export.extract import extract as write
    from mapexplorer.export.extract import extract_all
    from mapexplorer.world.world import FieldWorld

    if form and part:
        raise click.UsageError("--part is written as it is stored; it does not go with --as and --json.")
    world, form = FieldWorld.open(rom), form or part
    every = thing.lower().endswith(":all")
    meant = find_thing(world, f"{thing[:-3]}0" if every else thing, ALL)
    with misuse(), progress("Writing") as bar:
        outcome = (
            extract_all(world, meant.subject.kind, output, form, bar)
            if every
            else write(world, meant.subject.kind, meant.subject.key, meant.name, output, form)
        )
    title = f"every {meant.subject.kind}" if every else meant.title
    return Answer(
        f"{title}: {outcome.sentence}.",
        before=outcome.notices,
        streamed=output == STANDARD_OUTPUT,
        status=1 if every and outcome.notices else 0,
    ).show()

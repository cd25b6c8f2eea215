"""`extract`: one thing of a ROM as a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mapexplorer.cli.arguments import output_path, rom_argument, things_argument
from mapexplorer.cli.output import examples, summary
from mapexplorer.export.files import STANDARD_OUTPUT
from mapexplorer.system.terminal import echo

if TYPE_CHECKING:
    from mapexplorer.inspector.things import Thing
    from mapexplorer.world.world import FieldWorld

_BY_ENDING = {".png": "png", ".glb": "glb", ".json": "json"}


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
    """Write a THING as it is stored in the ROM, decoded as JSON, as PNG (textures, sprites, species, items) or as GLB
    (props).

    THING is KIND:NUMBER or KIND:NAME of what has a file, or `file:PATH#INDEX`. A texture is stored in its set.
    """
    from mapexplorer.export.files import write_atomically
    from mapexplorer.inspector.things import ALL, find_thing
    from mapexplorer.world.world import FieldWorld

    world = FieldWorld.open(rom)
    found = find_thing(world, thing, ALL)
    form = form or _BY_ENDING.get(output.suffix.lower(), "stored")
    to_standard_output = output == STANDARD_OUTPUT
    if form == "glb":
        return _glb(world, found, output)
    data = _bytes(world, found, form)
    write_atomically(output, data)
    summary(f"{found.title}: {len(data):,} bytes.", as_json=to_standard_output)
    return 0


def _bytes(world: FieldWorld, thing: Thing, form: str) -> bytes:
    from mapexplorer.export.extract import decoded, png, stored_bytes, stored_name

    if form == "png":
        return png(world, thing.kind, thing.key)
    name = stored_name(world, thing.kind, thing.key) if thing.key else thing.name
    return decoded(world, name).encode() if form == "json" else stored_bytes(world, name)


def _glb(world: FieldWorld, thing: Thing, output: Path) -> int:
    """A prop as the first map that has it shows it."""
    from mapexplorer.errors import RomError
    from mapexplorer.export.request import ModelRequest
    from mapexplorer.export.run import run

    if thing.kind != "prop":
        raise RomError(f"A {thing.kind} is no model; `export` writes maps as GLB.")
    (number,) = thing.key
    place = next(iter(world.uses.places("prop", number)), 0)
    outcome = run(ModelRequest(place=place, model=number, output=output), world)
    for sentence in outcome.notices:
        echo(sentence, err=True)
    summary(f"{thing.title}: {outcome.sentence}.", as_json=output == STANDARD_OUTPUT)
    return 0

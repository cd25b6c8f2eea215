"""`convert`: loose models, textures and animations as GLB or PNG."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from mapexplorer.cli.answer import Answer, answered
from mapexplorer.cli.arguments import output_path
from mapexplorer.cli.batch import run_shown
from mapexplorer.cli.completion import complete_file
from mapexplorer.cli.options import misuse, request_options, taken
from mapexplorer.cli.output import count, examples
from mapexplorer.export.options import ConvertOptions
from mapexplorer.export.request import ConvertRequest
from mapexplorer.world.world import FieldWorld


@click.command(
    epilog=examples(
        "convert model.nsbmd set.nsbtx -o model.glb",
        "convert set.nsbtx -o pictures",
        "convert demo prop:10 prop-set:0 -o windmill.glb",
    )
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, shell_complete=complete_file)
@click.option("--output", "-o", type=output_path(), required=True, help="A GLB or PNG file, or a folder.")
@request_options(ConvertOptions)
@answered
def convert(files: tuple[str, ...], output: Path, **values: Any) -> Answer:
    """Write loose files as GLB or PNG: NITRO models with texture sets and animations (NSBMD, NSBTX, NSBCA, NSBTP,
    NSBTA, NSBMA, NSBVA), GameCube models with joint animations (BMD, BDL, BCK), Iron3D models (MSH, NRes).

    Behind a ROM a FILE is a THING of it, as prop:5 or file:PATH#INDEX; of an archive (.narc, file:PATH) all members.

    The type of a file follows from its contents. Names of textures are looked up in every texture set that is given.
    Texture sets alone, or an OUT that ends in .png, give a PNG for every pair of texture and palette.
    """
    with misuse(ConvertOptions):
        options = ConvertOptions.made(taken(values, ConvertOptions))
        first, *others = files
        world = FieldWorld.open(first) if any(map(_is_thing, others)) else None
        given = files if world is None else others
        request = ConvertRequest(files=tuple(map(Path, given)), output=output, options=options)
        outcome = run_shown(request, world, "Writing")
    facts = outcome.facts
    return Answer(
        f"{outcome.sentence}.",
        _lines(facts),
        lambda: facts,
        before=outcome.notices,
        status=1 if facts.get("failed") else 0,
    )


def _is_thing(word: str) -> bool:
    """Whether a word is a THING of a ROM, as `prop:5`, and no file; a drive of Windows has one letter."""
    return len(word.partition(":")[0]) > 1 and ":" in word and not Path(word).exists()


def _lines(facts: dict[str, Any]) -> Iterator[str]:
    for model in facts.get("models", ()):
        clips = model["clips"]
        yield (
            f"{model['file']}: {count(model['materials'], 'material')}, {count(model['images'], 'texture')}, "
            f"{count(len(clips), 'clip')}{' (' + ', '.join(clips) + ')' if clips else ''}, {model['size']:,} bytes"
        )
        yield from (f"  {notice}" for notice in model["notices"])
    pictures = facts.get("pictures", ())
    for picture in pictures:
        palette, guessed = picture["palette"], " (guessed)" if picture["guessed"] else ""
        used = "" if palette is None else f", palette {palette}{guessed}"
        yield f"{picture['file']}: {picture['texture']}, {picture['width']} x {picture['height']}{used}"
    guesses = sum(picture["guessed"] for picture in pictures)
    if guesses:
        yield f"The palette of {count(guesses, 'texture')} is a guess; add a model that shows them."

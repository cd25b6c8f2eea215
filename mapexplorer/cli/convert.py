"""`convert`: loose models, textures and animations as GLB or PNG."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from mapexplorer.cli.arguments import output_path
from mapexplorer.cli.options import misuse, request_options, taken
from mapexplorer.cli.output import count, examples, json_option, print_json, progress, summary
from mapexplorer.export.options import ConvertOptions
from mapexplorer.export.request import ConvertRequest
from mapexplorer.export.run import run
from mapexplorer.system.terminal import echo


@click.command(epilog=examples("convert model.nsbmd set.nsbtx -o model.glb", "convert set.nsbtx -o pictures"))
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--output", "-o", type=output_path(), required=True, help="A GLB or PNG file, or a folder.")
@request_options(ConvertOptions)
@json_option
def convert(files: tuple[str, ...], output: Path, as_json: bool, **values: Any) -> int:
    """Write loose files as GLB or PNG: NITRO models with texture sets and animations (NSBMD, NSBTX, NSBCA, NSBTP,
    NSBTA, NSBMA, NSBVA), GameCube models with joint animations (BMD, BDL, BCK), Iron3D models (MSH, NRes).

    The type of a file follows from its contents. Names of textures are looked up in every texture set that is given.
    Texture sets alone, or an OUT that ends in .png, give a PNG for every pair of texture and palette.
    """
    with misuse(ConvertOptions):
        options = ConvertOptions.made(taken(values, ConvertOptions))
        request = ConvertRequest(files=tuple(map(Path, files)), output=output, options=options)
        with progress("Writing") as bar:
            outcome = run(request, progress=bar)
    facts = outcome.facts
    for sentence in outcome.notices:
        echo(sentence, err=True)
    if as_json:
        print_json(facts)
    else:
        for entry in facts.get("models", ()):
            _print_model(entry)
        _print_pictures(facts.get("pictures", ()))
    summary(f"{outcome.sentence}.", as_json=as_json)
    return 1 if facts.get("failed") else 0


def _print_model(entry: dict[str, Any]) -> None:
    clips = entry["clips"]
    echo(
        f"{entry['file']}: {count(entry['materials'], 'material')}, {count(entry['images'], 'texture')}, "
        f"{count(len(clips), 'clip')}{' (' + ', '.join(clips) + ')' if clips else ''}, {entry['size']:,} bytes"
    )
    for notice in entry["notices"]:
        echo(f"  {notice}")


def _print_pictures(entries: list[dict[str, Any]]) -> None:
    for entry in entries:
        palette, guessed = entry["palette"], " (guessed)" if entry["guessed"] else ""
        used = "" if palette is None else f", palette {palette}{guessed}"
        echo(f"{entry['file']}: {entry['texture']}, {entry['width']} x {entry['height']}{used}")
    guesses = sum(entry["guessed"] for entry in entries)
    if guesses:
        echo(f"The palette of {count(guesses, 'texture')} is a guess; add a model that shows them.")

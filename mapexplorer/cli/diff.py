"""`diff`: two ROMs in the game's terms."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from formats.binary import FormatError
from mapexplorer.cli.answer import Answer
from mapexplorer.cli.arguments import Value, header_archive_option, output_path, rom_path
from mapexplorer.cli.output import examples, json_option, problem, progress
from mapexplorer.compare.change import ChangedKind
from mapexplorer.errors import PlaceError, RomError
from mapexplorer.system.terminal import echo
from mapexplorer.values import Words

if TYPE_CHECKING:
    from mapexplorer.compare.change import Comparison
    from mapexplorer.world.world import FieldWorld

EQUAL, DIFFERENT, FAILED = 0, 1, 2
"""The exit statuses, those of the program diff."""

_KINDS = Words(tuple(ChangedKind), "kind")


@click.command(
    epilog=examples(
        "diff demo demo", "diff demo demo --only tile,warp --place T01 --json", "diff demo demo --html changes.html"
    )
)
@click.argument("before", metavar="A")
@click.argument("after", metavar="B", callback=rom_path)
@header_archive_option
@click.option("--only", type=Value(_KINDS), metavar=_KINDS.name, help=f"Only some kinds: {', '.join(ChangedKind)}.")
@click.option("--place", metavar="MAP", help="Only what belongs to a map.")
@click.option("--summary", "as_summary", is_flag=True, help="Only the numbers of differences by kind and by map.")
@click.option(
    "--html",
    "page",
    type=output_path(".html", ".htm"),
    help="Write one HTML page, with pictures of each changed place before and after, and of the difference.",
)
@json_option
def diff(
    before: str,
    after: str,
    only: Sequence[str] | None,
    place: str | None,
    as_summary: bool,
    page: Path | None,
    as_json: bool,
) -> int:
    """What is different between two ROMs, in the game's terms: maps, tiles, props, textures, warps, scripts, texts,
    wild Pokémon, trainers, items.

    A and B are images, folders, source trees, commits of source trees (TREE@REVISION) or the word `demo`. Of ROMs of
    different games what their maps have in common is compared, as a summary unless --only or --place is given. Things
    that code makes and files without a known format are compared by their bytes.

    The exit status is that of the program diff, other than that of all other verbs: 0 equal, 1 different, 2 misused or
    failed.
    """
    try:
        worlds, header, comparison = _compared(before, after, only, place)
        if page is not None:
            _write_page(page, worlds, header, comparison)
    except (PlaceError, FormatError, RomError, OSError) as error:
        echo(*problem(error), err=True)
        return FAILED
    from mapexplorer.inspector.roms.changes import changes_json, changes_lines, changes_summary, summary_lines

    if page is not None or as_summary or not (worlds[0].game.name == worlds[1].game.name or only or place):
        text = summary_lines(worlds[1], comparison)
    else:
        text = changes_lines(*worlds, comparison)
    written = f" Written to {page}." if page is not None else ""
    status = DIFFERENT if comparison.changes else EQUAL
    summary = f"{changes_summary(comparison)}{written}"
    return Answer(summary, text, lambda: changes_json(*worlds, comparison), status=status).show(as_json=as_json)


def _compared(
    before: str, after: str, only: Sequence[str] | None, place: str | None
) -> tuple[tuple[FieldWorld, FieldWorld], int | None, Comparison]:
    """The two ROMs, the chosen header of the second one, and the differences. Raises PlaceError, FormatError, RomError,
    OSError."""
    from mapexplorer.compare.comparison import compare, of_map
    from mapexplorer.world.world import FieldWorld

    worlds = FieldWorld.open(before), FieldWorld.open(after)
    header = None if place is None else worlds[1].place(place).header.id
    comparison = compare(*worlds, only=frozenset(map(ChangedKind, only)) if only else frozenset(ChangedKind))
    return worlds, header, comparison if header is None else of_map(comparison, header)


def _write_page(path: Path, worlds: tuple[FieldWorld, FieldWorld], header: int | None, comparison: Comparison) -> None:
    """Write the HTML page. Raises FormatError, RomError, OSError."""
    from mapexplorer.export.files import atomic_file
    from mapexplorer.inspector.roms.changes_page import changes_page

    with progress("Drawing") as bar, atomic_file(path) as file:
        for piece in changes_page(*worlds, comparison, header, bar):
            file.write(piece.encode())

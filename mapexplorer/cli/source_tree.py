"""`unpack` and `pack`: a ROM as a folder of text files, and back."""

from __future__ import annotations

from pathlib import Path

import click

from mapexplorer.cli.arguments import output_path, rom_argument
from mapexplorer.cli.completion import complete_file
from mapexplorer.cli.options import one_option
from mapexplorer.cli.output import count, examples, progress
from mapexplorer.export.request import Parallel
from mapexplorer.system.terminal import echo

_LISTED = 10


@click.command(epilog=examples("unpack demo folder -j 1"))
@rom_argument
@click.argument("folder", type=output_path())
@click.option("--replace", is_flag=True, help="Write an unpacked folder anew; changes in it are lost.")
@one_option(Parallel, "jobs")
def unpack(rom: str, folder: Path, replace: bool, jobs: int | None) -> int:
    """Write a ROM as a folder of text files: JSON for every supported file, PNG for textures, scripts as text,
    everything else as bytes. `pack` makes the same image of it, byte for byte.

    The README in the folder says what is what; docs/unpacked.md describes the forms. FOLDER must be absent or empty,
    or, with --replace, have been unpacked before; what else is in it stays.
    """
    from mapexplorer.source_tree.members import StoredForm
    from mapexplorer.source_tree.unpack import unpack as unpack_rom
    from mapexplorer.world.opening import open_rom

    with progress("Unpacking") as bar:
        done = unpack_rom(open_rom(rom), folder, replace=replace, jobs=jobs, progress=bar)
    for name in done.inexact[:_LISTED]:
        echo(f"{name} is stored as bytes: its text would not give the same bytes.", err=True)
    as_bytes = done.forms[StoredForm.UNKNOWN] + done.forms[StoredForm.EMPTY]
    echo(
        f"{folder}: {count(done.files, 'file')}; {done.forms[StoredForm.TEXT]:,} members as text, "
        f"{as_bytes:,} as bytes, {len(done.inexact):,} as bytes because their text would not give the same bytes."
    )
    return 0


@click.command(epilog=examples("pack folder changed.nds -j 1"))
@click.argument("folder", type=click.Path(path_type=Path), shell_complete=complete_file)
@click.argument("rom", type=output_path())
@click.option(
    "--unchecked",
    is_flag=True,
    help="Do not look where references lead (of warps, areas, encounters, parties, scripts ...).",
)
@one_option(Parallel, "jobs")
def pack(folder: Path, rom: Path, unchecked: bool, jobs: int | None) -> int:
    """Make an image ROM of a FOLDER that `unpack` wrote. Only what changed since the last time is encoded.

    A file that cannot be packed is named with its line, and nothing is written.
    """
    from mapexplorer.source_tree.pack import pack as pack_folder

    with progress("Packing") as bar:
        done = pack_folder(folder, rom, check=not unchecked, jobs=jobs, progress=bar)
    for name in done.unused[:_LISTED]:
        echo(f"{name} belongs to no file of the ROM; it is left out.", err=True)
    echo(
        f"{rom}: {done.size:,} bytes; {count(done.encoded, 'member')} encoded, {done.kept:,} as they were, "
        f"{count(len(done.unused), 'file')} left out."
    )
    return 0

"""`dump` and `verify`: files as values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from mapexplorer.cli.arguments import output_path, rom_argument
from mapexplorer.cli.completion import complete_rom
from mapexplorer.cli.options import one_option
from mapexplorer.cli.output import count, encodable, examples, json_option, print_json, print_table, progress, summary
from mapexplorer.export.request import Parallel
from mapexplorer.system.terminal import echo, echo_data


@click.command(
    epilog=examples(
        "dump demo",
        "dump demo data/arealight.narc#0",
        "dump demo data/arealight.narc#0 -o lights.json",
        "dump lights.json --binary -o lights.bin",
    )
)
@click.argument("source", metavar="FILE | ROM", shell_complete=complete_rom)
@click.argument("path", metavar="[PATH[#INDEX]]", default="")
@click.option("--output", "-o", type=output_path(), help="Write the JSON into a file.")
@click.option(
    "--binary", is_flag=True, help="Read such JSON from FILE and write the file that it describes (needs -o)."
)
def dump(source: str, path: str, output: Path | None, binary: bool) -> int:
    """Any supported file as JSON: a loose FILE, or PATH inside ROM with the INDEX of an archive's member.

    With ROM alone, its files are listed. The JSON holds every field; --binary turns it back into the same bytes.
    """
    from mapexplorer.export.files import write_atomically

    if binary:
        from formats.json_codec import PlainError, from_json
        from mapexplorer.errors import RomError

        if output is None or path:
            raise click.UsageError("--binary reads one JSON FILE and needs -o FILE.")
        try:
            data = from_json(Path(source).read_text("utf-8")).to_bytes()
        except (PlainError, ValueError) as error:
            raise RomError(f"{source}: {error}") from None
        write_atomically(output, data)
        summary(f"1 file written, {len(data):,} bytes.")
        return 0
    value, notes = _value(source, path)
    if value is None:
        return _list_files(source)
    from formats.json_codec import to_json

    text = to_json(value)
    if output is None:
        echo_data(encodable(text, lambda: json.dumps(json.loads(text), indent=1) + "\n"))
    else:
        write_atomically(output, text.encode())
    for note in notes:
        echo(str(note), err=True)
    summary(f"1 file read, {count(len(notes), 'note')}.", as_json=output is None)
    return 0


def _value(source: str, path: str) -> tuple[Any, list[Any]]:
    """The value that `dump` prints, or None when a ROM's files are to be listed."""
    from mapexplorer.export.dump import read_loose, read_member
    from mapexplorer.world.opening import open_rom

    notes: list[Any] = []
    if not path:
        loose = Path(source)
        if source == "demo" or loose.is_dir() or loose.suffix.lower() in (".nds", ".srl"):
            return None, notes
        return read_loose(loose, source, notes), notes
    return read_member(open_rom(source), path, notes), notes


def _list_files(source: str) -> int:
    from formats.binary import FormatError
    from mapexplorer.world.opening import open_rom

    rom = open_rom(source)
    rows: list[tuple[str, int, int | None]] = []
    for path in rom.files:
        members = None
        try:
            if rom.is_archive(path) and rom.size(path):
                members = len(rom.archive(path))
        except FormatError as error:
            echo(f"{path} is damaged: {error}", err=True)
        rows.append((path, rom.size(path), members))
    print_table(("path", "bytes", "members"), rows)
    summary(f"{count(len(rows), 'file')}.")
    return 0


@click.command(epilog=examples("verify demo -j 1"))
@rom_argument
@one_option(Parallel, "jobs")
@json_option
def verify(rom: str, jobs: int | None, as_json: bool) -> int:
    """Read everything in a ROM, write it back, follow every reference of maps, encounters, parties, items and scripts;
    exit status 1 when there is a problem."""
    from mapexplorer.world.opening import open_rom
    from mapexplorer.world.verification import verify as verify_rom

    with progress("Verifying") as bar:
        result = verify_rom(open_rom(rom), jobs=jobs, progress=lambda done, parts: bar.report(done, parts, ""))
    if as_json:
        counts = [{"kind": kind, "count": number} for kind, number in sorted(result.counts.items())]
        print_json({"counts": counts, "problems": result.problems, "notes": result.notes})
    else:
        print_table(("kind", "count"), sorted(result.counts.items()))
        for title, sentences in (("note", result.notes), ("problem", result.problems)):
            for sentence in sentences:
                echo(f"{title}: {sentence}")
    summary(
        f"{count(result.read, 'file')} read and written back, {count(len(result.problems), 'problem')}, "
        f"{count(len(result.notes), 'note')}.",
        as_json=as_json,
    )
    return 1 if result.problems else 0

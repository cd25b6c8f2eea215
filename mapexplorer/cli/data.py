"""`dump` and `verify`: files as values."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path
from typing import Any

import click

from mapexplorer.cli.answer import Answer, answered
from mapexplorer.cli.arguments import output_path, rom_argument
from mapexplorer.cli.completion import complete_rom
from mapexplorer.cli.options import one_option
from mapexplorer.cli.output import count, encodable, examples, progress
from mapexplorer.export.request import Parallel
from mapexplorer.inspector.lines import table_lines


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
        from mapexplorer.rom.source import read_file

        if output is None or path:
            raise click.UsageError("--binary reads one JSON FILE and needs -o FILE.")
        try:
            data = from_json(read_file(source, source).decode()).to_bytes()
        except (PlainError, ValueError) as error:
            raise RomError(f"{source}: {error}") from None
        write_atomically(output, data)
        return Answer(f"1 file written, {len(data):,} bytes.").show()
    value, notes = _value(source, path)
    if value is None:
        return _files(source).show()
    from formats.json_codec import to_json

    text = to_json(value)
    if output is not None:
        write_atomically(output, text.encode())
    shown = encodable(text, lambda: json.dumps(json.loads(text), indent=1) + "\n") if output is None else None
    return Answer(f"1 file read, {count(len(notes), 'note')}.", csv=shown, after=[str(note) for note in notes]).show()


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


def _files(source: str) -> Answer:
    from mapexplorer.inspector.roms.rom_files import list_files
    from mapexplorer.world.opening import open_rom

    files = list_files(open_rom(source))
    return Answer(
        f"{count(len(files), 'file')}.",
        table_lines(("path", "bytes", "members"), [(file.path, file.size, file.members) for file in files]),
        before=[f"{file.path} is damaged: {file.problem}" for file in files if file.problem],
    )


@click.command(epilog=examples("verify demo -j 1"))
@rom_argument
@one_option(Parallel, "jobs")
@click.option("--strict", is_flag=True, help="Exit status 1 also for files in another layout.")
@answered
def verify(rom: str, jobs: int | None, strict: bool) -> Answer:
    """Read everything in a ROM, write it back, follow every reference of maps, encounters, parties, items and scripts;
    exit status 1 when there is a problem: a file that cannot be read, or a reference to nothing. Files that read well
    in the layout of another tool are listed, and so is what is unusual."""
    from mapexplorer.world.opening import open_rom
    from mapexplorer.world.references.verification import verify as verify_rom

    with progress("Verifying") as bar:
        result = verify_rom(open_rom(rom), jobs=jobs, progress=lambda done, parts: bar.report(done, parts, ""))
    counts = sorted(result.counts.items())
    said = (("note", result.notes), ("layout", result.layout), ("problem", result.problems))
    layout = f"{count(len(result.layout), 'file')} in another layout, " if result.layout else ""
    findings = f"{count(len(result.problems), 'problem')}, {layout}{count(len(result.notes), 'note')}"
    return Answer(
        f"{count(result.read, 'file')} read and written back, {findings}.",
        chain(
            table_lines(("kind", "count"), counts),
            (f"{title}: {sentence}" for title, sentences in said for sentence in sentences),
        ),
        lambda: {
            "counts": [{"kind": kind, "count": number} for kind, number in counts],
            "problems": result.problems,
            "layout": result.layout,
            "notes": result.notes,
        },
        status=1 if result.problems or (strict and result.layout) else 0,
    )

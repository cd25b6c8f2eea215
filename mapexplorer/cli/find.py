"""`find`: everything with a name in a ROM."""

from __future__ import annotations

import click

from mapexplorer.cli.arguments import rom_argument
from mapexplorer.cli.output import count, examples, json_option, print_json, summary
from mapexplorer.inspector.name_index import KINDS
from mapexplorer.system.terminal import echo


@click.command(epilog=examples("find demo mirror lake", "find demo mill --kind text", "find demo flag:300 --json"))
@rom_argument
@click.argument("words", metavar="WORDS...", nargs=-1, required=True)
@click.option("--kind", type=click.Choice(KINDS), help="Only things of this kind, and all of them.")
@json_option
def find(rom: str, words: tuple[str, ...], kind: str | None, as_json: bool) -> int:
    """The things whose names have all WORDS, by kind, with where each is used; the best matches first.

    Case and accents do not matter. A number is found by its address: `flag:401`, `species:25`.
    """
    from mapexplorer.games import UNPACKED_FOLDERS
    from mapexplorer.inspector.kept_names import name_index
    from mapexplorer.inspector.name_index import SHOWN, entry_json, entry_text, grouped
    from mapexplorer.rom import open_files

    with open_files(rom, UNPACKED_FOLDERS) as opened:
        found = name_index(opened).find(words, kind)
    if as_json:
        print_json({"words": list(words), "found": [entry_json(entry) for entry in found]})
    else:
        for one, entries in grouped(found).items():
            echo(f"{one} ({len(entries):,})")
            shown = entries if kind else entries[:SHOWN]
            for entry in shown:
                echo(f"  {entry_text(entry)}")
            if len(entries) > len(shown):
                echo(f"  {len(entries) - len(shown):,} more with --kind {one}")
    summary(f"{count(len(found), 'thing')} found.", as_json=as_json)
    return 0 if found else 1

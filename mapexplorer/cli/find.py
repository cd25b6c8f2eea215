"""`find`: everything with a name in a ROM."""

from __future__ import annotations

import click

from mapexplorer.catalogue.kinds import NAMED, kind_of
from mapexplorer.catalogue.wording import SHOWN
from mapexplorer.cli.arguments import constants_option, rom_argument
from mapexplorer.cli.output import count, examples, json_option, print_json, progress, summary
from mapexplorer.system.terminal import echo


@click.command(epilog=examples("find demo mirror lake", "find demo mill --kind text", "find demo flag:300 --json"))
@rom_argument
@click.argument("words", metavar="WORDS...", nargs=-1, required=True)
@click.option(
    "--kind", type=click.Choice([kind.typed for kind in NAMED]), help="Only things of this kind, and all of them."
)
@constants_option
@json_option
def find(rom: str, words: tuple[str, ...], kind: str | None, constants: bool, as_json: bool) -> int:
    """The things whose names have all WORDS, by kind, with where each is used; the best matches first.

    Case and accents do not matter. A number is found by its address, `flag:401`, `species:25`, or by its constant in
    the decompilation, `FLAG_HAS_POKEDEX`.
    """
    from mapexplorer.catalogue import search
    from mapexplorer.catalogue.store import open_store
    from mapexplorer.games import UNPACKED_FOLDERS, identify
    from mapexplorer.inspector.found import found_json, found_text
    from mapexplorer.rom import open_files

    with open_files(rom, UNPACKED_FOLDERS) as opened:
        game, code = identify(opened), opened.code
        with progress("Reading") as bar:
            store = open_store(opened, bar)
        sought = search.sought(game, code, " ".join(words))
        found = search.find(store, sought, kind_of(kind) if kind else None)
        if constants:
            game = game.showing_constants()
            names = [game.constant(one.subject.kind, (*one.numbers, -1)[0], code) for one in found]
            found = [one._replace(name=name or one.name) for one, name in zip(found, names, strict=True)]
        not_known = [one.typed for one in NAMED if kind in (None, one.typed) and not one.is_named_in(game)]
        if as_json:
            plain = [found_json(store, one) for one in found]
            print_json({"words": list(words), "found": plain, "not_known": not_known})
        else:
            for things in search.grouped(found).values():
                word = things[0].word
                echo(f"{word} ({len(things):,})")
                shown = things if kind else things[:SHOWN]
                for one in shown:
                    echo(f"  {found_text(store, one)}")
                if len(things) > len(shown):
                    echo(f"  {len(things) - len(shown):,} more with --kind {word.replace(' ', '-')}")
    if not_known:
        echo(f"not searched, because their names are not known in this game: {', '.join(not_known)}", err=True)
    summary(f"{count(len(found), 'thing')} found.", as_json=as_json)
    return 0 if found else 1

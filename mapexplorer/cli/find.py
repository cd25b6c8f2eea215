"""`find`: everything with a name in a ROM."""

from __future__ import annotations

from collections.abc import Iterator

import click

from mapexplorer.catalogue.database import Store
from mapexplorer.catalogue.kinds import NAMED, NamedThing, kind_of
from mapexplorer.catalogue.wording import SHOWN
from mapexplorer.cli.answer import Answer, answered
from mapexplorer.cli.arguments import constants_option, rom_argument
from mapexplorer.cli.output import count, examples, progress


@click.command(epilog=examples("find demo mirror lake", "find demo mill --kind text", "find demo flag:300 --json"))
@rom_argument
@click.argument("words", metavar="WORDS...", nargs=-1, required=True)
@click.option(
    "--kind", type=click.Choice([kind.typed for kind in NAMED]), help="Only things of this kind, and all of them."
)
@constants_option
@answered
def find(rom: str, words: tuple[str, ...], kind: str | None, constants: bool) -> Answer:
    """The things whose names have all WORDS, by kind, with where each is used; the best matches first.

    Case and accents do not matter. A number is found by its address, `flag:401`, `species:25`, or by its constant in
    the decompilation, `FLAG_HAS_POKEDEX`.
    """
    from mapexplorer.catalogue import search
    from mapexplorer.catalogue.store import open_store
    from mapexplorer.games import identify
    from mapexplorer.inspector.things.found import found_json
    from mapexplorer.world.opening import open_unknown

    with open_unknown(rom) as opened:
        game, code = identify(opened), opened.code
        with progress("Reading") as bar:
            store = open_store(opened, bar)
        things = search.find(store, search.sought(game, code, " ".join(words)), kind_of(kind) if kind else None)
        if constants:
            game = game.showing_constants()
            names = [game.constant(thing.subject.kind, (*thing.numbers, -1)[0], code) for thing in things]
            things = [thing._replace(name=name or thing.name) for thing, name in zip(things, names, strict=True)]
        not_known = [named.typed for named in NAMED if kind in (None, named.typed) and not named.is_named_in(game)]
    lacks = f"not searched, because their names are not known in this game: {', '.join(not_known)}"
    return Answer(
        f"{count(len(things), 'thing')} found.",
        _lines(store, things, every=kind is not None),
        lambda: {"words": list(words), "found": [found_json(store, thing) for thing in things], "not_known": not_known},
        after=[lacks] if not_known else (),
        status=0 if things else 1,
    )


def _lines(store: Store, everything: list[NamedThing], *, every: bool) -> Iterator[str]:
    from mapexplorer.catalogue.search import grouped
    from mapexplorer.inspector.things.found import found_text

    for things in grouped(everything).values():
        word, shown = things[0].word, things if every else things[:SHOWN]
        yield f"{word} ({len(things):,})"
        yield from (f"  {found_text(store, thing)}" for thing in shown)
        if len(things) > len(shown):
            yield f"  {len(things) - len(shown):,} more with --kind {word.replace(' ', '-')}"

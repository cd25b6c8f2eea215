"""`where-used`: the users of a thing, and the maps that have it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from mapexplorer.cli.answer import Answer, answered
from mapexplorer.cli.arguments import constants_option, rom_argument, things_argument
from mapexplorer.cli.output import count, examples, progress
from mapexplorer.inspector.lines import table_lines

if TYPE_CHECKING:
    from mapexplorer.catalogue.uses import WhereUsed
    from mapexplorer.world.world import FieldWorld


@click.command(
    name="where-used",
    epilog=examples(
        "where-used demo prop:5",
        "where-used demo texture:grass",
        "where-used demo weather:snow",
        "where-used demo flag:300",
    ),
)
@rom_argument
@things_argument
@constants_option
@answered
def where_used(rom: str, thing: str, constants: bool) -> Answer:
    """The users of a THING, and the maps that have it, directly or through other things.

    THING is KIND:NUMBER, KIND:NAME or a name: a prop, texture, species, item, trainer, flag, music, weather, area ...
    A prop is where a land places it, not where it is only listed; a warp is a use of the header it leads to. A texture
    is used by materials of models; its name means the textures with it in all sets. A weather is on a map by its
    header, the table of the year, and until a flag is set; `weather:snow` means all kinds of snow.
    """
    from mapexplorer.inspector.things.uses import find_where_used, where_used_json
    from mapexplorer.world.world import FieldWorld

    world = FieldWorld.open(rom)
    with progress("Reading") as bar:
        things = find_where_used(world, thing, bar, constants=constants)
    uses = sum(len(rows) for used in things for rows in _rows(used))
    places = {number for used in things for number in used.places}
    damaged = dict.fromkeys(sentence for used in things for sentence in used.damaged)
    titles = ", ".join(title(used) for used in things) if len(things) <= _MOST_TITLES else count(len(things), "thing")
    return Answer(
        f"{titles}: {count(uses, 'use')}, in {count(len(places), 'place')}, {len(damaged)} damaged.",
        _lines(world, things),
        lambda: {"things": [where_used_json(world, used) for used in things]},
        after=[f"left out: {note}" for note in damaged],
        status=1 if damaged or not all(used.known for used in things) else 0,
    )


_MOST_TITLES = 4
"""The number of things up to which the last line names them."""


def title(used: WhereUsed) -> str:
    """The address and the name of the thing."""
    from mapexplorer.catalogue.kinds import NamedThing

    return NamedThing(used.used, used.name).title


def _lines(world: FieldWorld, things: Sequence[WhereUsed]) -> Iterator[str]:
    for index, used in enumerate(things):
        if len(things) > 1:
            yield from (*([""] if index else []), title(used))
        yield from _uses_of(world, used)


def _rows(used: WhereUsed) -> tuple[list[tuple[str, int, str]], list[tuple[str, str, str]]]:
    """The uses by references: kind, number, how; the others: how, at, place, each once."""
    from mapexplorer.catalogue.rules import REFERENCE
    from mapexplorer.catalogue.wording import told
    from mapexplorer.world.wording import part

    references = [(use.user.kind, use.user.key[0], part(use.part)) for use in used.uses if use.rule == REFERENCE]
    return references, told([use for use in used.uses if use.rule != REFERENCE])


def _uses_of(world: FieldWorld, used: WhereUsed) -> Iterator[str]:
    from mapexplorer.inspector.things.uses import answer

    references, others = _rows(used)
    if not used.uses:
        yield answer(used)
    if references:
        yield from table_lines(("used by", "number", "how"), references)
    if others:
        yield from table_lines((title(used), "at", "location"), others)
    if used.places and (references or used.used.kind == "behaviour"):
        maps = [world.headers[number] for number in used.places]
        rows = [(header.id, header.internal_name, header.symbolic_name, header.name) for header in maps]
        yield from ("", *table_lines(("id", "place", "symbolic name", "location"), rows))
    if used.uses and used.not_known:
        yield f"not known in this game, so uses there are missing: {', '.join(used.not_known)}"

"""`where-used`: the users of a thing, and the maps that have it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mapexplorer.cli.arguments import rom_argument, things_argument
from mapexplorer.cli.output import count, examples, json_option, print_json, print_table, summary
from mapexplorer.system.terminal import echo

if TYPE_CHECKING:
    from mapexplorer.inspector.where_used import WhereUsed


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
@json_option
def where_used(rom: str, thing: str, as_json: bool) -> int:
    """The users of a THING, and the maps that have it, directly or through other things.

    THING is KIND:NUMBER, KIND:NAME or a name: a prop, texture, species, item, trainer, flag, music, weather, area ...
    A prop is where a land places it, not where it is only listed; a warp is a use of the header it leads to. A texture
    is used by materials of models; its name means the textures with it in all sets. A weather is on a map by its
    header, the table of the year, and until a flag is set; `weather:snow` means all kinds of snow.
    """
    from mapexplorer.inspector.where_used import find_where_used, where_used_json
    from mapexplorer.world.world import FieldWorld

    found = find_where_used(FieldWorld.open(rom), thing)
    if as_json:
        print_json({"things": [where_used_json(one) for one in found]})
    else:
        for index, one in enumerate(found):
            if len(found) > 1:
                echo(f"{chr(10) if index else ''}{one.thing.title}")
            _print(one)
    uses = sum(len(one.references) + len(one.uses) for one in found)
    places = {header.id for one in found for header in one.places}
    damaged = {sentence for one in found for sentence in one.damaged}
    titles = ", ".join(one.thing.title for one in found) if len(found) <= _MOST_TITLES else count(len(found), "thing")
    summary(
        f"{titles}: {count(uses, 'use')}, in {count(len(places), 'place')}, {len(damaged)} damaged.", as_json=as_json
    )
    return 1 if damaged else 0


_MOST_TITLES = 4
"""The number of things up to which the last line names them."""


def _print(found: WhereUsed) -> None:
    from mapexplorer.world.wording import part

    if not found.references and not found.uses:
        echo("nothing uses it")
    if found.references:
        rows = [(use.kind, use.number, part(use.part)) for use in found.references]
        print_table(("used by", "number", "how"), rows)
    if found.uses:
        print_table((found.thing.title, "at", "location"), [(use.how, use.at, use.location) for use in found.uses])
    if found.places and found.references:
        echo("")
        places = [
            (header.id, header.internal_name, header.symbolic_name, header.location_name) for header in found.places
        ]
        print_table(("id", "place", "symbolic name", "location"), places)
    if found.not_known:
        echo(f"not known in this game, so uses there are missing: {', '.join(found.not_known)}")
    for note in found.damaged:
        echo(f"left out: {note}", err=True)

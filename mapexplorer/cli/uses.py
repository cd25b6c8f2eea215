"""`where-used`: the users of a thing, and the maps that have it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mapexplorer.cli.arguments import constants_option, rom_argument, things_argument
from mapexplorer.cli.output import count, examples, json_option, print_json, print_table, progress, summary
from mapexplorer.system.terminal import echo

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
@json_option
def where_used(rom: str, thing: str, constants: bool, as_json: bool) -> int:
    """The users of a THING, and the maps that have it, directly or through other things.

    THING is KIND:NUMBER, KIND:NAME or a name: a prop, texture, species, item, trainer, flag, music, weather, area ...
    A prop is where a land places it, not where it is only listed; a warp is a use of the header it leads to. A texture
    is used by materials of models; its name means the textures with it in all sets. A weather is on a map by its
    header, the table of the year, and until a flag is set; `weather:snow` means all kinds of snow.
    """
    from mapexplorer.inspector.uses import find_where_used, where_used_json
    from mapexplorer.world.world import FieldWorld

    world = FieldWorld.open(rom)
    with progress("Reading") as bar:
        found = find_where_used(world, thing, bar, constants=constants)
    if as_json:
        print_json({"things": [where_used_json(world, one) for one in found]})
    else:
        for index, one in enumerate(found):
            if len(found) > 1:
                echo(*([""] if index else []), title(one))
            _print(world, one)
    uses = sum(len(one.uses) for one in found)
    places = {number for one in found for number in one.places}
    damaged = {sentence for one in found for sentence in one.damaged}
    titles = ", ".join(title(one) for one in found) if len(found) <= _MOST_TITLES else count(len(found), "thing")
    summary(
        f"{titles}: {count(uses, 'use')}, in {count(len(places), 'place')}, {len(damaged)} damaged.", as_json=as_json
    )
    return 1 if damaged or not all(one.known for one in found) else 0


_MOST_TITLES = 4
"""The number of things up to which the last line names them."""


def title(found: WhereUsed) -> str:
    """The address and the name of the thing."""
    return f"{found.used.address} {found.name}".rstrip()


def _print(world: FieldWorld, found: WhereUsed) -> None:
    from mapexplorer.catalogue.uses import REFERENCE
    from mapexplorer.catalogue.wording import told
    from mapexplorer.inspector.uses import answer
    from mapexplorer.world.wording import part

    references = [use for use in found.uses if use.rule == REFERENCE]
    others = [use for use in found.uses if use.rule != REFERENCE]
    if not found.uses:
        echo(answer(found))
    if references:
        print_table(
            ("used by", "number", "how"), [(one.user.kind, one.user.key[0], part(one.part)) for one in references]
        )
    if others:
        print_table((title(found), "at", "location"), told(others))
    if found.places and (references or found.used.kind == "behaviour"):
        echo("")
        maps = [world.headers[number] for number in found.places]
        rows = [(one.id, one.internal_name, one.symbolic_name, one.location_name) for one in maps]
        print_table(("id", "place", "symbolic name", "location"), rows)
    if found.uses and found.not_known:
        echo(f"not known in this game, so uses there are missing: {', '.join(found.not_known)}")
    for note in found.damaged:
        echo(f"left out: {note}", err=True)

"""`where-used`: the users of a file of the field data, and the places that use it directly or indirectly."""

from __future__ import annotations

import click

from mapexplorer.cli.arguments import rom_argument
from mapexplorer.cli.output import count, json_option, print_json, print_table, summary
from mapexplorer.world.references import KINDS
from mapexplorer.world.wording import part

_WORDS = [kind.replace(" ", "-") for kind in KINDS]


@click.command(name="where-used", epilog=f"KIND is one of {', '.join(_WORDS)}.")
@rom_argument
@click.argument("kind", metavar="KIND", type=click.Choice(_WORDS))
@click.argument("number", metavar="NUMBER", type=click.IntRange(0))
@json_option
def where_used(rom: str, kind: str, number: int, as_json: bool) -> int:
    """The direct users of thing NUMBER of a KIND, and the places that use it directly or indirectly.

    A prop ends up where a land places it, not where it is only listed; a warp is a use of the header it leads to.
    """
    from mapexplorer.inspector.uses import check_exists, find_uses, uses_json
    from mapexplorer.world.world import FieldWorld

    world, name = FieldWorld.open(rom), kind.replace("-", " ")
    check_exists(world, name, number)
    found = find_uses(world, name, number)
    if as_json:
        print_json(uses_json(found))
    else:
        if found.users:
            rows = [(use.kind, use.number, part(use.part)) for use in found.users]
            print_table(("used by", "number", "how"), rows)
        if found.places:
            click.echo()
            print_table(
                ("id", "place", "location"),
                [(header.id, header.internal_name, header.location_name) for header in found.places],
            )
        for note in found.damaged:
            click.echo(f"left out: {note}", err=True)
    damaged = len(found.damaged)
    used = f"{name} {number}: {count(len(found.users), 'use')}, in {count(len(found.places), 'place')}"
    summary(f"{used}, {damaged} damaged.", as_json=as_json)
    return 1 if damaged else 0

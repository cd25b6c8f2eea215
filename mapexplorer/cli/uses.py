"""`where-used`: what uses a file of the field data, through what, and in which places it ends up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mapexplorer.cli.arguments import rom_argument
from mapexplorer.cli.output import count, json_option, print_json, print_table, summary
from mapexplorer.errors import PlaceError
from mapexplorer.games import Role

if TYPE_CHECKING:
    from mapexplorer.api import World

_ARCHIVES = {
    "matrix": Role.MAP_MATRIX,
    "land": Role.LAND_DATA,
    "area": Role.AREA_DATA,
    "prop set": Role.AREA_BUILD,
    "terrain set": Role.TERRAIN_TEXTURES,
    "light set": Role.AREA_LIGHT,
    "prop": Role.BUILD_MODEL,
    "prop animation": Role.PROP_ANIMATIONS,
    "events": Role.ZONE_EVENT,
    "messages": Role.MESSAGES,
}
"""Kind -> the archive whose members have its numbers."""

_KINDS = ("header", *_ARCHIVES, "terrain animation", "object graphics", "camera", "weather")


_WORDS = [kind.replace(" ", "-") for kind in _KINDS]


@click.command(name="where-used", epilog=f"KIND is one of {', '.join(_WORDS)}.")
@rom_argument
@click.argument("kind", metavar="KIND", type=click.Choice(_WORDS))
@click.argument("number", metavar="NUMBER", type=click.IntRange(0))
@json_option
def where_used(rom: str, kind: str, number: int, as_json: bool) -> int:
    """What uses thing NUMBER of a KIND itself, and the places that it ends up in.

    A prop ends up where a land places it, not where it is only listed; a warp is a use of the header it leads to.
    """
    from mapexplorer.api import World

    world, name = World(rom), kind.replace("-", " ")
    _check(world, name, number)
    users = world.uses.used_by(name, number)
    headers = [world.headers[header] for header in world.uses.places(name, number)]
    if as_json:
        plain: dict[str, Any] = {
            "kind": name,
            "number": number,
            "usedBy": [{"kind": use.kind, "number": use.number, "how": use.how} for use in users],
            "places": [{"id": h.id, "name": h.internal_name, "location": h.location_name} for h in headers],
            "damaged": world.uses.notes,
        }
        print_json(plain)
    else:
        if users:
            print_table(("used by", "number", "how"), [(use.kind, use.number, use.how) for use in users])
        if headers:
            click.echo()
            print_table(
                ("id", "place", "location"),
                [(header.id, header.internal_name, header.location_name) for header in headers],
            )
        for note in world.uses.notes:
            click.echo(f"left out: {note}", err=True)
    damaged = len(world.uses.notes)
    used = f"{name} {number}: {count(len(users), 'use')}, in {count(len(headers), 'place')}, {damaged} damaged."
    summary(used, as_json=as_json)
    return 1 if damaged else 0


def _check(world: World, kind: str, number: int) -> None:
    """Refuse a number that names nothing, where the ROM says how many there are."""
    if kind == "header":
        known = len(world.headers)
    elif kind in _ARCHIVES:
        known = len(world.rom.archive(world.path(_ARCHIVES[kind])))
    else:
        return
    if number >= known:
        raise PlaceError(f"There is no {kind} {number}; this ROM has {known}, from 0 to {known - 1}.")

"""The uses of a thing that a user named, as text and JSON."""

from __future__ import annotations

from typing import Any

from mapexplorer.catalogue.kinds import TEXTURE, NamedThing
from mapexplorer.catalogue.resolve import ALL, as_stored, find_things
from mapexplorer.catalogue.rules import REFERENCE
from mapexplorer.catalogue.uses import WhereUsed, where_used
from mapexplorer.inspector.things.found import kind_json, uses_json
from mapexplorer.system.progress import Progress
from mapexplorer.world import FieldWorld
from mapexplorer.world.headers.header import header_json
from mapexplorer.world.subject import subject
from mapexplorer.world.wording import part


def find_where_used(
    world: FieldWorld, text: str, progress: Progress | None = None, *, constants: bool = False
) -> list[WhereUsed]:
    """The uses of what a text means, which may be several things (`find_things`). `constants`: see
    `FieldWorld.showing`. Raises PlaceError, FormatError, RomError."""
    meant, shown = find_things(world, text, ALL), world.showing(constants=constants)
    names = [shown.shown_constant(thing.subject.kind, (*thing.numbers, -1)[0]) or thing.name for thing in meant]
    return [find_uses(world, thing._replace(name=name), progress) for thing, name in zip(meant, names, strict=True)]


def find_uses(world: FieldWorld, thing: NamedThing, progress: Progress | None = None) -> WhereUsed:
    """The uses of a thing."""
    if thing.subject.kind == TEXTURE:
        from mapexplorer.catalogue.texture_uses import texture_where_used

        return texture_where_used(world, thing.subject, thing.name)
    stored = as_stored(world, thing.subject)
    if stored.kind == "script":
        from mapexplorer.world.events.script_files import locate_script

        place = locate_script(world, *stored.key)
        stored = stored if place is None else subject("scripts", place.member, place.entry)
    return where_used(world, stored, thing.name, progress)


def answer(where: WhereUsed) -> str:
    """What was found out where no use was: what was asked, and what is not known."""
    asked = f"no use in {', '.join(where.asked)}" if where.asked else "it is not known what uses it"
    return asked if not where.not_known else f"{asked}; not known in this game: {', '.join(where.not_known)}"


def where_used_json(world: FieldWorld, where: WhereUsed) -> dict[str, Any]:
    """The uses of a thing as JSON values."""
    return {
        "kind": kind_json(where.used.kind),
        "numbers": list(where.used.key),
        "name": where.name,
        "used_by": [
            {"kind": kind_json(use.user.kind), "number": use.user.key[0], "how": part(use.part)}
            for use in where.uses
            if use.rule == REFERENCE
        ],
        "uses": uses_json(use for use in where.uses if use.rule > REFERENCE),
        "places": [header_json(world.headers[number]) for number in where.places],
        "damaged": list(where.damaged),
        "asked": list(where.asked),
        "known": where.known,
        "not_known": list(where.not_known),
    }

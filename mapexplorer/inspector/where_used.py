"""Where a thing is used: by references of the field data, or by what the index of names knows."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from mapexplorer.games.game import Topic
from mapexplorer.inspector.kept_names import name_index
from mapexplorer.inspector.name_index import Use, use_json
from mapexplorer.inspector.output import kind_json
from mapexplorer.inspector.things import TEXTURE, Thing, find_things
from mapexplorer.inspector.uses import WEATHER, find_uses, references_json
from mapexplorer.world import FieldWorld, Header
from mapexplorer.world.header import header_json
from mapexplorer.world.references import KINDS as REFERENCE_KINDS
from mapexplorer.world.references import ReferencePart
from mapexplorer.world.texture_sets import SetKey, texture_uses
from mapexplorer.world.uses import Use as Reference

BY_NAME: Final = ("species", "item", "trainer", "move", "flag", "variable", "music", WEATHER)
"""The kinds whose uses the index of names knows. The weather of a map is not only a reference: a table of the year and
flags decide it."""

KINDS: Final = (*BY_NAME, TEXTURE, *(kind for kind in REFERENCE_KINDS if kind != WEATHER))
"""The kinds whose uses are known."""

_USERS: Final = {
    "species": (Topic.SCRIPTS, Topic.ENCOUNTERS, Topic.TRAINERS),
    "item": (Topic.SCRIPTS, Topic.TRAINERS, Topic.ITEMS),
    "trainer": (Topic.SCRIPTS, Topic.TRAINERS),
    "move": (Topic.SCRIPTS, Topic.TRAINERS),
    "flag": (Topic.SCRIPTS,),
    "variable": (Topic.SCRIPTS,),
    "music": (Topic.SCRIPTS,),
}
"""Kind -> the subjects with uses of it beside the field data."""

_MAP: Final = re.compile(r"[^@#:]+")


@dataclass(frozen=True, eq=False)
class WhereUsed:
    """The uses of a thing: the `references` to it, or `uses` by words; the headers of the maps that have it; the files
    that could not be read; the subjects that may use it and that nothing is known about in the game."""

    thing: Thing
    references: tuple[Reference, ...]
    uses: tuple[Use, ...]
    places: tuple[Header, ...]
    damaged: tuple[str, ...]
    not_known: tuple[Topic, ...] = ()


def find_where_used(world: FieldWorld, text: str) -> list[WhereUsed]:
    """The uses of what a text means, which may be several things (`find_things`). Raises PlaceError, FormatError,
    RomError."""
    return [_where_used(world, thing) for thing in find_things(world, text, KINDS)]


def _where_used(world: FieldWorld, thing: Thing) -> WhereUsed:
    if thing.kind == TEXTURE:
        return _of_texture(world, thing)
    if thing.kind not in BY_NAME:
        found = find_uses(world, thing.kind, *thing.key)
        return WhereUsed(thing, found.users, (), found.places, found.damaged)
    entry = name_index(world.rom).get(thing.kind, *thing.key)
    uses = entry.uses if entry is not None else ()
    not_known = tuple(topic for topic in _USERS.get(thing.kind, ()) if topic in world.game.not_known)
    return WhereUsed(thing, (), uses, _places(world, uses), (), not_known)


def _of_texture(world: FieldWorld, thing: Thing) -> WhereUsed:
    """The uses of a texture by the materials of models."""
    which, number, _ = thing.key
    found = texture_uses(world, SetKey(bool(which), number), thing.name)
    references = [
        Reference(one.kind, one.number, ReferencePart("material", name=one.material)) for one in found.materials
    ]
    places = tuple(world.headers[header] for header in found.places)
    return WhereUsed(thing, tuple(references), (), places, found.damaged)


def _places(world: FieldWorld, uses: Collection[Use]) -> tuple[Header, ...]:
    """The maps that uses are on."""
    by_name = {header.internal_name: header for header in reversed(world.headers)}
    names = [found[0] for use in uses if (found := _MAP.match(use.at)) is not None and not use.at.startswith("file:")]
    headers = {by_name[name].id: by_name[name] for name in names if name in by_name}
    return tuple(headers[number] for number in sorted(headers))


def where_used_json(found: WhereUsed) -> dict[str, Any]:
    """The uses of a thing as JSON values."""
    return {
        "kind": kind_json(found.thing.kind),
        "numbers": list(found.thing.key),
        "name": found.thing.name,
        "used_by": references_json(found.references),
        "uses": [use_json(use) for use in found.uses],
        "places": [header_json(header) for header in found.places],
        "damaged": list(found.damaged),
        "not_known": list(found.not_known),
    }

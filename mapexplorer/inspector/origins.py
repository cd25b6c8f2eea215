"""Where things stand in the texts that a ROM is made from; files and lines as text and JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from mapexplorer.catalogue.kinds import EVENT_LISTS
from mapexplorer.games import Role
from mapexplorer.inspector.facts import Fact
from mapexplorer.rom.rom import Origin
from mapexplorer.world.events.script_files import locate_script
from mapexplorer.world.references.references import ARCHIVES
from mapexplorer.world.sources.files import WorldFiles
from mapexplorer.world.sources.provenance import ProgramTable
from mapexplorer.world.subject import Subject

SOURCE: Final = "source"
"""The kind of subject that is a place in a text."""


def origin_json(origin: Origin | None) -> dict[str, Any]:
    """The key `origin` of JSON values; none without a text."""
    return {} if origin is None else {"origin": {"file": origin[0], "line": origin[1]}}


def origin_text(origin: Origin) -> str:
    """A file and a line as editors read it."""
    return f"{origin[0]}:{origin[1]}"


def source_fact(name: str, origin: Origin) -> Fact:
    """A fact that leads to a file and a line."""
    return Fact(name, origin_text(origin), link=Subject(SOURCE, origin))


def source_of(fact: Fact) -> Origin | None:
    """The file and the line that a fact leads to."""
    return (fact.link.key[0], fact.link.key[1]) if fact.link is not None and fact.link.kind == SOURCE else None


Part = tuple[str | int, ...]
Place = tuple[Role, int, Part]
"""An archive, a member, a part of it."""

_ENTRY: Final = 4
"""Bytes of an entry of a script file."""


def _event(world: WorldFiles, thing: Subject) -> Place:
    header, index = thing.key
    return Role.ZONE_EVENT, world.headers[header].events, (EVENT_LISTS[thing.kind], index)


def _cell(world: WorldFiles, thing: Subject) -> Place:
    matrix, x, z = thing.key
    return Role.MAP_MATRIX, matrix, ("land", z, x)


def _script(world: WorldFiles, thing: Subject) -> Place | None:
    place = locate_script(world, *thing.key)
    return None if place is None else (Role.SCRIPTS, place.member, ("byte", _ENTRY * place.entry))


_PLACES: Final[Mapping[str, Callable[[WorldFiles, Subject], Place | None]]] = {
    **dict.fromkeys(EVENT_LISTS, _event),
    "cell": _cell,
    "script": _script,
    "text": lambda world, thing: (Role.MESSAGES, thing.key[0], ("text", thing.key[1])),
    "trainer": lambda world, thing: (Role.TRAINERS, thing.key[0], ()),
    "species": lambda world, thing: (Role.SPECIES, thing.key[0], ()),
}
"""Kind -> where a thing is, of kinds whose number is not that of a member."""


def thing_origin(world: WorldFiles, thing: Subject) -> Origin | None:
    """Where a thing stands: its record, else its name. None for a ROM of bytes, and for a thing without a text."""
    if world.rom.laid_over is None:
        return None
    if thing.kind == "header":
        return row_origin(world, ProgramTable.MAP_HEADERS, thing.key[0])
    place: Place | None = None
    if thing.kind in _PLACES:
        place = _PLACES[thing.kind](world, thing)
    elif ARCHIVES.get(thing.kind) and len(thing.key) == 1:
        place = (ARCHIVES[thing.kind], thing.key[0], ())
    return world.origin(*place) if place is not None else name_origin(world, thing)


def name_origin(world: WorldFiles, thing: Subject) -> Origin | None:
    """Where the constant of a thing is defined."""
    constant = world.game.constant(thing.kind, thing.key[0], world.rom.code) if len(thing.key) == 1 else ""
    return world.rom.name_origin(constant) if constant else None


def hidden_item_origin(world: WorldFiles, thing: Subject) -> Origin | None:
    """Where the hidden item of a sign stands in the table of them; None for another thing. Raises FormatError."""
    is_told = thing.kind == "sign" and world.rom.laid_over is not None
    events = world.events(thing.key[0]) if is_told else None
    if events is None:
        return None
    numbers = world.game.tables.script_numbers.hidden_items
    script = int(events.background[thing.key[1]]["script"])
    rows = [item.number + numbers.start for item in world.hidden_items.value]
    return row_origin(world, ProgramTable.HIDDEN_ITEMS, rows.index(script)) if script in rows else None


def row_origin(world: WorldFiles, table: ProgramTable, row: int, field: int | None = None) -> Origin | None:
    """Where a row of a table of the program stands, or a field of it where that has a place of its own."""
    stated = world.rom.table(table.name)
    if stated is None or not 0 <= row < len(stated.origins):
        return None
    places = stated.origins[row]
    return places[field + 1] if field is not None and field + 1 < len(places) else places[0]

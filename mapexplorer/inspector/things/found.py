"""Named things that a search found, as rows of lists, text and JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from mapexplorer.catalogue import wording
from mapexplorer.catalogue.database import Store
from mapexplorer.catalogue.kinds import KINDS, NamedThing
from mapexplorer.catalogue.rules import REFERENCE
from mapexplorer.catalogue.search import grouped
from mapexplorer.catalogue.uses import Use, used_by
from mapexplorer.errors import PlaceError
from mapexplorer.values import Numbers
from mapexplorer.world.subject import Subject

if TYPE_CHECKING:
    from mapexplorer.inspector.facts import ListedGroup, ListedThing
    from mapexplorer.world.headers.header import Header
    from mapexplorer.world.world import FieldWorld

_TILE: Final = Numbers("X,Z", "a tile", whole=True, least=0)


def uses_of(store: Store, thing: NamedThing) -> list[Use]:
    """The uses of a named thing that the field data do not tell; of one of the shared scripts its file."""
    return [use for use in used_by(store, thing.subject) if use.rule > REFERENCE]


def found_text(store: Store, thing: NamedThing) -> str:
    """A thing as one line."""
    number = "/".join(map(str, thing.numbers))
    name = " ".join(thing.name.split())
    words = " ".join([*([number] if number else []), f'"{name}"' if thing.subject.kind == "text" else name])
    about = f", {thing.about}" if thing.about else ""
    used = wording.line(uses_of(store, thing))
    return f"{words}{about}{f': {used}' if used else ''}"


def found_json(store: Store, thing: NamedThing) -> dict[str, Any]:
    """A thing as JSON values."""
    return {
        "address": thing.address,
        "kind": thing.word,
        "numbers": list(thing.numbers),
        "name": thing.name,
        "about": thing.about,
        "uses": uses_json(uses_of(store, thing)),
    }


def kind_json(kind: str) -> str:
    """A kind of thing as a JSON key: `prop_set`."""
    return kind.replace(" ", "_")


def uses_json(uses: Iterable[Use]) -> list[dict[str, Any]]:
    """Uses as JSON values."""
    rows = dict.fromkeys((wording.how(use), wording.at(use), use.location) for use in uses)
    return [{"how": how, "at": at, "location": location} for how, at, location in rows]


def find_tile(world: FieldWorld, text: str) -> tuple[Header, int, int] | None:
    """The map and the matrix-wide tile that `MAP@X,Z` means; None for another text or map."""
    from mapexplorer.world.headers.header import find_header

    name, _, tile = text.rpartition("@")
    try:
        x, z = _TILE.parse(tile)
        return find_header(world.headers, name.strip()), x, z
    except (PlaceError, ValueError):
        return None


def listed_names(store: Store, names: list[NamedThing]) -> tuple[ListedGroup, ...]:
    """Named things by kind."""
    from mapexplorer.inspector.facts import ListedGroup

    return tuple(
        ListedGroup(KINDS[kind].title, tuple(listed(store, thing) for thing in things))
        for kind, things in grouped(names).items()
    )


def listed(store: Store, thing: NamedThing, *, used: bool = True) -> ListedThing:
    """A named thing as a row: what else is known of it, where it is `used`, by what a search found it."""
    from mapexplorer.inspector.facts import ListedThing

    number = "/".join(map(str, thing.numbers))
    title = f"“{' '.join(thing.name.split())}”" if thing.subject.kind == "text" else thing.name
    places = wording.line(uses_of(store, thing)) if used else ""
    found_by = f"found by {thing.why}" if thing.why else ""
    return ListedThing(shown(thing.subject), title, tuple(filter(None, (thing.about, places, found_by))), number)


def shown(thing: Subject) -> Subject:
    """The subject that describes a named thing; a file is shown by the files panel."""
    return Subject("scripts", thing.key) if thing.kind == "unused" else thing

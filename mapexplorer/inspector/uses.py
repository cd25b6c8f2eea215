"""The uses of a thing: its users, and the maps that show it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from mapexplorer.errors import PlaceError
from mapexplorer.inspector.common import MOST_USERS, Context, header_link
from mapexplorer.inspector.facts import Fact, Section
from mapexplorer.inspector.output import kind_json
from mapexplorer.inspector.subject import Subject, subject
from mapexplorer.world import FieldWorld, Header
from mapexplorer.world.references import ARCHIVES, KINDS
from mapexplorer.world.uses import Use
from mapexplorer.world.weather_maps import weather_maps
from mapexplorer.world.wording import part, weather_days

WEATHER: Final = "weather"

_NO_MAPS = (
    "header", "area", "events", "encounters", "messages", "scripts", "preload list", "camera", "object graphics",
)  # fmt: skip
"""Kinds whose users are map headers."""


@dataclass(frozen=True, eq=False)
class UseFacts:
    """The uses of thing `number` of a kind: its direct users, the headers whose maps contain it, and the files that
    could not be read."""

    kind: str
    number: int
    users: tuple[Use, ...]
    places: tuple[Header, ...]
    damaged: tuple[str, ...]


def find_uses(world: FieldWorld, kind: str, number: int) -> UseFacts:
    """The uses of a thing."""
    uses = world.uses
    places = tuple(world.headers[header] for header in uses.places(kind, number))
    return UseFacts(kind, number, uses.used_by(kind, number), places, tuple(uses.notes))


def check_exists(world: FieldWorld, kind: str, number: int) -> None:
    """Raises PlaceError for a number that does not exist, if the ROM gives their count."""
    if kind == "header":
        known = len(world.headers)
    elif kind in ARCHIVES:
        known = len(world.members(ARCHIVES[kind]))
    else:
        return
    if number >= known:
        raise PlaceError(f"There is no {kind} {number}; this ROM has {known}, from 0 to {known - 1}.")


def references_json(users: tuple[Use, ...]) -> list[dict[str, Any]]:
    """References to a thing as JSON values."""
    return [{"kind": kind_json(use.kind), "number": use.number, "how": part(use.part)} for use in users]


def use_sections(context: Context, chosen: Subject) -> list[Section]:
    """The users of a subject and the maps that show it; empty for kinds without references."""
    if chosen.kind not in KINDS:
        return []
    if chosen.kind == WEATHER:
        return _weather_section(context, chosen.key[0])
    found = find_uses(context.world, chosen.kind, chosen.key[0])
    sections = []
    if found.users:
        users = [_user(context, use) for use in found.users[:MOST_USERS]]
        sections.append(Section(f"Used by ({len(found.users)})", (*users, *and_more(found.users))))
    return sections + _places_section(context, found)


def model_places(context: Context, model: int) -> list[Section]:
    """The maps that show a prop model."""
    return _places_section(context, find_uses(context.world, "prop", model))


def _places_section(context: Context, found: UseFacts) -> list[Section]:
    if not found.places or found.kind in _NO_MAPS:
        return []
    shown = [header_link(context, header.id, "") for header in found.places[:MOST_USERS]]
    return [Section(f"Maps that show it ({len(found.places)})", (*shown, *and_more(found.places)))]


def _weather_section(context: Context, weather: int) -> list[Section]:
    """The maps with a weather; the weather in the header is not enough to know them."""
    found = tuple(weather_maps(context.world, weather))
    links = [(header_link(context, one.header, ""), weather_days(one)) for one in found[:MOST_USERS]]
    facts = [replace(fact, meaning=f"{fact.meaning}, {days}") for fact, days in links]
    return [Section(f"Maps with it ({len(found)})", (*facts, *and_more(found)))] if found else []


def _user(context: Context, use: Use) -> Fact:
    name = part(use.part)
    if use.kind == "header":
        return header_link(context, use.number, name or "Header")
    return Fact(name, f"{use.kind} {use.number}", "", None, subject(use.kind, use.number))


def and_more(found: tuple[object, ...]) -> list[Fact]:
    """The number of entries that are not shown."""
    return [Fact("", f"and {len(found) - MOST_USERS} more")] if len(found) > MOST_USERS else []

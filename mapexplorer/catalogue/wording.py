"""The words for uses of things: how one uses another, and where. No other module makes them.

Importing this module imports nothing that reads files.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mapexplorer.catalogue.kinds import SCRIPTS
from mapexplorer.catalogue.rules import REFERENCE
from mapexplorer.catalogue.uses import Use
from mapexplorer.grouping import by_key

SHOWN: Final = 8
"""The number of uses of a thing that a line of text has."""

_OF_WHOLE_MAP: Final = ("on", "hides")
"""The uses by objects whose place is their map."""

_AT_LEVEL: Final = {
    "fought in": "fought at level {} in",
    "given by": "given at level {} by",
    "roams after": "roams at level {} after",
}


def how(use: Use) -> str:
    """How a thing is used: `grass`, `set by`, `hides object 2 of`."""
    key = use.part.key if use.part is not None else ()
    if use.part is not None and use.part.name == "level":
        return _AT_LEVEL[use.how].format(key[-1]) + never_run(use)
    match use.how:
        case "hides":
            return f"hides object {use.user.key[1]} of"
        case "frame":
            return f"while it is {key[0]}, runs script {key[1]} of"
        case "weather":
            always = use.part is not None and use.part.name
            days = always or f"on {key[0]} day{'' if key[0] == 1 else 's'} of a leap year"
            return days + (f", until flag {key[1]}" if len(key) > 1 else "")
        case "by day" | "by night" if key:
            return f"{use.how}, flag {key[0]} on"
        case "shared scripts" if use.part is not None:
            return f"scripts from {key[0]} ({use.part.name}):"
        case "tiles":
            return f"on {key[0]} tile{'' if key[0] == 1 else 's'} of"
    return use.how + never_run(use)


def never_run(use: Use) -> str:
    """Of a command to which no entry of its script file leads."""
    return " (never run)" if use.user.kind == SCRIPTS and len(use.user.key) == 1 and use.rule > REFERENCE else ""


def at(use: Use) -> str:
    """Where a thing is used: `T01`, `T01@116,885`, `T01#7`, `file:3#1`, `trainer:5`; what a user types."""
    user = use.user
    if user.kind == "shop" and use.part is not None:
        return f"step {use.part.key[0]}" if use.how == "common shops" else f"{use.part.key[0]} coins"
    if user.kind == SCRIPTS:
        return script_at(use.map, *user.key)
    if use.map and use.tile is not None and use.how not in _OF_WHOLE_MAP:
        return f"{use.map}@{use.tile[0]},{use.tile[1]}"
    return use.map or user.address


def script_at(on: str, member: int, entry: int | None = None) -> str:
    """A script file, or an entry of it, as a user types it: that of the map `on`, if it is of one."""
    if on and entry is not None:
        return f"{on}#{entry + 1}"
    return f"file:{member}" + ("" if entry is None else f"#{entry}")


def told(uses: Sequence[Use]) -> list[tuple[str, str, str]]:
    """Uses as (how, at, place), each once."""
    return list(dict.fromkeys((how(use), at(use), use.place) for use in uses))


def line(uses: Sequence[Use]) -> str:
    """Uses in one line, those of one way together."""
    rows = told(uses)
    ways = by_key((way, f"{where} ({place})" if place else where) for way, where, place in rows[:SHOWN])
    words = "; ".join(f"{way} {', '.join(filter(None, places))}".rstrip() for way, places in ways.items())
    return words + (f"; {len(rows) - SHOWN} more" if len(rows) > SHOWN else "")

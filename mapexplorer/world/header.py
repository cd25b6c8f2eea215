"""Map headers with their names, and finding a header by a name that a user typed."""

from __future__ import annotations

import difflib
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from formats.field.map_header import MapHeader
from mapexplorer.errors import PlaceError
from mapexplorer.naming import comparable_name

_SUGGESTIONS = 5


@dataclass(frozen=True, repr=False)
class Header(MapHeader):
    """A map header (all fields of `MapHeader`) with its id, internal name (`T01`), location name (`Twinleaf Town`) and
    the name of its map type, `kind`. `outdoors`: its map type is that of a town or of another map outdoors.

    `location_name` is empty in a ROM without texts.
    """

    id: int
    internal_name: str
    location_name: str
    kind: str
    outdoors: bool

    @property
    def title(self) -> str:
        """The title of the place: location name and internal name."""
        return f"{self.location_name} ({self.internal_name})" if self.location_name else self.internal_name

    def __repr__(self) -> str:
        return f"<Header {self.id} {self.title}, {self.kind}>"

    def __str__(self) -> str:
        return f"{self.id} {self.internal_name} ({self.kind})"


def header_json(header: Header) -> dict[str, Any]:
    """The keys that identify a map in JSON."""
    return {
        "header": header.id,
        "internal_name": header.internal_name,
        "location_name": header.location_name,
        "kind": header.kind,
    }


def find_header(headers: Sequence[Header], key: int | str) -> Header:
    """The header that `key` means: an id (`411`, `"411"`, `"#411"`), an internal name, or a location name.

    A location name means the only header that has it, else the only one of its headers that is a town or outdoors.
    Upper and lower case and accents do not matter. Raises PlaceError, with the candidates when the name is ambiguous,
    with the nearest names when there is none.
    """
    if not isinstance(key, str):
        key = operator.index(key)
    elif key.strip().removeprefix("#").isdecimal():
        key = int(key.strip().removeprefix("#"))
    if isinstance(key, int):
        if 0 <= key < len(headers):
            return headers[key]
        raise PlaceError(f"There is no map header {key}; this ROM has {len(headers)}, from 0 to {len(headers) - 1}.")
    wanted = comparable_name(key)
    named = [header for header in headers if comparable_name(header.internal_name) == wanted]
    if len(named) == 1:
        return named[0]
    located = [header for header in headers if header.location_name and comparable_name(header.location_name) == wanted]
    if len(located) == 1:
        return located[0]
    outdoors = [header for header in located if header.outdoors]
    if len(outdoors) == 1:
        return outdoors[0]
    several = named or located
    if several:
        raise PlaceError(
            f"{key!r} could mean any of {len(several)} maps; say which by its number or internal name:",
            [str(header) for header in several],
        )
    near = _near(headers, wanted)
    hint = "; did you mean one of these?" if near else "."
    raise PlaceError(f"There is no place called {key!r}{hint}", near)


def _near(headers: Sequence[Header], wanted: str) -> list[str]:
    names: dict[str, str] = {}
    for header in headers:
        for name in (header.location_name, header.internal_name):
            if name:
                names.setdefault(comparable_name(name), name)
    close = [name for name in names if wanted and wanted in name][:_SUGGESTIONS]
    close += [name for name in difflib.get_close_matches(wanted, names, _SUGGESTIONS, 0.6) if name not in close]
    return [names[name] for name in close[:_SUGGESTIONS]]

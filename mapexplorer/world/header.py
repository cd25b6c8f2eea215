"""Map headers with their names, and finding a header by a name that a user typed."""

from __future__ import annotations

import dataclasses
import operator
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from formats.field.map_header import NO_WILD_ENCOUNTERS, AnyMapHeader, HeartGoldMapHeader
from mapexplorer.errors import PlaceError
from mapexplorer.naming import comparable_name, matching, suggestions

_SUGGESTIONS = 5

_KIND = re.compile(r"\s*(?:map|header):", re.IGNORECASE)
"""May stand before the name of a map, as before that of every other thing."""


@dataclass(frozen=True, repr=False, kw_only=True)
class Header:
    """A map header: the fields of its `record`, None for those that the record of the game lacks, with its id, internal
    name (`T01`), symbolic name (`TWINLEAF_TOWN`), location name (`Twinleaf Town`) and the name of its map type, `kind`.
    `outdoors`: its map type is that of a town or of another map outdoors.

    `symbolic_name` is the header's name in the decompilation of the game, empty for other ROMs; `location_name` is
    empty in a ROM without texts. `wild_encounters` is NO_WILD_ENCOUNTERS without any, in every game.
    """

    record: AnyMapHeader
    area: int
    preload_list: int
    matrix: int
    scripts: int
    init_scripts: int
    message_bank: int
    day_music: int
    night_music: int
    wild_encounters: int
    events: int
    label_text: int
    weather: int
    camera_type: int
    map_type: int
    battle_background: int
    bicycle: bool
    running: bool
    escape_rope: bool
    fly: bool
    label_window: int | None = None
    world_map_x: int | None = None
    world_map_y: int | None = None
    mothers_call_group: int | None = None
    kanto: bool | None = None
    follower_mode: int | None = None
    outgoing_calls: bool | None = None
    incoming_calls: bool | None = None
    radio: bool | None = None
    id: int
    internal_name: str
    symbolic_name: str
    location_name: str
    kind: str
    outdoors: bool

    @classmethod
    def of(cls, record: AnyMapHeader, **named: Any) -> Header:
        """The header of a record; `named`: the fields that are not in it or differ from it."""
        stored = {field.name: getattr(record, field.name) for field in dataclasses.fields(record)}
        if isinstance(record, HeartGoldMapHeader) and record.wild_encounters == HeartGoldMapHeader.NO_WILD_ENCOUNTERS:
            stored["wild_encounters"] = NO_WILD_ENCOUNTERS
        return cls(**{"record": record, **stored, **named})

    @property
    def title(self) -> str:
        """The title of the place: location name and internal name."""
        return f"{self.location_name} ({self.internal_name})" if self.location_name else self.internal_name

    @property
    def names(self) -> tuple[str, ...]:
        """Its names, those that it has."""
        return tuple(filter(None, (self.internal_name, self.symbolic_name, self.location_name)))

    def __repr__(self) -> str:
        return f"<Header {self.id} {self.title}, {self.kind}>"

    def __str__(self) -> str:
        names = filter(None, (self.internal_name, self.symbolic_name))
        return f"{self.id} {' '.join(names)} ({self.kind})"


def header_json(header: Header) -> dict[str, Any]:
    """The keys that identify a map in JSON."""
    return {
        "header": header.id,
        "internal_name": header.internal_name,
        "symbolic_name": header.symbolic_name,
        "location_name": header.location_name,
        "kind": header.kind,
    }


def find_header(headers: Sequence[Header], key: int | str) -> Header:
    """The header that `key` means: an id (`411`, `"411"`, `"#411"`), an internal, symbolic or location name, or a part
    of one (`naming.matching`); `map:` may stand before it.

    A location name means the only header that has it, else the only one of its headers that is a town or outdoors.
    Raises PlaceError, with the candidates when the name is ambiguous, with the nearest names when there is none.
    """
    if not isinstance(key, str):
        key = operator.index(key)
    else:
        key = _KIND.sub("", key)
        if key.strip().removeprefix("#").isdecimal():
            key = int(key.strip().removeprefix("#"))
    if isinstance(key, int):
        if 0 <= key < len(headers):
            return headers[key]
        raise PlaceError(f"There is no map header {key}; this ROM has {len(headers)}, from 0 to {len(headers) - 1}.")
    _, found = matching_headers(headers, key)
    if len(found) == 1:
        return found[0]
    if found:
        raise PlaceError(
            f"{key!r} could mean any of {len(found)} maps; say which by its number or internal name:",
            [str(header) for header in found],
        )
    near = suggestions(key, _Names(headers).all, _SUGGESTIONS)
    hint = "; did you mean one of these?" if near else "."
    raise PlaceError(f"There is no place called {key!r}{hint}", near)


def find_headers(headers: Sequence[Header], given: Sequence[str]) -> list[Header]:
    """The headers that words mean: as many words as are a name of a map together (`Mirror Lake`), else each word as in
    `find_header`. Raises PlaceError."""
    names = _Names(headers)
    found: list[Header] = []
    at = 0
    while at < len(given):
        ends = range(min(len(given), at + names.most_words), at + 1, -1)
        end = next((end for end in ends if names.equal(" ".join(given[at:end]))), at + 1)
        found.append(find_header(headers, " ".join(given[at:end])))
        at = end
    return found


def matching_headers(headers: Sequence[Header], name: str) -> tuple[int, list[Header]]:
    """The headers that a name can mean, and how well they match it (`naming.matching`); the one outdoors among those of
    a location."""
    names = _Names(headers)
    found = names.equal(name)
    return (0, found) if found else names.matching(name)


class _Names:
    """The headers by each of their names."""

    def __init__(self, headers: Sequence[Header]) -> None:
        self._internal: dict[str, list[Header]] = {}
        self._symbolic: dict[str, list[Header]] = {}
        self._locations: dict[str, list[Header]] = {}
        for header in headers:
            self._internal.setdefault(header.internal_name, []).append(header)
            if header.symbolic_name:
                self._symbolic.setdefault(header.symbolic_name, []).append(header)
            if header.location_name:
                self._locations.setdefault(header.location_name, []).append(header)

    def equal(self, key: str) -> list[Header]:
        """The headers with this name; the one outdoors among those of a location."""
        wanted = comparable_name(key).removeprefix("map_header_")
        for names in (self._internal, self._locations, self._symbolic):
            found = [one for name in names if comparable_name(name) == wanted for one in names[name]]
            if found:
                return _outdoors(found) if names is self._locations else found
        return []

    def matching(self, key: str) -> tuple[int, list[Header]]:
        """The headers that a part of a name or a misspelled name means. A location goes before the maps in it."""
        rank, names = matching(key, self._locations)
        located = _outdoors([one for name in names for one in self._locations[name]])
        if len(located) == 1:
            return rank, located
        rank, names = matching(key, self.all)
        found = {one.id: one for name in names for one in self.all[name]}
        return rank, [found[number] for number in sorted(found)]

    @property
    def most_words(self) -> int:
        """The number of words of the longest name."""
        return max((len(name.split()) for name in self.all), default=0)

    @property
    def all(self) -> dict[str, list[Header]]:
        """The headers by their names of all kinds."""
        return self._locations | self._symbolic | self._internal


def _outdoors(found: list[Header]) -> list[Header]:
    """The only one of several headers that is a town or outdoors, else all."""
    outdoors = [header for header in found if header.outdoors]
    return outdoors if len(outdoors) == 1 else found

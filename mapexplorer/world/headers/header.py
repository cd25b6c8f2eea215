"""Map headers with their names, and finding a header by a name that a user typed."""

from __future__ import annotations

import dataclasses
import operator
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from formats.field.map_header import NO_WILD_ENCOUNTERS, AnyMapHeader, HeartGoldMapHeader
from formats.remembered import remembered
from mapexplorer.caching import Cache, shared_property
from mapexplorer.errors import PlaceError, check_number
from mapexplorer.grouping import by_key
from mapexplorer.naming import EQUAL, comparable_name, joined, matching, suggestions, words
from mapexplorer.world.headers.room_names import meant

_SUGGESTIONS = 5

_KIND = re.compile(r"^\s*(?:(?:map|header):)?\s*(?:map_header_)?", re.IGNORECASE)
"""May stand before the name of a map."""

_LOCATION = re.compile(r"^\s*location:(.*)", re.IGNORECASE | re.DOTALL)
"""The name of a location that means all its maps."""

_NUMBER = re.compile(r"\s*#?\s*(-?\d{1,9})\s*", re.ASCII)

_UNUSED = re.compile(r"(?:UNUSED|UNKNOWN)_|_DP_")
"""In the symbolic names of maps that are not used: of Diamond and Pearl, or of no game."""


@dataclass(frozen=True, repr=False, kw_only=True)
class Header:
    """A map header: the fields of its record, None for those that the record of the game lacks, and its names."""

    record: AnyMapHeader
    """The record in the program."""
    area: int
    """The area: texture sets, prop list and lights."""
    preload_list: int
    """The list of the object graphics that are kept in memory."""
    matrix: int
    """The matrix."""
    scripts: int
    """The file of the scripts of events."""
    init_scripts: int
    """The file of the scripts that the game runs by itself."""
    message_bank: int
    """The texts of the scripts."""
    day_music: int
    """The sequence by day."""
    night_music: int
    """The sequence by night."""
    wild_encounters: int
    """The file of wild encounters; NO_WILD_ENCOUNTERS without any, in every game."""
    events: int
    """The file of events."""
    label_text: int
    """The number of the location name."""
    weather: int
    """The weather, which the table of the year may replace."""
    camera_type: int
    """The camera type."""
    map_type: int
    """The map type."""
    battle_background: int
    """The background of battles."""
    bicycle: bool
    """Whether a bicycle may be ridden."""
    running: bool
    """Stored, but not used by the game."""
    escape_rope: bool
    """Whether Escape Rope and Dig lead outside."""
    fly: bool
    """Whether Fly may be used."""
    label_window: int | None = None
    """The style of the window with the location name; 0: none."""
    world_map_x: int | None = None
    """The column of its square on the town map."""
    world_map_y: int | None = None
    """The row of its square on the town map."""
    mothers_call_group: int | None = None
    """What the mother says on the telephone."""
    kanto: bool | None = None
    """Whether it is in Kanto, else in Johto."""
    follower_mode: int | None = None
    """Which Pokémon may follow the player: 0 none, 1 small ones, 2 all."""
    outgoing_calls: bool | None = None
    """Whether the Pokégear may call."""
    incoming_calls: bool | None = None
    """Whether the Pokégear may be called."""
    radio: bool | None = None
    """Whether the Pokégear receives the radio."""
    id: int
    """Its number in the table of headers."""
    internal_name: str
    """As `T01`."""
    symbolic_name: str
    """Its name in the decompilation of the game, as `TWINLEAF_TOWN`; empty for other ROMs."""
    location_name: str
    """As `Twinleaf Town`; empty in a ROM without texts."""
    kind: str
    """The name of its map type."""
    outdoors: bool
    """Whether its map type is that of a town or of another map outdoors."""
    town: bool = False
    """Whether its map type is that of a town."""
    room: str = field(default="", compare=False)
    """What its symbolic name adds to its location, in words (`Mart`); empty where nothing is known or needed."""
    same_name: bool = field(default=True, compare=False)
    """Whether other maps have the same `name`."""

    @classmethod
    def of(cls, record: AnyMapHeader, **named: Any) -> Header:
        """The header of a record; `named`: the fields that are not in it or differ from it."""
        stored = {record_field.name: getattr(record, record_field.name) for record_field in dataclasses.fields(record)}
        if isinstance(record, HeartGoldMapHeader) and record.wild_encounters == HeartGoldMapHeader.NO_WILD_ENCOUNTERS:
            stored["wild_encounters"] = NO_WILD_ENCOUNTERS
        return cls(**{"record": record, **stored, **named})

    @property
    def name(self) -> str:
        """The name of the place in words: `Jubilife City, Mart`; the internal name without a location."""
        space = " " if self.room.isdecimal() else ", "
        return f"{self.location_name}{space if self.room else ''}{self.room}" or self.internal_name

    @property
    def title(self) -> str:
        """The title of the place: its name, with the internal name where several maps have it."""
        return f"{self.name} ({self.internal_name})" if self.same_name and self.location_name else self.name

    @property
    def names(self) -> tuple[str, ...]:
        """Its names, those that it has."""
        return tuple(
            dict.fromkeys(filter(None, (self.internal_name, self.symbolic_name, self.location_name, self.title)))
        )

    @property
    def order(self) -> tuple[int, int]:
        """The place of a map among others that a text may mean: towns, other maps outdoors, those with the name of
        their location, the first rooms of buildings, other rooms, what is unused or in no location."""
        if not self.label_text or _UNUSED.search(self.symbolic_name):
            return 5, self.id
        inside = 2 if not self.room else 3 if self.internal_name.endswith("01") else 4
        return (0 if self.town else 1 if self.outdoors else inside), self.id

    def __repr__(self) -> str:
        return f"<Header {self.id} {self.title}, {self.kind}>"

    def __str__(self) -> str:
        names = dict.fromkeys((self.internal_name, self.name))
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
    """The header that `key` means: an id (`411`, `"411"`, `"#411"`), an internal, symbolic or location name, a title,
    or what `naming.matching` takes for one; `map:` may stand before it.

    A location name means the only header that has it, else the only one of its headers that is a town or outdoors.
    Raises PlaceError, with the headers when the name is ambiguous, with those of the nearest names when there is none.
    """
    names = _names(headers)
    headers_meant = names.find(key)[1]
    return headers_meant[0] if len(headers_meant) == 1 else names.fail(key, headers_meant)


def find_maps(headers: Sequence[Header], key: int | str) -> list[Header]:
    """As `find_header`, but all maps of a location whose name means several; `location:NAME` always means all."""
    names = _names(headers)
    maps = names.find(key)[1]
    return maps if names.is_meant(str(key), maps, whole=True) else names.fail(key, maps)


def find_headers(headers: Sequence[Header], given: Sequence[str], *, whole: bool = False) -> list[Header]:
    """The headers that words mean: numbers and whole names one after another (`4 Mirror Lake T01`), else at each word
    the longest run of words that means a map; `location:NAME` means several, with `whole` also the name of a location
    alone, as in `find_maps`. Raises PlaceError."""
    names = _names(headers)
    chosen, rest = names.split(given, names.equal, whole)
    if rest:
        chosen, rest = names.split(given, lambda run: names.find(run)[1], whole)
    if rest:
        runs = [" ".join(rest[:end]) for end in range(len(rest), 0, -1)]
        name = next(filter(names.equal, runs), runs[0])
        names.fail(name, names.find(name)[1])
    return chosen


def matching_headers(headers: Sequence[Header], name: str) -> tuple[int, list[Header]]:
    """How well the headers that a name can mean match it (`naming.matching`), and these in the order of `Header.order`;
    the one outdoors among those of a location."""
    return _names(headers).find(name)


class _Names:
    """The headers by each of their names."""

    def __init__(self, headers: Sequence[Header]) -> None:
        self._headers = headers

    @shared_property
    def _locations(self) -> dict[str, list[Header]]:
        return _by_name((header.location_name, header) for header in self._headers if header.location_name)

    @shared_property
    def _meant(self) -> dict[str, list[Header]]:
        return {name: meant(maps, operator.attrgetter("outdoors")) for name, maps in self._locations.items()}

    @shared_property
    def _of_maps(self) -> dict[str, list[Header]]:
        return _by_name(
            (name, header)
            for header in self._headers
            for name in (header.internal_name, header.title, header.symbolic_name)
            if name
        )

    @remembered
    def _index(self, fold: Callable[[str], str]) -> dict[str, list[Header]]:
        """The headers by names as they are compared; internal names count before locations, these before others."""
        others = ((fold(name), header) for name, maps in self._of_maps.items() for header in maps)
        located = ((fold(name), header) for name, maps in self._meant.items() for header in maps)
        return (
            _by_name(others)
            | _by_name(located)
            | _by_name((fold(header.internal_name), header) for header in self._headers)
        )

    @shared_property
    def _most_words(self) -> int:
        return max((len(words(name)) for name in (*self._locations, *self._of_maps)), default=1)

    def equal(self, key: int | str) -> list[Header]:
        """The headers with a number or a name; all those of `location:NAME`. Raises PlaceError for a number that no
        header has."""
        text = _KIND.sub("", key) if isinstance(key, str) else str(operator.index(key))
        number = _NUMBER.fullmatch(comparable_name(text))
        if number is not None:
            check_number("map header", int(number[1]), range(len(self._headers)))
            return [self._headers[int(number[1])]]
        if _LOCATION.fullmatch(text):
            return self.of_location(text)
        indices = ((fold(text), self._index(fold)) for fold in (comparable_name, joined))
        return next((index[name] for name, index in indices if name and name in index), [])

    def find(self, key: int | str) -> tuple[int, list[Header]]:
        """As `matching_headers`. A location goes before the maps in it."""
        equal = self.equal(key)
        if equal or not isinstance(key, str):
            return EQUAL, equal
        (rank, located), (other, named) = (
            matching(_KIND.sub("", key), names) for names in (self._meant, self._of_maps)
        )
        first, source = (located, self._meant) if rank <= other else (named, self._of_maps)
        return min(rank, other), _once(header for name in first for header in source[name])

    def of_location(self, key: str) -> list[Header]:
        """All maps of the location that a name or `location:NAME` means."""
        _, names = matching(_LOCATION.sub(r"\1", key), self._locations)
        return self._locations[names[0]] if len(names) == 1 else []

    def is_meant(self, key: str, maps: list[Header], *, whole: bool) -> bool:
        """Whether the headers of a name are one, or all those of a location that it may mean."""
        return len(maps) == 1 or (
            (whole or _LOCATION.match(key) is not None) and maps != [] and maps == self.of_location(key)
        )

    def split(
        self, given: Sequence[str], find: Callable[[str], list[Header]], whole: bool
    ) -> tuple[list[Header], Sequence[str]]:
        """The headers of the longest runs of words of which `find` gives those that are meant, and the words behind
        them. A number is a map by itself."""
        chosen: list[Header] = []
        while given:
            most = 1 if _NUMBER.fullmatch(given[0]) else min(len(given), self._most_words)
            runs = ((end, " ".join(given[:end])) for end in range(most, 0, -1))
            taken = ((end, maps) for end, run in runs if self.is_meant(run, maps := find(run), whole=whole))
            end, maps = next(taken, (0, []))
            if not end:
                break
            chosen, given = chosen + maps, given[end:]
        return chosen, given

    def fail(self, key: int | str, several: list[Header]) -> NoReturn:
        """Raise the PlaceError of a name that means several headers, or none."""
        if several:
            raise PlaceError(
                f"{key!r} could mean any of {len(several)} maps; say which by its number or internal name:", several
            )
        names = self._of_maps | self._meant
        near = suggestions(_LOCATION.sub(r"\1", _KIND.sub("", str(key))), names, 2 * _SUGGESTIONS)
        maps = list({names[name][0].id: names[name][0] for name in near}.values())[:_SUGGESTIONS]
        raise PlaceError(
            f"There is no place called {key!r}" + ("; did you mean one of these?" if maps else "."), _once(maps)
        )


by_order = operator.attrgetter("order")
"""The key by which the maps that a text may mean are sorted."""

_KEPT: Cache[int, _Names] = Cache(2)


def _names(headers: Sequence[Header]) -> _Names:
    """The names of headers, kept for the next question about them; they hold the headers, so no others have this id."""
    return _KEPT.get(id(headers), _Names, headers)


def _by_name(pairs: Iterable[tuple[str, Header]]) -> dict[str, list[Header]]:
    """Name -> the headers that have it."""
    return {name: _once(several) if len(several) > 1 else several for name, several in by_key(pairs).items()}


def _once(headers: Iterable[Header]) -> list[Header]:
    """Headers without those that are there twice, in the order of `Header.order`."""
    return sorted({header.id: header for header in headers}.values(), key=by_order)

"""What the name of a map adds to that of its location: `Mart`, `1F North Room`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Final, TypeVar

from mapexplorer.grouping import by_key

T = TypeVar("T")

_RETAIL_NAME: Final = re.compile(
    r"[CDLRTW]\d{2,3}[AB]?(?:(?:FS|GYM|PC|R)\d{4})?|DIRECT[24]|EVERYWHERE|HIROBA|NOTHING|RECORD|UG|UNION"
)
"""The form of the internal names of Platinum: a city, dungeon, lake, route, town or water route, and a room of it. A
header with another name has been given another map."""

_ROOM: Final = re.compile(r"(?:FS|GYM|PC|R)\d{4}$", re.ASCII)
"""What the internal name of a room adds to that of the place outdoors."""

_LEFT_OUT: Final = "UNUSED_"

_AS_WRITTEN: Final = {
    "POKECENTER": "Pokémon Center",
    "POKEMON": "Pokémon",
    "DEADEND": "Dead End",
    "TO": "to",
    "OF": "of",
    "AND": "and",
    "DP": "DP",
    "TV": "TV",
    "MAIDS": "Maid’s",
}
"""Words of symbolic names that are not written with one capital; nor are those with digits, `B1F`."""


def outside_name(internal_name: str) -> str:
    """The internal name of the place outdoors of a room, of another place its own."""
    return _ROOM.sub("", internal_name)


def meant(several: list[T], outdoors: Callable[[T], bool]) -> list[T]:
    """The only one of the maps of a location that is a town or outdoors, else all."""
    outside = [header for header in several if outdoors(header)]
    return outside if len(outside) == 1 else several


def room_names(names: Sequence[tuple[str, str, str, bool]]) -> list[tuple[str, bool]]:
    """`Header.room` and `same_name` of all headers, from their internal, symbolic and location names, and whether they
    are outdoors. The header that the name of its location means has no room, nor one whose internal name is new."""
    located = by_key((location, number) for number, (_, _, location, _) in enumerate(names))
    all_rooms = [("", False)] * len(names)
    for location, numbers in located.items():
        rooms = _rooms(
            {
                number: names[number][1]
                for number in numbers
                if location
                and _RETAIL_NAME.fullmatch(names[number][0])
                and names[number][1][:8] not in ("", "UNKNOWN_")
            }
        )
        count = Counter(rooms.values())
        main = meant(numbers, lambda number: names[number][3])
        for number in numbers if len(main) > 1 else set(numbers).difference(main):
            room = rooms.get(number, "")
            all_rooms[number] = room, not room or count[room] > 1
    return all_rooms


def _rooms(symbolic: Mapping[int, str]) -> dict[int, str]:
    """Header of a location -> what its symbolic name has behind the words with which most of them begin."""
    parts = {
        number: [*name.removeprefix(_LEFT_OUT).split("_"), *(["(unused)"] if name.startswith(_LEFT_OUT) else [])]
        for number, name in symbolic.items()
    }
    firsts = [words[0] for words in parts.values()]
    usual = max(firsts, key=firsts.count, default="")
    family = [words for words in parts.values() if words[0] == usual]
    shared = shared_words(family) if 2 * len(family) > len(parts) else 0
    return {
        number: " ".join(
            _AS_WRITTEN.get(word, word.capitalize() if word.isalpha() else word)
            for word in words[shared if words[0] == usual else 0 :]
        )
        for number, words in parts.items()
    }


def shared_words(several: Iterable[Sequence[str]]) -> int:
    """The number of words with which all of several names begin."""
    return sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, zip(*several, strict=False)))

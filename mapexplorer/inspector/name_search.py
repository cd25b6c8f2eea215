"""The search over all names while typing, as rows of lists."""

from __future__ import annotations

import re
from typing import Final

from mapexplorer.errors import PlaceError
from mapexplorer.inspector.listed import ListedGroup, ListedThing
from mapexplorer.inspector.name_index import Entry, NameIndex, grouped, uses_text
from mapexplorer.inspector.use_links import entry_subject
from mapexplorer.naming import MISSPELLED, matching
from mapexplorer.world import FieldWorld, Header
from mapexplorer.world.header import find_header

KIND_TITLES: Final = {
    "map": "Maps", "species": "Species", "item": "Items", "trainer": "Trainers", "move": "Moves", "flag": "Flags",
    "variable": "Variables", "script": "Scripts of all maps",
    "unused": "Scripts that nothing runs", "music": "Music", "weather": "Weather",
    "prop": "Map props", "texture": "Textures", "file": "Files", "text": "Texts",
}  # fmt: skip
"""Kind of the index -> the heading of its group."""

_SPELLED: Final = ("map", "species", "item", "trainer", "move", "music")
"""The kinds whose names are compared with misspelled words."""


_MAP: Final = "map"
_WEATHER: Final = "weather:"

_TILE: Final = re.compile(r"\s*(?P<map>[^@]+)@\s*(?P<x>\d+)\s*,\s*(?P<z>\d+)\s*")


class NameSearch:
    """Searches the index of a ROM's names."""

    def __init__(self, index: NameIndex) -> None:
        self.index = index
        self._names: dict[str, list[Entry]] | None = None

    def find(self, text: str, most: int, kind: str | None = None, user: str = "") -> list[Entry]:
        """See `NameIndex.best`; where no name has the words, the things whose names they misspell. `weather:WORDS`
        of maps are those on which there is such a weather."""
        words = text.split()
        if kind == _MAP and text.startswith(_WEATHER):
            return self._maps_with_weather(text.removeprefix(_WEATHER).split())[:most]
        if len(words) == 1 and ":" in text:
            return self.index.find(words, kind)
        found = self.index.best(words, most, kind, user)
        if found or not words or user:
            return found
        if self._names is None:
            self._names = self.index.names(_SPELLED)
        rank, names = matching(text, self._names)
        near = [entry for name in names for entry in self._names[name] if kind in (None, entry.kind)]
        return near[:most] if rank == MISSPELLED else []

    def _maps_with_weather(self, words: list[str]) -> list[Entry]:
        """The maps on which there is a weather with these words on some day."""
        weathers = self.index.best(words, len(self.index), "weather")
        names = {use.at for weather in weathers for use in weather.uses}
        maps = self.index.best([], len(self.index), _MAP)
        return [one for one in maps if one.name in names or one.name.rpartition("(")[2].rstrip(")") in names]


def find_tile(world: FieldWorld, text: str) -> tuple[Header, int, int] | None:
    """The map and the matrix-wide tile that `MAP@X,Z` means; None for another text or map."""
    found = _TILE.fullmatch(text)
    if found is None:
        return None
    try:
        header = find_header(world.headers, found["map"])
    except PlaceError:
        return None
    return header, int(found["x"]), int(found["z"])


def listed_names(found: list[Entry]) -> tuple[ListedGroup, ...]:
    """Named things by kind."""
    return tuple(
        ListedGroup(KIND_TITLES[kind], tuple(map(_listed, entries))) for kind, entries in grouped(found).items()
    )


def _listed(entry: Entry) -> ListedThing:
    number = "/".join(map(str, entry.number))
    title = f"“{' '.join(entry.name.split())}”" if entry.kind == "text" else entry.name
    lines = [line for line in (entry.about, uses_text(entry.uses)) if line]
    return ListedThing(entry_subject(entry), title, tuple(lines), number)

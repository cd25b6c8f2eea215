"""The list of maps: entries with their search text, in groups."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from mapexplorer.gui.model.search import matches, plain
from mapexplorer.world.header import Header

LOCATION, MATRIX, AREA, KIND, FLAT = "location", "matrix", "area", "kind", "none"
GROUPINGS: Final = {
    LOCATION: "Location",
    MATRIX: "Matrix",
    AREA: "Area",
    KIND: "Kind",
    FLAT: "No groups",
}


@dataclass(frozen=True)
class MapListEntry:
    """A map in the list: its header's id, names, kind, the text that the filter searches, its title and room."""

    header: int
    internal_name: str
    location_name: str
    kind: str
    matrix: int
    area: int
    text: str
    title: str = ""
    room: str = ""


@dataclass(frozen=True)
class Group:
    """A heading and the entries below it."""

    title: str
    entries: tuple[MapListEntry, ...]


def entries_of(headers: Sequence[Header]) -> list[MapListEntry]:
    """All headers as entries."""
    return [
        MapListEntry(
            header.id,
            header.internal_name,
            header.location_name,
            header.kind,
            header.matrix,
            header.area,
            plain(f"{' '.join(header.names)} #{header.id} {header.kind}"),
            header.title,
            header.room,
        )
        for header in headers
    ]


_TITLES: Final[dict[str, Callable[[MapListEntry], str]]] = {
    LOCATION: lambda entry: entry.location_name or "Without location name",
    MATRIX: lambda entry: f"Matrix {entry.matrix}",
    AREA: lambda entry: f"Area {entry.area}",
    KIND: lambda entry: entry.kind.capitalize(),
    FLAT: lambda entry: "All maps",
}


def grouped(entries: Sequence[MapListEntry], grouping: str, filter_text: str = "") -> list[Group]:
    """Groups by title, their numbers by value (matrices and areas by number); groups without a match are left out. A
    map whose name or number is the filter's text is first."""
    words = plain(filter_text).split()
    title_of = _TITLES[grouping]
    groups: dict[str, list[MapListEntry]] = {}
    for entry in sorted(entries, key=lambda entry: not _is_meant(entry, words)):
        if matches(words, entry.text):
            groups.setdefault(title_of(entry), []).append(entry)
    found = [Group(title, tuple(group)) for title, group in groups.items()]
    return sorted(found, key=lambda group: (not _is_meant(group.entries[0], words), *_order(grouping, group)))


def _is_meant(entry: MapListEntry, words: Sequence[str]) -> bool:
    """Whether words are a name or the number of a map."""
    text = " ".join(words)
    return text in (plain(entry.internal_name), plain(entry.location_name), str(entry.header)) if words else False


def _order(grouping: str, group: Group) -> tuple[int | str, ...]:
    """Where a group stands among others: texts and numbers take turns."""
    first = group.entries[0]
    if grouping in (MATRIX, AREA):
        return (first.matrix if grouping == MATRIX else first.area,)
    parts = re.split(r"(\d+)", plain(group.title))
    nameless = grouping == LOCATION and not first.location_name
    return (int(nameless), *(int(part) if part.isdigit() else part for part in parts))

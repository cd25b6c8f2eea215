"""The list of maps: entries with their search text, in groups."""

from __future__ import annotations

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
    """A map in the list: its header's id, names, kind, and the text that the filter searches."""

    header: int
    internal_name: str
    location_name: str
    kind: str
    matrix: int
    area: int
    text: str

    @property
    def title(self) -> str:
        """Location name, or the internal one where there is none."""
        return self.location_name or self.internal_name


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
            plain(f"{header.location_name} {header.internal_name} {header.symbolic_name} #{header.id} {header.kind}"),
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
    """Groups in the order of their first map (matrices and areas by number); groups without a match are left out."""
    words = plain(filter_text).split()
    title_of = _TITLES[grouping]
    groups: dict[str, list[MapListEntry]] = {}
    for entry in entries:
        if matches(words, entry.text):
            groups.setdefault(title_of(entry), []).append(entry)
    titles = list(groups)
    if grouping == MATRIX:
        titles.sort(key=lambda title: groups[title][0].matrix)
    elif grouping == AREA:
        titles.sort(key=lambda title: groups[title][0].area)
    return [Group(title, tuple(groups[title])) for title in titles]

"""The list of maps: headers in groups."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from mapexplorer.grouping import by_key
from mapexplorer.gui.model.search import matches
from mapexplorer.naming import comparable_name
from mapexplorer.world.headers.header import Header

LOCATION, MATRIX, AREA, KIND, FLAT = "location", "matrix", "area", "kind", "none"
GROUPINGS: Final = {
    LOCATION: "Location",
    MATRIX: "Matrix",
    AREA: "Area",
    KIND: "Kind",
    FLAT: "No groups",
}


_TITLES: Final[dict[str, Callable[[Header], str]]] = {
    LOCATION: lambda header: header.location_name or "Without location name",
    MATRIX: lambda header: f"Matrix {header.matrix}",
    AREA: lambda header: f"Area {header.area}",
    KIND: lambda header: header.kind.capitalize(),
    FLAT: lambda header: "All maps",
}


def grouped(headers: Sequence[Header], grouping: str, filter_text: str = "") -> dict[str, list[Header]]:
    """The map headers by the title of their group. Groups are sorted by title, their numbers by value (matrices and
    areas by number); those without a match are left out. A map whose name or number is the filter's text is first."""
    words = comparable_name(filter_text).split()
    title_of = _TITLES[grouping]
    groups = by_key(
        (title_of(header), header)
        for header in sorted(headers, key=lambda header: not _is_meant(header, words))
        if not words or matches(words, comparable_name(f"{' '.join(header.names)} #{header.id} {header.kind}"))
    )
    return dict(sorted(groups.items(), key=lambda item: (not _is_meant(item[1][0], words), *_order(grouping, *item))))


def _is_meant(header: Header, words: Sequence[str]) -> bool:
    """Whether words are a name or the number of a map."""
    text = " ".join(words)
    names = map(comparable_name, (header.internal_name, header.location_name))
    return bool(words) and text in (*names, str(header.id))


def _order(grouping: str, title: str, group: Sequence[Header]) -> tuple[int | str, ...]:
    """Where a group stands among others: texts and numbers take turns."""
    first = group[0]
    if grouping in (MATRIX, AREA):
        return (first.matrix if grouping == MATRIX else first.area,)
    parts = re.split(r"(\d+)", comparable_name(title))
    nameless = grouping == LOCATION and not first.location_name
    return (int(nameless), *(int(part) if part.isdigit() else part for part in parts))

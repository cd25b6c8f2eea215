"""Facts and rows of tables as aligned lines of plain text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING

from mapexplorer.system.terminal import printable

if TYPE_CHECKING:
    from mapexplorer.inspector.facts import Fact


def field_lines(facts: Iterable[Fact]) -> Iterator[str]:
    """`name  value` lines with the values aligned; without meanings, sources and links."""
    facts = list(facts)
    width = max((len(fact.name) for fact in facts), default=0)
    for fact in facts:
        yield f"{fact.name.ljust(width)}  {fact.value}".rstrip()


def table_lines(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Rows under column titles, numbers to the right, as wide as the contents need. Those of an iterator come as they
    are read, as wide as the first 1,000 need."""
    rest = iter(rows)
    first = list(islice(rest, len(rows) if isinstance(rows, Sequence) else 1000))
    texts = list(map(_texts, first))
    widths = [max([len(title), *(len(row[i]) for row in texts)]) for i, title in enumerate(columns)]
    numeric = [all(isinstance(row[i], int | float) or row[i] is None for row in first) for i in range(len(columns))]
    for line in chain([list(columns)], texts, map(_texts, rest)):
        cells = (
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        )
        yield "  ".join(cells).rstrip()


def _texts(row: Sequence[object]) -> list[str]:
    return ["" if value is None else printable(str(value)) for value in row]

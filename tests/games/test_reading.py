"""Values of the JSON of tables by the annotations of their types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

import pytest

from mapexplorer.games.reading import Fx32, Fx32Vector, Span, read


class Color(StrEnum):
    RED = "red"


class Pair(NamedTuple):
    key: int
    name: str
    shown: bool = True


@dataclass(frozen=True)
class Table:
    how_many: int
    pairs: Mapping[int, Pair]
    groups: Mapping[int, tuple[Pair, ...]]


@pytest.mark.parametrize(
    ("kind", "plain", "value"),
    [
        (Fx32, -0.5, -2048),
        (Fx32Vector, [1, 0, 0.25], (4096, 0, 1024)),
        (Span, [3, 5], range(3, 6)),
        (tuple[int, ...], {"about": "numbers", "rows": [1, 2]}, (1, 2)),
        (frozenset[int], [1, 2, 1], frozenset((1, 2))),
        (int | None, None, None),
        (Fx32 | None, 1, 4096),
        (tuple[int, Color], [1, "red"], (1, Color.RED)),
        (Mapping[int, str], {"1": "a", "about it": "more"}, {1: "a"}),
        (Mapping[int, str], [[1, "a"]], {1: "a"}),
        (Mapping[int, tuple[str, str]], [[1, "a", "b"]], {1: ("a", "b")}),
        (Mapping[tuple[int, ...], str], [[[1, 2], "a"]], {(1, 2): "a"}),
        (Pair, [1, "a", 0], Pair(1, "a", False)),
        (Pair, {"key": 1, "name": "a"}, Pair(1, "a")),
        (
            Table,
            {
                "about": "a table",
                "how many": 2,
                "pair columns": ["key", "name"],
                "pairs": [[1, "a"], [2, "b"]],
                "groups": {"rows": [[1, "a"], [2, "b"], [1, "c"]]},
            },
            Table(
                2,
                {1: Pair(1, "a"), 2: Pair(2, "b")},
                {1: (Pair(1, "a"), Pair(1, "c")), 2: (Pair(2, "b"),)},
            ),
        ),
    ],
    ids=[
        "fx32",
        "vector",
        "span",
        "numbers",
        "set",
        "nothing",
        "optional fx32",
        "with an enumeration",
        "object",
        "pairs",
        "rows of a mapping",
        "keys of numbers",
        "record",
        "record by names",
        "dataclass",
    ],
)
def test_values(kind: Any, plain: Any, value: Any) -> None:
    assert read(kind, plain) == value


@pytest.mark.parametrize("plain", [[1, "a", 0, 4], {"key": 1}, {"key": 1, "name": "a", "other": 2}], ids=str)
def test_other_fields_are_refused(plain: Any) -> None:
    with pytest.raises((TypeError, ValueError, KeyError)):
        read(Pair, plain)

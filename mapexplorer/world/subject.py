"""The things of a ROM as values: a kind and a key, also as the address of a link; and the parts of things."""

from __future__ import annotations

from typing import Any, NamedTuple

Key = tuple[Any, ...]
"""Numbers, of a file its path."""


class Subject(NamedTuple):
    """A thing, identified by its kind (see `catalogue.kinds`) and its key: the numbers of the thing in its kind, of a
    file its path.

    `header (id)`, `matrix (n)`, `land (n)`, `area (n)` and the other kinds of references; `cell (matrix, x, z)`,
    `tile (matrix, x, z)`, `placed prop (matrix, x, z, index)`, `plate (matrix, x, z, index)`; `object`, `warp`, `sign`
    and `trigger (header, index)`; `pixel (x, y)` of the DS picture; `texture (prop 0 | terrain 1, set, index)`,
    `model (prop 0 | terrain 1, number)`, `trainer`, `species` and `item (number)`; `scripts (member)` is a script file,
    `scripts (member, entry)` one of its entries, `script (header, number)` the script that a number means on a map;
    `source (file, line)` a place in the text that the ROM is made from.
    """

    kind: str
    key: Key

    @property
    def address(self) -> str:
        """The target of a link to it: `prop-set:3`, `texture:1/0/2`."""
        return f"{self.kind.replace(' ', '-')}:{'/'.join(map(str, self.key))}"

    @classmethod
    def at(cls, address: str) -> Subject:
        """The subject of a link's target. Raises ValueError."""
        kind, _, key = address.partition(":")
        kind = kind.replace("-", " ")
        if kind == "source":
            file, _, line = key.rpartition("/")
            return cls(kind, (file, int(line)))
        return cls(kind, (key,) if kind == "file" else tuple(int(number) for number in key.split("/") if number))

    def __str__(self) -> str:
        return f"{self.kind} {', '.join(map(str, self.key))}"


def subject(kind: str, *key: int) -> Subject:
    """A subject by kind and numbers."""
    return Subject(kind, tuple(map(int, key)))


class ReferencePart(NamedTuple):
    """The part of a thing that holds a reference.

    `cell` (x, z); `cell if known` and `cell if unknown`: the same, by the name of the hidden location that decides;
    `warp`, `object` or `prop` (index), `texture` by name, `listed` and `initial scripts` without any; `field`: the
    names of fields and the indices that lead to it; `command` (byte offset in a script file, argument) and `script`
    (entry) with the name of the command; `slot` (of a party), `count` (of items), `tiles` (how many), `when` (a
    condition by name).
    """

    kind: str
    key: tuple[int, ...] = ()
    name: str = ""
    path: tuple[str | int, ...] = ()

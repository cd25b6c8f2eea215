"""The subjects of the inspector: a kind and numbers, also as the address of a link."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Subject:
    """A thing, identified by kind and numbers.

    `header (id)`, `matrix (n)`, `land (n)`, `area (n)` and the other kinds of `Uses`; `cell (matrix, x, z)`,
    `tile (matrix, x, z)`, `placed prop (matrix, x, z, index)`, `plate (matrix, x, z, index)`; `object`, `warp`, `sign`
    and `trigger (header, index)`; `pixel (x, y)` of the DS picture; `texture (prop 0 | terrain 1, set, index)`,
    `model (prop 0 | terrain 1, number)`, `trainer`, `species` and `item (number)`.
    """

    kind: str
    key: tuple[int, ...]

    @property
    def address(self) -> str:
        """The target of a link to it."""
        return f"{self.kind.replace(' ', '-')}:{'/'.join(map(str, self.key))}"

    @classmethod
    def at(cls, address: str) -> Subject:
        """The subject of a link's target. Raises ValueError."""
        kind, _, numbers = address.partition(":")
        return cls(kind.replace("-", " "), tuple(int(number) for number in numbers.split("/") if number))

    def __str__(self) -> str:
        return f"{self.kind} {', '.join(map(str, self.key))}"


def subject(kind: str, *key: int) -> Subject:
    """A subject by kind and numbers."""
    return Subject(kind, tuple(int(number) for number in key))

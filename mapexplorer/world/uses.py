"""The references between headers, matrices, lands, areas, texture sets, props and animations, in both directions.

A warp is a use of the header that it leads to. The kinds and their references are those of `references`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from formats.binary import FormatError
from mapexplorer.world.references import ARCHIVES, REFERENCES, ReferencePart

if TYPE_CHECKING:
    from mapexplorer.world.files import WorldFiles

_PLACED_BY = {"prop": ("land",)}
"""Kind -> the users that `places` follows, if not all: a prop is in a place if a land places it, not if a list names
it."""

_WHOLE = ("land", "prop", "terrain set")
"""Kinds of which every member of the archive counts; areas and prop sets count only where a header leads to them."""


@dataclass(frozen=True)
class Use:
    """One end of a reference: a thing by kind and number, and the part of the user that holds the reference."""

    kind: str
    number: int
    part: ReferencePart | None = None


class Uses:
    """All references of a world, read once. Damaged files are left out and named in `notes`."""

    def __init__(self, world: WorldFiles) -> None:
        self._world = world
        self._uses: dict[tuple[str, int], dict[Use, None]] = defaultdict(dict)
        self._used_by: dict[tuple[str, int], dict[Use, None]] = defaultdict(dict)
        self.notes: list[str] = []
        self._read("header", range(len(world.headers)))
        self._read("area", sorted(self._reached("area")))
        self._read("prop set", self._reached("prop set"))
        for kind in _WHOLE:
            self._read(kind, range(len(world.members(ARCHIVES[kind]))))

    def uses(self, kind: str, number: int) -> tuple[Use, ...]:
        """What a thing uses itself, in the order in which it was found."""
        return tuple(self._uses.get((kind, number), ()))

    def used_by(self, kind: str, number: int) -> tuple[Use, ...]:
        """What uses a thing itself."""
        return tuple(self._used_by.get((kind, number), ()))

    def places(self, kind: str, number: int) -> tuple[int, ...]:
        """The ids of the headers that use a thing themselves or through other things (but not through warps)."""
        found: set[int] = set()
        seen = {(kind, number)}
        pending = [(kind, number)]
        while pending:
            node = pending.pop()
            allowed = _PLACED_BY.get(node[0])
            for use in self._used_by.get(node, ()):
                if allowed and use.kind not in allowed:
                    continue
                if use.kind == "header":
                    if node[0] != "header":
                        found.add(use.number)
                elif (use.kind, use.number) not in seen:
                    seen.add((use.kind, use.number))
                    pending.append((use.kind, use.number))
        return tuple(sorted(found))

    def unused(self, kind: str, count: int) -> tuple[int, ...]:
        """The numbers below `count` of a kind that nothing uses."""
        return tuple(number for number in range(count) if (kind, number) not in self._used_by)

    def _reached(self, kind: str) -> list[int]:
        return [number for used, number in self._used_by if used == kind]

    def _read(self, kind: str, numbers: Iterable[int]) -> None:
        """Add the references of these things; references after damaged data are left out."""
        references = [reference for reference in REFERENCES if reference.shown and reference.user == kind]
        for number in numbers:
            try:
                for reference in references:
                    for found, part in reference.found(self._world, number):
                        self._uses[kind, number][Use(reference.used, found, part)] = None
                        self._used_by[reference.used, found][Use(kind, number, part)] = None
            except FormatError as error:
                self.notes.append(str(error))

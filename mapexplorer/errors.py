"""What can go wrong above the formats: the user's ROM and the user's place names."""

from __future__ import annotations

from collections.abc import Sequence


class RomError(Exception):
    """Not a DS ROM, another game, truncated, a file missing: one sentence that says what and what to do."""


class PlaceError(LookupError):
    """A place name that no header has, or that several have.

    `candidates` are one-line descriptions (id, internal name, kind) of the headers that the name could mean.
    """

    def __init__(self, sentence: str, candidates: Sequence[str] = ()) -> None:
        super().__init__(sentence)
        self.candidates = tuple(candidates)

    def __str__(self) -> str:
        return str(self.args[0])

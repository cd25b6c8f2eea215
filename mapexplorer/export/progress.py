"""How far a request is, and what it did."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol


class Progress(Protocol):
    """Who is told how far a request is, and says when to stop."""

    def check(self) -> None:
        """Raise when the request was cancelled."""

    def report(self, done: int, total: int, text: str) -> None:
        """Say how far the request is; raises when it was cancelled."""

    @property
    def cancelled(self) -> bool:
        """Whether the request was cancelled."""


class Unwatched:
    """Progress that nobody follows."""

    cancelled = False

    def check(self) -> None:
        """Go on."""

    def report(self, done: int, total: int, text: str) -> None:
        """Go on."""


@dataclass
class Outcome:
    """What a request did: a sentence, the files, sentences about what failed or is lacking, and all of it as JSON."""

    sentence: str
    files: list[Path] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)

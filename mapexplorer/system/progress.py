"""The progress of a request, and its outcome."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


class Progress:
    """Receives the progress of a request, and can cancel it; this one shows nothing and never cancels."""

    @property
    def cancelled(self) -> bool:
        """Whether the request was cancelled."""
        return False

    def check(self) -> None:
        """Raise when the request was cancelled."""

    def report(self, done: int, total: int, text: str) -> None:
        """`done` of `total` steps are done; total 0 while their number is unknown. Raises when it was cancelled."""


@dataclass
class Outcome:
    """The outcome of a request: a sentence, the files, sentences about failed or missing parts, and all of it as
    JSON."""

    sentence: str
    files: list[Path] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)

"""The results of checks of this machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

OK: Final = "ok"
WARNING: Final = "warning"
"""The window or OpenGL does not work, or something works slowly; the command line works."""
FAILURE: Final = "failure"
"""The command line does not work."""


@dataclass(frozen=True)
class Finding:
    """The result of one check: the subject, its level, the finding, and the remedy."""

    subject: str
    level: str
    found: str
    advice: str = ""

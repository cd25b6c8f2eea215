"""What a check of this machine found."""

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
    """One thing that was tried: its level, what was found, and what to do about it."""

    subject: str
    level: str
    found: str
    advice: str = ""

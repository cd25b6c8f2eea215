"""The recently opened ROMs with what the start page shows of them, kept in the settings."""

from __future__ import annotations

import base64
import binascii
from pathlib import Path

from mapexplorer.gui.model.settings import Settings

_SHOWN = "recent roms"


RecentRom = tuple[str, str, bytes]
"""A ROM that was opened: its path, its release with the game code, and a PNG of what was last seen of it (empty:
none)."""


def recent_roms(settings: Settings) -> list[RecentRom]:
    """The recently opened ROMs that still exist, the latest first."""
    shown = settings.get(_SHOWN, {})
    return [_recent(path, shown.get(path)) for path in settings.recent]


def _recent(path: str, shown: object) -> RecentRom:
    title, picture = shown if isinstance(shown, list) and len(shown) == 2 else ("", "")
    try:
        data = base64.b64decode(picture, validate=True)
    except (binascii.Error, TypeError, ValueError):
        data = b""
    return path, title if isinstance(title, str) and title else Path(path).name, data


def remember(settings: Settings, path: str, title: str, picture: bytes) -> None:
    """Keep what the start page shows of a ROM that is among the recent ones."""
    full = str(Path(path).resolve())
    shown = {known: value for known, value in settings.get(_SHOWN, {}).items() if known in settings.recent}
    if full in settings.recent:
        shown[full] = [title, base64.b64encode(picture).decode("ascii")]
    settings.set(_SHOWN, shown)

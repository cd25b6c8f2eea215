"""Bookmarks: links with names, kept in the settings for each ROM."""

from __future__ import annotations

from typing import Final

from mapexplorer.gui.model.explorer import Explorer

_SETTING: Final = "links in "
"""Before the path of a ROM."""


def bookmarks(explorer: Explorer) -> dict[str, str]:
    """Name -> link of the bookmarks of the ROM, in the order in which they were added."""
    return {name: str(link) for name, link in explorer.settings.get(_SETTING + explorer.rom_path, {}).items()}


def keep_bookmark(explorer: Explorer, name: str, link: str) -> None:
    """Add a bookmark, replacing that of the same name; without a link remove it."""
    others = {other: kept for other, kept in bookmarks(explorer).items() if other != name}
    explorer.settings.set(_SETTING + explorer.rom_path, others | ({name: link} if link else {}))
    explorer.settings.save()

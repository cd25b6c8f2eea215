"""Bookmarks: links with names, kept in the settings for each ROM."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from formats.json_codec import from_plain
from mapexplorer.errors import RomError
from mapexplorer.gui.model.camera import ViewCamera
from mapexplorer.gui.model.explorer import Explorer
from mapexplorer.gui.model.links import link_of
from mapexplorer.gui.model.map_camera import MapCamera
from mapexplorer.scene.view import View

_SETTING: Final = "links in "
"""Before the path of a ROM."""
_OLD: Final = "bookmarks"
"""Those of earlier versions: names with ROM, number of a map header, and camera."""


def bookmarks(explorer: Explorer) -> dict[str, str]:
    """Name -> link of the bookmarks of the ROM, in the order in which they were added."""
    return {name: str(link) for name, link in explorer.settings.get(_SETTING + explorer.rom_path, {}).items()}


def keep_bookmark(explorer: Explorer, name: str, link: str) -> None:
    """Add a bookmark, replacing that of the same name; without a link remove it."""
    others = {other: kept for other, kept in bookmarks(explorer).items() if other != name}
    explorer.settings.set(_SETTING + explorer.rom_path, others | ({name: link} if link else {}))
    explorer.settings.save()


def convert_bookmarks(explorer: Explorer) -> None:
    """Make links of the bookmarks that an earlier version kept of the ROM."""
    old, world = explorer.settings.get(_OLD, []), explorer.world
    for state in list(old):
        with suppress(LookupError, TypeError, ValueError, OverflowError, RomError):
            if world is not None and state["rom"] == explorer.rom_path:
                plain, place = state["camera"], world.place(state["header"])
                camera = from_plain(MapCamera, plain) if "x" in plain else from_plain(ViewCamera, plain)
                keep_bookmark(explorer, str(state["name"]), str(link_of(place, View(), camera)))
                old.remove(state)

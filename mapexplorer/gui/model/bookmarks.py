"""Bookmarks: places of a ROM with a view and its camera, kept in the settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from formats.json_codec import from_plain, to_plain
from mapexplorer.gui.model.camera import KINDS, ViewCamera
from mapexplorer.gui.model.map_camera import MapCamera
from mapexplorer.gui.model.settings import Settings

_SETTING: Final = "bookmarks"


@dataclass(frozen=True)
class Bookmark:
    """A named view of a ROM at a map header: that of the map, or with a camera of the other views."""

    name: str
    rom: str
    header: int
    camera: ViewCamera | MapCamera

    @classmethod
    def of_state(cls, state: Any) -> Bookmark | None:
        """From what `to_plain` made of one; None for other values."""
        try:
            bookmark = from_plain(cls, {name: state[name] for name in ("name", "rom", "header", "camera")})
        except (KeyError, TypeError, ValueError):
            return None
        known = isinstance(bookmark.camera, MapCamera) or bookmark.camera.kind in KINDS
        return bookmark if known else None


class Bookmarks:
    """The bookmarks in the settings."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        read = map(Bookmark.of_state, settings.get(_SETTING, []))
        self._all = [bookmark for bookmark in read if bookmark is not None]

    def of(self, rom: str) -> tuple[Bookmark, ...]:
        """The bookmarks of a ROM in the order in which they were added."""
        return tuple(bookmark for bookmark in self._all if bookmark.rom == rom)

    def add(self, bookmark: Bookmark) -> None:
        """Add a bookmark, replacing that of the same name and ROM."""
        others = [other for other in self._all if (other.rom, other.name) != (bookmark.rom, bookmark.name)]
        self._all = [*others, bookmark]
        self._keep()

    def remove(self, bookmark: Bookmark) -> None:
        """Remove a bookmark."""
        self._all.remove(bookmark)
        self._keep()

    def _keep(self) -> None:
        self._settings.set(_SETTING, to_plain(self._all))
        self._settings.save()

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

    def state(self) -> dict[str, Any]:
        """As plain values."""
        values = {"name": self.name, "rom": self.rom, "header": self.header}
        return {**values, "map": isinstance(self.camera, MapCamera), "camera": to_plain(self.camera)}

    @classmethod
    def of_state(cls, state: Any) -> Bookmark | None:
        """From plain values; None for others."""
        try:
            kind: type[ViewCamera | MapCamera] = MapCamera if state["map"] else ViewCamera
            camera = from_plain(kind, state["camera"])
            if isinstance(camera, ViewCamera) and camera.kind not in KINDS:
                return None
            return cls(str(state["name"]), str(state["rom"]), int(state["header"]), camera)
        except (KeyError, TypeError, ValueError):
            return None


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
        self._settings.set(_SETTING, [bookmark.state() for bookmark in self._all])
        self._settings.save()

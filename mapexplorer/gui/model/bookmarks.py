"""Bookmarks: places of a ROM with a view and its camera, kept in the settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

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
        return {**values, "map": isinstance(self.camera, MapCamera), "camera": asdict(self.camera)}

    @classmethod
    def of_state(cls, state: Any) -> Bookmark | None:
        """From plain values; None for others."""
        try:
            kind = MapCamera if state["map"] else ViewCamera
            given = {field.name: state["camera"][field.name] for field in fields(kind)}
            values = {name: _value(kind, name, value) for name, value in given.items()}
            return cls(str(state["name"]), str(state["rom"]), int(state["header"]), kind(**values))
        except (KeyError, TypeError, ValueError):
            return None


def _value(kind: type, name: str, value: Any) -> Any:
    """A field of a camera. Raises TypeError, ValueError for another kind of value."""
    if kind is ViewCamera and name == "kind":
        if value not in KINDS:
            raise ValueError(value)
        return value
    if isinstance(value, Sequence) and not isinstance(value, str):
        x, y, z = (float(part) for part in value)
        return x, y, z
    return float(value)


class Bookmarks:
    """The bookmarks in the settings."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._all = [found for one in settings.get(_SETTING, []) if (found := Bookmark.of_state(one)) is not None]

    def of(self, rom: str) -> tuple[Bookmark, ...]:
        """The bookmarks of a ROM in the order in which they were added."""
        return tuple(one for one in self._all if one.rom == rom)

    def add(self, bookmark: Bookmark) -> None:
        """Add a bookmark, replacing that of the same name and ROM."""
        self._all = [one for one in self._all if (one.rom, one.name) != (bookmark.rom, bookmark.name)] + [bookmark]
        self._keep()

    def remove(self, bookmark: Bookmark) -> None:
        """Remove a bookmark."""
        self._all.remove(bookmark)
        self._keep()

    def _keep(self) -> None:
        self._settings.set(_SETTING, [one.state() for one in self._all])
        self._settings.save()

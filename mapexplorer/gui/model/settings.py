"""The settings of the window, in one JSON file in the user's configuration folder.

Settings that cannot be read or written are not an error: the window then starts with the defaults.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any, Final

from mapexplorer.errors import RomError
from mapexplorer.export.files import write_atomically
from mapexplorer.rom.source import read_file

VERSION = 1
RECENT_LIMIT = 10
SCALES: Final = (75, 100, 125, 150, 175, 200)
"""The scales of the interface in percent."""
_LARGEST: Final = 16 << 20
"""Bytes of the largest file that is read."""
_SCALE: Final = "interface scale"
_RECENT, _RECENT_SAVES = "recent", "recent saves"


def default_file() -> Path:
    """The file; MAPEXPLORER_SETTINGS names another one."""
    given = os.environ.get("MAPEXPLORER_SETTINGS")
    if given:
        return Path(given)
    import platformdirs

    return Path(platformdirs.user_config_dir("mapexplorer", appauthor=False)) / "window.json"


class Settings:
    """Values by name; `save` writes them."""

    def __init__(self, file: Path | None = None) -> None:
        self.file = file or default_file()
        self._values: dict[str, Any] = {}
        with contextlib.suppress(OSError, RomError, ValueError, RecursionError):
            read = json.loads(read_file(self.file, "The settings", _LARGEST))
            if isinstance(read, dict) and read.get("version") == VERSION:
                self._values = read

    def get(self, name: str, default: Any = None) -> Any:
        """A value; the default if it is missing or has another type than the default."""
        value = self._values.get(name, default)
        return value if default is None or isinstance(value, type(default)) else default

    def set(self, name: str, value: Any) -> None:
        """Set a value of a JSON type."""
        self._values[name] = value

    def save(self) -> None:
        """Write the file atomically; errors are ignored."""
        self._values["version"] = VERSION
        with contextlib.suppress(OSError):
            write_atomically(self.file, json.dumps(self._values, indent=1).encode())

    @property
    def scale(self) -> int:
        """The scale of the interface in percent."""
        scale: int = self.get(_SCALE, 100)
        return scale if scale in SCALES else 100

    def set_scale(self, percent: int) -> None:
        """Set the scale of the interface, which is used when the program starts."""
        self.set(_SCALE, percent)
        self.save()

    @property
    def recent(self) -> list[str]:
        """Recently opened ROMs that still exist, the latest first."""
        kept = self.get(_RECENT, [])[:RECENT_LIMIT]
        return [path for path in kept if isinstance(path, str) and os.path.exists(path)]

    def add_recent(self, path: str) -> None:
        """Put a ROM at the front; the demo world is not listed."""
        if path != "demo":
            self._put_first(_RECENT, self.recent, path)

    @property
    def recent_saves(self) -> list[str]:
        """The paths of recently opened saves, of which nothing else is kept, the latest first."""
        return [path for path in self.get(_RECENT_SAVES, [])[:RECENT_LIMIT] if isinstance(path, str)]

    def add_recent_save(self, path: str) -> None:
        """Put a save at the front."""
        self._put_first(_RECENT_SAVES, self.recent_saves, path)

    def forget_saves(self) -> None:
        """Keep no path of a save."""
        self.set(_RECENT_SAVES, [])
        self.save()

    def _put_first(self, name: str, known: list[str], path: str) -> None:
        full = str(Path(path).resolve())
        self.set(name, [full, *[other for other in known if other != full]][:RECENT_LIMIT])

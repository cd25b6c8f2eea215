"""A Pokémon Platinum map explorer: opens a user's own ROM, shows every map as the game draws it, exports it.

The public names are loaded when they are first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from mapexplorer._version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:  # known to type checkers by its name; an import of `typing` would make every start slower
    from typing import Any

    from formats.binary import FormatError
    from mapexplorer.api import Place, Scene, World
    from mapexplorer.errors import PlaceError, RomError
    from mapexplorer.export.options import ExportOptions
    from mapexplorer.rom import Rom
    from mapexplorer.scene.camera import Pose
    from mapexplorer.scene.link import Link
    from mapexplorer.world.opening import open_rom

__all__ = [
    "ExportOptions",
    "FormatError",
    "Link",
    "Place",
    "PlaceError",
    "Pose",
    "Rom",
    "RomError",
    "Scene",
    "World",
    "__version__",
    "open_rom",
]

_HOMES = {
    "ExportOptions": "mapexplorer.export.options",
    "FormatError": "formats.binary",
    "Link": "mapexplorer.scene.link",
    "Place": "mapexplorer.api",
    "PlaceError": "mapexplorer.errors",
    "Pose": "mapexplorer.scene.camera",
    "Rom": "mapexplorer.rom",
    "RomError": "mapexplorer.errors",
    "Scene": "mapexplorer.api",
    "World": "mapexplorer.api",
    "open_rom": "mapexplorer.world.opening",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

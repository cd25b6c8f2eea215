"""Qt's requirements on the system, and the reasons why it does not start. This module does not import Qt."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from mapexplorer.system import libraries
from mapexplorer.system.libraries import Unloadable

_MODULES = ("QtCore", "QtGui", "QtWidgets", "QtDBus")

_PLUGIN_FILES = {"wayland": "libqwayland-generic.so"}
"""Platform -> the file of its plugin, if it has another name."""

_PLUGIN_FOLDERS = ("/usr/lib/*/qt5/plugins", "/usr/lib64/qt5/plugins", "/usr/lib/qt5/plugins", "/usr/lib/qt/plugins")
"""Where distributions keep Qt's plugins."""

_CONNECTION = re.compile(r"could not connect to display ?(.*)")
_UNKNOWN = re.compile(r'Could not find the Qt platform plugin "([^"]*)"')
_NOT_LOADED = re.compile(r'Could not load the Qt platform plugin "([^"]*)"')


def qt_folder() -> Path | None:
    """The folder of PyQt5, which is not imported; None when it is not installed."""
    spec = find_spec("PyQt5")
    places = spec.submodule_search_locations if spec is not None else None
    return Path(next(iter(places))) if places else None


def wanted_platform() -> str:
    """The last fallback platform of Qt on this system: that in QT_QPA_PLATFORM, else X11."""
    return os.environ.get("QT_QPA_PLATFORM", "").split(";")[-1].split(":")[0] or "xcb"


def missing_libraries(platform: str, modules: bool = True) -> list[Unloadable]:
    """The missing libraries because of which the plugin of a platform, and with `modules` Qt's modules, cannot be
    loaded. Empty on systems other than Linux."""
    folder = qt_folder()
    if folder is None or not sys.platform.startswith("linux"):
        return []
    files = [file for name in _MODULES for file in sorted(folder.glob(f"{name}.*so"))[:1]] if modules else []
    plugin = _plugin(folder, platform)
    return libraries.missing_libraries([*files, plugin] if plugin is not None else files)


def _plugin(folder: Path, platform: str) -> Path | None:
    own = os.environ.get("QT_QPA_PLATFORM_PLUGIN_PATH", "")
    folders = [Path(part) for part in own.split(os.pathsep) if part]
    several = os.environ.get("QT_PLUGIN_PATH", "").split(os.pathsep)
    folders += [Path(part) / "platforms" for part in several if part]
    folders += [folder / "Qt5" / "plugins" / "platforms", folder / "Qt" / "plugins" / "platforms"]
    folders += [path / "platforms" for pattern in _PLUGIN_FOLDERS for path in Path("/").glob(pattern[1:])]
    name = _PLUGIN_FILES.get(platform, f"libq{platform}.so")
    return next((path / name for path in folders if (path / name).is_file()), None)


def import_problem(error: ImportError) -> str:
    """Why PyQt5 cannot be imported."""
    missing = missing_libraries(wanted_platform())
    if not missing:
        failed = libraries.failed_library(str(error))
        missing = [failed] if failed is not None else []
    return f"Qt cannot be loaded, {libraries.needs(missing)}" if missing else f"PyQt5 cannot be imported: {error}"


def start_problem(messages: Sequence[str]) -> str:
    """Why Qt ended the process, from its messages."""
    reasons: list[str] = []
    connection = None
    for message in messages:
        connection = _CONNECTION.match(message) or connection
        unknown, not_loaded = _UNKNOWN.match(message), _NOT_LOADED.match(message)
        if unknown:
            reasons.append(f"this Qt has no platform {unknown[1]!r}, which QT_QPA_PLATFORM names")
        elif not_loaded and connection:
            reasons.append(_unreachable(connection[1]))
        elif not_loaded:
            missing = missing_libraries(not_loaded[1], modules=False)
            reason = f"be loaded, {libraries.needs(missing)}" if missing else "start"
            reasons.append(f"Qt's plugin for the platform {not_loaded[1]!r} cannot {reason}")
        if not_loaded:
            connection = None
    if reasons:
        return "; ".join(dict.fromkeys(reasons))
    lines = messages[-1].split("\n") if messages else [""]
    return f"Qt does not start: {lines[0]}"


def _unreachable(display: str) -> str:
    if not display:
        wayland = os.environ.get("WAYLAND_DISPLAY")
        hint = "; QT_QPA_PLATFORM=wayland selects Wayland, which is available" if wayland else ""
        return f"there is no X display (DISPLAY is not set){hint}"
    return f"the display {display!r} (DISPLAY) cannot be reached: no server answers there, or it does not let you in"

"""Missing shared libraries of the system, and the packages that contain them."""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PACKAGES: Final = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libGLX.so.0": "libglx0",
    "libGLdispatch.so.0": "libglvnd0",
    "libOpenGL.so.0": "libopengl0",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libX11.so.6": "libx11-6",
    "libXau.so.6": "libxau6",
    "libXcomposite.so.1": "libxcomposite1",
    "libXdmcp.so.6": "libxdmcp6",
    "libXext.so.6": "libxext6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libdrm.so.2": "libdrm2",
    "libexpat.so.1": "libexpat1",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libgcc_s.so.1": "libgcc-s1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libpcre2-8.so.0": "libpcre2-8-0",
    "libpng16.so.16": "libpng16-16",
    "libstdc++.so.6": "libstdc++6",
    "libsystemd.so.0": "libsystemd0",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
    "libxcb-glx.so.0": "libxcb-glx0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xinerama.so.0": "libxcb-xinerama0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb.so.1": "libxcb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libz.so.1": "zlib1g",
}
"""Library -> Debian package, for the libraries that Qt's modules, its platform plugins and EGL need."""

Load = Callable[[str], object]

_MESSAGES: Final = (
    re.compile(r"(?P<file>[^:]+): cannot open shared object file: No such file or directory"),
    re.compile(r"Error loading shared library (?P<file>[^:]+): No such file or directory"),  # musl's
)
_LISTED: Final = re.compile(r"(?m)^\t(\S+) => not found$|^Error loading shared library (\S+):")
_LONGEST: Final = 20
"""Seconds that `ldd` may take for a file."""


@dataclass(frozen=True)
class Unloadable:
    """A library that the loader does not find or, with a `reason`, cannot load."""

    name: str
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.name} ({self.reason})" if self.reason else self.name

    @property
    def package(self) -> str:
        """The Debian package that contains it, or an empty string."""
        return PACKAGES.get(self.name, "")


def unloadable(name: str, load: Load = ctypes.CDLL) -> Unloadable | None:
    """The library because of which `name` cannot be loaded: itself, or one that it needs; None when it can be
    loaded."""
    try:
        load(name)
    except OSError as error:
        return failed_library(str(error.__cause__ or error), name)
    return None


def failed_library(message: str, name: str = "") -> Unloadable | None:
    """The library named in a loader's error message, else `name`, the one to be loaded."""
    for pattern in _MESSAGES:
        match = pattern.match(message)
        if match:
            return Unloadable(Path(match["file"]).name)
    file, colon, reason = message.partition(": ")
    if colon and ".so" in file:
        return Unloadable(Path(file).name, reason)
    return Unloadable(name, message) if name else None


def missing_libraries(objects: Iterable[Path], load: Load = ctypes.CDLL) -> list[Unloadable]:
    """All libraries because of which shared objects cannot be loaded, as `ldd` lists them; where it lists none, what
    the loader says."""
    failed = {path: problem for path in objects if (problem := unloadable(str(path), load)) is not None}
    missing = [library for path, problem in failed.items() for library in _not_found(path) or [problem]]
    return list({library.name: library for library in missing}.values())


def _not_found(path: Path) -> list[Unloadable]:
    """The libraries that `ldd` does not find. A packed program has libraries in a folder of its own."""
    packed = {"LD_LIBRARY_PATH": sys._MEIPASS} if hasattr(sys, "_MEIPASS") else {}
    try:
        ran = subprocess.run(
            ["ldd", path], capture_output=True, text=True, errors="replace", timeout=_LONGEST, env=os.environ | packed
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    return [Unloadable(match[1] or match[2]) for match in _LISTED.finditer(ran.stdout + ran.stderr)]


def in_words(missing: Sequence[Unloadable]) -> str:
    """`libGL.so.1 is missing`; `libGL.so.1 and libEGL.so.1 are missing`."""
    names = [str(library) for library in missing]
    lacking = "does not load" if any(library.reason for library in missing) else "is missing"
    if len(names) == 1:
        return f"{names[0]} {lacking}"
    several = {"does not load": "do not load", "is missing": "are missing"}[lacking]
    return f"{', '.join(names[:-1])} and {names[-1]} {several}"


def needs(missing: Sequence[Unloadable]) -> str:
    """The missing libraries and the remedy, in one sentence."""
    return f"{in_words(missing)} ({advice(missing)})"


def advice(missing: Sequence[Unloadable]) -> str:
    """The command that installs the libraries on Debian."""
    packages = sorted({library.package for library in missing if library.package})
    if not packages:
        return "install what has it"
    return f"apt-get install {' '.join(packages)}, or what your system calls it"

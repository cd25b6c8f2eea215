"""The contents of the packed program and the parts left out, for `mapexplorer.spec`.

The packages, their data files and the packages they require are those of setup.cfg.
"""

from __future__ import annotations

import configparser
import importlib
import json
import os
import re
import sys
from collections.abc import Callable, Collection, Iterable
from pathlib import Path, PurePath
from typing import Final

from packaging.requirements import Requirement

ROOT: Final = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from kernel_library import this_system  # noqa: E402

from formats.kernel import library  # noqa: E402
from formats.kernel.stamp import stamp  # noqa: E402
from mapexplorer.kernels import EVERYTHING  # noqa: E402

EXCLUDED: Final = (
    # The kernels are compiled.
    "numba",
    "llvmlite",
    # Other windows and terminals.
    "tkinter",
    "curses",
    "readline",
    # For tests and development.
    "pytest",
    "unittest",
    "doctest",
    "pdb",
    "pydoc",
    "numpy.testing",
    "numpy.f2py",
    "setuptools",
    "pip",
    # Parts of packages that are not used.
    "numpy.fft",
    "numpy.random",
    "PIL._avif",
    "PIL._webp",
    "PIL._imagingcms",
    "PIL._imagingtk",
    "pygments",
    "markdown_it",
    # The network.
    "ssl",
)
"""Modules that stay out, with everything below them."""

_UNUSED_PLUGINS: Final = re.compile(
    r"/plugins/(bearer|egldeviceintegrations|generic|iconengines|imageformats|printsupport)/"
    r"|/plugins/platforms/(lib)?q(eglfs|linuxfb|minimalegl|vnc|wayland-xcomposite|webgl)"
    r"|/plugins/wayland-graphics-integration-client/(lib)?xcomposite"
)
"""Plugins of Qt for other hardware and other kinds of files; PNG is part of Qt itself."""

_OF_THE_SYSTEM: Final = re.compile(
    r"lib(stdc\+\+|gcc_s|z|expat|fontconfig|freetype|glib-2\.0|gthread-2\.0|dbus-1"
    r"|X11|X11-xcb|Xau|Xdmcp|Xext|xcb-glx|xcb-randr|xcb-shm|xcb-sync|xcb-xfixes)\.so"
)
"""Libraries that every Linux desktop has, and that its OpenGL drivers, fonts and sessions use as well: an older copy in
the program would keep those from being loaded."""

OPENGL_PLATFORMS: Final = ("OpenGL.platform.egl",) if sys.platform.startswith("linux") else ()
"""Modules that PyOpenGL imports by name and PyInstaller does not find."""

Entry = tuple[str, str, str]
"""An entry of PyInstaller's lists: the path in the program, the path on this machine, and the type."""


def _section(name: str) -> configparser.SectionProxy:
    settings = configparser.ConfigParser(delimiters=("=",), interpolation=None)
    settings.read(ROOT / "setup.cfg", "utf-8")
    return settings[name]


def packages() -> dict[str, Path]:
    """The packages of setup.cfg -> the folders of their files."""
    options = _section("options")
    elsewhere = dict(re.split(r"\s*=\s*", line) for line in options["package_dir"].strip().split("\n"))
    return {name: ROOT / elsewhere.get(name, _path(name)) for name in options["packages"].split()}


def _path(package: str) -> str:
    return package.replace(".", "/")


def modules() -> list[str]:
    """Every module of the packages, because many are imported by name. A package that is elsewhere goes in as
    files."""
    found = []
    for package, folder in packages().items():
        if folder == ROOT / _path(package):
            names = (path.stem for path in sorted(folder.glob("*.py")))
            found += [package, *(f"{package}.{name}" for name in names if name != "__init__")]
    return found


def files(kernels: Path) -> list[tuple[str, str]]:
    """Each file that goes in and the folder of the program for it: data, packages that are elsewhere, kernels.

    Raises SystemExit where the kernels cannot be used, see `check_kernels`.
    """
    check_kernels(kernels)
    patterns = _section("options.package_data")
    found = []
    for package, folder in packages().items():
        wanted = patterns.get(package, "").split()
        if folder != ROOT / _path(package):
            wanted.append("*.py")
        for path in (path for pattern in wanted for path in sorted(folder.glob(pattern))):
            found.append((str(path), (PurePath(_path(package)) / path.relative_to(folder).parent).as_posix()))
    made = json.loads((kernels / library.DESCRIPTION).read_text("utf-8"))["libraries"].values()
    return found + [(str(kernels / name), "formats/kernel/compiled") for name in (library.DESCRIPTION, *made)]


def check_kernels(kernels: Path) -> None:
    """Raise SystemExit unless the libraries in a folder are made from these sources and for this system: the program
    has no sources to compare them with."""
    again = "tools/kernel_library.py makes them"
    try:
        description = json.loads((kernels / library.DESCRIPTION).read_text("utf-8"))
    except OSError as error:
        raise SystemExit(f"there are no compiled kernels in {kernels} ({error.strerror}); {again}") from None
    if description["target"] != this_system():
        raise SystemExit(f"the kernels in {kernels} are for {description['target']}, not {this_system()}; {again}")
    for unit in EVERYTHING:
        importlib.import_module(unit)
        if description["units"].get(unit) != stamp(unit):
            raise SystemExit(f"the kernels of {unit} in {kernels} were made from other sources; {again}")


def requirements() -> list[str]:
    """The packages that are required here, by the names under which they are installed; what PyQt5 requires, too."""
    lines = map(Requirement, _section("options")["install_requires"].strip().split("\n"))
    names = [line.name for line in lines if line.marker is None or line.marker.evaluate()]
    return names + (["PyQt5-Qt5", "PyQt5-sip"] if "PyQt5" in names else [])


def is_wanted(data: Entry, libraries: Collection[str]) -> bool:
    """Whether a data file goes in; `libraries` are the names of those that do."""
    place, _, kind = data
    path = PurePath(place)
    if kind == "SYMLINK" and ".so" in path.suffixes:
        return path.name in libraries
    # The metadata of a package contains its version, which is read, and its licence.
    return path.name != "RECORD" and not {"sboms", "translations"} & set(path.parts)


def wanted_libraries(binaries: Iterable[Entry], imports: Callable[[str], Collection[str]]) -> list[Entry]:
    """The libraries without Qt's unused plugins, without those of the system, and without what only these import.

    `imports` names the libraries that a file imports itself.
    """
    entries = list(binaries)
    out = {entry for entry in entries if _UNUSED_PLUGINS.search(entry[0].replace("\\", "/"))}
    out |= {entry for entry in entries if _OF_THE_SYSTEM.match(_name(entry[0]))}
    graph: dict[str, set[str]] = {}
    for place, source, kind in entries:
        graph.setdefault(_name(place), set()).update(() if kind == "SYMLINK" else map(_name, imports(source)))
    without = {_name(entry[0]) for entry in out}
    left = {name: names for name, names in graph.items() if name not in without}
    needed = _reachable(left, left.keys() - _reachable(graph, without))
    return [entry for entry in entries if entry not in out and _name(entry[0]) in needed]


def _name(place: str) -> str:
    return os.path.normcase(PurePath(place).name)


def _reachable(graph: dict[str, set[str]], names: Collection[str]) -> set[str]:
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += graph.get(name, ())
    return found

"""Checks of Python, the required packages, and the folders that the program writes into."""

from __future__ import annotations

import importlib
import importlib.metadata
import platform
import sys
import tempfile
from pathlib import Path
from typing import Final

from mapexplorer.system.finding import FAILURE, OK, WARNING, Finding

_OLDEST = (3, 11)

PACKAGES: Final = {
    "ndspy": "ndspy",
    "numpy": "numpy",
    "Pillow": "PIL.Image",
    "click": "click",
    "rich": "rich",
    "platformdirs": "platformdirs",
    "orjson": "orjson",
}
"""Package that the command line needs -> its module."""


def check_python() -> Finding:
    """Whether this Python is new enough."""
    version = f"{platform.python_version()}, {platform.system()} {platform.machine()}"
    if sys.version_info < _OLDEST:
        return Finding("Python", FAILURE, version, f"install Python {'.'.join(map(str, _OLDEST))} or newer")
    return Finding("Python", OK, version)


def check_packages() -> list[Finding]:
    """A finding for each package that the command line needs, from importing it."""
    return [_package(name, module) for name, module in PACKAGES.items()]


def _package(name: str, module: str) -> Finding:
    try:
        importlib.import_module(module)
    except ModuleNotFoundError as error:
        return Finding(name, FAILURE, str(error), f"pip install {name}")
    except Exception as error:  # a damaged installation can raise anything
        return Finding(name, FAILURE, f"cannot be imported: {error}", f"pip install --force-reinstall {name}")
    return Finding(name, OK, installed_version(name) or "installed")


def installed_version(name: str) -> str:
    """The version of a package, or an empty string: packages of a Linux distribution may lack pip's metadata."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def check_folder(subject: str, folder: Path, use: str) -> Finding:
    """Whether files can be written in a folder or, if it does not exist, in its nearest existing parent. `use`: the
    remedy to show."""
    there = next((place for place in (folder, *folder.parents) if place.exists()), folder)
    try:
        with tempfile.NamedTemporaryFile(dir=there) as file:
            file.write(bytes(4096))
            file.flush()
    except OSError as error:
        return Finding(subject, WARNING, f"{folder}: {error.strerror or error}", use)
    return Finding(subject, OK, str(folder))


def check_temporary_folder() -> Finding:
    """Check the folder of temporary files."""
    try:
        folder = Path(tempfile.gettempdir())
    except OSError as error:
        return Finding("temporary folder", WARNING, str(error), "set TMPDIR to a folder that can be written")
    return check_folder("temporary folder", folder, "set TMPDIR to a folder that can be written")


def check_cache_folder() -> Finding:
    """Check the user's cache folder."""
    import platformdirs

    advice = "compiled kernels are kept there where the program's own folder cannot be written"
    return check_folder("cache folder", Path(platformdirs.user_cache_dir("mapexplorer")), advice)

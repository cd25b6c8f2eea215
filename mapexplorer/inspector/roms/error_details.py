"""The details of an error for a report: its parts, and the versions of the program and the system."""

from __future__ import annotations

import errno
import platform
from pathlib import Path

from formats.binary import FormatError
from mapexplorer._version import __version__
from mapexplorer.errors import PlaceError


def details_of(error: BaseException, rom: str = "") -> str:
    """Lines of `what: value`; the user's folder names are omitted, so that the text can be published."""
    lines = [f"Kind of error: {type(error).__name__}"]
    if isinstance(error, FormatError):
        lines += [
            f"Where: {error.path or 'the file itself'}",
            f"Byte: {error.offset} (0x{error.offset:X})",
            f"Expected: {error.expected}",
            f"Found: {error.found}",
        ]
    elif isinstance(error, OSError) and error.errno is not None:
        lines.append(f"Operating system: {errno.errorcode.get(error.errno, error.errno)}, {error.strerror}")
    elif isinstance(error, PlaceError) and error.candidates:
        lines += ["Could be:", *(f"  {candidate}" for candidate in error.candidates)]
    cause = error.__cause__
    if cause is not None:
        lines.append(f"Caused by: {type(cause).__name__}: {cause}")
    if rom:
        lines.append(f"ROM: {Path(rom).name}")
    lines.append(f"Map explorer {__version__}, Python {platform.python_version()}, {platform.platform()}")
    return "\n".join(lines)

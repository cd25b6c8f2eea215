"""What stands behind an error that users can meet: the parts of it, and the program it happened in, for a report."""

from __future__ import annotations

import errno
import platform
from pathlib import Path

from formats.binary import FormatError
from mapexplorer._version import __version__
from mapexplorer.errors import PlaceError


def details_of(error: BaseException, rom: str = "") -> str:
    """Lines of `what: value`; names of folders of the user are left out, so that they can be posted."""
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

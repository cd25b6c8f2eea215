"""Writes files atomically."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import BinaryIO, Final

from formats.kernel.file_lock import try_lock
from mapexplorer.system.interrupt import cleaning

STANDARD_OUTPUT: Final = Path("-")
"""The name that stands for standard output, where a single file is written."""
_DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10))}
"""Names of devices on Windows, with any ending."""

_PART: Final = re.compile(r"\..*\.[0-9a-f]{16}\.part", re.DOTALL)
"""The names of unfinished files."""
_BINARY: Final = getattr(os, "O_BINARY", 0)
_REPLACES_OPEN_FILES: Final = os.name == "posix"

_REMOVAL_SECONDS: Final = 0.01
"""Seconds in which a process removes a file that it found abandoned."""

_LONGEST = 200
"""Letters of a safe name: file systems allow 255, of which an ending and a temporary name need some."""


def safe_name(name: str) -> str:
    """A name that every file system allows, alone and with an ending: characters other than ASCII letters, digits and
    `-_.` become underscores, so does a dot at the start or the end; never empty, nor the name of a device."""
    plain = re.sub(r"[^A-Za-z0-9_.-]", "_", name[:_LONGEST])
    if not plain.strip(".") or plain.startswith("."):
        plain = f"_{plain[1:]}"
    if plain.endswith("."):
        plain = f"{plain[:-1]}_"
    return f"_{plain}" if plain.partition(".")[0].lower() in _DEVICES else plain


class UniqueNames:
    """Safe names for files of one folder."""

    def __init__(self) -> None:
        self._taken: dict[str, int] = {}

    def add(self, name: str) -> str:
        """The safe name, with a number appended if a file system could take it for an earlier one."""
        title = plain = safe_name(name)
        number = self._taken.get(plain.lower(), 0)
        while title.lower() in self._taken:
            number = max(number, 1) + 1
            title = f"{plain}_{number}"
        self._taken[plain.lower()] = number
        self._taken.setdefault(title.lower(), 0)
        return title


def unique_names(names: Sequence[str]) -> list[str]:
    """Safe names for files of one folder, which differ."""
    return list(map(UniqueNames().add, names))


def is_folder(path: Path, *endings: str) -> bool:
    """Whether a path names a folder: one that exists, but for the `endings` of files, or a name without an ending;
    digits are none."""
    ending = path.suffix.lower()
    return (path.is_dir() and ending not in endings) or not ending or ending[1:].isdecimal()


def map_name(header: int, internal_name: str) -> str:
    """The name of a map's files, without an ending: header id and internal name."""
    return safe_name(f"{header:03}_{internal_name}")


@contextlib.contextmanager
def errors_name(path: str | os.PathLike[str]) -> Iterator[None]:
    """A block that sets the file name of an OSError raised in it to `path`, instead of none or that of a temporary
    file."""
    try:
        yield
    except OSError as error:
        if error.errno is not None:
            error.filename, error.filename2 = os.fspath(path), None
        raise


@contextlib.contextmanager
def atomic_file(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A temporary file beside `path`, which replaces it when the block ends without an error; those of processes that
    were ended are removed. A device or a pipe (`/dev/stdout`) cannot be replaced and is written to, as is
    STANDARD_OUTPUT. Raises OSError that names `path`."""
    target = os.fspath(Path(path))
    if target == str(STANDARD_OUTPUT):
        with errors_name("standard output"):
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        return
    folder, name = os.path.split(target)
    if folder and not os.path.isdir(folder):
        os.makedirs(folder, exist_ok=True)
    mode = _mode(target)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), target)
    if not stat.S_ISREG(mode):
        with errors_name(target), open(target, "wb") as file:
            yield file
        return
    _remove_parts_once(folder or os.curdir)
    part = os.path.join(folder, f".{name}.{secrets.token_hex(8)}.part")
    written: BinaryIO | None = None

    def remove() -> None:
        """Remove the part at once, open or not."""
        with contextlib.suppress(OSError, ValueError):
            if written is not None:
                os.close(written.fileno())  # Windows cannot remove an open file
        with contextlib.suppress(OSError):
            os.unlink(part)

    with cleaning(remove):
        try:
            with errors_name(target):
                with open(create_part(part), "wb") as written:
                    yield written
                    written.flush()
                    if _REPLACES_OPEN_FILES:  # while it is locked
                        os.replace(part, target)
                if not _REPLACES_OPEN_FILES:
                    os.replace(part, target)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(part)
            raise


def _mode(path: str) -> int:
    """The type of a file as `os.stat` gives it; that of a plain file where there is none yet."""
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return stat.S_IFREG


def create_part(path: str | os.PathLike[str]) -> int:
    """Create a file, which is locked while it is open; the result is its descriptor. Raises OSError, also where there
    is something else, or a link."""
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | _BINARY, 0o666)
        mine = True
        with contextlib.suppress(OSError):  # a file system without locks
            mine = try_lock(handle)
        if mine and os.fstat(handle).st_nlink:
            return handle
        os.close(handle)  # before it was locked, another process took it for abandoned, and removes it
        time.sleep(_REMOVAL_SECONDS)


def is_abandoned(path: str | os.PathLike[str], then: Callable[[], object] = lambda: None) -> bool:
    """Whether no process has a file of `create_part` open; not where nothing says so. `then` is called if so, while no
    other process can have it."""
    try:
        handle = os.open(path, os.O_RDWR | _BINARY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return False
    try:
        abandoned = stat.S_ISREG(os.fstat(handle).st_mode) and try_lock(handle)
        if abandoned:
            then()
        return abandoned
    except OSError:
        return False
    finally:
        os.close(handle)


def remove_parts(folder: str | os.PathLike[str]) -> None:
    """Remove the unfinished files of processes that were ended from a folder."""
    with contextlib.suppress(OSError):
        for name in filter(_PART.fullmatch, os.listdir(folder)):
            part = os.path.join(folder, name)
            if _REPLACES_OPEN_FILES:
                is_abandoned(part, partial(os.unlink, part))
            elif is_abandoned(part):
                os.unlink(part)


_remove_parts_once = cache(remove_parts)
"""As `remove_parts`, once for each folder."""


def write_atomically(path: str | os.PathLike[str], data: bytes) -> Path:
    """Write `data` beside `path` and rename it into place; the folder is created. Raises OSError that names `path`."""
    with atomic_file(path) as file:
        file.write(data)
    return Path(path)


def write_changed(path: str | os.PathLike[str], data: bytes) -> Path:
    """As `write_atomically`, but a file with these contents stays as it is."""
    try:
        there = Path(path).read_bytes()
    except OSError:
        there = None
    return Path(path) if there == data else write_atomically(path, data)

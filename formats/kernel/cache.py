"""Compiled units in files: in a writable checkout beside the program, else in the cache folder of this user, else in a
temporary folder that only this user can read.

A file (`checked_file`) holds an object file. No function raises OSError: without a folder, or on a full disk, units are
compiled in memory.
"""

from __future__ import annotations

import contextlib
import functools
import os
import stat
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from formats.kernel import checked_file, machine
from formats.kernel.file_lock import try_lock

FOLDER_VARIABLE = "MAPEXPLORER_KERNEL_CACHE"
"""The environment variable with the path of another cache folder."""

KEPT = 4
"""The number of versions of a unit that are kept, for several copies of the program with one cache folder."""


def writable(folder: Path) -> bool:
    """Whether files can be created in `folder`; the folder itself is created if possible."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def candidates() -> list[Path]:
    """The folders to try, in order."""
    if os.environ.get(FOLDER_VARIABLE):
        return [Path(os.environ[FOLDER_VARIABLE])]
    import platformdirs

    own = Path(platformdirs.user_cache_dir("mapexplorer", appauthor=False)) / "kernels"
    here = Path(__file__).resolve()
    # pip leaves files that it did not install, and their folder would hide a later editable installation.
    return [here.parent / "__pycache__", own] if (here.parents[2] / "setup.cfg").is_file() else [own]


@functools.cache
def folder() -> Path | None:
    """Where compiled units are kept; None where no folder can be written."""
    for candidate in candidates():
        if writable(candidate):
            return candidate
    temporary = Path(tempfile.gettempdir()) / f"mapexplorer-kernels-{getattr(os, 'getuid', int)()}"
    return temporary if private(temporary) and writable(temporary) else None


def private(folder: Path) -> bool:
    """Whether `folder`, created if possible, belongs to this user and no other user can write into it (they could add
    code)."""
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
    except OSError:
        return False
    if not hasattr(os, "getuid"):
        return True
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o022


def _file(unit: str, stamp: str) -> Path | None:
    place = folder()
    return place / f"{unit}-{machine.name()}-{stamp[:32]}.kernel" if place is not None else None


def load(unit: str, stamp: str) -> bytes | None:
    """The object file of a unit; None when it is not there. A damaged one is removed."""
    path = _file(unit, stamp)
    return checked_file.read(path) if path is not None else None


def store(unit: str, stamp: str, code: bytes) -> bool:
    """Write the object file of a unit; False when it cannot be written."""
    path = _file(unit, stamp)
    if path is None or not checked_file.write(path, code):
        return False
    checked_file.keep_newest(path.parent, f"{unit}-{machine.name()}-*.kernel", KEPT)
    return True


class Lock:
    """The lock of a cache folder for the one process that compiles. The system releases it when the process ends."""

    def __init__(self) -> None:
        self._file: int | None = None

    def try_acquire(self) -> bool:
        """Take the lock if it is free. True when it was taken, and also without a folder or file locking."""
        place = folder()
        with contextlib.suppress(OSError):
            if self._file is None and place is not None:
                self._file = os.open(place / "compiling.lock", os.O_RDWR | os.O_CREAT, 0o600)
            return self._file is None or try_lock(self._file)
        return True

    def release(self) -> None:
        """Release the lock, if it is held."""
        if self._file is not None:
            os.close(self._file)
        self._file = None


def write_progress(done: int, total: int) -> None:
    """Write the progress for processes that wait. A failure to write is ignored."""
    place = folder()
    if place is not None:
        with contextlib.suppress(OSError):
            (place / "compiling.progress").write_text(f"{done} {total}")


def read_progress() -> tuple[int, int] | None:
    """(functions done, total) as the process that compiles last wrote it; None when it cannot be read."""
    place = folder()
    with contextlib.suppress(OSError, ValueError):
        if place is not None:
            done, total = (place / "compiling.progress").read_text().split()
            return int(done), int(total)
    return None


def acquire_in_steps(lock: Lock) -> Iterator[None]:
    """Yield every `pause` seconds until the lock is taken."""
    while not lock.try_acquire():
        yield
        time.sleep(0.1)

"""Compiled units in files: beside the program in a checkout that can be written, else in the cache folder of this user,
else in a temporary folder of this user alone.

A file holds a line with the SHA-256 of what follows, and an object file. Damaged files are dropped. Files appear whole
or not at all. Nothing here fails: without a folder, or on a full disk, units are compiled in memory.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from formats.kernel import machine

FOLDER_VARIABLE = "MAPEXPLORER_KERNEL_CACHE"
"""The environment variable that names another folder."""

KEPT = 4
"""How many versions of a unit are kept, for the program in several places with one cache folder."""


def writable(folder: Path) -> bool:
    """Whether files can be made in `folder`, which is created when it can be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def candidates() -> list[Path]:
    """The folders that are tried, in their order."""
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
    """Whether this is a folder of this user alone, made when it can be: where others write, they could plant code."""
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return False
    if not hasattr(os, "getuid"):
        return True
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o022


def _file(unit: str, stamp: str) -> Path | None:
    place = folder()
    return place / f"{unit}-{machine.name()}-{stamp[:32]}.kernel" if place is not None else None


def load(unit: str, stamp: str) -> bytes | None:
    """The object file of a unit; None when it is not there. A damaged one is removed."""
    path = _file(unit, stamp)
    if path is None:
        return None
    try:
        head, _, code = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    if head == hashlib.sha256(code).hexdigest().encode():
        return code
    with contextlib.suppress(OSError):
        path.unlink()
    return None


def store(unit: str, stamp: str, code: bytes) -> bool:
    """Keep the object file of a unit; False when it cannot be written, which harms nothing."""
    path = _file(unit, stamp)
    if path is None:
        return False
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        with open(temporary, "wb") as file:
            file.write(hashlib.sha256(code).hexdigest().encode() + b"\n" + code)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink()
        return False
    with contextlib.suppress(OSError):
        _forget_old(path.parent, unit)
    return True


def _forget_old(place: Path, unit: str) -> None:
    versions = sorted(place.glob(f"{unit}-{machine.name()}-*.kernel"), key=lambda path: path.stat().st_mtime)
    for path in versions[:-KEPT]:
        path.unlink()


class Lock:
    """The right to compile, which one process has at a time for a cache folder. The system takes it from who ends."""

    def __init__(self) -> None:
        self._file: int | None = None
        self.held = False

    def try_it(self) -> bool:
        """Take the lock if it is free; also True where there is no folder, or no locking."""
        place = folder()
        if place is None:
            self.held = True
            return True
        try:
            if self._file is None:
                self._file = os.open(place / "compiling.lock", os.O_RDWR | os.O_CREAT, 0o600)
            _lock(self._file)
        except BlockingIOError:
            return False
        except OSError as error:
            if error.errno in _BUSY:
                return False
        self.held = True
        return True

    def release(self) -> None:
        """Give it up. Harmless where it is not held."""
        if self._file is not None:
            os.close(self._file)
        self._file, self.held = None, False


if sys.platform == "win32":
    import errno
    import msvcrt

    _BUSY = (errno.EACCES, errno.EDEADLK)

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    _BUSY = ()

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def tell_progress(done: int, total: int) -> None:
    """Leave word for the processes that wait, as far as the disk takes it."""
    place = folder()
    if place is not None:
        with contextlib.suppress(OSError):
            (place / "compiling.progress").write_text(f"{done} {total}")


def heard_progress() -> tuple[int, int] | None:
    """What the process that compiles told last."""
    place = folder()
    with contextlib.suppress(OSError, ValueError):
        if place is not None:
            done, total = (place / "compiling.progress").read_text().split()
            return int(done), int(total)
    return None


def waiting_for(lock: Lock, pause: float = 0.1) -> Iterator[None]:
    """Steps until the lock is taken."""
    while not lock.try_it():
        yield
        time.sleep(pause)

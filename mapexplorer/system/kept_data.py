"""Data that is computed from a ROM once and kept in the cache folder of this user, by its kind and a key.

Nothing here raises OSError: without a folder that can be written, nothing is kept.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from formats.kernel import checked_file
from formats.kernel.file_lock import try_lock

KEPT: Final = 8
"""The number of files of a kind that are kept, unless told otherwise."""


_PAUSE: Final = 0.05
"""The seconds between two looks at whether another process has made a file."""


def folder() -> Path:
    """Where the data is kept."""
    import platformdirs

    return Path(platformdirs.user_cache_dir("mapexplorer", appauthor=False)) / "data"


def load(kind: str, key: str) -> bytes | None:
    """The data of a key; None when it is not kept, or damaged, in which case it is removed."""
    return checked_file.read(_file(kind, key))


def store(kind: str, key: str, data: bytes, kept: int = KEPT) -> bool:
    """Keep data, and of its kind the `kept` that were used last; False when that is not possible."""
    path = _file(kind, key)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    written = checked_file.write(path, data)
    checked_file.keep_newest(path.parent, f"{kind}-*", kept)
    return written


def kept(kind: str, key: str) -> Path | None:
    """The file of a key that `keep` wrote; None when there is none."""
    path = _file(kind, key)
    return path if key and _is_whole(path) else None


def keep(kind: str, key: str, write: Callable[[Path], object], most: int) -> Path | None:
    """The file of a key, which contains nothing but the data; `write` writes the data to a file where there is none, in
    one of several processes while the others wait. Of a kind the `most` files that were used last are kept. None when
    nothing can be kept."""
    path = _file(kind, key)
    if _is_whole(path):
        return path
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(os.open(path.parent / f"{kind}.lock", os.O_RDWR | os.O_CREAT, 0o600), "r+b") as lock:
            while not _is_whole(path) and not try_lock(lock.fileno()):
                time.sleep(_PAUSE)
            if not _is_whole(path):
                handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f"{kind}.")
                os.close(handle)
                try:
                    write(Path(temporary))
                    os.replace(temporary, path)
                    checked_file.write(_seal(path), _state(path))
                finally:
                    Path(temporary).unlink(missing_ok=True)
                checked_file.keep_newest(path.parent, f"seal-{kind}-*", most)
                for file in path.parent.glob(f"{kind}-*"):
                    if not _seal(file).exists():
                        drop(file)
    except OSError:
        return None
    return path


def drop(path: Path) -> None:
    """Remove a file that is damaged or not kept any longer."""
    for file in (path, _seal(path)):
        with suppress(OSError):
            file.unlink()


def _is_whole(path: Path) -> bool:
    """Whether there is a file of this user that nobody has written since `keep` did."""
    return checked_file.is_own(path) and checked_file.read(_seal(path)) == _state(path)


def _seal(path: Path) -> Path:
    """The file with the state in which `keep` left another one."""
    return path.with_name(f"seal-{path.name}")


def _state(path: Path) -> bytes:
    """Size and time of the last write of a file; nothing where it is gone."""
    try:
        status = path.stat()
    except OSError:
        return b""
    return f"{status.st_size} {status.st_mtime_ns}".encode()


def _file(kind: str, key: str) -> Path:
    return folder() / f"{kind}-{key}"

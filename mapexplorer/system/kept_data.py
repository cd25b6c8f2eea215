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
    """Keep data, and of its kind the newest `kept`; False when that is not possible."""
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
    return path if key and checked_file.is_own(path) else None


def keep(kind: str, key: str, write: Callable[[Path], object], most: int) -> Path | None:
    """The file of a key, which contains nothing but the data; `write` writes the data to a file where there is none, in
    one of several processes while the others wait. Of a kind the newest `most` files are kept. None when nothing can be
    kept."""
    path = _file(kind, key)
    if checked_file.is_own(path):
        return path
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path.parent / f"{kind}.lock", "ab") as lock:
            while not checked_file.is_own(path) and not try_lock(lock.fileno()):
                time.sleep(_PAUSE)
            if not checked_file.is_own(path):
                handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f"{kind}.")
                os.close(handle)
                try:
                    write(Path(temporary))
                    os.replace(temporary, path)
                finally:
                    Path(temporary).unlink(missing_ok=True)
    except OSError:
        return None
    checked_file.keep_newest(path.parent, f"{kind}-*", most)
    return path


def drop(path: Path) -> None:
    """Remove a file that is damaged."""
    with suppress(OSError):
        path.unlink()


def _file(kind: str, key: str) -> Path:
    return folder() / f"{kind}-{key}"

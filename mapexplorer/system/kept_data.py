"""Data that is computed from a ROM once and kept in the cache folder of this user, by its kind and a key.

Nothing here raises OSError: without a folder that can be written, nothing is kept.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from formats.kernel import checked_file

KEPT: Final = 8
"""The number of files of a kind that are kept, unless told otherwise."""


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


def _file(kind: str, key: str) -> Path:
    return folder() / f"{kind}-{key}"

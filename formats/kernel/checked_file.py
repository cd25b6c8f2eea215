"""Files of a cache: a line with the SHA-256 of the rest, and the rest.

Damaged files are deleted; files are written under a temporary name and then renamed. No function raises OSError.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path


def read(path: Path) -> bytes | None:
    """What a file holds; None when it is not there. A damaged one is removed."""
    try:
        head, _, data = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    if head == hashlib.sha256(data).hexdigest().encode():
        return data
    with contextlib.suppress(OSError):
        path.unlink()
    return None


def write(path: Path, data: bytes) -> bool:
    """Write a file; False when it cannot be written."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        with open(temporary, "wb") as file:
            file.write(hashlib.sha256(data).hexdigest().encode() + b"\n" + data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink()
        return False
    return True


def keep_newest(folder: Path, pattern: str, kept: int) -> None:
    """Remove all but the newest files whose names match a pattern."""
    with contextlib.suppress(OSError):
        for path in sorted(folder.glob(pattern), key=lambda path: path.stat().st_mtime)[:-kept]:
            path.unlink()

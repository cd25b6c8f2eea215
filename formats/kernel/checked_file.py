"""Files of a cache: a line with the SHA-256 of the rest, and the rest.

Damaged files are deleted; files are written under a temporary name and then renamed. No function raises OSError.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import stat
import time
from pathlib import Path

_CLOCKS_DIFFER = 60.0
"""Seconds by which the clocks of a disk and of this computer may differ."""


def is_own(path: Path) -> bool:
    """Whether there is a file, and no link, of this user or of the system's."""
    try:
        status = path.lstat()
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode) and (not hasattr(os, "getuid") or status.st_uid in (0, os.getuid()))


def read(path: Path) -> bytes | None:
    """What a file holds; None when it is not there, or of another user. A damaged one is removed, another one is then
    the newest."""
    if not is_own(path):
        return None
    try:
        head, _, data = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    if head == hashlib.sha256(data).hexdigest().encode():
        with contextlib.suppress(OSError):
            os.utime(path)
        return data
    with contextlib.suppress(OSError):
        path.unlink()
    return None


def write(path: Path, data: bytes) -> bool:
    """Write a file; False when it cannot be written."""
    temporary = path.with_name(f"{path.stem}.{secrets.token_hex(8)}{path.suffix}")
    try:
        with open(temporary, "xb") as file:
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
    """Remove all but the newest files whose names match a pattern: those that were written or read last. One that is
    dated in the future is an old one: the clock was put back."""
    now = time.time() + _CLOCKS_DIFFER
    with contextlib.suppress(OSError):
        dated = [(path.lstat().st_mtime, path) for path in folder.glob(pattern)]
        for _, path in sorted(dated, key=lambda pair: (pair[0] < now, pair[0]))[:-kept]:
            path.unlink()

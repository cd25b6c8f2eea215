"""Locks on open files, which the system releases when the process ends."""

from __future__ import annotations

import errno
import sys

if sys.platform == "win32":
    import msvcrt

    _BUSY = (errno.EACCES, errno.EDEADLK)

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    _BUSY = (errno.EAGAIN, errno.EACCES)

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def try_lock(file: int) -> bool:
    """Lock a file descriptor. False: another process has the lock. Raises OSError where files cannot be locked."""
    try:
        _lock(file)
    except OSError as error:
        if error.errno in _BUSY:
            return False
        raise
    return True

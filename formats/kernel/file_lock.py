"""Locks on files between processes. The system releases them when the file is closed, also by the end of a process."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import errno
    import msvcrt

    def try_lock(file: int) -> bool:
        """Lock an open file; False when another process has locked it. Raises OSError where files cannot be locked."""
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            if error.errno in (errno.EACCES, errno.EDEADLK):
                return False
            raise
        return True

else:
    import fcntl

    def try_lock(file: int) -> bool:
        """Lock an open file; False when another process has locked it. Raises OSError where files cannot be locked."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

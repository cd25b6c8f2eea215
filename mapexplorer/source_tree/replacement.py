"""The temporary folder in which a ROM is unpacked, and its contents in their place.

It is a hidden folder in the folder that is written, so that both are on the same disk. Beside it is a file that is made
before it, locked while a process writes, and removed after it. The next run finishes what was begun to be put in its
place, and removes everything else.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from mapexplorer.errors import RomError
from mapexplorer.export.files import create_part, is_abandoned
from mapexplorer.source_tree.folder import MANAGED
from mapexplorer.system import kept_data
from mapexplorer.system.interrupt import Deferred, cleaning

_NAME: Final = ".unpack."
_KIND: Final = "unpacking"
"""The names of temporary folders are kept for this user: others may have made a folder with such a name."""
_LOCK, _PART = ".lock", ".part"
_OLD: Final = "old"
"""What was in the folder before; there from when something is put in its place."""


@contextmanager
def temporary(folder: Path) -> Iterator[Path]:
    """A folder in `folder` that is removed at the end, also when an interrupt ends the process, unless `put` was not
    finished. Raises OSError."""
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    lock = folder / f"{_NAME}{secrets.token_hex(8)}{_LOCK}"
    handle = create_part(lock)
    target = lock.with_suffix(_PART)

    def remove() -> None:
        with suppress(OSError):
            os.close(handle)
        if not (target / _OLD).exists():
            shutil.rmtree(target, ignore_errors=True)
            with suppress(OSError):
                lock.unlink()
                if is_new:
                    folder.rmdir()  # an empty one only

    with cleaning(remove):
        try:
            target.mkdir()
            yield target
        finally:
            remove()


def put(target: Path, folder: Path) -> None:
    """Move what was written to its place, and remove what was there. What a process that was ended had begun is
    continued. Raises OSError."""
    kept_data.store(_KIND, target.name, b"")
    with Deferred():
        old = target / _OLD
        old.mkdir(exist_ok=True)
        for name in MANAGED:
            if os.path.lexists(target / name):
                if os.path.lexists(folder / name):
                    (folder / name).rename(old / name)
                (target / name).rename(folder / name)
        shutil.rmtree(old, ignore_errors=True)


def finish(folder: Path) -> None:
    """Finish, or undo, what processes that were ended have left in a folder. Raises RomError for a change of the folder
    that no process of this user began, OSError."""
    for lock in {path.with_suffix(_LOCK) for path in folder.glob(f"{_NAME}*")}:
        target = lock.with_suffix(_PART)
        if not target.is_symlink() and (not os.path.lexists(lock) or is_abandoned(lock)):
            if os.path.lexists(target / _OLD):
                if kept_data.load(_KIND, target.name) is None:
                    raise RomError(f"{target} is of an unpacking that was not begun here; move it out of the folder.")
                put(target, folder)
            shutil.rmtree(target, ignore_errors=True)  # where the ended one's processes write, the next run removes it
            lock.unlink(missing_ok=True)

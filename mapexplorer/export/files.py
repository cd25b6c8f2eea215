"""Writing files so that a reader never sees half of one."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO


@contextlib.contextmanager
def errors_name(path: str | os.PathLike[str]) -> Iterator[None]:
    """An OSError raised inside names `path`: a full disk names no file, and a temporary one means nothing to a user."""
    try:
        yield
    except OSError as error:
        if error.errno is not None:
            error.filename, error.filename2 = os.fspath(path), None
        raise


@contextlib.contextmanager
def atomic_file(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write beside `path`, which takes its place when the block ends without an error. A device or a pipe
    (`/dev/stdout`) cannot be replaced and is written to. Raises OSError that names `path`."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
    if target.exists() and not target.is_file():
        with errors_name(target), target.open("wb") as file:
            yield file
        return
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with errors_name(target):
            with part.open("wb") as file:
                yield file
            os.replace(part, target)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise


def write_atomically(path: str | os.PathLike[str], data: bytes) -> Path:
    """Write `data` beside `path` and rename it into place; the folder is created. Raises OSError that names `path`."""
    with atomic_file(path) as file:
        file.write(data)
    return Path(path)

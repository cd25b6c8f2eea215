"""Writing files so that a reader never sees half of one."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO


@contextlib.contextmanager
def atomic_file(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write beside `path`, which takes its place when the block ends without an error. Raises OSError."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            yield file
        os.replace(part, target)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise


def write_atomically(path: str | os.PathLike[str], data: bytes) -> Path:
    """Write `data` beside `path` and rename it into place; the folder is created. Raises OSError."""
    with atomic_file(path) as file:
        file.write(data)
    return Path(path)

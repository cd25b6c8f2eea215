"""Random access to bytes: in memory, or in a file that another program may rewrite while it is open.

Files are read, not mapped into memory: reading a page that a mapped file no longer has ends the process.
"""

from __future__ import annotations

import errno
import os
import stat
import weakref
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Final, NamedTuple

from mapexplorer.errors import RomChangedError, RomError

LARGEST: Final = 512 << 20
"""Bytes of the largest cartridge, and of the largest file that is read."""


_FILE: Final = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)


class Stamp(NamedTuple):
    """What identifies the contents of a file without reading it: device, inode, size in bytes, time of the last write
    in nanoseconds."""

    device: int
    inode: int
    size: int
    written: int

    @classmethod
    def of(cls, status: os.stat_result) -> Stamp:
        """The stamp in a file's status."""
        return cls(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)

    @classmethod
    def on_disk(cls, path: Path) -> Stamp | None:
        """The present stamp of a file or folder; None when it is absent or cannot be reached."""
        try:
            return cls.of(path.stat())
        except OSError:
            return None


def changed_stamps(stamps: Mapping[Path, Stamp | None], paths: Iterable[Path]) -> dict[Path, Stamp | None]:
    """Those of some files and folders that have other stamps than they had, with the present ones."""
    return {path: now for path in paths if path in stamps and (now := Stamp.on_disk(path)) != stamps[path]}


def open_file(path: str | os.PathLike[str], name: str, most: int = LARGEST, below: Path | None = None) -> int:
    """The descriptor of a file that is opened for reading; `name` is its name in errors. `below`: a folder that no link
    leads out of, even one that comes while the file is opened, where the system says what was opened. Raises RomError
    for such a link, a device, a pipe and more than `most` bytes, OSError."""
    handle = os.open(path, _FILE) if below is None else _open_below(path, name, below)
    status = os.fstat(handle)
    if stat.S_ISREG(status.st_mode) and status.st_size <= most:
        return handle
    os.close(handle)
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    if stat.S_ISREG(status.st_mode):
        raise RomError(f"{name} is too large: {status.st_size:,} bytes, at most {most:,} are read.")
    raise RomError(f"{name} is a device or a pipe, not a file.")


def _open_below(path: str | os.PathLike[str], name: str, below: Path) -> int:
    target = os.path.realpath(path) if os.path.islink(path) else os.fspath(path)
    if target == os.fspath(path) or _is_below(target, below):  # a device is not opened, not even for a look
        handle = os.open(target, _FILE | getattr(os, "O_NOFOLLOW", 0))
        if _is_below(_place_of(handle, target), below):
            return handle
        os.close(handle)
    raise RomError(f"{name} is a link to a place outside the folder.")


def _place_of(handle: int, path: str) -> str:
    """Where an open file is, whatever links led to it; where the system does not say so, where its path leads now."""
    try:
        return os.readlink(f"/proc/self/fd/{handle}")
    except OSError:
        return os.path.realpath(path)


def _is_below(real: str, folder: Path) -> bool:
    return real.startswith(_real(os.path.abspath(folder))) or Path(real).is_relative_to(os.path.realpath(folder))


@cache
def _real(folder: str) -> str:
    """What the real paths below a folder began with when one was first asked for."""
    return os.path.join(os.path.realpath(folder), "")


def read_file(path: str | os.PathLike[str], name: str, most: int = LARGEST, below: Path | None = None) -> bytes:
    """The bytes of a file. Raises as `open_file`."""
    with open(open_file(path, name, most, below), "rb") as file:
        return file.read()


class ByteSource(ABC):
    """Bytes that are read in parts; `len` is their number."""

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def read(self, start: int, size: int) -> bytes:
        """`size` bytes from `start`; fewer where the source ends. Raises RomChangedError, RomError as FileSource."""

    def all(self) -> bytes:
        """All bytes."""
        return self.read(0, len(self))

    def part(self, start: int, size: int) -> ByteSource:
        """The source of `size` bytes from `start`."""
        return SourceRange(self, start, size)


class MemorySource(ByteSource):
    """Bytes in memory."""

    def __init__(self, data: bytes | memoryview) -> None:
        self._data = data

    def __len__(self) -> int:
        return len(self._data)

    def read(self, start: int, size: int) -> bytes:
        return bytes(self._data[start : start + size])


class SourceRange(ByteSource):
    """A range of another source."""

    def __init__(self, whole: ByteSource, start: int, size: int) -> None:
        self._whole, self._start, self._size = whole, start, size

    def __len__(self) -> int:
        return self._size

    def read(self, start: int, size: int) -> bytes:
        return self._whole.read(self._start + start, max(0, min(size, self._size - start)))


class FileSource(ByteSource):
    """A file, opened for reading; it is closed with the last reference to it. Several threads may read.

    Reading raises RomChangedError when the file has been written since it was opened, RomError when it can no longer be
    read. A file that another one has replaced under its name is still the one that was opened.
    """

    def __init__(self, path: Path, name: str, below: Path | None = None) -> None:
        """`name` and `below` as for `open_file`, which says what is raised."""
        self._name = name
        self._handle = open_file(path, name, below=below)
        weakref.finalize(self, os.close, self._handle)
        self._lock = Lock()
        self.stamp = Stamp.of(os.fstat(self._handle))

    def __len__(self) -> int:
        return self.stamp.size

    def read(self, start: int, size: int) -> bytes:
        size = max(0, min(size, self.stamp.size - start))
        try:
            data = self._read(start, size)
            now = Stamp.of(os.fstat(self._handle))
        except OSError as error:
            raise RomError(f"{self._name} can no longer be read ({error.strerror}); open it again.") from None
        if now != self.stamp or len(data) != size:
            raise RomChangedError(f"{self._name} was changed by another program while it was open; open it again.")
        return data

    def _read(self, start: int, size: int) -> bytes:
        parts = []
        while size > 0:
            if hasattr(os, "pread"):
                data = os.pread(self._handle, size, start)
            else:
                with self._lock:
                    os.lseek(self._handle, start, os.SEEK_SET)
                    data = os.read(self._handle, size)
            if not data:
                break
            parts.append(data)
            start, size = start + len(data), size - len(data)
        return parts[0] if len(parts) == 1 else b"".join(parts)

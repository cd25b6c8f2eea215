"""Random access to bytes: in memory, or in a file that another program may rewrite while it is open.

Files are read, not mapped into memory: reading a page that a mapped file no longer has ends the process.
"""

from __future__ import annotations

import errno
import os
import stat
import weakref
from abc import ABC, abstractmethod
from pathlib import Path
from threading import Lock
from typing import Final, NamedTuple

from mapexplorer.errors import RomChangedError, RomError

LARGEST: Final = 512 << 20
"""Bytes of the largest cartridge, and of the largest file that is read."""


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


def open_file(path: str | os.PathLike[str], name: str, most: int = LARGEST) -> int:
    """The descriptor of a file that is opened for reading; `name` is its name in errors. Raises RomError for a device,
    a pipe and more than `most` bytes, OSError."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
    status = os.fstat(handle)
    if stat.S_ISREG(status.st_mode) and status.st_size <= most:
        return handle
    os.close(handle)
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    if stat.S_ISREG(status.st_mode):
        raise RomError(f"{name} is too large: {status.st_size:,} bytes, at most {most:,} are read.")
    raise RomError(f"{name} is a device or a pipe, not a file.")


def read_file(path: str | os.PathLike[str], name: str, most: int = LARGEST) -> bytes:
    """The bytes of a file. Raises as `open_file`."""
    with open(open_file(path, name, most), "rb") as file:
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

    def __init__(self, path: Path, name: str) -> None:
        """`name` is the name in errors. Raises as `open_file`."""
        self._name = name
        self._handle = open_file(path, name)
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

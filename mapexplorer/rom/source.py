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


_WALKS: Final = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)
_FOLDER: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)


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


def open_file(path: str | os.PathLike[str], name: str, most: int = LARGEST, *, within: int | None = None) -> int:
    """The descriptor of a file that is opened for reading; `name` is its name in errors. `within`: the descriptor of
    the folder in which it is, and no link. Raises RomError for a device, a pipe and more than `most` bytes, OSError."""
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
    handle = os.open(path, flags if within is None else flags | _NO_LINK, dir_fd=within)
    status = os.fstat(handle)
    if stat.S_ISREG(status.st_mode) and status.st_size <= most:
        return handle
    os.close(handle)
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    if stat.S_ISREG(status.st_mode):
        raise RomError(f"{name} is too large: {status.st_size:,} bytes, at most {most:,} are read.")
    raise RomError(f"{name} is a device or a pipe, not a file.")


def open_below(folder: Path, place: str, name: str, most: int = LARGEST) -> int:
    """As `open_file`, of a place below a folder, without following a link that leads out of the folder, also if one
    comes while it is opened. Raises RomError for such a link, too."""
    try:
        if _WALKS and os.pardir not in place:
            return _open_at(folder, place, name, most)
    except OSError as error:
        if error.errno not in (errno.ELOOP, errno.EMLINK, errno.ENOTDIR):
            raise
    real = os.path.realpath(folder)
    place = os.path.relpath(os.path.realpath(os.path.join(real, place)), real)
    if place.split(os.sep)[0] == os.pardir:
        raise RomError(f"{name} is a link to a place outside the folder.")
    return _open_at(Path(real), place, name, most)


def _open_at(folder: Path, place: str, name: str, most: int) -> int:
    """As `open_file`, of a place below a folder that has no links in it. Raises OSError where it has."""
    if not _WALKS:
        return open_file(folder / place, name, most)
    *folders, file = place.split("/")
    within = os.open(folder, _FOLDER)
    try:
        for inner in folders:
            outer, within = within, os.open(inner, _FOLDER | _NO_LINK, dir_fd=within)
            os.close(outer)
        return open_file(file, name, most, within=within)
    finally:
        os.close(within)


def read_file(path: str | os.PathLike[str], name: str, most: int = LARGEST) -> bytes:
    """The bytes of a file. Raises as `open_file`."""
    return _read_all(open_file(path, name, most))


def read_below(folder: Path, place: str, name: str, most: int = LARGEST) -> bytes:
    """The bytes of a file below a folder. Raises as `open_below`."""
    return _read_all(open_below(folder, place, name, most))


def _read_all(handle: int) -> bytes:
    with open(handle, "rb") as file:
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
        """`name` is the name in errors, `below` the folder that the file must be in. Raises as `open_file`, and as
        `open_below`."""
        self._name = name
        if below is None:
            self._handle = open_file(path, name)
        else:
            self._handle = open_below(below, os.path.relpath(path, below), name)
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

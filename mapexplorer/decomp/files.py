"""The files of a tree: those of a folder, or of a commit."""

from __future__ import annotations

import hashlib
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

from formats.remembered import remembered
from mapexplorer.caching import shared_property
from mapexplorer.errors import RomError, SourceError, in_words
from mapexplorer.json_lines import read_text
from mapexplorer.rom.folder import leads_into
from mapexplorer.rom.source import FileSource, Stamp, changed_stamps

BUILD: Final = "build"
"""The folder of what a build has made."""
LARGEST: Final = 64 << 20
"""Bytes of the largest file that is read."""
BINARY: Final = (".bin", ".nsbtx", ".nsbmd", ".nsbca", ".nsbta", ".nsbtp")
"""The ends of files that are members as they are."""
_CONTENTS: Final = (".json", ".s", ".png", *BINARY)
"""The ends of files that names, numbers and tables of other files do not depend on."""
_REPOSITORY: Final = ".git/"
_PASSING: Final = re.compile(r"[.#].*|.*~|4913")
"""Names that editors give files while others are edited."""

T = TypeVar("T")


class TreeFiles(ABC):
    """The files of a tree, by their paths below its root, with `/`. Several threads may read."""

    name: str
    """The tree as the user named it."""
    stamps: dict[Path, Stamp] = {}
    """The stamps of the files and folders on the disk that were read, as they were then."""
    changed: frozenset[str] = frozenset()
    """The files that were read of the same tree before and have been written since; the folders with other files."""

    @shared_property
    def _made(self) -> dict[tuple[str, str], Any]:
        """What was made of a file, by the path and what it is."""
        return {}

    def made(self, path: str, what: str, make: Callable[[str], T]) -> T:
        """What a function makes of a file, once while the file and the lists are as they are."""
        key = path, what
        if key not in self._made:
            self._made[key] = make(path)
        value: T = self._made[key]
        return value

    @property
    def has_same_lists(self) -> bool:
        """Whether no changed file is one with names, numbers or tables, and no folder has other files."""
        return all(path.endswith(_CONTENTS) or path.startswith(_REPOSITORY) for path in self.changed)

    def changes(self, paths: Iterable[Path]) -> dict[Path, Stamp | None]:
        """Those of some places on the disk that are others than when they were read, as they are now."""
        return {}

    @abstractmethod
    def names(self, folder: str) -> frozenset[str]:
        """The names of the files and folders in a folder; none where there is no such folder."""

    @abstractmethod
    def read(self, path: str) -> bytes:
        """The bytes of a file. Raises SourceError for one that is absent, too large, or a link that leads out of the
        tree."""

    def place(self, path: str) -> Path | None:
        """Where a file is on disk; None where it is not."""
        return None

    def written(self, path: str) -> int:
        """When a file was written, in nanoseconds; 0 where that is not known."""
        stamp = Stamp.on_disk(place) if (place := self.place(path)) is not None else None
        return stamp.written if stamp is not None else 0

    @abstractmethod
    def state(self, *endings: str) -> bytes:
        """What tells the contents of all files, or of those whose paths end so, without reading them; empty where it is
        not known."""

    def hash(self, path: str) -> str:
        """The hash of the contents of a file, as git names them. Raises as `read`."""
        return self.made(path, "hash", self._hash)

    def _hash(self, path: str) -> str:
        data = self.read(path)
        return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()

    def below(self, folder: str) -> Iterator[str]:
        """The files in a folder and in those in it, sorted; what has no extension is a folder."""
        for name in sorted(self.names(folder)):
            yield from [f"{folder}/{name}"] if "." in name else self.below(f"{folder}/{name}")

    def has(self, path: str) -> bool:
        """Whether there is such a file or folder."""
        folder, _, name = path.rpartition("/")
        return name in self.names(folder)

    def text(self, path: str) -> str:
        """The text of a file. Raises SourceError as `read`, and for bytes that are no UTF-8."""
        return read_text(path, self.read(path))

    def text_if_any(self, path: str) -> str:
        """The text of a file, as `text`; empty where there is none."""
        return self.text(path) if self.has(path) else ""


class FolderFiles(TreeFiles):
    """The files of a folder."""

    stamps: dict[Path, Stamp]

    def __init__(self, root: Path, name: str, earlier: TreeFiles | None = None) -> None:
        """`earlier`: the same files before some were changed; those that were read are looked at further on."""
        self.root = root
        self.name = name
        self.stamps = {}
        self._listed: dict[str, frozenset[str]] = {}
        if isinstance(earlier, FolderFiles):
            self._follow(earlier)

    def _follow(self, earlier: FolderFiles) -> None:
        """Take what is known of earlier files, and find those that were changed."""
        stamps, listed = earlier.stamps.copy(), earlier._listed.copy()  # other threads may still read those
        now = {place: Stamp.on_disk(place) for place in stamps}
        written = {self._path(place): place for place, stamp in stamps.items() if now[place] != stamp}
        self.stamps = {place: stamp for place, stamp in now.items() if stamp is not None}
        self._listed = listed | {path: _names(place) for path, place in written.items() if path in listed}
        same = {path for path in written if path in listed and self._listed[path] == listed[path]}
        self.changed = frozenset(written) - same
        if self.has_same_lists:
            made = earlier._made.copy().items()
            self._made = {key: value for key, value in made if key[0] not in self.changed}

    def _path(self, place: Path) -> str:
        return "" if place == self.root else place.relative_to(self.root).as_posix()

    def changes(self, paths: Iterable[Path]) -> dict[Path, Stamp | None]:
        changed = changed_stamps(self.stamps, paths).items()
        return {path: stamp for path, stamp in changed if self._listed.get(self._path(path)) != _names(path)}

    def place(self, path: str) -> Path | None:
        return self.root / path if self.has(path) and leads_into(self.root / path, self.root) else None

    def state(self, *endings: str) -> bytes:
        stamps = [f"{path} {stamp}\0" for path, stamp in self._all_stamps.items() if path.endswith(endings or "")]
        text = "".join(stamps).encode("utf-8", "surrogateescape")
        return hashlib.sha1(text, usedforsecurity=False).digest() if stamps else b""

    @shared_property
    def _all_stamps(self) -> dict[str, str]:
        """Path -> inode, size and time of all files, when this is first asked for; none where a file goes meanwhile."""
        stamps, start = {}, len(os.fspath(self.root)) + 1
        with suppress(OSError):
            for folder, folders, names in os.walk(self.root):
                folders[:] = sorted(name for name in folders if not name.startswith(".") and name != BUILD)
                for place in [os.path.join(folder, name) for name in sorted(names)]:
                    status = os.lstat(place)
                    stamps[place[start:]] = f"{status.st_ino} {status.st_size} {status.st_mtime_ns}"
            return stamps
        return {}

    @remembered
    def names(self, folder: str) -> frozenset[str]:
        if folder in self._listed:
            return self._listed[folder]
        place = self.root / folder
        stamp = Stamp.on_disk(place)
        if stamp is None or not place.is_dir() or not leads_into(place, self.root):
            return frozenset()
        self.stamps.setdefault(place, stamp)
        return self._listed.setdefault(folder, _names(place))

    def read(self, path: str) -> bytes:
        place = self.root / path
        try:
            if ".." in path.split("/") or "\0" in path:
                raise SourceError(path, None, "no file of the tree has such a path")
            source = FileSource(place, path, self.root)
            self.stamps.setdefault(place, source.stamp)
            if len(source) > LARGEST:
                raise SourceError(path, None, f"{len(source):,} bytes are too many, at most {LARGEST:,} are read")
            return source.all()
        except SourceError:
            raise
        except (OSError, RomError) as error:
            raise SourceError(path, None, _why(path, error)) from None


def _why(path: str, error: Exception) -> str:
    """The cause in an error about a file, without the file."""
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    if isinstance(error, OSError):
        words = in_words(OSError(error.errno, error.strerror)).rstrip(".")
        return words[:1].lower() + words[1:]
    return f"this {str(error).removeprefix(f'{path} ')}".rstrip(".")


def _names(folder: Path) -> frozenset[str]:
    """The names in a folder, but for those of passing files; none where there is no such folder any more, or one that
    cannot be listed."""
    with suppress(OSError):
        return frozenset(name for name in os.listdir(folder) if _PASSING.fullmatch(name) is None)
    return frozenset()

"""The shared source tree, read into memory once."""

from __future__ import annotations

import hashlib
import tarfile
from collections import defaultdict
from pathlib import Path

from mapexplorer.decomp.files import TreeFiles
from mapexplorer.errors import SourceError


class PackedFiles(TreeFiles):
    """The files of a tree in a tar file. Tests set `changed` of those that they make by `copy`."""

    def __init__(self, place: Path) -> None:
        self.name = place.name
        self.contents: dict[str, bytes] = {}
        self._folders: dict[str, set[str]] = defaultdict(set)
        with tarfile.open(place) as packed:
            for member in packed:
                file = packed.extractfile(member) if member.isfile() else None
                if file is not None:
                    self.write(member.name.partition("/")[2], file.read())

    def write(self, path: str, contents: bytes) -> None:
        """Put a file into the tree."""
        self.contents[path] = contents
        while path:
            path, _, name = path.rpartition("/")
            self._folders[path].add(name)

    def remove(self, path: str) -> None:
        """Take a file out of the tree."""
        del self.contents[path]
        folder, _, name = path.rpartition("/")
        self._folders[folder].remove(name)

    def names(self, folder: str) -> frozenset[str]:
        return frozenset(self._folders.get(folder, ()))

    def read(self, path: str) -> bytes:
        if path not in self.contents:
            raise SourceError(path, None, "there is no such file")
        return self.contents[path]

    def state(self, *endings: str) -> bytes:
        named = sorted(path for path in self.contents if path.endswith(endings)) if endings else ()
        return hashlib.sha1(b"".join(self.contents[path] for path in named)).digest() if named else b""

    def copy(self) -> PackedFiles:
        """The same files, to be edited."""
        other = PackedFiles.__new__(PackedFiles)
        other.name, other.contents = self.name, dict(self.contents)
        other._folders = defaultdict(set, {folder: set(names) for folder, names in self._folders.items()})
        return other

"""The files of a tree in a commit, as `TREE@REVISION` names it: `HEAD~3`, `main`, `v1.0`, the beginning of a hash.

They are read by `git cat-file --batch`, which writes nothing. The repository's settings may name programs (filters,
hooks, a file monitor, a transport that fetches what is missing): none of them is run.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

from mapexplorer.caching import Cache, shared_property
from mapexplorer.decomp.files import LARGEST, TreeFiles
from mapexplorer.errors import RomError, SourceError
from mapexplorer.rom.folder import leads_into

_SETTINGS: Final = ("core.fsmonitor=false", "core.hooksPath=/dev/null", "protocol.allow=never")
_VARIABLES: Final = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}
_ENTRY: Final = re.compile(rb"(\d+) \w+ (\w+) +(\S+)\t([^\0]+)\0", re.S)
"""Mode, hash, size and path of a file or folder."""
_NO_FILE: Final = {"120000": "a link, which is not followed in a commit", "040000": "a folder", "160000": "a module"}
"""Mode of an entry that is no file -> what it is."""


class RevisionFiles(TreeFiles):
    """The files of a commit; those of a folder are read together. Raises RomError for a commit that cannot be read."""

    def __init__(self, folder: Path, revision: str) -> None:
        self.name = f"{folder}@{revision}"
        program = shutil.which("git")
        if program is None or leads_into(Path(program), folder):
            raise RomError(f"{self.name}: the program git is needed to read a commit, and was not found.")
        settings = [word for setting in _SETTINGS for word in ("-c", setting)]
        self._words = [program, *settings, "-C", str(folder)]
        self._contents: Cache[str, dict[str, bytes]] = Cache(4)
        name = f"{revision}^{{commit}}"
        answer = self._git("cat-file", "--batch-check", lines=name if name.isprintable() else "").split()
        if answer[1:2] != [b"commit"]:
            raise RomError(f"{self.name}: the repository has no commit {revision}.")
        self.commit = answer[0].decode()
        """The hash of the commit."""

    def _git(self, *words: str, lines: str = "") -> bytes:
        """What a command of git writes for lines. Raises RomError."""
        own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | _VARIABLES
        done = subprocess.run([*self._words, *words], input=lines.encode(), capture_output=True, env=own)
        if done.returncode:
            first, *_ = [*done.stderr.decode("utf-8", "replace").splitlines(), "git does not answer"]
            raise RomError(f"{self.name}: {first.removeprefix('fatal: ')}.")
        return done.stdout

    @shared_property
    def _listing(self) -> bytes:
        """All files and folders of the tree, as git lists them."""
        return self._git("ls-tree", "-r", "-t", "-l", "-z", self.commit)

    @shared_property
    def _folders(self) -> dict[str, dict[str, tuple[str, str, int]]]:
        """Folder -> name -> mode, hash and size of what is in it."""
        folders: dict[str, dict[str, tuple[str, str, int]]] = {}
        for mode, number, size, path in _ENTRY.findall(self._listing):
            folder, _, name = path.decode("utf-8", "replace").rpartition("/")
            bytes_ = int(size) if size.isdigit() else 0
            folders.setdefault(folder, {})[name] = (mode.decode(), number.decode(), bytes_)
        return folders

    def state(self) -> bytes:
        return hashlib.sha1(self._listing, usedforsecurity=False).digest()

    def names(self, folder: str) -> frozenset[str]:
        return frozenset(self._folders.get(folder, ()))

    def read(self, path: str) -> bytes:
        folder, _, name = path.rpartition("/")
        mode, _, size = self._folders.get(folder, {}).get(name, ("", "", 0))
        if not mode:
            raise SourceError(path, None, "there is no such file")
        if mode in _NO_FILE:
            raise SourceError(path, None, f"this is {_NO_FILE[mode]}")
        if size > LARGEST:
            raise SourceError(path, None, f"it has more than {LARGEST:,} bytes")
        contents = self._contents.get(folder, self._read_folder, folder)
        if name not in contents:
            raise SourceError(path, None, "its contents are not in the repository")
        return contents[name]

    def _read_folder(self, folder: str) -> dict[str, bytes]:
        """Name -> contents of the files in a folder."""
        entries = self._folders[folder].items()
        wanted = [(name, number) for name, (mode, number, size) in entries if mode not in _NO_FILE and size <= LARGEST]
        data = self._git("cat-file", "--batch", lines="".join([f"{number}\n" for _, number in wanted]))
        contents: dict[str, bytes] = {}
        start = 0
        for name, _ in wanted:
            end = data.index(b"\n", start)
            words, start = data[start:end].split(), end + 1
            if words[1] == b"blob":
                contents[name] = data[start : start + int(words[2])]
                start += int(words[2]) + 1
        return contents


def revision_files(path: str) -> RevisionFiles | None:
    """The files that `TREE@REVISION` names; None for another path. Raises RomError."""
    for at in (match.start() for match in re.finditer("@", path)):
        if path[:at] and Path(path[:at]).is_dir():
            return RevisionFiles(Path(path[:at]), path[at + 1 :])
    return None

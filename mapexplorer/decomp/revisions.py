"""The files of a tree in a commit, as `TREE@REVISION` names it: `HEAD~3`, `main`, `v1.0`, the beginning of a hash.

They are read by `git cat-file --batch`, which writes nothing. The repository's settings may name programs (filters,
hooks, a file monitor, a transport that fetches what is missing): none of them is run.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Final
from weakref import finalize

from formats.remembered import remembered
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
_ENTRY: Final = re.compile(rb"(\d+) ([^\0]+)\0", re.S)
_LINK, _FOLDER, _OTHER_REPOSITORY = "120000", "40000", "160000"
_NO_FILE: Final = {
    _LINK: "a link, which is not followed in a commit",
    _FOLDER: "a folder",
    _OTHER_REPOSITORY: "a module",
}
"""Kind of an entry that is no file -> what it is."""


class RevisionFiles(TreeFiles):
    """The files of a commit. Raises RomError for a commit that cannot be read."""

    def __init__(self, folder: Path, revision: str) -> None:
        self.name = f"{folder}@{revision}"
        program = shutil.which("git")
        if program is None or leads_into(Path(program), folder):
            raise RomError(f"{self.name}: the program git is needed to read a commit, and was not found.")
        settings = [word for setting in _SETTINGS for word in ("-c", setting)]
        self._words = [program, *settings, "-C", str(folder), "cat-file", "--batch"]
        self._lock = Lock()
        commit = self._request(f"{revision}^{{commit}}")
        if commit is None:
            raise RomError(f"{self.name}: the repository has no commit {revision}.")
        self.commit = commit[0]
        """The hash of the commit."""

    @remembered
    def _git(self, process: int) -> subprocess.Popen[bytes]:
        """The process of git that a process asks: one that is forked needs its own."""
        own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        pipe = subprocess.PIPE
        git = subprocess.Popen(self._words, stdin=pipe, stdout=pipe, stderr=pipe, env=own | _VARIABLES)
        finalize(self, _end, git, process)
        return git

    def state(self, *endings: str) -> bytes:
        root = self._request(f"{self.commit}:./")
        return root[0].encode() if root is not None else b""

    def names(self, folder: str) -> frozenset[str]:
        return frozenset(self._entries(folder))

    def read(self, path: str) -> bytes:
        contents = self._request(self.hash(path))
        if contents is None or contents[1] is None:
            why = (
                "its contents are not in the repository" if contents is None else f"it has more than {LARGEST:,} bytes"
            )
            raise SourceError(path, None, why)
        return contents[1]

    def hash(self, path: str) -> str:
        folder, _, name = path.rpartition("/")
        mode, number = self._entries(folder).get(name, ("", ""))
        if not mode:
            raise SourceError(path, None, "there is no such file")
        if mode in _NO_FILE:
            raise SourceError(path, None, f"this is {_NO_FILE[mode]}")
        return number

    @remembered
    def _entries(self, folder: str) -> dict[str, tuple[str, str]]:
        """Name -> mode and hash of what is in a folder."""
        inside = ".." not in folder.split("/")
        data = ((inside and self._request(f"{self.commit}:./{folder}")) or ("", None))[1] or b""
        entries: dict[str, tuple[str, str]] = {}
        at = 0
        while (match := _ENTRY.match(data, at)) is not None:
            at = match.end() + len(self.commit) // 2
            entries[match[2].decode("utf-8", "replace")] = match[1].decode(), data[match.end() : at].hex()
        return entries

    def _request(self, name: str) -> tuple[str, bytes | None] | None:
        """The hash and the contents of an object by its name, None in place of contents that are too large; None for a
        name without an object. Raises RomError where git does not answer."""
        if not name.isprintable():
            return None  # it would be several requests
        with self._lock:
            git = self._git(os.getpid())
            assert git.stdin is not None and git.stdout is not None and git.stderr is not None
            with suppress(BrokenPipeError):
                git.stdin.write(name.encode() + b"\n")
                git.stdin.flush()
            answer = git.stdout.readline()
            if not answer:
                lines = git.stderr.read().decode("utf-8", "replace").splitlines() or ["git does not answer"]
                raise RomError(f"{self.name}: {lines[0].removeprefix('fatal: ')}.")
            words = answer.decode().split()
            if len(words) != 3 or not words[2].isdecimal():
                return None
            left = int(words[2])
            if left <= LARGEST:
                return words[0], git.stdout.read(left + 1)[:-1]
            while left >= 0:
                left -= len(git.stdout.read(min(left + 1, LARGEST))) or left + 1
            return words[0], None


def _end(process: subprocess.Popen[bytes], owner: int) -> None:
    if owner == os.getpid():
        process.kill()
        process.communicate()


def revision_files(path: str) -> RevisionFiles | None:
    """The files that `TREE@REVISION` names; None for another path. Raises RomError."""
    for at in (match.start() for match in re.finditer("@", path)):
        if path[:at] and Path(path[:at]).is_dir():
            return RevisionFiles(Path(path[:at]), path[at + 1 :])
    return None

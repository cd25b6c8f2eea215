"""What a batch export has written: a journal while it runs, a manifest when it is done, and the lock of its folder.

The journal (`manifest.jsonl`) has the identity of the run in its first line, then an entry for each file. A process
appends an entry when the file is in its place, so every entry is true at any moment, whichever process ends; a file
that no entry names is of an earlier run, or was put into its place just before the end. The manifest is removed before
a run replaces the first file, and written before its journal is removed. Both are read with the files' hashes, which
decide.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from formats.kernel.file_lock import try_lock
from mapexplorer.errors import RomError
from mapexplorer.export.files import errors_name, remove_parts, write_atomically
from mapexplorer.rom.source import read_file

MANIFEST: Final = "manifest.json"
JOURNAL: Final = "manifest.jsonl"
_LOCK: Final = "manifest.lock"

Entry = dict[str, Any]


def known(folder: Path, identity: Entry) -> dict[int, Entry]:
    """By header the entries of files of an earlier run of the same identity, from its manifest and its journal."""
    written = manifest(folder)
    maps = written.get("maps") if identity.items() <= written.items() else None
    return _by_header([*(maps if isinstance(maps, list) else []), *entries(folder, identity)])


def manifest(folder: Path) -> Entry:
    """The manifest of a folder; empty where there is none that can be read."""
    with contextlib.suppress(OSError, RecursionError, RomError, ValueError):
        written = json.loads(_read(folder, MANIFEST))
        return written if isinstance(written, dict) else {}
    return {}


def entries(folder: Path, identity: Entry) -> list[Any]:
    """The entries of the journal, if it is of this identity; unfinished lines are passed over."""
    lines: list[Any] = []
    with contextlib.suppress(OSError, RomError):
        for line in _read(folder, JOURNAL).splitlines():
            with contextlib.suppress(RecursionError, ValueError):
                lines.append(json.loads(line))
    return lines[1:] if lines and lines[0] == identity else []


def begin(folder: Path, identity: Entry, kept: Iterable[Entry]) -> None:
    """Start the journal with the entries that hold; from then on files may be replaced. Raises OSError."""
    remove_parts(folder)
    lines = "".join(f"{_line(entry)}\n" for entry in (identity, *kept))
    write_atomically(folder / JOURNAL, lines.encode())
    (folder / MANIFEST).unlink(missing_ok=True)


def finish(folder: Path, result: Entry) -> None:
    """Replace the journal by the manifest. Raises OSError."""
    text = json.dumps(result, indent=1, ensure_ascii=False) + "\n"
    write_atomically(folder / MANIFEST, text.encode())
    (folder / JOURNAL).unlink()


def append(folder: Path, entry: Entry) -> None:
    """Append an entry to the journal of a folder; several processes may do so. Raises OSError."""
    path = folder / JOURNAL
    with errors_name(path):
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            # A line begins the next one, so that a process killed in the middle spoils its own alone.
            os.write(file, f"\n{_line(entry)}\n".encode())
        finally:
            os.close(file)


def holds(folder: Path, entry: Entry) -> bool:
    """Whether the file of an entry has the hash that the entry says."""
    try:
        data = _read(folder, str(entry["file"]))
    except (OSError, RomError, ValueError):
        return False
    return hashlib.sha256(data).hexdigest() == str(entry["sha256"])


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """A block in which no other process exports into a folder. Raises OSError when one does."""
    path = folder / _LOCK
    with errors_name(path):
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        try:
            free = try_lock(file)
        except OSError:  # a file system without locks
            free = True
        if not free:
            raise OSError(f"Another export writes into {folder}; wait until it has ended, or choose another folder.")
        try:
            yield
        finally:
            if os.name == "posix":
                path.unlink(missing_ok=True)
    finally:
        os.close(file)
        with contextlib.suppress(OSError):  # Windows cannot remove it while it is open
            if os.name != "posix":
                path.unlink()


def _read(folder: Path, name: str) -> bytes:
    return read_file(folder / name, name, below=folder)


def _line(entry: Entry) -> str:
    return json.dumps(entry, ensure_ascii=False)


def _by_header(listed: Iterable[Any]) -> dict[int, Entry]:
    return {
        entry["header"]: entry
        for entry in listed
        if isinstance(entry, dict) and isinstance(entry.get("header"), int) and {"file", "sha256"} <= entry.keys()
    }

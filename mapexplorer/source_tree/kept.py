"""The bytes that the files of each member became when they were last packed, by a hash of the files: members whose
files are as they were are not encoded again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from mapexplorer._version import __version__
from mapexplorer.export.files import write_atomically
from mapexplorer.source_tree.folder import CACHE, VERSION

_FILE: Final = "members"
_DIGEST: Final = 32
_MAGIC: Final = f"mapexplorer {__version__} members {VERSION}\n".encode()


def digest(files: Mapping[str, bytes]) -> str:
    """The hash of the files of a member: their names and contents."""
    hasher = hashlib.blake2b(digest_size=20)
    for name in sorted(files):
        hasher.update(f"{name}\0{len(files[name])}\0".encode())
        hasher.update(files[name])
    return hasher.hexdigest()


def load(folder: Path) -> dict[str, bytes]:
    """Hash -> bytes of the members; none when they are absent, damaged, or of another version of this program."""
    try:
        data = (folder / CACHE / _FILE).read_bytes()
    except OSError:
        return {}
    start = len(_MAGIC) + _DIGEST
    whole = hashlib.blake2b(memoryview(data)[start:], digest_size=_DIGEST).digest()
    if data[:start] != _MAGIC + whole:
        return {}
    end = data.index(b"\n", start)
    contents = {}
    at = end + 1
    for key, size in json.loads(data[start:end]):
        contents[key] = data[at : at + size]
        at += size
    return contents


def save(folder: Path, members: Iterable[tuple[str, bytes]]) -> None:
    """Keep the bytes of members by the hash of their files. Raises OSError."""
    kept = dict(members)
    index = json.dumps([[key, len(data)] for key, data in kept.items()])
    body = b"".join([f"{index}\n".encode(), *kept.values()])
    whole = hashlib.blake2b(body, digest_size=_DIGEST).digest()
    write_atomically(folder / CACHE / _FILE, _MAGIC + whole + body)

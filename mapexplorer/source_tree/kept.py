"""The bytes that the files of each member became when they were last packed, by a hash of the files: members whose
files are as they were are not encoded again. They are kept for this user, not in the folder, which others may have
made.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from mapexplorer._version import __version__
from mapexplorer.rom.digest import digest_of
from mapexplorer.source_tree.folder import IMAGE, LARGEST, VERSION, read_limited
from mapexplorer.system import kept_data

_KIND: Final = "packed"
_ROW: Final = struct.Struct("<20sI")
"""The hash of the files of a member, and the size of the member."""
_KEPT: Final = 6
"""The number of folders whose members are kept."""


def digest(files: Mapping[str, bytes]) -> bytes:
    """The hash of the files of a member: their names and contents."""
    hasher = hashlib.blake2b(digest_size=20)
    for name in sorted(files):
        hasher.update(f"{name}\0{len(files[name])}\0".encode())
        hasher.update(files[name])
    return hasher.digest()


def load(folder: Path) -> dict[bytes, bytes]:
    """Hash -> bytes of the members; none when they are not kept by this version of the program. Raises SourceError,
    OSError."""
    data = kept_data.load(_KIND, _key(folder)) or bytes(4)
    count = min(int.from_bytes(data[:4], "little"), len(data) // _ROW.size)
    at = 4 + _ROW.size * count
    contents = {}
    for key, size in _ROW.iter_unpack(data[4:at].ljust(at - 4, b"\0")):
        contents[key] = data[at : at + size]
        at += size
    return contents


def save(folder: Path, members: Iterable[tuple[bytes, bytes]]) -> None:
    """Keep the bytes of members by the hash of their files, where that is possible. Raises SourceError, OSError."""
    contents = dict(members)
    rows = [_ROW.pack(key, len(data)) for key, data in contents.items()]
    kept_data.store(_KIND, _key(folder), b"".join([struct.pack("<I", len(rows)), *rows, *contents.values()]), _KEPT)


def _key(folder: Path) -> str:
    """What folders of the same parts have in common, wherever they are."""
    return digest_of([f"{__version__} {VERSION}".encode(), read_limited(folder, IMAGE, LARGEST)])

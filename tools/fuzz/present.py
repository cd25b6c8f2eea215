"""The present case of a worker in a mapped file, which remains when the worker dies."""

from __future__ import annotations

import mmap
import struct
from pathlib import Path

_HEAD = struct.Struct("<QQI")
_LARGEST = 1 << 22


class PresentCase:
    """A mapped file with the number of the case, a count that grows with each case, and its bytes."""

    def __init__(self, path: Path) -> None:
        if not path.exists() or path.stat().st_size != _LARGEST:
            path.write_bytes(bytes(_LARGEST))
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), _LARGEST)

    def write(self, number: int, count: int, data: bytes) -> None:
        """Set the case."""
        kept = data[: _LARGEST - _HEAD.size]
        self._map[_HEAD.size : _HEAD.size + len(kept)] = kept
        _HEAD.pack_into(self._map, 0, number, count, len(kept))

    def read(self) -> tuple[int, int, bytes]:
        """The number, the count and the bytes."""
        number, count, size = _HEAD.unpack_from(self._map, 0)
        return number, count, bytes(self._map[_HEAD.size : _HEAD.size + size])

"""The shared libraries that an ELF file needs, and its search paths for them."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

_LOAD, _DYNAMIC = 1, 2
_NEEDED, _STRING_TABLE, _RPATH, _RUNPATH = 1, 5, 15, 29


@dataclass(frozen=True)
class Dynamic:
    """The names of needed libraries, and the folders of RPATH and RUNPATH."""

    needed: tuple[str, ...]
    rpath: tuple[Path, ...]
    runpath: tuple[Path, ...]


def read_dynamic(file: Path) -> Dynamic:
    """The dynamic section of a file. Raises OSError, and ValueError for a file that is not ELF."""
    data = file.read_bytes()
    try:
        return _dynamic(data, file.absolute().parent)
    except (struct.error, IndexError, ValueError) as error:
        raise ValueError(f"{file} is damaged: {error}") from None


def _dynamic(data: bytes, origin: Path) -> Dynamic:
    if data[:4] != b"\x7fELF" or data[4] not in (1, 2):
        raise ValueError("no ELF file")
    wide = data[4] == 2
    order = "<" if data[5] == 1 else ">"
    word = "Q" if wide else "I"
    (table,) = struct.unpack_from(order + word, data, 32 if wide else 28)
    size, count = struct.unpack_from(order + "HH", data, 54 if wide else 42)
    segments = []
    dynamic = (0, 0)
    for number in range(count):
        values = struct.unpack_from(order + ("IIQQQQ" if wide else "IIIIII"), data, table + number * size)
        kind = values[0]
        offset, address, length = (values[2], values[3], values[5]) if wide else (values[1], values[2], values[4])
        if kind == _LOAD:
            segments.append((address, offset, length))
        elif kind == _DYNAMIC:
            dynamic = (offset, length)
    entries: list[tuple[int, int]] = []
    for tag, value in struct.iter_unpack(order + 2 * word, data[dynamic[0] : sum(dynamic)]):
        if tag == 0:
            break
        entries.append((tag, value))
    addresses = [value for tag, value in entries if tag == _STRING_TABLE]
    if not addresses:
        return Dynamic((), (), ())
    strings = next(
        (addresses[0] - address + offset for address, offset, length in segments
         if address <= addresses[0] < address + length), 0,
    )  # fmt: skip

    def texts(wanted: int) -> list[str]:
        starts = [strings + value for tag, value in entries if tag == wanted]
        return [data[start : data.index(b"\0", start)].decode() for start in starts]

    def folders(wanted: int) -> tuple[Path, ...]:
        parts = (part for text in texts(wanted) for part in text.split(":") if part)
        return tuple(Path(part.replace("${ORIGIN}", "$ORIGIN").replace("$ORIGIN", str(origin))) for part in parts)

    return Dynamic(tuple(texts(_NEEDED)), folders(_RPATH), folders(_RUNPATH))

"""An image as its parts in the order in which they are stored, and back to the same bytes.

The parts are those that the cartridge header and the file allocation table (FAT) point to (GBATEK, "DS Cartridge
Header"): the programs, their overlay tables, the file name table, the files, the banner. Between two parts there is
0xFF up to a multiple of 512; what is stored otherwise in an image is kept with the part before it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, replace

from formats.binary import require
from mapexplorer.errors import RomError
from mapexplorer.rom.image import ImageRom

_ALIGNMENT = 512
_END_ALIGNMENT = 32
_FILL = 0xFF
_POINTERS = {
    "arm9": (0x20, 0x2C),
    "arm9_overlay_table": (0x50, 0x54),
    "arm7": (0x30, 0x3C),
    "arm7_overlay_table": (0x58, 0x5C),
    "file_names": (0x40, 0x44),
    "file_table": (0x48, 0x4C),
    "banner": (0x68, None),
}
"""Part -> where the header holds its offset and its size; a banner's size follows from its version."""
_HEADER_END, _USED_SIZE, _CAPACITY, _CHECKSUM = 0x84, 0x80, 0x14, 0x15E
_SMALLEST_CAPACITY = 1 << 17
_BANNER_SIZES = {1: 0x840, 2: 0x940, 3: 0xA40, 0x103: 0x23C0}
FILE_TABLE = "file_table"


@dataclass(frozen=True)
class ImagePart:
    """A part of an image: its name (`/` and the path for a file with a name), its bytes, for a file its number. `start`
    is its offset where it does not begin at the first multiple of 512 behind the part before; `tail` are the bytes
    behind it up to the 0xFF that fill the gap.
    """

    name: str
    data: bytes
    file: int | None = None
    start: int | None = None
    tail: bytes = b""


@dataclass(frozen=True)
class ImageParts:
    """An image: its header, its parts in order, and its end.

    `size`: bytes of the image where that is not the next multiple of 32, `fill`: the byte behind the last part.
    `used_size`: the word of the header that counts the used bytes, where it is not the end of the last part
    (`counts_all`: that of the image).
    """

    header: bytes
    parts: tuple[ImagePart, ...]
    size: int | None = None
    fill: int = 0
    used_size: int | None = None
    counts_all: bool = False


def split_image(rom: ImageRom) -> ImageParts:
    """The parts of an image. The file table has no bytes: it is made of the places of the files. Raises RomError for
    parts that overlap, RomChangedError."""
    data = rom.stored()
    size = min(max(0x200, struct.unpack_from("<I", data, _HEADER_END)[0]), len(data))
    places = sorted(_places(rom, data), key=lambda place: place[:2])
    end = size
    parts: list[ImagePart] = []
    for start, stop, name, file in places:
        if start == stop and start < end:  # an empty file, which may be anywhere
            parts.append(ImagePart(name, b"", file, start))
            continue
        if start < end or stop < start or stop > len(data):
            raise RomError(f"{rom.path} cannot be taken apart: {name} (bytes {start} to {stop}) overlaps another part.")
        gap = data[end:start]
        tail = gap.rstrip(b"\xff")
        if tail and parts and not parts[-1].tail:
            parts[-1] = replace(parts[-1], tail=tail)
        elif tail:
            raise RomError(f"{rom.path} cannot be taken apart: bytes {end} to {start} belong to nothing.")
        usual = _aligned(end + len(tail), _ALIGNMENT)
        content = b"" if name == FILE_TABLE else data[start:stop]
        parts.append(ImagePart(name, content, file, None if start == usual else start))
        end = stop
    rest = data[end:]
    fill = rest[-1] if rest else 0
    tail = rest.rstrip(bytes([fill]))
    if tail:
        parts[-1] = replace(parts[-1], tail=tail)
    usual_end = fill == 0 and len(data) == _aligned(end + len(tail), _END_ALIGNMENT)
    used = struct.unpack_from("<I", data, _USED_SIZE)[0]
    return ImageParts(
        data[:size],
        tuple(parts),
        None if usual_end else len(data),
        fill,
        used_size=None if used in (end, len(data)) else used,
        counts_all=used == len(data),
    )


def join_image(image: ImageParts) -> bytes:
    """The image of its parts: those behind a part that grew or shrank move, the places of all are written into the
    header and the file table. Raises ValueError for a file number that two parts have or that is left out."""
    result = bytearray(image.header)
    files = sorted(part.file for part in image.parts if part.file is not None)
    require(files == list(range(len(files))), "the numbers of the files do not count from 0 without a gap")
    table = bytearray(8 * len(files))
    header = bytearray(image.header)
    table_at, end = 0, len(result)
    for part in image.parts:
        data = bytes(len(table)) if part.name == FILE_TABLE else part.data
        at = _aligned(len(result), _ALIGNMENT) if part.start is None else part.start
        if at < len(result) and data:
            at = _aligned(len(result), _ALIGNMENT)
        result += bytes([_FILL]) * (at - len(result)) + data
        if part.name == FILE_TABLE:
            table_at = at
        if part.file is not None:
            struct.pack_into("<II", table, 8 * part.file, at, at + len(data))
        elif part.name in _POINTERS:
            offset_at, size_at = _POINTERS[part.name]
            struct.pack_into("<I", header, offset_at, at)
            if size_at is not None:
                struct.pack_into("<I", header, size_at, len(data))
        end = len(result) if data else end
        result += part.tail
    size = image.size if image.size is not None else _aligned(len(result), _END_ALIGNMENT)
    if size < len(result):
        size = _aligned(len(result), _ALIGNMENT)
    result += bytes([image.fill]) * (size - len(result))
    used = image.used_size if image.used_size is not None else size if image.counts_all else end
    struct.pack_into("<I", header, _USED_SIZE, used)
    while size > _SMALLEST_CAPACITY << header[_CAPACITY]:
        header[_CAPACITY] += 1
    if header != image.header:
        struct.pack_into("<H", header, _CHECKSUM, _checksum(header[:_CHECKSUM]))
    result[: len(header)] = header
    result[table_at : table_at + len(table)] = table
    return bytes(result)


def _places(rom: ImageRom, data: bytes) -> Iterator[tuple[int, int, str, int | None]]:
    """(first byte, end, name, number of a file) of every part."""
    for name, (offset_at, size_at) in _POINTERS.items():
        start = struct.unpack_from("<I", data, offset_at)[0]
        if not start:
            continue
        if size_at is None:
            version = struct.unpack_from("<H", data, start)[0] if start + 2 <= len(data) else 0
            size = min(_BANNER_SIZES.get(version, _BANNER_SIZES[1]), len(data) - start)
        else:
            size = struct.unpack_from("<I", data, size_at)[0]
        yield start, start + size, name, None
    names = {number: f"/{path}" for path, number in rom.file_numbers.items()}
    for row in rom.overlay_records():
        names.setdefault(row.file_id, f"overlay_{row.number:04}")
    for number, (start, end) in enumerate(rom.spans):
        yield start, end, names.get(number, f"unnamed_{number:04}"), number


def _aligned(size: int, alignment: int) -> int:
    return size + -size % alignment


def _checksum(header: bytes | bytearray) -> int:
    """The checksum of a cartridge header: CRC-16 with the polynomial 0xA001 and the start 0xFFFF (GBATEK)."""
    value = 0xFFFF
    for byte in header:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0xA001 if value & 1 else 0)
    return value

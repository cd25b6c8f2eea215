"""A `.nds` image; only the parts that are asked for are read.

Layout (GBATEK, "DS Cartridge Header" and "DS Cartridge NitroROM and NitroARC File Systems"): a header of 0x4000 bytes
holds the offsets of the ARM9 program, its overlay table, the file name table (FNT) and the file allocation table (FAT).
"""

from __future__ import annotations

import struct
from pathlib import Path

from formats.binary import FormatError, require
from mapexplorer.errors import RomError
from mapexplorer.rom.rom import MAIN_MEMORY, CartridgeHeader, OverlayRecord, Rom, normal, read_overlay_table
from mapexplorer.rom.source import ByteSource, FileSource, MemorySource

_HEADER_SIZE = 0x200
_MOST_FILES = 0xF000
"""Files and overlays of a cartridge (GBATEK: file numbers 0000h to EFFFh)."""
_LARGEST_NAME_TABLE = _MOST_FILES * 0x80 + 0x1000 * (0x81 + 8)
"""Bytes of a file name table with every file and each of the 4,096 folders at the longest name."""
_MOST_TRIMMED = 0x1000
_OTHER_FILES = (
    (b"PK\x03\x04", "a ZIP archive; unpack it first"),
    (b"7z\xbc\xaf", "a 7-Zip archive; unpack it first"),
    (b"Rar!", "a RAR archive; unpack it first"),
    (b"\x1f\x8b", "packed with gzip; unpack it first"),
    (b"NARC", "a NARC archive from inside a ROM"),
    (b"BMD0", "a single model, not a ROM"),
    (b"BTX0", "a single texture file, not a ROM"),
)


class ImageRom(Rom):
    """A ROM in one file. Raises RomError when the bytes are not a DS image or are truncated."""

    layout = "image"

    def __init__(self, path: str, data: ByteSource) -> None:
        super().__init__(path)
        self._data = data
        header = data.read(0, _HEADER_SIZE)
        _check_header(path, header, len(data))
        self.header = CartridgeHeader.of(header)
        words = struct.unpack_from("<24I", header, 0)
        self._arm9_place = (words[8], words[11])
        self._overlay_place = (words[20], words[21])
        fnt, fat = (words[16], words[17]), (words[18], words[19])
        for what, (offset, size), most in (
            ("ARM9 program", self._arm9_place, MAIN_MEMORY),
            ("overlay table", self._overlay_place, _MOST_FILES * 32),
            ("file name table", fnt, _LARGEST_NAME_TABLE),
            ("file table", fat, _MOST_FILES * 8),
        ):
            if size > most:
                raise RomError(f"{path} is damaged: its {what} takes {size} bytes, a DS allows {most}.")
            if offset + size > len(data):
                raise _truncated(path, len(data), f"its {what} reaches to {offset + size}")
        allocation = data.read(fat[0], fat[1] // 8 * 8)
        self.spans = tuple(struct.iter_unpack("<II", allocation))
        """First byte and end of every file by its number, overlays included."""
        short = {span for span in self.spans if span[1] > len(data)}
        last = max((end for _, end in short), default=0)
        if len(short) > 1 or last > len(data) + _MOST_TRIMMED:
            raise _truncated(path, len(data), f"its files reach to {last}")
        self.trimmed = max(0, last - len(data))
        try:
            self.file_numbers = _file_names(data.read(*fnt), len(self.spans))
            """Path -> number in the file allocation table."""
        except (struct.error, IndexError, ValueError) as error:
            raise RomError(f"{path} is damaged: its file name table cannot be read ({error}).") from None
        self._files = tuple(sorted(self.file_numbers))

    @classmethod
    def open(cls, path: Path, name: str) -> ImageRom:
        """Open the file at `path`; `name` is the name in errors."""
        source = FileSource(path, name)
        rom = cls(name, source)
        rom._opened[path] = source.stamp
        return rom

    @property
    def files(self) -> tuple[str, ...]:
        return self._files

    def stored(self) -> bytes:
        """The whole image."""
        return self._data.all()

    def has(self, path: str) -> bool:
        return normal(path) in self.file_numbers

    def source(self, path: str) -> ByteSource:
        number = self.file_numbers.get(normal(path))
        if number is None:
            raise RomError(f"{self.path} has no file {normal(path)}.")
        return self._file(number, normal(path))

    def _file(self, number: int, name: str) -> ByteSource:
        start, end = self.spans[number]
        if start > end:
            raise FormatError(name, start, "a start before its end", f"{start} to {end}")
        if end > len(self._data):
            return MemorySource(self._data.read(start, end - start).ljust(end - start, b"\xff"))
        return self._data.part(start, end - start)

    def _stored_arm9(self) -> ByteSource:
        return self._data.part(*self._arm9_place)

    def overlay_records(self) -> tuple[OverlayRecord, ...]:
        return read_overlay_table(self._data.read(*self._overlay_place))

    def _stored_overlay(self, record: OverlayRecord) -> ByteSource | None:
        if record.file_id >= len(self.spans):
            return None
        return self._file(record.file_id, f"overlay {record.number}")

    def close(self) -> None:
        super().close()
        self._data = MemorySource(b"")
        self.file_numbers = {}


def _truncated(path: str, size: int, what: str) -> RomError:
    return RomError(f"{path} is truncated: it is {size} bytes long, but {what}; dump it again.")


def _check_header(path: str, header: bytes, size: int) -> None:
    for magic, what in _OTHER_FILES:
        if header.startswith(magic):
            raise RomError(f"{path} is not a DS ROM: it is {what}.")
    if len(header) < _HEADER_SIZE:
        if header[:7] == b"POKEMON":
            raise _truncated(path, size, f"a DS ROM's header alone takes {_HEADER_SIZE}")
        raise RomError(f"{path} is not a DS ROM: it is only {size} bytes long.")
    if header[0xB2] == 0x96 and header[0xA0:0xAC].isascii() and header[3] == 0xEA:
        raise RomError(f"{path} is not a DS ROM: it is a Game Boy Advance ROM.")
    if header[0x100:0x104] == b"NCSD":
        raise RomError(f"{path} is not a DS ROM: it is a Nintendo 3DS ROM.")
    address, header_size = struct.unpack_from("<I", header, 0x28)[0], struct.unpack_from("<I", header, 0x84)[0]
    code = header[12:16]
    if not (
        address >> 22 == 0x02000000 >> 22 and 0x200 <= header_size <= 0x8000 and all(0x20 < c < 0x7F for c in code)
    ):
        raise RomError(f"{path} is not a DS ROM: its first bytes are no cartridge header.")


def _file_names(table: bytes, count: int) -> dict[str, int]:
    """Path -> file number, from the file name table: per folder a list of (length, name, folder number if bit 7)."""
    names: dict[str, int] = {}
    folders = struct.unpack_from("<H", table, 6)[0] if table else 0
    pending = [(0, "")] if folders else []
    seen: set[int] = set()
    while pending:
        folder, prefix = pending.pop()
        require(folder not in seen and folder < folders, f"folder {folder} is listed twice or does not exist")
        seen.add(folder)
        position, number = struct.unpack_from("<IH", table, 8 * folder)
        while length := table[position]:
            end = position + 1 + (length & 0x7F)
            name = prefix + table[position + 1 : end].decode("latin-1")
            position = end
            if length & 0x80:
                child = struct.unpack_from("<H", table, position)[0]
                pending.append((child & 0xFFF, name + "/"))
                position += 2
            else:
                require(number < count, f"{name} is file {number} of {count}")
                names[name] = number
                number += 1
    return names

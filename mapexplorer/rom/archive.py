"""NARC archives: numbered members, sliced on access; an archive is never copied as a whole.

Layout (GBATEK, "Nitro Archive"): a 16-byte header, then three blocks. BTAF: u16 count and (start, end) pairs; BTNF:
names, which are not read; GMIF: the data that the pairs point into. Members are padded to 4 bytes with 0xFF. A member
compressed with LZ10 or LZ11 (in ROM hacks) is unpacked on access.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, Generic, TypeVar

from formats.binary import FormatError, Reader
from mapexplorer.rom.compression import try_decompress
from mapexplorer.rom.source import ByteSource, MemorySource

File = TypeVar("File")

MAGIC: Final = b"NARC"
SUFFIX: Final = ".narc"
"""The file name extension of archives; a damaged or packed archive has no magic number."""
BACKUPS: Final = (".bak", ".backup")
"""The extensions of files beside unpacked members that editors do not pack."""


class Archive(ABC):
    """A numbered sequence of files. `path` is its path in the ROM; errors name members as `land_data.narc[123]`."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.name = path.rsplit("/", 1)[-1]

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def raw(self, index: int) -> bytes:
        """Member `index` as it is stored. Raises FormatError when the archive has no such member or it is outside the
        file."""

    def __getitem__(self, index: int) -> bytes:
        """Member `index`, unpacked if it is an LZ10 or LZ11 stream. Raises as `raw`."""
        data = self.raw(index)
        if data[:1] in (b"\x10", b"\x11"):
            return try_decompress(data) or data
        return data

    def made_of(self, index: int) -> object:
        """What member `index` is made of: members of two archives are equal where it is; None where only their bytes
        say so. Raises as `raw`."""
        return None

    def __iter__(self) -> Iterator[bytes]:
        return (self[index] for index in range(len(self)))

    def name_of(self, index: int) -> str:
        """The name of member `index` in the ROM: PATH#INDEX."""
        return f"{self.path}#{index}"

    def title(self, index: int) -> str:
        """The name of member `index` in errors: `name[index]`."""
        return f"{self.name}[{index}]"

    def reader(self, index: int) -> Reader:
        """A bounded reader of member `index` with its title as path."""
        return Reader(self[index], self.title(index))

    def _check(self, index: int) -> None:
        if not 0 <= index < len(self):
            raise FormatError(self.name, 0, f"a member number below {len(self)}", str(index))


class Narc(Archive):
    """An archive over the bytes of a NARC file, usually a part of the image; members are read when they are asked
    for."""

    def __init__(self, data: bytes | memoryview | ByteSource, path: str) -> None:
        super().__init__(path)
        source = data if isinstance(data, ByteSource) else MemorySource(data)
        header = Reader(source.read(0, 16), self.name)
        header.expect(0, MAGIC)
        header.need(0, 16, "a NARC header")
        position = header.u16(12)
        blocks: dict[bytes, tuple[int, int]] = {}
        for _ in range(header.u16(14)):
            row = Reader(source.read(position, 8), self.name, position)
            magic = row.bytes(0, 4, "a block header")
            size = row.u32(4)
            row.check(
                size >= 8 and position + size <= len(source),
                4,
                f"a block size from 8 to {len(source) - position}",
                size,
            )
            blocks.setdefault(magic, (position, size))
            position += size
        for magic in (b"BTAF", b"GMIF"):
            if magic not in blocks:
                header.fail(16, f"a {magic.decode()} block", b" ".join(blocks).decode("latin-1") or "none")
        start, size = blocks[b"BTAF"]
        table = Reader(source.read(start, size), self.name, start)
        self._count = table.u16(8)
        table.need(12, 8 * self._count, "member offsets")
        self._table = table
        start, size = blocks[b"GMIF"]
        self._data = source.part(start + 8, size - 8)

    def __len__(self) -> int:
        return self._count

    def span(self, index: int) -> tuple[int, int]:
        """First byte and end of a member, counted from the start of the archive's data. Raises FormatError when it is
        outside."""
        self._check(index)
        start, end = self._table.u32(12 + 8 * index), self._table.u32(16 + 8 * index)
        size = len(self._data)
        if not start <= end <= size:
            self._table.fail(12 + 8 * index, f"member {index} inside the {size} bytes of data", f"{start} to {end}")
        return start, end

    def raw(self, index: int) -> bytes:
        start, end = self.span(index)
        return self._data.read(start, end - start)


class FileArchive(Archive, Generic[File]):
    """Files as numbered members: those of a folder that an editor unpacked an archive into, loose files of a ROM that
    other games have in an archive, members of several archives. `read` gives the bytes of a file, `names` those of
    `name_of` and `title`, where they are not those of an archive at `path`, `made_of` what it is made of."""

    def __init__(
        self,
        path: str,
        files: Sequence[File],
        read: Callable[[File], bytes],
        names: Callable[[File], tuple[str, str]] | None = None,
        made_of: Callable[[File], object] = lambda file: None,
    ) -> None:
        super().__init__(path)
        self._files = files
        self._read = read
        self._names = names
        self._made_of = made_of

    def __len__(self) -> int:
        return len(self._files)

    def raw(self, index: int) -> bytes:
        self._check(index)
        return self._read(self._files[index])

    def made_of(self, index: int) -> object:
        return self._made_of(self._files[index])

    def name_of(self, index: int) -> str:
        if self._names is None:
            return super().name_of(index)
        self._check(index)
        return self._names(self._files[index])[0]

    def title(self, index: int) -> str:
        return super().title(index) if self._names is None else self._names(self._files[index])[1]


def loose_archive(paths: Sequence[str], read: Callable[[str], bytes]) -> FileArchive[str]:
    """Files of a ROM as an archive; errors name the files."""
    return FileArchive(paths[0], paths, read, lambda path: (path, path))


def joined_archives(archives: Sequence[Archive]) -> FileArchive[tuple[Archive, int]]:
    """The members of several archives, numbered on; errors name the archive that has the member."""
    members = [(archive, index) for archive in archives for index in range(len(archive))]
    return FileArchive(
        archives[0].path,
        members,
        lambda member: member[0].raw(member[1]),
        lambda member: (member[0].name_of(member[1]), member[0].title(member[1])),
    )


def folder_archive(folder: Path, path: str, read: Callable[[Path], bytes]) -> FileArchive[Path] | None:
    """The archive at a path that an editor unpacked into a folder of files named by their numbers (`0000`, `0001` ...).
    They are read by `read`; backups are not members, and a gap in the numbers closes up, as when they are packed. None
    when the folder is absent, empty or lacks number 0."""
    if not folder.is_dir():
        return None
    files = [file for file in folder.iterdir() if file.suffix not in BACKUPS and file.is_file()]
    numbered = {int(file.stem): file for file in files if file.stem.isdecimal()}
    return FileArchive(path, [numbered[index] for index in sorted(numbered)], read) if 0 in numbered else None


def build_archive(members: Iterable[bytes]) -> bytes:
    """A NARC file without names, laid out as the SDK's tool does: members padded to 4 bytes with 0xFF."""
    table = bytearray()
    data = bytearray()
    count = 0
    for member in members:
        start = len(data)
        data += member
        table += start.to_bytes(4, "little") + len(data).to_bytes(4, "little")
        data += b"\xff" * (-len(data) % 4)
        count += 1
    blocks = (
        b"BTAF" + (12 + len(table)).to_bytes(4, "little") + count.to_bytes(4, "little") + bytes(table),
        b"BTNF" + (16).to_bytes(4, "little") + (4).to_bytes(4, "little") + b"\0\0\1\0",
        b"GMIF" + (8 + len(data)).to_bytes(4, "little") + bytes(data),
    )
    body = b"".join(blocks)
    return MAGIC + b"\xfe\xff\x00\x01" + (16 + len(body)).to_bytes(4, "little") + b"\x10\0\3\0" + body

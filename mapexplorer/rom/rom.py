"""An opened ROM: its cartridge header, named files, archives, the ARM9 program and its overlays."""

from __future__ import annotations

import contextlib
import hashlib
import struct
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Self

from formats.binary import FormatError
from mapexplorer.caching import Cache, shared_property
from mapexplorer.rom.archive import MAGIC, SUFFIX, Archive, Narc
from mapexplorer.rom.compression import decompress_backward, try_decompress
from mapexplorer.rom.source import ByteSource, MemorySource, Stamp, changed_stamps

ARM9_ADDRESS = 0x02000000
MAIN_MEMORY = 0x400000
"""Bytes of the main memory of a DS, which holds the program and the overlays."""
_NITROCODE = bytes.fromhex("2106C0DEDEC00621")
_COMPRESSION_WORD = 0xBB4
"""The offset of the packed end in a program without the SDK's mark."""
_OVERLAY_RECORD = struct.Struct("<8I")


@dataclass(frozen=True)
class Overlay:
    """Code and data, unpacked, that the game loads at the RAM address `load_address` when it needs them."""

    number: int
    data: bytes
    load_address: int


@dataclass(frozen=True)
class OverlayRecord:
    """One row of the ARM9 overlay table: where an overlay is loaded, its unpacked size, whether it is stored packed."""

    number: int
    load_address: int
    size: int
    file_id: int
    compressed: bool


@dataclass(frozen=True)
class CartridgeHeader:
    """The fields of the cartridge header that identify the release: title, game code (`CPUE`), software version."""

    title: str
    code: str
    revision: int

    @classmethod
    def of(cls, data: bytes) -> Self:
        """Those of a header."""
        text = data.decode("latin-1")
        return cls(text[:12].split("\0")[0].strip(), text[12:16].strip("\0"), data[0x1E])


Origin = tuple[str, int]
"""A file and a line of it."""


class StatedTable(NamedTuple):
    """A table of the program that is a text: the bytes of its rows; where each stands, followed by where each of its
    fields does, if each has a place of its own."""

    data: bytes
    origins: tuple[tuple[Origin, ...], ...]


class RomPath(str):
    """The path of a ROM with what its user says about it; processes open the ROM again by it."""

    header_archive: str = ""

    @classmethod
    def of(cls, path: str, header_archive: str | None) -> str:
        """`path`, with the path in the ROM of the archive that has its map headers, if one was named."""
        if not header_archive:
            return path
        named = cls(path)
        named.header_archive = header_archive
        return named


class Rom(ABC):
    """A ROM in any form of storage. Paths are those of the game's file system (`fielddata/...`, a leading `/` is
    allowed). `layout` describes the storage; `notes` lists deviations that do no harm; `header_archive`: the archive
    of its map headers, where its user names one. Several threads may read from one."""

    layout: str
    header: CartridgeHeader
    laid_over: Callable[[str, Mapping[str, Any]], Mapping[str, Any]] | None = None
    """What puts names that the ROM has itself into the tables of its game, by the table's name."""
    project: str = ""
    """The folder of a project of DSPRE."""
    trimmed: int = 0
    """The bytes that a trimmer cut from the end of the last file, because they are 0xFF."""

    @property
    def edited(self) -> tuple[str, ...]:
        """The folders of a project that are read in place of archives."""
        return ()

    @property
    def newer_scripts(self) -> int:
        """The number of script files that a project has in a newer form, as text, which is not read."""
        return 0

    def __init__(self, path: str) -> None:
        self.path = path
        self.header_archive = path.header_archive if isinstance(path, RomPath) else ""
        self.notes: list[str] = []
        self._opened: dict[Path, Stamp] = {}
        self._archives: Cache[str, Archive] = Cache()
        self._overlays: Cache[int, Overlay | None] = Cache()

    @property
    def name(self) -> str:
        """The title in the cartridge header."""
        return self.header.title

    @property
    def code(self) -> str:
        """The game code in the cartridge header, for instance `CPUE`."""
        return self.header.code

    @property
    def revision(self) -> int:
        """The software version in the cartridge header."""
        return self.header.revision

    @property
    @abstractmethod
    def files(self) -> tuple[str, ...]:
        """The paths of all files, sorted, without a leading slash."""

    @abstractmethod
    def has(self, path: str) -> bool:
        """Whether there is a file (or an unpacked archive) at `path`."""

    @abstractmethod
    def source(self, path: str) -> ByteSource:
        """A file's bytes, not yet read. Raises RomError when it is missing, FormatError when it is outside the
        image."""

    @abstractmethod
    def _stored_arm9(self) -> ByteSource: ...

    @abstractmethod
    def overlay_records(self) -> tuple[OverlayRecord, ...]:
        """The ARM9 overlay table."""

    @abstractmethod
    def _stored_overlay(self, record: OverlayRecord) -> ByteSource | None: ...

    def file(self, path: str) -> bytes:
        """A file's bytes. Raises as `source`, RomChangedError when the ROM was written since it was opened."""
        return self.source(path).all()

    def size(self, path: str) -> int:
        """A file's size in bytes. Raises as `source`."""
        return len(self.source(path))

    def is_archive(self, path: str) -> bool:
        """Whether the file at `path` is a NARC by its magic number or its extension. Raises as `file`."""
        return path.endswith(SUFFIX) or self.source(path).read(0, len(MAGIC)) == MAGIC

    def archive(self, path: str) -> Archive:
        """The NARC at `path`; the same object each time. Raises RomError when it is missing, FormatError when it is not
        a NARC."""
        path = normal(path)
        return self._archives.get(path, self._open_archive, path)

    def _open_archive(self, path: str) -> Archive:
        source = self.source(path)
        if source.read(0, 1) in (b"\x10", b"\x11"):
            unpacked = try_decompress(source.all())
            return Narc(MemorySource(unpacked) if unpacked else source, path)
        return Narc(source, path)

    def arm9(self) -> bytes:
        """The ARM9 program, unpacked if it is stored as BLZ; its first byte is at RAM address 0x02000000."""
        return self._arm9

    @shared_property
    def _arm9(self) -> bytes:
        """The program, unpacked if the packed end in its parameters (before the SDK's mark, else at a fixed offset) is
        not 0."""
        stored = _program(self._stored_arm9(), f"{self.path}: ARM9 program")
        mark = stored.find(_NITROCODE, 0, 0x4000)
        place = mark - 8 if mark >= 8 else _COMPRESSION_WORD
        if place + 4 > len(stored):
            return stored
        end = int.from_bytes(stored[place : place + 4], "little") - ARM9_ADDRESS
        if not 0 < end <= len(stored):
            return stored
        try:
            return decompress_backward(stored[:end])
        except FormatError as error:
            self.notes.append(f"The ARM9 program is marked as packed but cannot be unpacked ({error}).")
            return stored

    def overlay(self, number: int) -> Overlay | None:
        """Overlay `number`, unpacked; None when the ROM has no such overlay."""
        return self._overlays.get(number, self._read_overlay, number)

    def _read_overlay(self, number: int) -> Overlay | None:
        record = next((record for record in self.overlay_records() if record.number == number), None)
        source = self._stored_overlay(record) if record else None
        if record is None or source is None:
            return None
        stored = _program(source, f"{self.path}: overlay {number}")
        # Editors may unpack an overlay without clearing its flag: a file of the loaded size is not packed, nor is one
        # of another size that cannot be unpacked.
        if record.compressed and len(stored) != record.size:
            with contextlib.suppress(FormatError):
                stored = decompress_backward(stored)
        return Overlay(number, stored, record.load_address)

    @property
    def unmade(self) -> frozenset[str]:
        """The files that the ROM would have if all of its texts were made into files."""
        return frozenset()

    def table(self, name: str) -> StatedTable | None:
        """A table of the program that the ROM has as text instead; None where it has the program. Raises FormatError
        for a text that cannot be read."""
        return None

    def origin(self, path: str, member: int | None = None, part: tuple[str | int, ...] = ()) -> Origin | None:
        """The text that a file, a member of an archive, or a part of it, by its path in the record, is made of; None
        for bytes, and for a part without a place of its own."""
        return None

    def text_file(self, name: str) -> Path | None:
        """Where a file of an `origin` is on disk; None where it is not."""
        return None

    def name_origin(self, constant: str) -> Origin | None:
        """Where a constant is defined."""
        return None

    def readable_overlay(self, number: int) -> Overlay | None:
        """`overlay`; None also for one that cannot be read."""
        try:
            return self.overlay(number)
        except FormatError:
            return None

    @property
    def unpacked_overlays(self) -> tuple[int, ...]:
        """The overlays that the overlay table calls packed, and whose files are not."""
        numbers = []
        for record in (record for record in self.overlay_records() if record.compressed):
            overlay, source = self.readable_overlay(record.number), self._stored_overlay(record)
            if overlay is not None and source is not None and len(overlay.data) == len(source):
                numbers.append(record.number)
        return tuple(numbers)

    def made_of(self, path: str) -> str:
        """What a file is made of, as text; empty for bytes."""
        return ""

    def state(self) -> bytes:
        """What tells all contents without reading them; empty where only they do."""
        return b""

    def program_state(self) -> bytes:
        """What tells the names of the files and the contents of the program, or of what is there instead."""
        digest = hashlib.sha1("\n".join(self.files).encode("utf-8", "surrogateescape"), usedforsecurity=False)
        for source in (self._stored_arm9(), *map(self._stored_overlay, self.overlay_records())):
            digest.update(b"" if source is None else source.all())
        return digest.digest()

    @property
    def problems(self) -> tuple[str, ...]:
        """What cannot be read any more of a ROM that was opened again, and is as it was before."""
        return ()

    @property
    def opened_stamps(self) -> dict[Path, Stamp]:
        """The stamps of the files and folders on disk that were read, as they were then."""
        return dict(self._opened)

    def changes(self, paths: Iterable[Path]) -> dict[Path, Stamp | None]:
        """Those of some files and folders that were written since they were read, with their present stamps."""
        return changed_stamps(self.opened_stamps, paths)

    def close(self) -> None:
        """Close the file. It stays open as long as archives of it are in use."""
        self._archives.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Rom {self.path}: {self.name} ({self.code})>"


def _program(source: ByteSource, name: str) -> bytes:
    if len(source) > MAIN_MEMORY:
        raise FormatError(name, 0, f"at most {MAIN_MEMORY} bytes, the main memory of a DS", f"{len(source)} bytes")
    return source.all()


def normal(path: str) -> str:
    """`path` in the spelling of the file table: forward slashes, none at the start."""
    return path.replace("\\", "/").lstrip("/")


def read_overlay_table(data: bytes) -> tuple[OverlayRecord, ...]:
    """The rows of an overlay table.

    32 bytes each: id, RAM address, RAM size, BSS size, constructors (2), file, packed size with a flag in bit 24.
    """
    return tuple(
        OverlayRecord(row[0], row[1], row[2], row[6], bool(row[7] >> 24 & 1))
        for row in _OVERLAY_RECORD.iter_unpack(data[: len(data) // 32 * 32])
    )

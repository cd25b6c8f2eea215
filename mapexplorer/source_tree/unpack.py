"""Writes a ROM as a folder of text files and pictures."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from formats.binary import FormatError
from mapexplorer.errors import RomError
from mapexplorer.games import Game, identify
from mapexplorer.kernels import FILES, prepare
from mapexplorer.rom import Rom, build_archive
from mapexplorer.rom.image import ImageRom
from mapexplorer.rom.image_parts import FILE_TABLE, ImagePart, ImageParts, split_image
from mapexplorer.source_tree import kept
from mapexplorer.source_tree.dangling import dangling_references
from mapexplorer.source_tree.folder import (
    FORMAT,
    IMAGE,
    README,
    VERSION,
    ImageDocument,
    PartRow,
    image_text,
    is_safe,
    is_unpacked,
    members_of,
    part_file,
)
from mapexplorer.source_tree.members import Member, MemberWriter, StoredForm, has_kind
from mapexplorer.source_tree.readme import readme_text
from mapexplorer.source_tree.replacement import finish, put, temporary
from mapexplorer.system.progress import Progress
from mapexplorer.system.workers import done_by
from mapexplorer.world.opening import open_rom

_CHUNK = 400_000
"""Bytes of members that a process takes at a time."""
_DIED = "A process that unpacked the ROM {}."


@dataclass
class Unpacked:
    """What was written: members by form, files, and the members whose text form would not give their own bytes."""

    forms: Counter[StoredForm] = field(default_factory=Counter)
    files: int = 0
    inexact: list[str] = field(default_factory=list)


_Chunk = list[tuple[Member, str]]
"""Members of one file of the ROM, with the names of their files without endings."""


_Written = tuple[StoredForm, int, bytes]
"""A member that was written: how, how many files, and their hash."""


def unpack(rom: Rom, folder: Path, *, replace: bool, jobs: int | None, progress: Progress) -> Unpacked:
    """Write an image as a folder, which must be absent or empty, or, with `replace`, unpacked before; other files in it
    stay. Nothing but a hidden folder is in `folder` until everything is written. `jobs` processes (default: one per
    core; 1: none are started). Raises RomError, FormatError, OSError."""
    if not isinstance(rom, ImageRom):
        raise RomError(f"{rom.path} is no image: only an .nds image can be unpacked.")
    if folder.is_dir():
        finish(folder)
    _check_target(folder, replace)
    game = identify(rom)
    parts = split_image(rom)
    for part in parts.parts:
        if not is_safe(part.name):
            raise RomError(f"{rom.path} has a file whose name no folder can have: {part.name!r}.")
    with temporary(folder) as target:
        rows = tuple(_row(rom, game, part) for part in parts.parts)
        result, keep = _write_members(rom, rows, target, jobs, progress)
        _write_parts(parts, target)
        _write(target / IMAGE, image_text(_document(rom, game, parts, rows)).encode())
        _write(target / README, readme_text(rom, game, result.forms, result.inexact).encode())
        put(target, folder)
    kept.save(folder, keep)
    return result


def _check_target(folder: Path, replace: bool) -> None:
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if not folder.is_dir():
        raise RomError(f"{folder} is a file; name a folder.")
    if not is_unpacked(folder):
        raise RomError(f"{folder} is not empty and was not made by unpacking; name another folder.")
    if not replace:
        raise RomError(
            f"{folder} is an unpacked ROM already; --replace writes it anew, without the changes that were made in it."
        )


def _row(rom: ImageRom, game: Game, part: ImagePart) -> PartRow:
    return PartRow(part.name, part.file, _members(rom, game, part), part.start, part.tail.hex())


def _members(rom: ImageRom, game: Game, part: ImagePart) -> int | None:
    """The number of members of a part that becomes a folder: of an archive with a member of a known format, which is
    stored as archives usually are; None for other parts."""
    path = part.name.removeprefix("/")
    if not part.name.startswith("/") or not part.data.startswith(b"NARC"):
        return None
    try:
        archive = rom.archive(path)
        members = [archive.raw(index) for index in range(len(archive))]
    except FormatError:
        return None
    known = any(has_kind(game, Member(path, index), data) for index, data in enumerate(members))
    return len(members) if known and build_archive(members) == part.data else None


def _document(rom: Rom, game: Game, parts: ImageParts, rows: tuple[PartRow, ...]) -> ImageDocument:
    try:
        dangling = tuple(dict.fromkeys(reference.key for reference in dangling_references(rom)))
    except (FormatError, RomError):
        dangling = None
    end = (parts.size, parts.fill, parts.used_size, parts.counts_all)
    return ImageDocument(FORMAT, VERSION, game.name, *end, dangling, rows)


def _write_parts(parts: ImageParts, target: Path) -> None:
    """Write what is not in the ROM's file system; the file table is made anew when the folder is packed."""
    _write(target / part_file("header"), parts.header)
    for part in parts.parts:
        if not part.name.startswith("/") and part.name != FILE_TABLE:
            _write(target / part_file(part.name), part.data)


def _write_members(
    rom: ImageRom, rows: Sequence[PartRow], target: Path, jobs: int | None, progress: Progress
) -> tuple[Unpacked, list[tuple[bytes, bytes]]]:
    """Write the files of the ROM. The result has what is kept for packing, too."""
    chunks = [chunk for row, members in members_of(rows) for chunk in _chunks(rom, row, members)]
    jobs = min(jobs or os.cpu_count() or 1, len(chunks))
    by_chunk: dict[int, list[_Written]] = {}
    prepare(FILES)  # once, and not in every process
    for index, written in done_by(_writer(rom, target), chunks, jobs, _begin, (rom.path, str(target)), _DIED):
        by_chunk[index] = written
        progress.report(len(by_chunk), len(chunks), chunks[index][0][0].path)
    result = Unpacked()
    keep = []
    for index in range(len(chunks)):
        for (member, _), (form, files, key) in zip(chunks[index], by_chunk[index], strict=True):
            result.forms[form] += 1
            result.files += files
            if form is StoredForm.INEXACT:
                result.inexact.append(member.name)
            if form is StoredForm.TEXT:
                keep.append((key, _stored(rom, member)))
    return result, keep


def _chunks(rom: ImageRom, row: PartRow, members: _Chunk) -> Iterator[_Chunk]:
    size = max(rom.size(row.name), 1)
    step = max(1, len(members) * _CHUNK // size)
    for first in range(0, len(members), step):
        yield members[first : first + step]


def _begin(path: str, target: str) -> Callable[[_Chunk], list[_Written]]:
    return _writer(open_rom(path), Path(target))


def _writer(rom: Rom, target: Path) -> Callable[[_Chunk], list[_Written]]:
    """What writes the members of a chunk."""
    writer = MemberWriter(rom, identify(rom))
    folders: set[Path] = set()

    def write(chunk: _Chunk) -> list[_Written]:
        written = []
        for member, stem in chunk:
            form, files = writer.files(member, stem, _stored(rom, member))
            for name, data in files.items():
                _write(target / name, data, folders)
            written.append((form, len(files), kept.digest(files)))
        return written

    return write


def _stored(rom: Rom, member: Member) -> bytes:
    return rom.file(member.path) if member.number is None else rom.archive(member.path).raw(member.number)


def _write(path: Path, data: bytes, folders: set[Path] | None = None) -> None:
    """Write a file of the temporary folder; `folders` are those that exist."""
    if folders is None or path.parent not in folders:
        path.parent.mkdir(parents=True, exist_ok=True)
        if folders is not None:
            folders.add(path.parent)
    path.write_bytes(data)

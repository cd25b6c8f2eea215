"""Makes an image of an unpacked folder. Only members whose files changed since the last time are encoded."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from formats.binary import FormatError
from formats.field.trainer import Trainer
from mapexplorer.errors import RomError, SourceError
from mapexplorer.export.files import write_atomically
from mapexplorer.games import GAMES, Game, Role
from mapexplorer.json_lines import line_of, read_json, read_text
from mapexplorer.kernels import FILES, prepare
from mapexplorer.rom import build_archive
from mapexplorer.rom.folder import leads_into
from mapexplorer.rom.image import ImageRom
from mapexplorer.rom.image_parts import FILE_TABLE, ImagePart, ImageParts, join_image
from mapexplorer.rom.source import LARGEST as LARGEST_ROM
from mapexplorer.rom.source import MemorySource
from mapexplorer.source_tree import kept
from mapexplorer.source_tree.dangling import check_references
from mapexplorer.source_tree.documents import JSON
from mapexplorer.source_tree.folder import (
    DATA,
    IMAGE,
    LARGEST,
    ImageDocument,
    PartRow,
    game_of,
    is_data,
    members_of,
    part_file,
    read_image,
    read_limited,
    stem_of,
)
from mapexplorer.source_tree.members import BYTES, Member, MemberReader, main_file
from mapexplorer.source_tree.replacement import finish
from mapexplorer.system.progress import Progress
from mapexplorer.system.workers import done_by

_MOST_ALONE = 40
"""Changed members that are encoded without other processes."""
_MOST_MEMBERS = 1 << 18
"""Members that are looked for where there are fewer files."""
_CHUNK = 24
_DIED = "A process that packed the folder {}."


@dataclass(frozen=True)
class Packed:
    """What was packed: bytes of the image, members that were encoded, members that were as before, files of `data/`
    that belong to no member."""

    size: int
    encoded: int
    kept: int
    unused: tuple[str, ...]


@dataclass(frozen=True)
class _Task:
    """A member with its files."""

    member: Member
    stem: str
    files: tuple[str, ...]


def pack(folder: Path, output: Path, *, check: bool = True, jobs: int | None, progress: Progress) -> Packed:
    """Make an image of a folder. `check`: references must lead to something, but those that did not when the ROM was
    unpacked. `jobs` processes (default: one per core; 1: none are started). Nothing is written unless everything can be
    packed. Raises SourceError and other RomError, OSError."""
    finish(folder)
    if not (folder / IMAGE).is_file():
        raise RomError(f"{folder} is no unpacked ROM: it has no {IMAGE}; `unpack` makes one.")
    document = read_image(folder)
    game = game_of(document)
    tasks, unused = _tasks(folder, document)
    before = kept.load(folder)
    members: dict[Member, bytes] = {}
    keys: dict[Member, bytes] = {}
    changed: list[_Task] = []
    size = 0
    for task in tasks:
        main = main_file(task.member, task.stem, dict.fromkeys(task.files))
        if main in (task.stem, f"{task.stem}{BYTES}"):
            members[task.member] = read_limited(folder, main)
            size += len(members[task.member])
            _check_size(size)
            continue
        key = keys[task.member] = kept.digest({name: read_limited(folder, name, LARGEST) for name in task.files})
        if key in before:
            members[task.member] = before[key]
        else:
            changed.append(task)
    for done, (task, data) in enumerate(_encode(folder, game, changed, jobs), 1):
        members[task.member] = data
        progress.report(done, len(changed), task.member.name)
    _check_parties(folder, game, tasks, members)
    image = join_image(_parts(folder, document, members))
    _check_size(len(image))
    if check and document.dangling is not None:
        check_references(ImageRom(str(output), MemorySource(image)), folder, document.dangling)
    progress.check()
    write_atomically(output, image)
    if changed or len(before) != len(set(keys.values())):
        kept.save(folder, [(key, members[member]) for member, key in keys.items()])
    return Packed(len(image), len(changed), len(keys) - len(changed), unused)


def _check_size(size: int) -> None:
    if size > LARGEST_ROM:
        raise SourceError(IMAGE, None, f"its parts have {size:,} bytes, the largest cartridge has {LARGEST_ROM:,}")


def _check_parties(folder: Path, game: Game, tasks: Sequence[_Task], members: Mapping[Member, bytes]) -> None:
    """The text of a party says the form that the record of its trainer says, in which the game reads it. Raises
    SourceError."""
    parties = game.path(Role.TRAINER_PARTIES)
    for task in tasks:
        file = f"{task.stem}{JSON}"
        trainer = Member(game.path(Role.TRAINERS), task.member.number)
        if task.member.path != parties or file not in task.files or trainer not in members:
            continue
        text = read_text(file, read_limited(folder, file, LARGEST))
        party = read_json(file, text)["value"]
        try:
            form = Trainer.from_bytes(members[trainer]).party_form
        except FormatError as error:
            raise SourceError(stem_of(trainer), None, str(error)) from None
        for name, needed in form._asdict().items():
            if party[name] != needed:
                raise SourceError(
                    file, line_of(text, f"value.{name}"), f"{trainer.name} says that {name} is {json.dumps(needed)}"
                )


def _tasks(folder: Path, document: ImageDocument) -> tuple[list[_Task], tuple[str, ...]]:
    """The members in the order of the image, and the files that belong to none."""
    names = list(_files(folder))
    wanted = sum(1 if row.members is None else row.members for row in document.parts if is_data(row))
    if wanted > max(len(names), _MOST_MEMBERS):
        raise SourceError(IMAGE, None, f"{wanted:,} members need as many files; there are {len(names):,}")
    stems = {stem: member for _, members in members_of(document.parts) for member, stem in members}
    files: dict[str, list[str]] = defaultdict(list)
    unused = []
    for name in names:
        stem = next((prefix for prefix in _stems(name) if prefix in stems), None)
        if stem is None:
            unused.append(name)
        else:
            files[stem].append(name)
    tasks = [_Task(member, stem, tuple(sorted(files[stem]))) for stem, member in stems.items()]
    return tasks, tuple(sorted(unused))


def _files(folder: Path) -> Iterator[str]:
    """The files below `data/`, without hidden ones and those in folders that are links. Raises SourceError."""
    if not leads_into(folder / DATA, folder):
        raise SourceError(DATA, None, "this is a link to something outside the folder")
    for place, folders, names in os.walk(folder / DATA):
        folders[:] = [name for name in folders if not name.startswith(".")]
        prefix = Path(place).relative_to(folder).as_posix()
        for name in names:
            if not name.startswith("."):
                yield f"{prefix}/{name}"


def _stems(name: str) -> Iterator[str]:
    """What the files of a member may have in front of their endings or folder, the longest first."""
    yield name
    for at in range(len(name) - 1, 0, -1):
        if name[at] in "./":
            yield name[:at]


def _parts(folder: Path, document: ImageDocument, members: Mapping[Member, bytes]) -> ImageParts:
    parts = []
    size = 0
    for row in document.parts:
        data = _part_bytes(folder, row, members)
        size += len(data)
        _check_size(size)
        parts.append(ImagePart(row.name, data, row.file, row.start, bytes.fromhex(row.tail)))
    header = read_limited(folder, part_file("header"))
    if len(header) < 0x200:
        raise SourceError(part_file("header"), None, f"a cartridge header has at least 512 bytes, not {len(header)}")
    return ImageParts(header, tuple(parts), document.size, document.fill, document.used_size, document.counts_all)


def _part_bytes(folder: Path, row: PartRow, members: Mapping[Member, bytes]) -> bytes:
    if row.name == FILE_TABLE:
        return b""
    if not is_data(row):
        return read_limited(folder, part_file(row.name))
    path = row.name.removeprefix("/")
    if row.members is None:
        return members[Member(path)]
    return build_archive([members[Member(path, number)] for number in range(row.members)])


def _encode(folder: Path, game: Game, tasks: Sequence[_Task], jobs: int | None) -> Iterator[tuple[_Task, bytes]]:
    """The bytes of members. Of several that cannot be encoded, the first one's error is raised."""
    if not tasks:
        return
    prepare(FILES)  # once, and not in every process
    jobs = min(jobs or os.cpu_count() or 1, len(tasks)) if len(tasks) > _MOST_ALONE else 1
    size = _CHUNK if jobs > 1 else 1
    chunks = [tuple(tasks[at : at + size]) for at in range(0, len(tasks), size)]
    errors: dict[int, SourceError] = {}
    encode = _encoder(str(folder), game.name)
    for index, result in done_by(encode, chunks, jobs, _encoder, (str(folder), game.name), _DIED):
        if isinstance(result, SourceError):
            errors[index] = result
            if jobs <= 1:
                break
        else:
            yield from zip(chunks[index], result, strict=True)
    if errors:
        raise errors[min(errors)]


def _encoder(folder: str, game: str) -> Callable[[Sequence[_Task]], list[bytes] | SourceError]:
    """What gives the bytes of members, or the error of the first that cannot be encoded."""
    reader = MemberReader(next(known for known in GAMES if known.name == game))

    def encode(tasks: Sequence[_Task]) -> list[bytes] | SourceError:
        try:
            return [reader.packed(task.member, task.stem, _files_of(Path(folder), task)) for task in tasks]
        except SourceError as error:
            return error

    return encode


def _files_of(folder: Path, task: _Task) -> dict[str, Callable[[], bytes]]:
    """Name -> the bytes of a file of a member, read when they are asked for."""
    return {name: partial(read_limited, folder, name, LARGEST) for name in task.files}

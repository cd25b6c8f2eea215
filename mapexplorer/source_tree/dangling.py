"""References of the field data to what a ROM does not have, by the member that holds them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from formats.binary import FormatError
from mapexplorer.errors import RomError, SourceError
from mapexplorer.games import Role
from mapexplorer.json_lines import line_of
from mapexplorer.rom import Rom
from mapexplorer.source_tree.documents import JSON
from mapexplorer.source_tree.folder import part_file, stem_of
from mapexplorer.source_tree.members import BYTES, SCRIPT, Member
from mapexplorer.world.references.reference_check import Rows, counted, followed, missing_warps, party_fault
from mapexplorer.world.references.references import PROGRAM_TABLES, REFERENCES, known
from mapexplorer.world.sources.files import WorldFiles
from mapexplorer.world.sources.provenance import ARM9
from mapexplorer.world.subject import ReferencePart

_PROGRAM = Member(ARM9)
_IN_PROGRAM = ("header", *PROGRAM_TABLES)
"""The kinds of things in tables of the program whose references are followed."""


class Dangling(NamedTuple):
    """A number in a member that names nothing: the number (None: of a warp), what is wrong, and the part of the member
    that holds it."""

    member: Member
    number: int | None
    what: str
    where: ReferencePart | None

    @property
    def key(self) -> str:
        """What is the same while the reference dangles, also when other files change."""
        return f"{self.member.name}: {self.what if self.number is None else self.number}"


def dangling_references(rom: Rom) -> Iterator[Dangling]:
    """All references of members that lead nowhere and that the game does not tolerate, then those of tables of items in
    the program. Members that cannot be read are left out. Raises FormatError, RomError when the ROM has no readable map
    headers."""
    world = WorldFiles(rom)
    for role in dict.fromkeys(reference.file for reference in REFERENCES if reference.checked):
        rows = counted(world, [reference for reference in REFERENCES if reference.checked and reference.file is role])
        if role is not None and world.has(role):
            for number, member in enumerate(_members(world, role)):
                users = [number]
                if role is Role.ZONE_EVENT:
                    users = [header.id for header in world.headers if header.events == number][:1]
                yield from _of_users(world, member, rows, users)
    for kind in _IN_PROGRAM:
        rows = counted(
            world,
            [
                reference
                for reference in REFERENCES
                if reference.checked and reference.file is None and reference.user == kind
            ],
        )
        yield from _of_users(world, _PROGRAM, rows, known(world, kind) or ())


def check_references(rom: Rom, folder: Path, accepted: Collection[str]) -> None:
    """Raise SourceError for the first reference of a packed ROM that leads nowhere and whose key is not accepted."""
    try:
        added = next((reference for reference in dangling_references(rom) if reference.key not in accepted), None)
    except FormatError as error:
        raise RomError(f"The packed ROM could not be opened: {error}") from None
    if added is not None:
        file = _file(folder, added.member)
        raise SourceError(file, _line(folder / file, added), added.what)


def _members(world: WorldFiles, role: Role) -> Iterator[Member]:
    """The members of a role by their numbers, which several archives or loose files may have together."""
    for path in world.game.files[role].paths:
        if world.rom.is_archive(path):
            yield from (Member(path, index) for index in range(len(world.rom.archive(path))))
        else:
            yield Member(path)


def _of_users(world: WorldFiles, member: Member, rows: Rows, users: Iterable[int]) -> Iterator[Dangling]:
    """The references of things that a member holds, up to what cannot be read."""
    with suppress(FormatError, RomError):
        for user in users:
            size_fault = party_fault(world, user) if rows[0][0].file is Role.TRAINER_PARTIES else None
            if size_fault is not None:
                yield Dangling(member, None, size_fault, ReferencePart("pokemon", path=("pokemon",)))
            for reference, named, where, fault in followed(world, rows, user):
                if fault is not None and not fault.tolerated:
                    title = "" if reference.file else f"{reference.user} {user}: "
                    yield Dangling(member, named, f"{title}{fault.what}", where)
            if rows[0][0].file is Role.ZONE_EVENT:
                for index, what in missing_warps(world, user):
                    yield Dangling(member, None, what, ReferencePart("warp", path=("warps", index)))


def _file(folder: Path, member: Member) -> str:
    """The file of a member in a folder."""
    stem = stem_of(member)
    texts = (name for name in (f"{stem}{JSON}", f"{stem}{SCRIPT}") if (folder / name).is_file())
    return part_file(ARM9) if member == _PROGRAM else next(texts, stem if member.number is None else f"{stem}{BYTES}")


def _line(file: Path, reference: Dangling) -> int | None:
    """The line of a reference: that of its field or record, else the first one with its command and number; None in a
    file of bytes."""
    if file.suffix not in (JSON, SCRIPT):
        return None
    text, where = file.read_text("utf-8"), reference.where
    if where is not None and where.path:
        steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in where.path)
        return line_of(text, f"value{''.join(steps)}")
    number = rf"[^;\n]*?(?<![\w.])(?:{reference.number}|0x0*{reference.number or 0:x})(?![\w.])"
    command = rf"{where.name}\b" if where is not None and where.kind == "command" else ""
    matches = (re.search(rf"^[ \t]*{name}{number}", text, re.MULTILINE | re.IGNORECASE) for name in (command, ""))
    match = next(filter(None, matches), None)
    return None if match is None else text.count("\n", 0, match.end()) + 1

"""References of the field data to what a ROM does not have, by the member that holds them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from formats.binary import FormatError
from mapexplorer.errors import RomError
from mapexplorer.games import Role
from mapexplorer.rom import Rom
from mapexplorer.source_tree.documents import JSON
from mapexplorer.source_tree.errors import SourceError
from mapexplorer.source_tree.folder import stem_of
from mapexplorer.source_tree.json_lines import line_of
from mapexplorer.source_tree.members import Member
from mapexplorer.world.files import WorldFiles
from mapexplorer.world.reference_check import fault, missing_warps
from mapexplorer.world.references import REFERENCES, ReferencePart

_RECORDS = {"warp": "warps", "object": "objects"}
"""Kind of a part that holds a reference -> the records of an event file."""


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
    """All references of members that lead nowhere and that the game does not tolerate. Members that cannot be read are
    left out. Raises FormatError, RomError when the ROM has no readable map headers."""
    world = WorldFiles(rom)
    for role in dict.fromkeys(reference.file for reference in REFERENCES if reference.checked):
        if role is None or not world.has(role):
            continue
        for number, member in enumerate(_members(world, role)):
            try:
                yield from _of_member(world, role, number, member)
            except (FormatError, RomError):
                continue


def check_references(rom: Rom, folder: Path, known: Collection[str]) -> None:
    """Raise SourceError for the first reference of a packed ROM that leads nowhere and whose key is not known."""
    try:
        found = next((one for one in dangling_references(rom) if one.key not in known), None)
    except FormatError as error:
        raise RomError(f"The packed ROM could not be opened: {error}") from None
    if found is not None:
        file = f"{stem_of(found.member)}{JSON}"
        raise SourceError(file, _line(folder / file, found), found.what)


def _members(world: WorldFiles, role: Role) -> Iterator[Member]:
    """The members of a role by their numbers, which several archives or loose files may have together."""
    for path in world.game.files[role].paths:
        if world.rom.is_archive(path):
            yield from (Member(path, index) for index in range(len(world.rom.archive(path))))
        else:
            yield Member(path)


def _of_member(world: WorldFiles, role: Role, number: int, member: Member) -> Iterator[Dangling]:
    users = [number]
    if role is Role.ZONE_EVENT:
        users = [header.id for header in world.headers if header.events == number][:1]
    for user in users:
        for reference in REFERENCES:
            if reference.checked and reference.file is role:
                for named, where in reference.found(world, user):
                    found = fault(world, reference, named)
                    if found is not None and not found.tolerated:
                        yield Dangling(member, named, found.what, where)
        if role is Role.ZONE_EVENT:
            for index, what in missing_warps(world, user):
                yield Dangling(member, None, what, ReferencePart("warp", (index,)))


def _line(file: Path, found: Dangling) -> int | None:
    """The line of a reference: that of its record, else the first one with its number."""
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return None  # the member is stored as bytes
    if found.where is not None and found.where.kind in _RECORDS:
        return line_of(text, f"value.{_RECORDS[found.where.kind]}.values[{found.where.key[0]}]")
    match = re.search(rf"(?<![\w.]){found.number}(?![\w.])", text)
    return None if match is None else text.count("\n", 0, match.start()) + 1

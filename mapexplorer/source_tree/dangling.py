"""References of changed members to what a packed ROM does not have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from formats.binary import FormatError
from mapexplorer.errors import RomError
from mapexplorer.games import Role
from mapexplorer.rom import Rom
from mapexplorer.source_tree.documents import JSON
from mapexplorer.source_tree.errors import SourceError
from mapexplorer.source_tree.json_lines import line_of
from mapexplorer.source_tree.members import Member
from mapexplorer.world.files import WorldFiles
from mapexplorer.world.reference_check import fault, missing_warps
from mapexplorer.world.references import REFERENCES, ReferencePart

_RECORDS = {"warp": "warps", "object": "objects"}
"""Kind of a part that holds a reference -> the records of an event file."""


class Dangling(NamedTuple):
    """A number in the file of a member that names nothing: what is wrong, and the part of the member."""

    number: int | None
    what: str
    where: ReferencePart | None


def check_references(rom: Rom, folder: Path, changed: Iterable[tuple[Member, str]]) -> None:
    """Raise SourceError for the first of the changed members, given with their files' names without endings, that
    refers to something that the packed ROM does not have."""
    try:
        world = WorldFiles(rom)
    except FormatError as error:
        raise RomError(f"The packed ROM could not be opened: {error}") from None
    for member, stem in changed:
        role = world.game.role(member.path)
        if role is None or member.number is None:
            continue
        try:
            found = next(_dangling(world, role, member.number), None)
        except FormatError:
            continue  # of another member, which `verify` reports
        if found is not None:
            file = f"{stem}{JSON}"
            raise SourceError(file, _line(folder / file, found), found.what)


def _dangling(world: WorldFiles, role: Role, member: int) -> Iterator[Dangling]:
    numbers = [member]
    if role is Role.ZONE_EVENT:
        numbers = [header.id for header in world.headers if header.events == member][:1]
    for reference in REFERENCES:
        if not reference.checked or reference.file is not role:
            continue
        for number in numbers:
            for named, where in reference.found(world, number):
                found = fault(world, reference, named)
                if found is not None and not found.tolerated:
                    yield Dangling(named, found.what, where)
    if role is Role.ZONE_EVENT:
        for number in numbers:
            for index, what in missing_warps(world, number):
                yield Dangling(None, what, ReferencePart("warp", (index,)))


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

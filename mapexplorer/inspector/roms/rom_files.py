"""The files of a ROM and the members of its archives, with the things that they are."""

from __future__ import annotations

from dataclasses import dataclass

from formats.binary import FormatError
from mapexplorer.catalogue.names import props
from mapexplorer.errors import RomError
from mapexplorer.export.extract import member_kinds
from mapexplorer.games import Role
from mapexplorer.inspector.describe import DESCRIBERS
from mapexplorer.rom import Rom
from mapexplorer.rom.archive import Archive
from mapexplorer.world import FieldWorld
from mapexplorer.world.subject import Subject, subject


@dataclass(frozen=True)
class ListedFile:
    """A file, or a member of an archive."""

    path: str
    """That of the file."""
    size: int
    """In bytes; of a damaged member -1."""
    members: int | None = None
    """Of an archive the number of its members."""
    problem: str = ""
    """Why it cannot be read."""
    number: int | None = None
    """The number of a member; None: a file."""
    thing: Subject | None = None
    """The thing that a member is and that can be shown."""
    name: str = ""
    """The name of that thing."""

    @property
    def address(self) -> str:
        """PATH, of a member PATH#NUMBER."""
        return self.path if self.number is None else f"{self.path}#{self.number}"


def list_files(rom: Rom) -> tuple[ListedFile, ...]:
    """All files, sorted by path."""
    return tuple(_listed(rom, path) for path in rom.files)


def _listed(rom: Rom, path: str) -> ListedFile:
    size = 0
    try:
        size = rom.size(path)
        return ListedFile(path, size, len(rom.archive(path)) if size and rom.is_archive(path) else None)
    except (FormatError, RomError) as error:
        return ListedFile(path, size, None, str(error))


def list_members(world: FieldWorld, path: str) -> tuple[ListedFile, ...]:
    """The members of an archive. Raises RomError, FormatError."""
    archive, kind = world.rom.archive(path), member_kinds(world).get(path, "")
    names = {key[0]: name for name, key in props(world)} if kind == "prop" else {}
    things = {number: subject(kind, number) for number in range(len(archive)) if kind in DESCRIBERS}
    names |= {number: code for (archive_path, number), code in world.code_members.items() if archive_path == path}
    if path == world.path(Role.SPRITES):
        graphics = reversed(world.object_graphics.value.items())
        things |= {member: subject("object graphics", number) for number, member in graphics}
    return tuple(
        ListedFile(path, _size(archive, number), None, "", number, things.get(number), names.get(number, ""))
        for number in range(len(archive))
    )


def _size(archive: Archive, number: int) -> int:
    """The bytes of a member; -1 for a damaged one."""
    try:
        return len(archive.raw(number))
    except FormatError:
        return -1

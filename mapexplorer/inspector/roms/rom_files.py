"""The files of a ROM and the members of its archives, with the things that they are."""

from __future__ import annotations

from dataclasses import dataclass

from formats.binary import FormatError
from mapexplorer.catalogue.names import props
from mapexplorer.errors import RomError
from mapexplorer.export.extract import member_kinds
from mapexplorer.games import Role
from mapexplorer.inspector.describe import DESCRIBERS
from mapexplorer.rom.archive import Archive
from mapexplorer.world import FieldWorld
from mapexplorer.world.subject import Subject, subject


@dataclass(frozen=True)
class ListedFile:
    """A file: its path, its size in bytes, of an archive the number of members; `problem`: why it cannot be read."""

    path: str
    size: int
    members: int | None = None
    problem: str = ""


@dataclass(frozen=True)
class ListedMember:
    """A member of an archive: its number, its size in bytes, the thing that it is and that can be shown, its name."""

    path: str
    number: int
    size: int
    thing: Subject | None = None
    name: str = ""

    @property
    def address(self) -> str:
        """PATH#NUMBER."""
        return f"{self.path}#{self.number}"


def list_files(world: FieldWorld) -> tuple[ListedFile, ...]:
    """All files, sorted by path."""
    return tuple(_listed(world, path) for path in world.rom.files)


def _listed(world: FieldWorld, path: str) -> ListedFile:
    rom, size = world.rom, 0
    try:
        size = rom.size(path)
        return ListedFile(path, size, len(rom.archive(path)) if rom.is_archive(path) else None)
    except (FormatError, RomError) as error:
        return ListedFile(path, size, None, str(error))


def list_members(world: FieldWorld, path: str) -> tuple[ListedMember, ...]:
    """The members of an archive. Raises RomError, FormatError."""
    archive, kind = world.rom.archive(path), member_kinds(world).get(path, "")
    names = {key[0]: name for name, key in props(world)} if kind == "prop" else {}
    things = {number: subject(kind, number) for number in range(len(archive)) if kind in DESCRIBERS}
    if path == world.path(Role.SPRITES):
        graphics = reversed(world.object_graphics.value.items())
        things |= {member: subject("object graphics", number) for number, member in graphics}
    return tuple(
        ListedMember(path, number, _size(archive, number), things.get(number), names.get(number, ""))
        for number in range(len(archive))
    )


def _size(archive: Archive, number: int) -> int:
    """The bytes of a member; -1 for a damaged one."""
    try:
        return len(archive.raw(number))
    except FormatError:
        return -1

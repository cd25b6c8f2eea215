"""The source tree of a decompilation as a ROM."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from formats.remembered import remembered
from mapexplorer.caching import shared_property
from mapexplorer.decomp.constants import HEADERS, name_lists
from mapexplorer.decomp.files import FolderFiles, TreeFiles
from mapexplorer.decomp.listing import TABLES, MemberSource, TreeListing
from mapexplorer.decomp.members import TreeMembers
from mapexplorer.decomp.records import Part
from mapexplorer.decomp.revisions import RevisionFiles, revision_files
from mapexplorer.errors import RomError, SourceError
from mapexplorer.games import Role
from mapexplorer.games.platinum import PLATINUM
from mapexplorer.rom import (
    Archive,
    ByteSource,
    CartridgeHeader,
    FileArchive,
    MemorySource,
    OverlayRecord,
    Rom,
    Stamp,
    build_archive,
)
from mapexplorer.rom.rom import Origin, StatedTable, normal

_LIST: Final = f"generated/{HEADERS}.txt"
"""The list that every tree has."""
_MACHINES: Final = "MACHINES"
_LISTS: Final = (".txt", ".order", ".h", ".c", ".inc", ".csv", ".ini", "meson.build")
"""How the files end that have names of things, tables of the program, and what tells which members there are."""
_COMMIT: Final = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")
_SETTING: Final = re.compile(r"^(title|serial|revision)\s*=\s*(.*?)\s*$", re.MULTILINE)


class TreeRom(Rom):
    """A tree as the ROM that its build would make: the files that its table names, of which each is a file of the tree,
    or an archive whose members are made of their sources."""

    _new_notes: Sequence[str] = ()

    def __init__(self, files: TreeFiles, table: str, earlier: TreeRom | None = None) -> None:
        """`table` is the path of the table of files. `earlier`: the same tree before files of it were changed; members
        that cannot be read any more are those that it had. Raises SourceError for a table that cannot be read."""
        super().__init__(files.name)
        self.tree = files
        self._opened = files.stamps
        same_lists = earlier is not None and earlier.listing.names.follow(files)
        kept = earlier.listing if earlier is not None and same_lists else None
        self.listing: TreeListing = kept or TreeListing(files, PLATINUM, table)
        self.members = TreeMembers(self.listing)
        self.laid_over = self.listing.laid_over
        self.header = self._cartridge_header(table.rpartition("/")[0])
        commit = commit_of(files)
        self.layout = f"source tree, commit {commit[:9]}" if commit else "source tree"
        self.notes += map(str, self.listing.names.problems())
        if earlier is not None:
            self._new_notes = [note for note in self.notes if note not in earlier.notes]
            self.members.follow(earlier.members)

    @property
    def problems(self) -> tuple[str, ...]:
        return (*self._new_notes, *dict.fromkeys(self.members.problems.values()))

    def changes(self, paths: Iterable[Path]) -> dict[Path, Stamp | None]:
        return self.tree.changes(paths)

    def _cartridge_header(self, folder: str) -> CartridgeHeader:
        """What the settings of the last revision say."""
        files = sorted(name for name in self.tree.names(folder) if name.endswith(".ini"))
        text = self.tree.text(f"{folder}/{files[-1]}") if files else ""
        values = dict(reversed(_SETTING.findall(text)))  # the first of each
        revision = values.get("revision", "0")
        return CartridgeHeader(
            values.get("title", ""), values.get("serial", ""), int(revision) if revision.isdecimal() else 0
        )

    @shared_property
    def files(self) -> tuple[str, ...]:
        return tuple(sorted(filter(self.has, self.listing.rows)))

    @remembered
    def _made_from(self, path: str) -> str | tuple[MemberSource, ...]:
        """The file of the tree that a file of the ROM is, else the sources of the members of an archive, else what a
        build has made; empty without any."""
        if self.listing.is_file(path):
            return self.listing.made_of(path)
        sources: tuple[MemberSource, ...] = ()
        try:
            sources = self.members.sources(path)
        except SourceError as error:
            self.notes.append(f"{path}: this version does not read what it is made of. {error}")
        return sources or self.listing.built_file(path)

    def has(self, path: str) -> bool:
        return bool(self._made_from(normal(path)))

    def made_of(self, path: str) -> str:
        path = normal(path)
        made_from = self._made_from(path)
        if isinstance(made_from, str):
            return (
                f"{made_from}, as the build made it" * bool(made_from) if not self.listing.is_file(path) else made_from
            )
        return f"{len(made_from)} sources that {made_from[0].named[0] or self.listing.made_of(path)} names"

    def source(self, path: str) -> ByteSource:
        path = normal(path)
        made_from = self._made_from(path)
        if not made_from:
            raise RomError(f"{self.path} has no file {path}.")
        if isinstance(made_from, str):
            return MemorySource(self.tree.read(made_from))
        return MemorySource(build_archive(self.members.read(path, member) for member in made_from))

    @remembered
    def state(self) -> bytes:
        return self.tree.state()

    def program_state(self) -> bytes:
        machines = self.table(_MACHINES)
        return self.tree.state(*_LISTS) + (machines.data if machines is not None else b"")

    @property
    def unmade(self) -> frozenset[str]:
        return frozenset(self.listing.rows) - frozenset(self.files)

    def table(self, name: str) -> StatedTable | None:
        if name == _MACHINES:
            items = self._made_from(PLATINUM.path(Role.ITEMS))
            return self.members.machines(items) if isinstance(items, tuple) else None
        return self.listing.program_table(name)

    def origin(self, path: str, member: int | None = None, part: Part = ()) -> Origin | None:
        path = normal(path)
        if member is None:
            return (self.listing.made_of(path), 1) if self.listing.is_file(path) else None
        sources = self._made_from(path)
        if isinstance(sources, str) or not 0 <= member < len(sources):
            return None
        return self.members.origin(path, sources[member], part)

    def text_file(self, name: str) -> Path | None:
        return self.tree.place(name)

    def name_origin(self, constant: str) -> Origin | None:
        return next(
            (names.origin(constant) for names in name_lists(self.listing.names) if constant in names.entries), None
        )

    def _open_archive(self, path: str) -> Archive:
        members = self._made_from(path)
        if isinstance(members, str):
            return super()._open_archive(path)
        read = partial(self.members.read, path)
        return FileArchive(path, members, read, made_of=self.members.made_of)

    def _stored_arm9(self) -> ByteSource:
        return MemorySource(b"")

    def overlay_records(self) -> tuple[OverlayRecord, ...]:
        return ()

    def _stored_overlay(self, record: OverlayRecord) -> ByteSource | None:
        return None


def commit_of(files: TreeFiles) -> str:
    """The commit that a tree is a checkout of, or that it is; empty where its files do not say it."""
    if isinstance(files, RevisionFiles):
        return files.commit
    try:
        _, named, head = files.text_if_any(".git/HEAD").strip().rpartition("ref: ")
        if named:
            packed = re.findall(rf"^(\w+) {re.escape(head)}$", files.text_if_any(".git/packed-refs"), re.MULTILINE)
            head = files.text_if_any(f".git/{head}").strip() or "".join(packed[:1])
    except SourceError:
        return ""
    return head if _COMMIT.fullmatch(head) else ""


def table_of(files: TreeFiles) -> str:
    """The table of files of a tree; empty for something else."""
    tables = (f"{folder}/{table}" for folder in sorted(files.names("")) for table in TABLES)
    return next(filter(files.has, tables), "")


def open_tree(folder: Path, name: str, earlier: Rom | None = None) -> TreeRom | None:
    """The tree in a folder, or in a commit, with its name in errors; None for something else. `earlier`: the same tree
    before. Raises RomError for a commit that cannot be read, and for a tree in another form."""
    before = earlier if isinstance(earlier, TreeRom) else None
    files = (
        FolderFiles(folder, name, None if before is None else before.tree) if folder.is_dir() else revision_files(name)
    )
    table = "" if files is None else table_of(files)
    if files is not None and table:
        if not files.has(_LIST):
            raise RomError(f"{name} has no {_LIST}: of source trees, only those of pret/pokeplatinum with it are read.")
        return TreeRom(files, table, before)
    if files is not None and not folder.is_dir():
        raise RomError(f"{name}: this commit has no source tree of the decompilation.")
    return None

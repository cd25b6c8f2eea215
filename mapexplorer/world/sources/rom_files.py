"""The files of a ROM by role, and its map headers, which are read at once with their names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from formats import field
from formats.binary import FormatError
from mapexplorer.caching import Cache
from mapexplorer.errors import RomError
from mapexplorer.games import NameBank, Role, identify
from mapexplorer.rom import Archive, Rom, joined_archives, loose_archive
from mapexplorer.rom.rom import Origin
from mapexplorer.world.headers.header import Header
from mapexplorer.world.headers.room_names import room_names
from mapexplorer.world.sources import header_search, program_tables
from mapexplorer.world.sources.damage import read_or
from mapexplorer.world.sources.provenance import ProgramTable, Provenance, Resolved, SourceRule
from mapexplorer.world.sources.requirements import lacking

if TYPE_CHECKING:
    from formats.field.area import AreaRecord

T = TypeVar("T")

KEPT = {
    Role.LAND_DATA: 32,
    Role.BUILD_MODEL: 160,
    Role.PROP_TEXTURES: 8,
    Role.TERRAIN_TEXTURES: 8,
    Role.SCRIPTS: 32,
}
"""The number of cached values of each large kind; of small kinds all values are cached."""


def member_reader(role: Role, read: Callable[[Any], T]) -> Callable[[RomFiles, int], T]:
    """A method that gives the member of an archive with an index as a value."""
    return lambda files, index: files.member(role, index, read)


class RomFiles:
    """The files of a ROM by role. The constructor reads the header table and the names; members of archives are read on
    demand. Several threads may read from one.

    `notes` lists what is unusual or absent. Every method that reads a file raises FormatError for damaged bytes, also
    for a number beyond the end of an archive, and RomError for a file that the ROM lacks.
    """

    def __init__(self, rom: Rom, *, header_archive: str | None = None) -> None:
        """`header_archive`: the path of the archive in which a ROM keeps its headers, if it is not recognised."""
        self.rom = rom
        rom.header_archive = header_archive or rom.header_archive
        self.game = identify(rom)
        self.notes: list[str] = []
        self._kept: dict[Role, Cache[int, Any]] = {role: Cache(KEPT.get(role)) for role in Role}
        names = [
            name.partition("\0")[0] for name in field.MapNames.from_bytes(rom.file(self.path(Role.MAP_NAMES))).names
        ]
        self.name_count = len(names)
        """The number of internal names of maps, usually that of headers."""
        self.location_names = self._location_names()
        self.header_limits = self._header_limits()
        """Field of headers -> how many entries its archive has; without absent and damaged archives."""
        self.header_table = self._find_headers(len(names))
        self.notes += rom.notes
        table = header_search.read_headers(self.header_table.value.tobytes(), self.game)
        named = [
            (
                (names[index] if index < len(names) else "") or f"header {index}",
                self.game.symbolic_map_name(self.rom.code, index),
                self._location(record.label_text),
                record.map_type in self.game.outdoor_types,
            )
            for index, record in enumerate(table.headers)
        ]
        self.headers: tuple[Header, ...] = tuple(
            Header.of(
                record,
                matrix=self.game.matrix(record.matrix, rom.code),
                id=index,
                internal_name=internal,
                symbolic_name=symbolic,
                location_name=location,
                kind=self.game.tables.map_type_name(record.map_type),
                outdoors=outdoors,
                town=record.map_type == self.game.town_type,
                room=room,
                same_name=same_name,
            )
            for index, (record, (internal, symbolic, location, outdoors), (room, same_name)) in enumerate(
                zip(table.headers, named, room_names(named), strict=True)
            )
        )

    def __repr__(self) -> str:
        release, count = self.game.release(self.rom), len(self.headers)
        return f"<{type(self).__name__} of {self.rom.path}: {release}, {count} map headers>"

    def _location_names(self) -> tuple[str, ...]:
        try:
            bank = self.names(NameBank.PLACES)
            reason = f"The ROM has no texts ({self.path(Role.MESSAGES)})"
        except FormatError as error:
            bank, reason = None, f"The place names are damaged ({error})"
        if bank is None:
            self.notes.append(f"{reason}, so places have internal names only.")
            return ()
        return bank.messages

    def _location(self, label: int) -> str:
        return self.location_names[label] if label < len(self.location_names) else ""

    def _find_headers(self, count: int) -> Resolved[header_search.HeaderRecords]:
        if self.rom.header_archive:
            return self._named_headers(self.rom.header_archive)
        stated = program_tables.stated_table(self.rom, ProgramTable.MAP_HEADERS, header_search.RECORD)
        if stated is not None:
            return stated
        game, arm9, limits = self.game, self.rom.arm9(), self.header_limits
        archive = read_or(None, self.archive, Role.DYNAMIC_HEADERS) if self.has(Role.DYNAMIC_HEADERS) else None
        dynamic = header_search.dynamic_headers(game, self.rom.code, arm9, archive, count, limits)
        if dynamic is not None:
            return dynamic
        try:
            hint = game.tables.headers.table_offsets.get(self.rom.code)
            return header_search.find_headers(game, arm9, count, limits, hint)
        except RomError:
            records = header_search.member_headers(archive)
            if records is None or not header_search.looks_like_headers(game, records, count, limits):
                raise
            return Resolved(records, Provenance(self.path(Role.DYNAMIC_HEADERS), SourceRule.ARCHIVE_FITS))

    def _named_headers(self, path: str) -> Resolved[header_search.HeaderRecords]:
        records = header_search.member_headers(self.rom.archive(path))
        if records is None:
            raise FormatError(path, 0, "members of at least 24 bytes", "others, or none")
        return Resolved(records, Provenance(path, SourceRule.NAMED_ARCHIVE))

    def _header_limits(self) -> dict[str, int]:
        limits: dict[str, int] = {}
        for role, *fields in (
            (Role.AREA_DATA, "area"),
            (Role.PRELOAD_LISTS, "preload_list"),
            (Role.MAP_MATRIX, "matrix"),
            (Role.SCRIPTS, "scripts", "init_scripts"),
            (Role.MESSAGES, "message_bank"),
            (Role.ENCOUNTERS, "wild_encounters"),
            (Role.ZONE_EVENT, "events"),
        ):
            try:
                present = self.archive(role)
            except FormatError as error:
                self.notes.append(f"{self.path(role)} is damaged ({error}); what needs it cannot be shown.")
                continue
            if present is not None:
                limits.update(dict.fromkeys(fields, len(present)))
        if self.location_names:
            limits["label_text"] = len(self.location_names)
        return limits

    # --- what the headers name

    matrix = member_reader(Role.MAP_MATRIX, field.MapMatrix.from_bytes)
    """A member of map_matrix."""

    def area(self, index: int) -> AreaRecord:
        """A member of area_data."""
        read: Callable[[Any], AreaRecord] = self.game.record(Role.AREA_DATA).from_bytes
        return self.member(Role.AREA_DATA, index, read)

    def messages(self, bank: int) -> field.MessageBank | None:
        """A member of pl_msg, None when the ROM has no texts or no such bank."""
        if not self.has(Role.MESSAGES) or bank >= len(self.members(Role.MESSAGES)):
            return None
        return self.member(Role.MESSAGES, bank, field.MessageBank.from_bytes)

    def names(self, bank: NameBank) -> field.MessageBank | None:
        """The names of species, items ..., None when the ROM has none, or in a release whose bank is not known."""
        number = self.game.name_bank(bank, self.rom.code)
        return self.messages(number) if number is not None else None

    # --- reading

    def member(self, role: Role, index: int, read: Callable[[Any], T]) -> T:
        """A member of an archive as a value; the latest of each kind are cached. A member without contents to show
        raises FormatError like a damaged one."""
        value: T = self._kept[role].get(index, self._read, role, index, read)
        return value

    def _read(self, role: Role, index: int, read: Callable[[Any], T]) -> T:
        reader = self.members(role).reader(index)
        value = read(reader)
        lacks = lacking(role, value)
        if lacks is not None:
            reader.fail(0, lacks, "none")
        return value

    def path(self, role: Role) -> str:
        """The path of the file with this role in the ROM."""
        return self.game.path(role)

    def has(self, role: Role) -> bool:
        """Whether the game has a role and the ROM the file."""
        return role in self.game.files and self.rom.has(self.path(role))

    def members(self, role: Role) -> Archive:
        """The archive of a role, or the loose files that this game has instead. RomError when it is absent, FormatError
        when it is damaged."""
        if role not in self.game.files:
            raise RomError(f"Nothing is known about {role} in {self.game.title}.")
        parts = self.game.files[role].parts
        if not parts:
            return self.rom.archive(self.path(role))
        if self.rom.is_archive(parts[0]):
            return joined_archives([self.rom.archive(part) for part in parts])
        return loose_archive(parts, self.rom.file)

    def origin(self, role: Role, member: int, part: tuple[str | int, ...] = ()) -> Origin | None:
        """The text that a member, or a part of it, is made of; see `Rom.origin`."""
        return self.rom.origin(self.path(role), member, part)

    def sourced(self, why: Provenance) -> Provenance:
        """A source with the text that the member is made of."""
        role = next((role for role in Role if role == why.archive), None)
        if role is None or why.origin is not None or why.member is None:
            return why
        return replace(why, origin=self.origin(role, why.member))

    def archive(self, role: Role) -> Archive | None:
        """The same, None when it is absent. FormatError when it is damaged."""
        try:
            return self.members(role)
        except RomError:
            return None

"""The description of one game: the paths of its files, the tables of its program, its constants."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol, Self

from formats import field as field_formats
from mapexplorer.caching import shared_property
from mapexplorer.errors import RomError
from mapexplorer.games.name_bank import OTHER_BANKS, BankNumbers, NameBank
from mapexplorer.games.role import Role

if TYPE_CHECKING:
    from formats.field.map_header import AnyMapHeader
    from mapexplorer.games.constants import Constants
    from mapexplorer.games.tables import LaidOver, Tables

OTHER_LIGHT_SET = 1
"""The light set of an area whose number is not in `Game.light_sets`: that for outdoors."""

LANGUAGES = {
    "E": "English",
    "S": "Spanish",
    "I": "Italian",
    "F": "French",
    "D": "German",
    "J": "Japanese",
    "K": "Korean",
}
"""Fourth letter of a game code -> the language of the release."""

REGIONS = {"E": "US", "S": "ES", "I": "IT", "F": "FR", "D": "DE", "J": "JP", "K": "KR"}
"""Fourth letter of a game code -> the region of the release."""

_OF_DATA = frozenset(("header", "land", "messages", "trainer"))
"""The kinds of constants whose numbers mean other things in a ROM with other data, as the demo world."""

_PART = re.compile(r"[/\\#\[]+")
_NUMBER = re.compile(r"\d+")


class Topic(StrEnum):
    """A part of a game about which this program may know nothing; the value is its name in sentences."""

    SCRIPTS = "scripts"
    ENCOUNTERS = "wild encounters"
    TRAINERS = "trainers"
    ITEMS = "items"
    MACHINES = "machines that teach moves"
    LEARNSETS = "learnsets and move tutors"
    FEATURES = "what code adds to maps"
    MOVEMENT_TYPES = "how people move"
    SAVES = "saves"


class Cartridge(Protocol):
    """The properties by which a game is identified: the fields of the cartridge header and the files (a
    `mapexplorer.rom.Rom`)."""

    path: str
    layout: str

    @property
    def name(self) -> str:
        """The title in the cartridge header."""

    @property
    def code(self) -> str:
        """The game code in the cartridge header, for instance `CPUE`."""

    @property
    def revision(self) -> int:
        """The software version in the cartridge header."""

    @property
    def laid_over(self) -> LaidOver | None:
        """`Game.laid_over` of the ROM."""

    def has(self, path: str) -> bool:
        """Whether there is a file at `path`."""


@dataclass(frozen=True)
class GameFile:
    """A file of a game: its `path` (where `parts` are named: that of the first one); its `purpose`, shown to users
    when it is missing (empty: this program does not use it); `needed`: every map needs it; `kind`: the type in
    `formats.field` of the file or its members, for files without a magic number; `member_kinds`: the type of those
    members that have another one; `unpacked`: the folder under `unpacked/` in which DSPRE edits it; `parts`: the
    loose files that are its members, in a game without an archive of this role."""

    path: str
    purpose: str = ""
    needed: bool = False
    kind: str = ""
    member_kinds: Mapping[int, str] = field(default_factory=dict)
    unpacked: str = ""
    parts: tuple[str, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of all its files."""
        return self.parts or (self.path,)


@dataclass(frozen=True)
class ProgramTables:
    """How to find the tables in a game's program."""

    overlay: int
    """The overlay of the field, which has the camera types and the object graphics."""
    cameras: int
    """The number of camera types."""
    camera_pointer: int
    """Where the word is that points to the camera types."""
    first_camera: tuple[int, int]
    """The first bytes of the camera types: distance (fx32), angle (u16)."""
    first_graphics: bytes
    """The first bytes of the object graphics."""
    first_weathers: bytes
    """The first bytes of the weathers of the year; empty in a game without them."""
    camera_record: str = "CAMERA"
    """The name of the record in `formats.field.program_tables`."""
    graphics_record: str = "OBJECT_GRAPHICS"
    """The name of the record in `formats.field.program_tables`."""
    expansion: tuple[str, int] = ("data/weather_sys.narc", 9)
    """The archive and the member that an ARM9 expansion fills with code."""
    engine_overlay: int | None = None
    """The overlay that hg-engine appends."""
    header_narc: int = 0
    """The number of the archive of DYNAMIC_HEADERS in the program's list of archives."""
    header_routines: Mapping[str, int] = field(default_factory=dict)
    """Game code -> where the patch "dynamic headers" puts its routine in ARM9; empty in a game without the patch."""


@dataclass(frozen=True, eq=False)
class Game:
    """A game."""

    name: str
    """The folder of its tables below `data/`."""
    title: str
    """The title of the game, of all its versions together."""
    codes: tuple[str, ...]
    """The first three letters of its game codes."""
    files: Mapping[Role, GameFile]
    """The files by role."""
    program: ProgramTables
    """How to find the tables in the program."""
    name_banks: Mapping[NameBank, BankNumbers]
    """The message banks with names."""
    cycling_road: str
    """The internal name of the map on whose bike bridge a bicycle rolls south."""
    town_type: int
    """The map type of towns."""
    outdoor_types: frozenset[int]
    """The map types of all maps outdoors."""
    indoor_types: frozenset[int]
    """The map types of maps whose name is not shown on arrival."""
    other_kinds: Mapping[str, str] = field(default_factory=dict)
    """The kinds (see `GameFile`) of files without a role, by file name."""
    header_kind: str = "MapHeader"
    """The type of its map headers in `formats.field`."""
    light_sets: Mapping[int, int] | None = None
    """Field of an area -> light set, where the number is not that of an archive's member."""
    titles: Mapping[str, str] = field(default_factory=dict)
    """The title for each of the `codes`, where they differ."""
    cartridge_titles: tuple[str, ...] = ()
    """The titles in the cartridge headers of the releases."""
    base: str = ""
    """The folder of the tables that the tables of this game are laid over."""
    terrain_slots: tuple[str, ...] = ()
    """The terrain textures that the files of TERRAIN_ANIMATIONS animate, in a game without a list of them."""
    copied_formats: frozenset[int] = frozenset(range(1, 8))
    """The texture formats whose pictures those files copy."""
    first_count: int = 0
    """Where those files begin to count the ticks of a step, but the first."""
    still_lands: frozenset[int] = frozenset()
    """The lands that the SRT animation of their area does not move."""
    other_matrices: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    """Game code -> matrix of a header -> the one that the program uses instead."""
    not_known: frozenset[Topic] = frozenset()
    """What this program knows nothing about in this game."""
    retail_counts: Mapping[Role, int] = field(default_factory=dict)
    """Archive -> the number of its members in the retail game."""
    custom_graphics: frozenset[int] = frozenset()
    """The object graphics of a hack that the retail game lacks; they are people."""
    by_constants: bool = False
    """Numbers are shown by their constants instead of their names."""
    laid_over: LaidOver | None = None
    """What puts the names of a ROM that has names of its own into the tables."""

    @shared_property
    def tables(self) -> Tables:
        """The constant tables."""
        from mapexplorer.games.tables import Tables  # its many types take long to make, and not every verb reads tables

        return Tables(
            self.name,
            self.base,
            by_constants=self.by_constants,
            laid_over=self.laid_over,
            people=self.custom_graphics,
        )

    @property
    def constants(self) -> Constants:
        """The decompilation's names of numbers; none in a game whose names are not known."""
        return self.tables.constants

    def constant(self, kind: str, number: int, code: str) -> str:
        """The constant of a number in a ROM with a game code; empty without one, for what belongs to the data of
        another ROM, and for a message bank of a release that has others."""
        other = kind in _OF_DATA and code[:3] not in self.codes
        other_banks = kind == "messages" and self.letter(code) in OTHER_BANKS
        return "" if other or other_banks else self.constants.name(kind, number)

    def letter(self, code: str) -> str:
        """The letter of a game code that tells the language; empty for a code of no release."""
        return code[3:4] if code[:3] in self.codes else ""

    def showing_constants(self) -> Self:
        """This game with its constants in place of names. Raises RomError where none are known."""
        if not self.constants:
            raise RomError(f"No constants of {self.title} are known.")
        return replace(self, by_constants=True)

    def constant_subject(self, text: str, code: str) -> tuple[str, int] | None:
        """The kind and the number of the thing that a constant means in a ROM with a game code; None for another
        text."""
        named = self.constants.number(text) if "_" in text else None
        return named if named is not None and self.constant(*named, code) else None

    @property
    def header_record(self) -> type[AnyMapHeader]:
        """The type of a map header."""
        record: type[AnyMapHeader] = getattr(field_formats, self.header_kind)
        return record

    def record(self, role: Role) -> Any:
        """The type in `formats.field` of the file with a role, or of its members."""
        return getattr(field_formats, self.files[role].kind)

    def require(self, topic: Topic | None) -> None:
        """Raises RomError when this program knows nothing about a subject in this game."""
        if topic in self.not_known:
            raise RomError(f"Nothing is known about {topic} in {self.title}.")

    def name_bank(self, bank: NameBank, code: str = "") -> int | None:
        """The number of the message bank with names in the release with a game code, None where it is not known."""
        return self.name_banks[bank].of(self.letter(code)) if bank in self.name_banks else None

    def light_set(self, stored: int) -> int:
        """The number of the light set that an area's field means."""
        if self.light_sets is None:
            return stored
        return self.light_sets.get(stored, OTHER_LIGHT_SET)

    def matrix(self, stored: int, code: str) -> int:
        """The matrix that a header means in the release with a game code."""
        return self.other_matrices.get(code[:3], {}).get(stored, stored)

    def symbolic_map_name(self, code: str, header: int) -> str:
        """The name of a map header in the decompilation; empty without one, and for a ROM with another game code,
        whose headers are others."""
        names = self.tables.headers.symbolic_names
        return names[header] if code[:3] in self.codes and header < len(names) else ""

    def path(self, role: Role) -> str:
        """The path of the file with this role; of the first one where several loose files have it, empty where the game
        has none."""
        return self.files[role].path if role in self.files else ""

    def role(self, path: str) -> Role | None:
        """The role of the file at `path`, None when it has none."""
        return self._roles.get(path)

    def kind(self, name: str) -> str | None:
        """The name of the type in `formats.field` for a field file without a magic number, None for an unknown file
        name.

        `name` is a path in the ROM or of a loose file; members of archives are written after their archive:
        `land_data.narc[12]`, `land_data.narc#12` or `land_data.narc/12.bin`.
        """
        lower = name.lower()
        for path, kind in self._paths_without_extension.items():
            if lower == path or (lower.startswith(path) and lower[len(path)] in "[#/"):
                return kind
        member = ""
        for part in reversed(_PART.split(name.lower())):
            if part in self._kinds:
                number = _NUMBER.match(member)
                kinds = self._member_kinds.get(part, {})
                return kinds.get(int(number[0]), self._kinds[part]) if number else self._kinds[part]
            member = part
        return None

    def file_name(self, role: Role) -> str:
        """The name of the file with this role."""
        return self.path(role).rsplit("/", 1)[-1]

    @shared_property
    def needed(self) -> dict[str, str]:
        """Path -> purpose of the files without which no map can be shown."""
        return {path: file.purpose for file in self.files.values() if file.needed for path in file.paths}

    @shared_property
    def optional(self) -> dict[str, str]:
        """Path -> purpose of the files that may be absent."""
        return {
            path: file.purpose
            for file in self.files.values()
            if file.purpose and not file.needed
            for path in file.paths
        }

    def missing(self, rom: Cartridge) -> dict[str, str]:
        """Path -> purpose of the optional files that a ROM lacks."""
        return {path: purpose for path, purpose in self.optional.items() if not rom.has(path)}

    def release(self, rom: Cartridge) -> str:
        """Title, language and revision of a ROM of this game; for an unknown game code, the ROM's own title and
        code."""
        if rom.code[:3] not in self.codes:
            return f"{rom.name or 'untitled'} ({rom.code or 'no game code'}), recognised by its files"
        title = self.titles.get(rom.code[:3], self.title)
        return f"{title}, {self.language(rom) or 'unknown language'} ({rom.code}), revision {rom.revision}"

    def release_code(self, rom: Cartridge) -> str:
        """The release of a ROM in one word, `PLATINUM-US`; a hack with a title of its own has that behind it,
        `PLATINUM-US+TITLE`."""
        version = self.titles.get(rom.code[:3], self.name).split()[-1].upper()
        release = "-".join(filter(None, (version, REGIONS.get(rom.code[3:4]))))
        own = rom.name if rom.name not in self.cartridge_titles else ""
        return "+".join(filter(None, (release, "-".join(own.split()))))

    def language(self, rom: Cartridge) -> str:
        """The language that the game code of a ROM stands for; empty for a code of no release."""
        return LANGUAGES.get(self.letter(rom.code), "")

    @shared_property
    def _roles(self) -> dict[str, Role]:
        return {path: role for role, file in self.files.items() for path in file.paths}

    @shared_property
    def _kinds(self) -> dict[str, str]:
        files = [file for file in self.files.values() if file.kind]
        named = {_name(path): file.kind for file in files for path in file.paths if "." in _name(path)}
        return {**named, **self.other_kinds}

    @shared_property
    def _paths_without_extension(self) -> dict[str, str]:
        files = [file for file in self.files.values() if file.kind]
        return {path: file.kind for file in files for path in file.paths if "." not in _name(path)}

    @shared_property
    def _member_kinds(self) -> dict[str, Mapping[int, str]]:
        return {_name(file.path): file.member_kinds for file in self.files.values() if file.member_kinds}


def _name(path: str) -> str:
    return path.rsplit("/", 1)[-1].lower()

"""The text form of a file of a ROM, or of a member of an archive, and the bytes that it stands for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cached_property, partial
from typing import Any, Final, NamedTuple

import formats
from formats.binary import FormatError, Reader
from formats.field.script import ScriptFile
from formats.field.script_commands import PLATINUM
from formats.field.trainer_party import TrainerParty
from formats.nitro import KINDS as MAGIC
from mapexplorer.errors import RomError, SourceError
from mapexplorer.gameplay.script_listing import list_script
from mapexplorer.gameplay.script_names import ScriptNames
from mapexplorer.games import Game, Role
from mapexplorer.json_lines import read_text
from mapexplorer.rom import Rom
from mapexplorer.source_tree.documents import JSON, Files, read_document, write_document
from mapexplorer.source_tree.script_reader import read_script
from mapexplorer.source_tree.script_syntax import ScriptWords
from mapexplorer.source_tree.script_text import script_text
from mapexplorer.world.events.script_files import script_bank, script_member
from mapexplorer.world.sources.files import WorldFiles

SCRIPT: Final = ".script"
BYTES: Final = ".bin"
_MOST_MAPS: Final = 8


class Member(NamedTuple):
    """A file of a ROM by its path, or a member of an archive by its number, too."""

    path: str
    number: int | None = None

    @property
    def name(self) -> str:
        """The name that decides its kind, and that errors use."""
        return self.path if self.number is None else f"{self.path}[{self.number}]"


class StoredForm(StrEnum):
    """How a member is stored in the folder: as text; as bytes because nothing is known about its format, it is empty,
    or its text form would not give the same bytes."""

    TEXT = "text"
    UNKNOWN = "unknown"
    EMPTY = "empty"
    INEXACT = "inexact"


def has_kind(game: Game, member: Member, data: bytes) -> bool:
    """Whether a member has a known format."""
    return bool(data) and (data[:4] in MAGIC or game.kind(member.name) is not None)


class MemberWriter:
    """Makes the text forms of the members of a ROM."""

    def __init__(self, rom: Rom, game: Game) -> None:
        self._rom = rom
        self._game = game
        self._reader = MemberReader(game)

    @cached_property
    def _world(self) -> WorldFiles:
        return WorldFiles(self._rom)

    def files(self, member: Member, stem: str, data: bytes) -> tuple[StoredForm, Files]:
        """How a member is stored, and its files; `stem` is their name without endings."""
        if not data:
            return StoredForm.EMPTY, _as_bytes(member, stem, data)
        if not has_kind(self._game, member, data):
            return StoredForm.UNKNOWN, _as_bytes(member, stem, data)
        try:
            files = self._text(member, stem, data)
            given = {name: partial(bytes, text) for name, text in files.items()}
            exact = self._reader.packed(member, stem, given, check=False) == data
        except (FormatError, RomError, ValueError):  # damaged, or what no writer makes
            exact = False
        return (StoredForm.TEXT, files) if exact else (StoredForm.INEXACT, _as_bytes(member, stem, data))

    def _text(self, member: Member, stem: str, data: bytes) -> Files:
        if self._game.role(member.path) is Role.SCRIPTS and member.number is not None:
            value: Any = script_member(self._world, member.number)
            if isinstance(value, ScriptFile):
                return {f"{stem}{SCRIPT}": self._script(member.number, value).encode()}
        elif self._game.role(member.path) is Role.TRAINER_PARTIES and member.number is not None:
            value = TrainerParty.from_bytes(data, form=self._world.trainer(member.number).party_form)
        else:
            value = formats.read(Reader(data, member.name), kind=self._game.kind(member.name))
        return write_document(stem, value)

    def _script(self, member: int, file: ScriptFile) -> str:
        """A script file as text, with the names of what its commands mention as comments."""
        world, tables = self._world, self._game.tables.script_commands
        bank = script_bank(world, member)
        listing = list_script(file, tables, ScriptNames(world, bank))
        maps = [header.title for header in world.headers if header.scripts == member]
        about = [f"Maps: {', '.join(maps[:_MOST_MAPS])}{' ...' if len(maps) > _MOST_MAPS else ''}"] if maps else []
        if bank is not None:
            about.append(f"Texts: {world.path(Role.MESSAGES)}/{bank:04}{JSON}")
        return script_text(file, self._reader.words, listing.lines, about=about)


class MemberReader:
    """Makes the bytes of members from their files."""

    def __init__(self, game: Game) -> None:
        self._game = game

    @cached_property
    def words(self) -> ScriptWords:
        """The words of its scripts."""
        return ScriptWords(self._game.tables.script_commands, PLATINUM)

    def packed(
        self, member: Member, stem: str, files: Mapping[str, Callable[[], bytes]], *, check: bool = True
    ) -> bytes:
        """The bytes of a member. `files` reads each of its files by name. `check`: what was written must be read as
        what the files say. Raises SourceError, OSError."""
        main = main_file(member, stem, files)
        if main.endswith(SCRIPT) and main != stem:
            return self._script(main, files[main], check)
        if main.endswith(JSON) and main != stem:
            return read_document(main, files, partial(self._read_back, member) if check else None)
        return files[main]()

    def _script(self, file: str, read: Callable[[], bytes], check: bool) -> bytes:
        text = read_text(file, read())
        script = read_script(text, file, self.words)
        entries = next(line for line, words in enumerate(text.split("\n"), 1) if words.strip().startswith(".en"))
        try:
            data = script.to_bytes()
            read_back = ScriptFile.from_bytes(data) if check else script
        except ValueError as error:
            raise SourceError(file, entries, str(error)) from None
        if (len(read_back.entries), read_back.end_mark) != (len(script.entries), script.end_mark):
            why = f"when it is read back, this file has {len(read_back.entries)} entries"
            raise SourceError(file, entries, why)
        return data

    def _read_back(self, member: Member, value: object, data: bytes) -> Any:
        """The value of a member in the bytes of a value. The form of a party is in the trainer's record, which `pack`
        compares. Raises FormatError."""
        if isinstance(value, TrainerParty) and self._game.kind(member.name) == TrainerParty.__name__:
            return TrainerParty.from_bytes(data, form=value.form)
        return formats.read(Reader(data, member.name), kind=self._game.kind(member.name))


def main_file(member: Member, stem: str, files: Mapping[str, object]) -> str:
    """The file of a member that its other files belong to. Raises SourceError when there is none, or several."""
    names = [f"{stem}{JSON}", f"{stem}{SCRIPT}", _bytes_file(member, stem)]
    present = [name for name in names if name in files]
    if not present:
        raise SourceError(names[0], None, f"{member.name} is missing: there is neither this file nor {names[-1]}")
    if len(present) > 1:
        raise SourceError(present[0], None, f"{present[1]} is the same member; delete one of the two")
    return present[0]


def _bytes_file(member: Member, stem: str) -> str:
    return stem if member.number is None else f"{stem}{BYTES}"


def _as_bytes(member: Member, stem: str, data: bytes) -> Files:
    return {_bytes_file(member, stem): data}

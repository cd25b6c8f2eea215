"""Script numbers and the files that they mean; which members of the script archive are initial scripts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from formats.binary import FormatError
from formats.field.init_script import InitScriptFile
from formats.field.script import Command, ScriptFile
from formats.field.script_member import ScriptMember
from mapexplorer.errors import check_number
from mapexplorer.games import Role
from mapexplorer.games.name_bank import BankNumbers
from mapexplorer.games.script_tables import ScriptBand
from mapexplorer.world.headers.header import Header
from mapexplorer.world.sources.files import WorldFiles


@dataclass(frozen=True)
class ScriptPlace:
    """Where a script is: the `member` of the script archive, the `entry` from 0 on, the message bank of its texts
    (None: not known in this release), and the band of its number (None: a script of the map itself)."""

    member: int
    entry: int
    bank: int | None
    band: ScriptBand | None


def locate_script(world: WorldFiles, header: int, number: int) -> ScriptPlace | None:
    """The script that a number means on the maps of a header; None for a number that means no script."""
    numbers = world.game.tables.script_numbers
    if number in numbers.none:
        return None
    band = numbers.band(number)
    if band is not None:
        return ScriptPlace(band.member, number - band.first, _bank(world, band), band)
    of_map = world.headers[header]
    return ScriptPlace(of_map.scripts, number - 1, of_map.message_bank, None)


def common_scripts(world: WorldFiles) -> Collection[int] | None:
    """The numbers of the scripts for all maps, and those below them, which mean scripts of a map; None where nothing is
    known about scripts. Raises FormatError."""
    bands = world.game.tables.script_numbers.bands
    scripts = [band.first + entry for band in bands for entry in range(len(world.script_file(band.member).entries))]
    return {*range(bands[0].first), *scripts} if bands else None


class NamedCommand(NamedTuple):
    """A command of a script by name, with its plain arguments; targets are left out."""

    name: str
    arguments: tuple[int, ...]


def check_entry(member: int, file: ScriptFile, entry: int) -> None:
    """Raises PlaceError for an entry that a script file does not have."""
    check_number("entry", entry, range(len(file.entries)), f"script file {member}")


def script_commands(world: WorldFiles, header: int, number: int) -> tuple[NamedCommand, ...]:
    """The known commands that a script of a header may execute, in file order; none for a number that means no script.
    Raises FormatError, RomError."""
    place = locate_script(world, header, number)
    archive = world.archive(Role.SCRIPTS)
    if place is None or archive is None or place.member >= len(archive):
        return ()
    file = script_member(world, place.member)
    if not isinstance(file, ScriptFile) or not 0 <= place.entry < len(file.entries):
        return ()
    commands = []
    for item in sorted(file.reached([file.entries[place.entry]])):
        command = file.items[item]
        known = world.game.tables.script_commands.name(command.number) if isinstance(command, Command) else None
        if isinstance(command, Command) and known is not None:
            arguments = tuple([value for value in command.arguments if isinstance(value, int)])
            commands.append(NamedCommand(known.name, arguments))
    return tuple(commands)


def script_owners(world: WorldFiles) -> dict[int, Header]:
    """Script file -> the first header whose maps have it, without the files of shared scripts."""
    shared = {band.member for band in world.game.tables.script_numbers.bands}
    return {header.scripts: header for header in reversed(world.headers) if header.scripts not in shared}


def script_bank(world: WorldFiles, member: int) -> int | None:
    """The message bank of the texts of a script file: that of its band, else of the first header that names the file;
    None where nothing does."""
    band = next((band for band in world.game.tables.script_numbers.bands if band.member == member), None)
    if band is not None:
        return _bank(world, band)
    return next((header.message_bank for header in world.headers if header.scripts == member), None)


def script_member(world: WorldFiles, number: int) -> ScriptFile | InitScriptFile:
    """A member of the script archive: what headers and script numbers refer to it as; where nothing does, what it
    contains. Raises FormatError, RomError."""
    reader = world.members(Role.SCRIPTS).reader(number)
    return world.script_kinds.get(number, ScriptMember).from_bytes(reader)


def script_files(
    world: WorldFiles, damaged: list[str] | None = None, members: Iterable[int] | None = None
) -> Iterator[tuple[int, ScriptFile]]:
    """(member, file) of all script files, or those among some members, without those that cannot be read; their errors
    are appended to `damaged`."""
    archive = world.archive(Role.SCRIPTS)
    for number in range(len(archive) if archive is not None else 0) if members is None else members:
        try:
            file = script_member(world, number)
        except FormatError as error:
            if damaged is not None:
                damaged.append(str(error))
            continue
        if isinstance(file, ScriptFile):
            yield number, file


def _bank(world: WorldFiles, band: ScriptBand) -> int | None:
    """The message bank of a band; only the American and European releases have the known numbers."""
    return BankNumbers(band.bank).of(world.game.letter(world.rom.code))

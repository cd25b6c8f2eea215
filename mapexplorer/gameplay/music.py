"""The music of the field: which sequence a map plays, and why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

from formats.field.script import Command, ScriptFile
from mapexplorer.games.script_tables import MusicCommand, ScriptCommands

if TYPE_CHECKING:
    from mapexplorer.world.files import WorldFiles


class MusicRule(Enum):
    """How the sequence of a map is chosen."""

    DAY = auto()
    """The header's music by day."""
    NIGHT = auto()
    """The header's music by night, at night and late night."""
    FLAG = auto()
    """A flag is set (`flag`)."""
    CYCLING_ROAD = auto()
    """The player rides on Cycling Road."""
    SCRIPT = auto()
    """A script has set it until another map is entered."""
    RADAR = auto()
    """There is a chain of the Poké Radar."""
    SURFING = auto()
    """The player surfs."""


class FieldMusic(NamedTuple):
    """A sequence and why it is played; `flag` for the rule FLAG."""

    sequence: int
    rule: MusicRule
    flag: int | None = None


def field_music(
    world: WorldFiles,
    header: int,
    second: int,
    flags: Collection[int] = (),
    *,
    script: int | None = None,
    cycling: bool = False,
    surfing: bool = False,
    radar: bool = False,
) -> FieldMusic:
    """The music of a map at a second of the day while some flags are set. `script`: the sequence that a script has set;
    `cycling`: between the gates of Cycling Road on the bicycle; `surfing`: not in the Distortion World."""
    known = world.game.tables.music
    if surfing:
        return FieldMusic(known.surfing, MusicRule.SURFING)
    if radar:
        return FieldMusic(known.radar, MusicRule.RADAR)
    if script is not None:
        return FieldMusic(script, MusicRule.SCRIPT)
    if cycling and world.headers[header].internal_name == world.game.cycling_road:
        return FieldMusic(known.cycling_road, MusicRule.CYCLING_ROAD)
    night = world.game.tables.time_of_day(second).night_music
    for one in known.by_flag:
        if header in one.headers and one.flag in flags:
            return FieldMusic(one.night if night else one.day, MusicRule.FLAG, one.flag)
    at = world.headers[header]
    return FieldMusic(at.night_music, MusicRule.NIGHT) if night else FieldMusic(at.day_music, MusicRule.DAY)


class MusicUsers(NamedTuple):
    """The headers that play a sequence by day, and by night."""

    day: tuple[int, ...]
    night: tuple[int, ...]


def headers_by_sequence(world: WorldFiles) -> dict[int, MusicUsers]:
    """Sequence -> the headers that name it, in ascending order."""
    sequences = {number for header in world.headers for number in (header.day_music, header.night_music)}
    return {
        sequence: MusicUsers(
            tuple(header.id for header in world.headers if header.day_music == sequence),
            tuple(header.id for header in world.headers if header.night_music == sequence),
        )
        for sequence in sorted(sequences)
    }


class ScriptedMusic(NamedTuple):
    """A command of a script that names a sequence: what it does with it, the member of the script archive, the item."""

    use: MusicCommand
    member: int
    item: int


def scripted_music(files: Iterable[tuple[int, ScriptFile]], commands: ScriptCommands) -> dict[int, list[ScriptedMusic]]:
    """Sequence -> the commands of (member, file) of script files that name it, whether something runs them or not."""
    found: defaultdict[int, list[ScriptedMusic]] = defaultdict(list)
    for member, file in files:
        for at, item in enumerate(file.items):
            if isinstance(item, Command) and item.number in commands.music and isinstance(item.arguments[0], int):
                found[item.arguments[0]].append(ScriptedMusic(commands.music[item.number], member, at))
    return dict(found)

"""What depends on a flag: the scripts that set, clear or check it, and the objects that it hides."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from formats.binary import FormatError
from formats.field.script import Command, ScriptFile
from mapexplorer.games.script_tables import SaveNames
from mapexplorer.world.files import WorldFiles
from mapexplorer.world.save import CLONE
from mapexplorer.world.script_files import script_files

_EFFECTS: Final = {"flag set": "set", "flag clear": "cleared", "flag check": "checked"}


@dataclass(frozen=True)
class FlagUses:
    """The uses of a flag: (header, object) that it hides; (member of the script archive, byte offset) of the commands
    that set, clear and check it, whether something runs them or not."""

    hides: list[tuple[int, int]] = field(default_factory=list)
    set: list[tuple[int, int]] = field(default_factory=list)
    cleared: list[tuple[int, int]] = field(default_factory=list)
    checked: list[tuple[int, int]] = field(default_factory=list)


def flag_uses(world: WorldFiles, files: Iterable[tuple[int, ScriptFile]] | None = None) -> dict[int, FlagUses]:
    """Flag -> its uses, ascending, from all script files and the events of all headers. Reads every script file, if
    they are not given as `files`; files that cannot be read are left out."""
    found: dict[int, FlagUses] = {}
    rules = world.game.tables.script_commands.effects
    for member, file in script_files(world) if files is None else files:
        offsets = file.offsets()
        for offset, item in zip(offsets, file.items, strict=False):
            for rule in rules.get(item.number, ()) if isinstance(item, Command) else ():
                if rule.effect in _EFFECTS and isinstance(item, Command):
                    flag = item.arguments[rule.arguments[0]]
                    assert isinstance(flag, int)
                    getattr(found.setdefault(flag, FlagUses()), _EFFECTS[rule.effect]).append((member, offset))
    for header in world.headers:
        try:
            events = world.events(header.id)
        except FormatError:
            continue
        for index, event in enumerate(events.objects if events is not None else ()):
            flag = int(event["hidden_flag"])
            if flag and int(event["script"]) != CLONE:
                found.setdefault(flag, FlagUses()).hides.append((header.id, index))
    return dict(sorted(found.items()))


def flag_name(names: SaveNames, flag: int) -> str:
    """The name of a flag: its own, `hidden item N taken`, `trainer N beaten`, or empty."""
    if flag in names.hidden_items:
        return f"hidden item {flag - names.hidden_items.start} taken"
    if flag in names.trainers:
        return f"trainer {flag - names.trainers.start} beaten"
    return names.flags.get(flag, "")
